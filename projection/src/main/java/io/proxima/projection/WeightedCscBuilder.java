// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.CscBuilder.BuildMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the {@link Csc} and the {@link WeightedCsc}s of relationships that several workers add at once, in any order.
 * Loops are left out.
 *
 * <p>Method: the entries of each column are counted, then put into their places by fetch-and-add, and then each column
 * is sorted. The order in which relationships were added is lost.
 */
final class WeightedCscBuilder {

    private static final int CHUNK = 1 << 13;

    /** Heap of an entry while its column is sorted: two keys and a value, and two keys of the value. */
    private static final long SORT_BYTES = 5 * Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int vertexCount;
    private final Orientation orientation;
    private final Map<String, Aggregation> aggregations = new LinkedHashMap<>();
    private final Buffer[] buffers;
    private final int pageShift;

    /**
     * Creates a builder.
     *
     * @param properties the values of an added relationship, in this order
     * @param workers number of buffers
     */
    WeightedCscBuilder(
            int vertexCount,
            Orientation orientation,
            Map<String, ProjectionSpec.PropertyProjection> properties,
            int workers,
            int pageShift) {
        this.vertexCount = vertexCount;
        this.orientation = orientation;
        properties.forEach((name, property) -> aggregations.put(name, property.aggregation()));
        this.buffers = new Buffer[workers];
        for (int worker = 0; worker < workers; worker++) {
            buffers[worker] = new Buffer();
        }
        this.pageShift = pageShift;
    }

    /**
     * Heap of a builder after all relationships have been added, and of its {@link #build} at the peak, including the
     * result.
     *
     * @param edges the number of added relationships
     * @param properties number of properties
     */
    static BuildMemory memory(int vertexCount, Orientation orientation, int workers, long edges, int properties) {
        long entries = orientation == Orientation.UNDIRECTED ? 2 * edges : edges;
        long edgeBytes = 2L * Integer.BYTES + (long) properties * Double.BYTES;
        long added = edges * edgeBytes;
        long open = (long) workers * CHUNK * edgeBytes;
        long columns = Csc.bytes(vertexCount, entries) + properties * WeightedCsc.weightBytes(entries);
        long pointers = Csc.bytes(vertexCount, 0);
        return new BuildMemory(
                MemoryTree.between("relationships added", added, added + open),
                MemoryTree.between(
                        "relationships sorted",
                        added + columns + pointers,
                        // afterwards a column that has all entries, or distinct relationships beside parallel ones
                        columns + pointers + Math.max(added + open, Math.max(columns, SORT_BYTES * entries))));
    }

    /** Heap of the result beside its {@link Csc}. */
    static MemoryTree weightMemory(int vertexCount, long entries, int properties) {
        long weights = properties * WeightedCsc.weightBytes(entries);
        // lists of their own, if some relationships are parallel
        return MemoryTree.between(
                "weights", weights, weights + (properties == 0 ? 0 : Csc.bytes(vertexCount, entries)));
    }

    /**
     * Heap of {@link WeightedCsc#union} at its peak, including the result.
     *
     * @param entries number of entries of all graphs
     */
    static MemoryTree unionMemory(int vertexCount, long entries) {
        long result = Csc.bytes(vertexCount, entries) + WeightedCsc.weightBytes(entries);
        return MemoryTree.between("join weights", result, result + SORT_BYTES * entries);
    }

    /** The buffer of one worker; one thread at a time adds to it. */
    Buffer buffer(int worker) {
        return buffers[worker];
    }

    /** The relationships of one worker. */
    final class Buffer {
        private final List<int[]> ends = new ArrayList<>();
        private final List<double[][]> values = new ArrayList<>();
        private int count = CHUNK;

        /**
         * Adds a relationship.
         *
         * @param of for each property the values of several relationships
         * @param places for each property of the builder its place in {@code of}
         * @param i the place of the relationship's values
         */
        void add(int source, int target, double[][] of, int[] places, int i) {
            if (source == target) {
                return;
            }
            if (count == CHUNK) {
                ends.add(new int[2 * CHUNK]);
                values.add(new double[aggregations.size()][CHUNK]);
                count = 0;
            }
            int last = ends.size() - 1;
            ends.get(last)[2 * count] = source;
            ends.get(last)[2 * count + 1] = target;
            double[][] chunk = values.get(last);
            for (int property = 0; property < chunk.length; property++) {
                chunk[property][count] = of[places[property]][i];
            }
            count++;
        }

        private int length(int chunk) {
            return chunk == ends.size() - 1 ? count : CHUNK;
        }
    }

    /** A chunk of a buffer. */
    private record Chunk(Buffer buffer, int number) {}

    /**
     * Builds the graphs; to be called once, after the last relationship.
     *
     * @param progress advances by the number of vertices
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    WeightedColumns.Built build(int concurrency, Stop stop, Progress progress) {
        List<Chunk> chunks = new ArrayList<>();
        for (Buffer buffer : buffers) {
            for (int chunk = 0; chunk < buffer.ends.size(); chunk++) {
                chunks.add(new Chunk(buffer, chunk));
            }
        }
        long[] pointers = new long[vertexCount + 1];
        Workers.forRanges(concurrency, chunks.size(), 1, stop, (worker, index, end) -> {
            Chunk chunk = chunks.get((int) index);
            int[] ends = chunk.buffer.ends.get(chunk.number);
            int length = chunk.buffer.length(chunk.number);
            for (int i = 0; i < length; i++) {
                if (orientation != Orientation.REVERSE) {
                    LONGS.getAndAdd(pointers, ends[2 * i] + 1, 1L);
                }
                if (orientation != Orientation.NATURAL) {
                    LONGS.getAndAdd(pointers, ends[2 * i + 1] + 1, 1L);
                }
            }
        });
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            pointers[vertex + 1] += pointers[vertex];
            paced.worked(1);
        }
        long[] next = pointers.clone();
        WeightedColumns columns = new WeightedColumns(vertexCount, pointers, aggregations.size(), pageShift);
        Workers.forRanges(concurrency, chunks.size(), 1, stop, (worker, index, end) -> {
            Chunk chunk = chunks.get((int) index);
            int[] ends = chunk.buffer.ends.get(chunk.number);
            double[][] values = chunk.buffer.values.get(chunk.number);
            int length = chunk.buffer.length(chunk.number);
            for (int i = 0; i < length; i++) {
                int source = ends[2 * i];
                int target = ends[2 * i + 1];
                if (orientation != Orientation.REVERSE) {
                    columns.set((long) LONGS.getAndAdd(next, source, 1L), target, values, i);
                }
                if (orientation != Orientation.NATURAL) {
                    columns.set((long) LONGS.getAndAdd(next, target, 1L), source, values, i);
                }
            }
            chunk.buffer.ends.set(chunk.number, null);
            chunk.buffer.values.set(chunk.number, null);
        });
        return columns.build(aggregations, orientation == Orientation.UNDIRECTED, concurrency, stop, progress);
    }
}
