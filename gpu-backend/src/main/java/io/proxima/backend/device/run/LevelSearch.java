// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.RunControl;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.nio.ByteBuffer;

/** One BFS, from one or several sources, with its levels on the heap. */
public final class LevelSearch {

    private static final int GRAIN = 1 << 17;

    /** Levels that fit a byte, with that of the unreached. */
    private static final int LEVELS_OF_A_BYTE = Byte.MAX_VALUE + 2;

    /** Counters per level, used alternately: most vertices have the same level, and additions to one counter are sequential. */
    private static final int COUNTERS = 4;

    private final Levels levels;
    private final DeviceLease.Outcome outcome;

    private LevelSearch(Levels levels, DeviceLease.Outcome outcome) {
        this.levels = levels;
        this.outcome = outcome;
    }

    /**
     * Searches.
     *
     * @param kernels the kernels, whose structures the caller has made resident
     * @param graph the graph, pinned by the caller
     * @param sources distinct vertices, at least one
     * @param stopTargets vertices
     * @throws io.proxima.backend.DeviceMemoryException if the state does not fit
     */
    public static LevelSearch run(
            Device device,
            BfsKernel kernels,
            GraphView graph,
            int[] sources,
            int maxDepth,
            int[] stopTargets,
            RunControl control) {
        control.progress().beginTask(BackendTask.BFS, graph.vertexCount());
        int[] sourceSlots = graph.order().toSlots(sources);
        int[] targetSlots = graph.order().toSlots(stopTargets);
        try (DeviceLease lease = device.lease(control.stop())) {
            ArrayLayout workspace = kernels.workspace(graph, sources.length, stopTargets.length);
            long at = lease.workspace(workspace.bytes());
            DeviceLease.Outcome outcome = kernels.launch(lease, graph, at, sourceSlots, maxDepth, targetSlots);
            Download download = Download.of(graph.vertexCount(), outcome.level(), control.concurrency());
            Levels levels = download.run(lease, graph.inVertexOrder(at + workspace.at("levels"), Integer.BYTES));
            control.progress().advance(graph.vertexCount());
            return new LevelSearch(levels, outcome);
        }
    }

    /** The levels of all vertices, and how many vertices each level has. */
    public Levels levels() {
        return levels;
    }

    /** What the kernel reported. */
    public DeviceLease.Outcome outcome() {
        return outcome;
    }

    /** Copies the levels to the heap, in the narrowest type that holds the deepest level, and counts the vertices of each. */
    private abstract static class Download {

        final long[] frontierSizes;
        private final int concurrency;
        private final int entryBytes;
        // vertices of each level, by worker; the unreached come first
        private final long[][] counts;

        private Download(int deepest, int concurrency, int entryBytes) {
            this.frontierSizes = new long[deepest + 1];
            this.concurrency = concurrency;
            this.entryBytes = entryBytes;
            this.counts = new long[concurrency][];
        }

        static Download of(int vertexCount, int deepest, int concurrency) {
            if (deepest <= Byte.MAX_VALUE) {
                return new OfBytes(vertexCount, deepest, concurrency);
            }
            return deepest <= Short.MAX_VALUE
                    ? new OfShorts(vertexCount, deepest, concurrency)
                    : new OfInts(vertexCount, deepest, concurrency);
        }

        Levels run(DeviceLease lease, VertexOrderedArray from) {
            DeviceLease.Chunk chunk = (buffer, offset, bytes) -> Workers.forRanges(
                    concurrency,
                    bytes / entryBytes,
                    GRAIN,
                    Stop.NEVER,
                    (worker, begin, end) -> take(
                            worker, buffer, (int) begin, (int) (offset / entryBytes + begin), (int) (end - begin)));
            if (entryBytes == Integer.BYTES) {
                lease.download(from, 1, chunk);
            } else {
                lease.downloadLevels(from, entryBytes, chunk);
            }
            for (long[] own : counts) {
                for (int level = 0; own != null && level < frontierSizes.length; level++) {
                    frontierSizes[level] += own[level + 1];
                }
            }
            return levels();
        }

        private void take(int worker, ByteBuffer from, int begin, int vertex, int count) {
            if (counts[worker] == null) {
                counts[worker] = new long[frontierSizes.length + 1];
            }
            copy(from, begin, vertex, count);
            count(vertex, count, counts[worker]);
        }

        /** Copies {@code count} entries from index {@code begin} of the buffer on, to the levels from {@code vertex} on. */
        abstract void copy(ByteBuffer from, int begin, int vertex, int count);

        /** Counts the levels of these vertices. */
        abstract void count(int vertex, int count, long[] counts);

        abstract Levels levels();

        private static final class OfBytes extends Download {
            private final byte[] levels;

            OfBytes(int vertexCount, int deepest, int concurrency) {
                super(deepest, concurrency, Byte.BYTES);
                levels = new byte[vertexCount];
            }

            @Override
            void copy(ByteBuffer from, int begin, int vertex, int count) {
                from.get(begin, levels, vertex, count);
            }

            @Override
            void count(int vertex, int count, long[] counts) {
                int[] first = new int[counts.length];
                int[] second = new int[counts.length];
                int[] third = new int[counts.length];
                int[] fourth = new int[counts.length];
                int v = vertex;
                for (int end = vertex + count - (COUNTERS - 1); v < end; v += COUNTERS) {
                    first[levels[v] + 1]++;
                    second[levels[v + 1] + 1]++;
                    third[levels[v + 2] + 1]++;
                    fourth[levels[v + 3] + 1]++;
                }
                for (; v < vertex + count; v++) {
                    first[levels[v] + 1]++;
                }
                for (int i = 0; i < counts.length; i++) {
                    counts[i] += first[i] + second[i] + third[i] + fourth[i];
                }
            }

            @Override
            Levels levels() {
                return new Levels(levels, frontierSizes);
            }
        }

        private static final class OfShorts extends Download {
            private final short[] levels;

            OfShorts(int vertexCount, int deepest, int concurrency) {
                super(deepest, concurrency, Short.BYTES);
                levels = new short[vertexCount];
            }

            @Override
            void copy(ByteBuffer from, int begin, int vertex, int count) {
                from.asShortBuffer().get(begin, levels, vertex, count);
            }

            @Override
            void count(int vertex, int count, long[] counts) {
                for (int v = vertex; v < vertex + count; v++) {
                    counts[levels[v] + 1]++;
                }
            }

            @Override
            Levels levels() {
                return new Levels(levels, frontierSizes);
            }
        }

        private static final class OfInts extends Download {
            private final int[] levels;

            OfInts(int vertexCount, int deepest, int concurrency) {
                super(deepest, concurrency, Integer.BYTES);
                levels = new int[vertexCount];
            }

            @Override
            void copy(ByteBuffer from, int begin, int vertex, int count) {
                from.asIntBuffer().get(begin, levels, vertex, count);
            }

            @Override
            void count(int vertex, int count, long[] counts) {
                for (int v = vertex; v < vertex + count; v++) {
                    counts[levels[v] + 1]++;
                }
            }

            @Override
            Levels levels() {
                return new Levels(levels, frontierSizes);
            }
        }
    }

    /** Heap that the search takes at most beside its levels as ints. */
    public static MemoryTree memory(int vertexCount, long deepest, int concurrency) {
        long inTurn = Integer.BYTES * COUNTERS * (long) LEVELS_OF_A_BYTE * concurrency;
        return MemoryTree.together(
                "search",
                MemoryTree.between("levels as they come", 0, (long) vertexCount * Short.BYTES),
                MemoryTree.between(
                        "nodes by level and thread",
                        Long.BYTES,
                        (deepest + 1) * Long.BYTES * (concurrency + 1L) + inTurn));
    }
}
