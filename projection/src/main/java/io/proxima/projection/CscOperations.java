// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.List;

/** Builds new graphs from given ones, column by column. */
final class CscOperations {

    private static final int MAX_RANGES = 1 << 20;
    private static final int STOP_MASK = (1 << 10) - 1;

    private CscOperations() {}

    /**
     * The graph that contains every edge of the given graphs.
     *
     * @param graphs at least one, all over the same vertices
     */
    static Csc union(List<Csc> graphs, int concurrency, Stop stop) {
        Csc first = graphs.get(0);
        int vertexCount = first.vertexCount();
        long entryCount = 0;
        boolean symmetric = true;
        for (Csc graph : graphs) {
            entryCount += graph.entryCount();
            symmetric &= graph.isSymmetric();
        }
        ColumnSorter[] sorters = new ColumnSorter[concurrency];
        return CscAssembly.assemble(
                vertexCount,
                CscAssembly.rangeShift(vertexCount, entryCount, MAX_RANGES),
                first.rowIndices().pageShift(),
                symmetric,
                concurrency,
                stop,
                (worker, range, from, to, degrees, shared) -> {
                    if (sorters[worker] == null) {
                        sorters[worker] = new ColumnSorter(vertexCount);
                    }
                    return unionOfRange(graphs, sorters[worker], from, to, degrees, shared);
                });
    }

    /**
     * Heap of {@link #union} at its peak, including the result.
     *
     * @param most sum of the entries of all graphs
     * @param least entries of the largest graph
     */
    static MemoryTree unionMemory(int vertexCount, long most, long least) {
        long pointers = Csc.bytes(vertexCount, 0);
        return MemoryTree.between(
                "join graphs",
                pointers + (most + least) * Integer.BYTES,
                pointers + 2 * most * Integer.BYTES + VertexBits.bytes(vertexCount));
    }

    private static int[] unionOfRange(
            List<Csc> graphs, ColumnSorter sorter, int from, int to, long[] degrees, Stop stop) {
        long length = 0;
        for (Csc graph : graphs) {
            length += graph.columnStart(to) - graph.columnStart(from);
        }
        int[] rows = CscAssembly.allocate(length, from, to);
        int kept = 0;
        PacedStop paced = new PacedStop(stop);
        for (int column = from; column < to; column++) {
            paced.worked(graphs.size());
            int end = kept;
            for (Csc graph : graphs) {
                end = copyColumn(graph, column, rows, end);
            }
            int degree = sorter.sortUnique(rows, kept, end, kept, stop);
            degrees[column + 1] = degree;
            kept += degree;
        }
        return rows;
    }

    private static int copyColumn(Csc graph, int column, int[] rows, int target) {
        IntPages entries = graph.rowIndices();
        long index = graph.columnStart(column);
        long end = graph.columnEnd(column);
        int written = target;
        while (index < end) {
            int[] page = entries.pageOf(index);
            int first = (int) (index & entries.pageMask());
            int count = (int) Math.min(page.length - first, end - index);
            System.arraycopy(page, first, rows, written, count);
            written += count;
            index += count;
        }
        return written;
    }

    /**
     * The subgraph that is induced by some of the vertices.
     *
     * @param kept the kept vertices, ascending; vertex {@code kept[v]} becomes v
     * @param renumbered {@code int[graph.vertexCount()]}: the new number of each vertex, -1 if it is left out
     */
    static Csc induced(Csc graph, int[] kept, int[] renumbered, int concurrency, Stop stop) {
        // assumes about as many entries for each vertex as before
        long expected = graph.vertexCount() == 0 ? 0 : graph.entryCount() / graph.vertexCount() * kept.length;
        return CscAssembly.assemble(
                kept.length,
                CscAssembly.rangeShift(kept.length, expected, MAX_RANGES),
                graph.rowIndices().pageShift(),
                graph.isSymmetric(),
                concurrency,
                stop,
                (worker, range, from, to, degrees, shared) ->
                        inducedRange(graph, kept, renumbered, from, to, degrees, shared));
    }

    /**
     * Heap of {@link #induced} at its peak, including the result.
     *
     * @param kept number of kept vertices
     * @param entries edges that start at them
     */
    static MemoryTree inducedMemory(int kept, long entries) {
        long least = Csc.bytes(kept, entries);
        return MemoryTree.between("relationships kept", least, least + entries * Integer.BYTES);
    }

    private static int[] inducedRange(
            Csc graph, int[] kept, int[] renumbered, int from, int to, long[] degrees, Stop stop) {
        IntPages entries = graph.rowIndices();
        int mask = entries.pageMask();
        long length = 0;
        for (int vertex = from; vertex < to; vertex++) {
            length += graph.degree(kept[vertex]);
        }
        int[] rows = CscAssembly.allocate(length, from, to);
        int written = 0;
        for (int vertex = from; vertex < to; vertex++) {
            if ((vertex & STOP_MASK) == 0) {
                stop.check();
            }
            int start = written;
            long index = graph.columnStart(kept[vertex]);
            long end = graph.columnEnd(kept[vertex]);
            while (index < end) {
                int[] page = entries.pageOf(index);
                int first = (int) (index & mask);
                int last = (int) Math.min(page.length, first + (end - index));
                for (int i = first; i < last; i++) {
                    int row = renumbered[page[i]];
                    if (row >= 0) {
                        rows[written++] = row;
                    }
                }
                index += last - first;
            }
            degrees[vertex + 1] = (long) written - start;
        }
        return rows;
    }

    /** See {@link Csc#relabelled}. */
    static Csc relabelled(Csc graph, int[] oldVertex, int[] newVertex, int concurrency, Stop stop) {
        int vertexCount = graph.vertexCount();
        ColumnSorter[] sorters = new ColumnSorter[concurrency];
        return CscAssembly.assemble(
                vertexCount,
                CscAssembly.rangeShift(vertexCount, graph.entryCount(), MAX_RANGES),
                graph.rowIndices().pageShift(),
                graph.isSymmetric(),
                concurrency,
                stop,
                (worker, range, from, to, degrees, shared) -> {
                    if (sorters[worker] == null) {
                        sorters[worker] = new ColumnSorter(vertexCount);
                    }
                    return relabelledRange(graph, oldVertex, newVertex, sorters[worker], from, to, degrees, shared);
                });
    }

    private static int[] relabelledRange(
            Csc graph,
            int[] oldVertex,
            int[] newVertex,
            ColumnSorter sorter,
            int from,
            int to,
            long[] degrees,
            Stop stop) {
        long length = 0;
        for (int vertex = from; vertex < to; vertex++) {
            length += graph.degree(oldVertex[vertex]);
        }
        int[] rows = CscAssembly.allocate(length, from, to);
        int start = 0;
        for (int vertex = from; vertex < to; vertex++) {
            int end = copyColumn(graph, oldVertex[vertex], rows, start);
            for (int i = start; i < end; i++) {
                rows[i] = newVertex[rows[i]];
            }
            degrees[vertex + 1] = sorter.sortUnique(rows, start, end, start, stop);
            start = end;
        }
        return rows;
    }
}
