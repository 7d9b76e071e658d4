// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Collection;
import java.util.List;

/** Builds new graphs from given ones, column by column. */
public final class CscOperations {

    private CscOperations() {}

    /**
     * Every entry of the given graphs; without values, those in several of them once.
     *
     * @param graphs at least one, all over the same vertices
     */
    public static Columns union(List<? extends Columns> graphs, int concurrency, Stop stop) {
        Columns first = graphs.get(0);
        int values = first.values().size();
        ColumnSorter[] sorters = new ColumnSorter[concurrency];
        return assemble(first, first.vertexCount(), sum(graphs), concurrency, stop, (worker, range, degrees) -> {
            ColumnSorter sorter = sorter(sorters, worker, first.vertexCount(), stop);
            PacedStop paced = new PacedStop(stop);
            long capacity = 0;
            for (Columns graph : graphs) {
                capacity += graph.columnStart(range.to) - graph.columnStart(range.from);
            }
            range.allocate(capacity, values);
            for (int column = range.from; column < range.to; column++) {
                paced.worked(graphs.size());
                int start = range.length;
                for (Columns graph : graphs) {
                    graph.copyColumn(column, range);
                }
                if (values == 0) {
                    range.length = sorter.sortUnique(range.rows, start, range.length, start);
                } else {
                    sorter.sort(range.rows, range.values, start, range.length);
                }
                range.endColumn(column, degrees);
            }
        });
    }

    /**
     * Heap of {@link #union} without values at its peak, including the result.
     *
     * @param most sum of the entries of all graphs
     * @param least entries of the largest graph
     */
    public static MemoryTree unionMemory(int vertexCount, long most, long least) {
        long pointers = Csc.bytes(vertexCount, 0);
        return MemoryTree.between(
                "join graphs",
                pointers + (most + least) * Integer.BYTES,
                pointers + 2 * most * Integer.BYTES + VertexBits.bytes(vertexCount));
    }

    /** Heap of {@link #union} of entries with a value, in the same way. */
    public static MemoryTree weightedUnionMemory(int vertexCount, long entries) {
        long result = Csc.bytes(vertexCount, entries) + WeightedCsc.weightBytes(entries);
        return MemoryTree.between(
                "join weights", result + entries * Double.BYTES, result + entries * ColumnSorter.BYTES_PER_ENTRY);
    }

    private static long sum(List<? extends Columns> graphs) {
        return graphs.stream().mapToLong(Columns::entryCount).sum();
    }

    private static ColumnSorter sorter(ColumnSorter[] sorters, int worker, int vertexCount, Stop stop) {
        if (sorters[worker] == null) {
            sorters[worker] = new ColumnSorter(vertexCount, stop);
        }
        return sorters[worker];
    }

    /** See {@link Csc#relabelled}. */
    static Columns relabelled(Columns graph, int[] oldVertex, int[] newVertex, int concurrency, Stop stop) {
        int vertexCount = graph.vertexCount();
        ColumnSorter[] sorters = new ColumnSorter[concurrency];
        return assemble(graph, vertexCount, graph.entryCount(), concurrency, stop, (worker, range, degrees) -> {
            ColumnSorter sorter = sorter(sorters, worker, vertexCount, stop);
            PacedStop paced = new PacedStop(stop);
            allocate(range, graph, oldVertex);
            for (int column = range.from; column < range.to; column++) {
                int start = range.length;
                graph.copyColumn(oldVertex[column], range);
                for (int i = start; i < range.length; i++) {
                    paced.worked(1);
                    range.rows[i] = newVertex[range.rows[i]];
                }
                sorter.sortUnique(range.rows, start, range.length, start);
                range.endColumn(column, degrees);
            }
        });
    }

    private static void allocate(CscAssembly.Range range, Columns graph, int[] oldVertex) {
        long capacity = 0;
        for (int column = range.from; column < range.to; column++) {
            capacity += graph.degree(oldVertex == null ? column : oldVertex[column]);
        }
        range.allocate(capacity, graph.values().size());
    }

    /** Selects entries by their values. Several threads ask at once. */
    @FunctionalInterface
    public interface EntryFilter {
        /**
         * Whether an entry is kept.
         *
         * @param values for each kind of values those of several entries
         * @param entry the index of the entry in each array
         */
        boolean keeps(double[][] values, int entry);
    }

    /**
     * Entries with the values of several graphs, whose arrays it shares.
     *
     * @param graphs graphs of the same entries in the same order, at least one; their weights are not all 1
     */
    public static Columns joined(Collection<WeightedCsc> graphs) {
        Columns first = graphs.iterator().next();
        return new Columns(
                first.columnPointers(),
                first.rowIndices(),
                graphs.stream().map(WeightedCsc::weights).toList());
    }

    /** The entries without their values, each once. */
    public static Columns distinct(Columns graph, int concurrency, Stop stop) {
        return above(
                new Columns(graph.columnPointers(), graph.rowIndices(), List.of()),
                Double.NEGATIVE_INFINITY,
                concurrency,
                stop);
    }

    /**
     * The part of a graph that consists of some vertices and the entries between them that pass a filter.
     *
     * @param kept the kept vertices, ascending; vertex {@code kept[v]} becomes v; null for all
     * @param renumbered {@code int[graph.vertexCount()]}: the new number of each vertex, -1 if it is left out; null if
     *     all are kept
     * @param filter the filter; null for all entries
     */
    public static Columns induced(
            Columns graph, int[] kept, int[] renumbered, EntryFilter filter, int concurrency, Stop stop) {
        int vertexCount = kept == null ? graph.vertexCount() : kept.length;
        // assumes about as many entries for each vertex as before
        long expected = graph.vertexCount() == 0 ? 0 : graph.entryCount() / graph.vertexCount() * vertexCount;
        return assemble(graph, vertexCount, expected, concurrency, stop, (worker, range, degrees) -> {
            PacedStop paced = new PacedStop(stop);
            allocate(range, graph, kept);
            for (int column = range.from; column < range.to; column++) {
                int start = range.length;
                graph.copyColumn(kept == null ? column : kept[column], range);
                int end = range.length;
                range.length = start;
                for (int i = start; i < end; i++) {
                    paced.worked(1);
                    int row = renumbered == null ? range.rows[i] : renumbered[range.rows[i]];
                    if (row >= 0 && (filter == null || filter.keeps(range.values, i))) {
                        range.add(row, range.values, i);
                    }
                }
                range.endColumn(column, degrees);
            }
        });
    }

    /**
     * The number of entries in the columns of some vertices.
     *
     * @param pointers {@code long[vertexCount + 1]}
     * @param bits the vertices, see {@link VertexBits}
     */
    public static long leaving(long[] pointers, long[] bits, PacedStop paced) {
        long entries = 0;
        for (int word = 0; word < bits.length; word++) {
            paced.worked(1L + Long.bitCount(bits[word]));
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                int vertex = (word << 6) + Long.numberOfTrailingZeros(rest);
                entries += pointers[vertex + 1] - pointers[vertex];
            }
        }
        return entries;
    }

    /**
     * The distinct rows of the entries whose first value is above a threshold; of all entries if they have no values.
     */
    static Columns above(Columns graph, double threshold, int concurrency, Stop stop) {
        List<CscAssembly.Range> ranges = CscAssembly.ranges(graph.vertexCount(), graph.entryCount());
        return CscAssembly.assemble(
                ranges, 0, graph.rowIndices().pageShift(), concurrency, stop, (worker, range, degrees) -> {
                    PacedStop paced = new PacedStop(stop);
                    range.allocate(
                            graph.columnStart(range.to) - graph.columnStart(range.from),
                            graph.values().size());
                    for (int column = range.from; column < range.to; column++) {
                        int start = range.length;
                        graph.copyColumn(column, range);
                        int end = range.length;
                        range.length = start;
                        for (int i = start; i < end; i++) {
                            paced.worked(1);
                            boolean isRepeated = range.length > start && range.rows[range.length - 1] == range.rows[i];
                            if (!isRepeated && (range.values.length == 0 || range.values[0][i] > threshold)) {
                                range.rows[range.length++] = range.rows[i];
                            }
                        }
                        range.endColumn(column, degrees);
                    }
                });
    }

    private static Columns assemble(
            Columns like, int vertexCount, long expected, int concurrency, Stop stop, CscAssembly.Filler filler) {
        return CscAssembly.assemble(
                CscAssembly.ranges(vertexCount, expected),
                like.values().size(),
                like.rowIndices().pageShift(),
                concurrency,
                stop,
                filler);
    }
}
