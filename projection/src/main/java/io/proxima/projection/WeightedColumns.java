// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Columns of entries with values, in the making: entries are put into their columns in any order, and sorted.
 *
 * <p>Each property is sorted on its own. Of parallel relationships with several properties, it is therefore not known
 * which values belong together.
 */
final class WeightedColumns {

    private static final int COLUMNS_AT_ONCE = 1 << 8;

    private final int vertexCount;
    private final long[] pointers;
    private final IntPages rows;
    private final DoublePages[] values;

    /**
     * Allocates the columns.
     *
     * @param pointers {@code long[vertexCount + 1]}: the first entry of each column, and the number of entries
     * @param properties number of values of an entry
     */
    WeightedColumns(int vertexCount, long[] pointers, int properties, int pageShift) {
        this.vertexCount = vertexCount;
        this.pointers = pointers;
        this.rows = IntPages.allocate(pointers[vertexCount], pageShift);
        this.values = new DoublePages[properties];
        Arrays.setAll(values, property -> DoublePages.allocate(pointers[vertexCount], pageShift));
    }

    /** Sets an entry; each is set once. */
    void set(long index, int row, double[][] of, int i) {
        rows.set(index, row);
        for (int property = 0; property < values.length; property++) {
            values[property].set(index, of[property][i]);
        }
    }

    /**
     * The relationships of one type.
     *
     * @param graph the distinct relationships
     * @param weights the relationships with their values, by property
     */
    record Built(Csc graph, Map<String, WeightedCsc> weights) {}

    /**
     * Sorts and aggregates the entries; to be called once.
     *
     * @param aggregations the properties, in the order of the values
     * @param symmetric whether every relationship was put into the columns of both of its ends
     * @param progress advances by the number of vertices
     */
    Built build(
            Map<String, Aggregation> aggregations, boolean symmetric, int concurrency, Stop stop, Progress progress) {
        boolean keepsParallel = aggregations.containsValue(Aggregation.NONE);
        Aggregation[] aggregation = aggregations.values().toArray(new Aggregation[0]);
        long[] distinct = new long[vertexCount + 1];
        ColumnBuffer[] buffers = new ColumnBuffer[concurrency];
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            if (buffers[worker] == null) {
                buffers[worker] = new ColumnBuffer(vertexCount, stop);
            }
            ColumnBuffer buffer = buffers[worker];
            for (int column = (int) from; column < to; column++) {
                buffer.sortRows(rows, pointers[column], pointers[column + 1]);
                for (int property = 0; property < values.length; property++) {
                    buffer.sortValues(values[property], pointers[column]);
                    if (!keepsParallel) {
                        buffer.aggregate(values[property], pointers[column], aggregation[property]);
                    }
                }
                buffer.store(rows, pointers[column]);
                distinct[column + 1] = buffer.distinct;
            }
            progress.advance(to - from);
        });
        Arrays.fill(buffers, null);
        PacedStop ofSums = new PacedStop(stop);
        for (int column = 0; column < vertexCount; column++) {
            distinct[column + 1] += distinct[column];
            ofSums.worked(1);
        }
        if (distinct[vertexCount] == pointers[vertexCount]) {
            return built(
                    aggregations.keySet(), new Csc(vertexCount, pointers, rows, symmetric), pointers, rows, values);
        }
        IntPages distinctRows = IntPages.allocate(distinct[vertexCount], rows.pageShift());
        DoublePages[] kept = keepsParallel ? values : new DoublePages[values.length];
        if (!keepsParallel) {
            Arrays.setAll(kept, property -> DoublePages.allocate(distinct[vertexCount], rows.pageShift()));
        }
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                long write = distinct[column];
                for (long index = pointers[column]; index < pointers[column + 1]; index++) {
                    paced.worked(1);
                    int row = rows.get(index);
                    if (index > pointers[column] && rows.get(index - 1) == row) {
                        continue;
                    }
                    distinctRows.set(write, row);
                    for (int property = 0; property < values.length && !keepsParallel; property++) {
                        // the aggregated value is at the first of the parallel entries
                        kept[property].set(write, values[property].get(index));
                    }
                    write++;
                }
            }
        });
        Csc graph = new Csc(vertexCount, distinct, distinctRows, symmetric);
        return keepsParallel
                ? built(aggregations.keySet(), graph, pointers, rows, values)
                : built(aggregations.keySet(), graph, distinct, distinctRows, kept);
    }

    private Built built(Set<String> names, Csc graph, long[] starts, IntPages entries, DoublePages[] kept) {
        Map<String, WeightedCsc> weights = new LinkedHashMap<>();
        for (String name : names) {
            weights.put(name, new WeightedCsc(vertexCount, starts, entries, kept[weights.size()]));
        }
        return new Built(graph, weights);
    }

    /** See {@link WeightedCsc#union}. */
    static WeightedCsc union(List<WeightedCsc> graphs, int concurrency, Stop stop) {
        int vertexCount = graphs.get(0).vertexCount();
        long[] pointers = new long[vertexCount + 1];
        PacedStop paced = new PacedStop(stop);
        for (int column = 0; column < vertexCount; column++) {
            pointers[column + 1] = pointers[column];
            for (WeightedCsc graph : graphs) {
                pointers[column + 1] += graph.columnEnd(column) - graph.columnStart(column);
            }
            paced.worked(graphs.size());
        }
        WeightedColumns all = new WeightedColumns(
                vertexCount, pointers, 1, graphs.get(0).rowIndices().pageShift());
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop ofWorker = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                long write = pointers[column];
                ofWorker.worked(graphs.size());
                for (WeightedCsc graph : graphs) {
                    for (long index = graph.columnStart(column); index < graph.columnEnd(column); index++) {
                        all.rows.set(write, graph.rowIndices().get(index));
                        all.values[0].set(write, graph.weights().get(index));
                        write++;
                        ofWorker.worked(1);
                    }
                }
            }
        });
        ColumnBuffer[] buffers = new ColumnBuffer[concurrency];
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            if (buffers[worker] == null) {
                buffers[worker] = new ColumnBuffer(vertexCount, stop);
            }
            for (int column = (int) from; column < to; column++) {
                buffers[worker].sortRows(all.rows, pointers[column], pointers[column + 1]);
                buffers[worker].sortValues(all.values[0], pointers[column]);
                buffers[worker].store(all.rows, pointers[column]);
            }
        });
        return new WeightedCsc(vertexCount, pointers, all.rows, all.values[0]);
    }

    /**
     * The part of a graph that consists of some vertices and the relationships between them.
     *
     * @param kept the kept vertices, ascending; vertex {@code kept[v]} becomes v
     * @param renumbered {@code int[graph.vertexCount()]}: the new number of each vertex, -1 if it is left out
     * @param induced the same part of the distinct relationships
     */
    static WeightedCsc induced(
            WeightedCsc graph, int[] kept, int[] renumbered, Csc induced, int concurrency, Stop stop) {
        long[] pointers = new long[kept.length + 1];
        Workers.forRanges(concurrency, kept.length, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int vertex = (int) from; vertex < to; vertex++) {
                long count = 0;
                for (long index = graph.columnStart(kept[vertex]); index < graph.columnEnd(kept[vertex]); index++) {
                    count += renumbered[graph.rowIndices().get(index)] >= 0 ? 1 : 0;
                    paced.worked(1);
                }
                pointers[vertex + 1] = count;
            }
        });
        PacedStop ofSums = new PacedStop(stop);
        for (int vertex = 0; vertex < kept.length; vertex++) {
            pointers[vertex + 1] += pointers[vertex];
            ofSums.worked(1);
        }
        long entries = pointers[kept.length];
        boolean shared = entries == induced.entryCount();
        IntPages rows = shared
                ? induced.rowIndices()
                : IntPages.allocate(entries, induced.rowIndices().pageShift());
        DoublePages weights = DoublePages.allocate(entries, induced.rowIndices().pageShift());
        Workers.forRanges(concurrency, kept.length, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int vertex = (int) from; vertex < to; vertex++) {
                long write = pointers[vertex];
                for (long index = graph.columnStart(kept[vertex]); index < graph.columnEnd(kept[vertex]); index++) {
                    paced.worked(1);
                    int row = renumbered[graph.rowIndices().get(index)];
                    if (row >= 0) {
                        if (!shared) {
                            rows.set(write, row);
                        }
                        weights.set(write++, graph.weights().get(index));
                    }
                }
            }
        });
        return new WeightedCsc(kept.length, shared ? induced.columnPointers() : pointers, rows, weights);
    }

    /** See {@link WeightedCsc#above}. */
    static Csc above(WeightedCsc graph, double threshold, int concurrency, Stop stop) {
        int vertexCount = graph.vertexCount();
        long[] pointers = new long[vertexCount + 1];
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                pointers[column + 1] = copyAbove(graph, column, threshold, null, 0, paced);
            }
        });
        PacedStop paced = new PacedStop(stop);
        for (int column = 0; column < vertexCount; column++) {
            pointers[column + 1] += pointers[column];
            paced.worked(1);
        }
        IntPages rows =
                IntPages.allocate(pointers[vertexCount], graph.rowIndices().pageShift());
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop ofWorker = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                copyAbove(graph, column, threshold, rows, pointers[column], ofWorker);
            }
        });
        return new Csc(vertexCount, pointers, rows, false);
    }

    /** Copies the rows of a column to {@code to} from {@code start} on, unless it is null; returns their number. */
    private static long copyAbove(
            WeightedCsc graph, int column, double threshold, IntPages to, long start, PacedStop paced) {
        long count = 0;
        int last = -1;
        for (long index = graph.columnStart(column); index < graph.columnEnd(column); index++) {
            paced.worked(1);
            int row = graph.rowIndices().get(index);
            if (row != last && graph.weights().get(index) > threshold) {
                if (to != null) {
                    to.set(start + count, row);
                }
                last = row;
                count++;
            }
        }
        return count;
    }

    /**
     * Heap of {@link #induced}, which is the result.
     *
     * @param bits the kept vertices, see {@link VertexBits}
     * @param kept number of kept vertices
     */
    static MemoryTree inducedMemory(WeightedCsc graph, long[] bits, int kept, PacedStop paced) {
        long leaving = leaving(graph.columnPointers(), bits, paced);
        // lists of its own, if relationships are parallel
        return MemoryTree.between("weights", 0, WeightedCsc.weightBytes(leaving) + Csc.bytes(kept, leaving));
    }

    /**
     * The number of entries in the columns of some vertices.
     *
     * @param pointers {@code long[vertexCount + 1]}
     * @param bits the vertices, see {@link VertexBits}
     */
    static long leaving(long[] pointers, long[] bits, PacedStop paced) {
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

    /** One column while it is sorted. Not thread-safe: each worker has its own. */
    private static final class ColumnBuffer {
        private final int rowBits;
        private final Stop stop;
        private final PacedStop paced;

        /** The row of each entry in the upper, its place before sorting in the lower 32 bits. */
        private long[] keys = new long[16];

        private long[] spare = new long[16];
        private double[] sorted = new double[16];
        private int length;

        /** Number of distinct rows. */
        private int distinct;

        ColumnBuffer(int vertexCount, Stop stop) {
            this.rowBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, vertexCount - 1));
            this.stop = stop;
            this.paced = new PacedStop(stop);
        }

        void sortRows(IntPages rows, long start, long end) {
            length = CscAssembly.checkedLength(end - start, 0, 1);
            if (keys.length < length) {
                int capacity = (int) Math.min(CscAssembly.MAX_ARRAY_LENGTH, Math.max(length, 2L * keys.length));
                keys = new long[capacity];
                spare = new long[capacity];
                sorted = new double[capacity];
            }
            boolean ascends = true;
            for (int i = 0; i < length; i++) {
                paced.worked(1);
                keys[i] = (long) rows.get(start + i) << Integer.SIZE | i;
                ascends &= i == 0 || keys[i - 1] < keys[i];
            }
            if (!ascends) {
                long[] result = RadixSort.sort(keys, spare, length, Integer.SIZE, Integer.SIZE + rowBits, stop);
                spare = result == keys ? spare : keys;
                keys = result;
            }
            distinct = 0;
            for (int i = 0; i < length; i++) {
                distinct += i == 0 || row(i - 1) != row(i) ? 1 : 0;
            }
            paced.worked(length);
        }

        private int row(int i) {
            return (int) (keys[i] >>> Integer.SIZE);
        }

        private int endOfRow(int i) {
            int end = i + 1;
            while (end < length && row(end) == row(i)) {
                end++;
            }
            return end;
        }

        /** Puts the values of the column in the order of its rows, and those of parallel entries in ascending order. */
        void sortValues(DoublePages values, long start) {
            for (int i = 0; i < length; i++) {
                paced.worked(1);
                sorted[i] = values.get(start + (int) keys[i]);
            }
            if (distinct < length) {
                for (int i = 0; i < length; i = endOfRow(i)) {
                    int end = endOfRow(i);
                    paced.worked(end - i);
                    RadixSort.sortDoubles(sorted, i, end, stop);
                }
            }
            for (int i = 0; i < length; i++) {
                paced.worked(1);
                values.set(start + i, sorted[i]);
            }
        }

        /** Sets the first of each row's values to their aggregate; to be called after they were sorted. */
        void aggregate(DoublePages values, long start, Aggregation aggregation) {
            for (int i = 0; i < length; i = endOfRow(i)) {
                int end = endOfRow(i);
                paced.worked(end - i);
                values.set(start + i, aggregation.of(sorted, i, end));
            }
        }

        void store(IntPages rows, long start) {
            for (int i = 0; i < length; i++) {
                paced.worked(1);
                rows.set(start + i, row(i));
            }
        }
    }
}
