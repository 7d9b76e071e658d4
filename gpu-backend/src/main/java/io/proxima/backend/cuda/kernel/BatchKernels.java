// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;

/**
 * Kernels of multi-source BFS: a batch of searches runs at the same time. Immutable. All arrays are in slot id space.
 */
public interface BatchKernels extends DeviceKernels {

    @Override
    default long leastWorkspace(GraphSizes graph) {
        return workspace(graph, leastSources(), leastSources(), Byte.BYTES).bytes();
    }

    /** The maximum number of sources of a batch that accumulates sums. */
    int mostSources();

    /**
     * The maximum number of sources of a batch of distances. Smaller, because the host, not the search, limits its
     * throughput.
     */
    default int mostDistances() {
        return mostSources();
    }

    /** The number of sources below which a smaller batch saves no memory. */
    int leastSources();

    /**
     * The workspace of a batch, with {@code sources: int[count]} and {@code levels}: {@code count} rows of {@code
     * vertexCount} distances, in slot id space.
     *
     * @param most maximum sources of all batches, reduced if memory is short: from {@link #leastSources} to {@link
     *     #mostSources}
     * @param count sources of this batch, at most {@code most}
     * @param levelBytes bytes per distance: 1, 2 or 4; 0 if distances are not wanted
     */
    ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes);

    /**
     * Bytes per distance for searches up to level {@code deepest}: 1, 2 or 4. The largest unsigned value of that width
     * means unreached.
     */
    static int levelBytes(long deepest) {
        int bytes = Byte.BYTES;
        while (bytes < Integer.BYTES && deepest > (1L << (Byte.SIZE * bytes)) - 2) {
            bytes *= 2;
        }
        return bytes;
    }

    /**
     * Begins a batch without waiting for its end. Batches begun one after the other may share a workspace.
     *
     * @param at device address of a workspace laid out as {@link #workspace} for this batch
     * @param sources device address of {@code int[count]}: slots
     * @param maxDepth the last level to visit, -1 for all
     * @param sums the sums to accumulate; {@link Sums#NONE} with distances, because a batch whose distances turn out
     *     too narrow is repeated
     */
    DeviceLease.Launch begin(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums);

    /**
     * Runs a batch to its end; see {@link #begin}.
     *
     * @param sources slots
     * @param first index of the batch's first source
     */
    default DeviceLease.Outcome launch(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            int[] sources,
            int first,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        long to = at + workspace(graph, most, count, levelBytes).at("sources");
        lease.upload(to, sources, first, count);
        return begin(lease, graph, most, at, to, count, maxDepth, levelBytes, sums)
                .end();
    }

    /**
     * The arrays to which a batch adds its sums: device addresses, 0 for sums that are not wanted. In slot id space.
     *
     * @param farness {@code long[vertexCount]}
     * @param reach {@code long[vertexCount]}
     * @param levelCounts {@code int[levelCapacity][vertexCount]}: sources that reach a vertex at a level, from {@code
     *     firstLevel} on
     * @param depths {@code int[vertexCount]}: raised to the deepest level at which a source reaches the vertex
     * @param pairs {@code long[vertexCount]}: pairs of source and vertex by level, from level 1 on
     */
    record Sums(
            long farness, long reach, long levelCounts, int levelCapacity, int firstLevel, long depths, long pairs) {

        private static final long NOT_WANTED = 0;

        /** No sums. */
        public static final Sums NONE = new Sums(NOT_WANTED, NOT_WANTED, NOT_WANTED, 0, 1, NOT_WANTED, NOT_WANTED);

        /** Farness and reach. */
        public static Sums ofFarness(long farness, long reach) {
            return new Sums(farness, reach, NOT_WANTED, 0, 1, NOT_WANTED, NOT_WANTED);
        }

        /** Sets the arguments of a kernel that accumulates all sums. */
        public KernelArguments set(KernelArguments arguments) {
            return arguments
                    .set("far", farness)
                    .set("reach", reach)
                    .set("levelCounts", levelCounts)
                    .set("levelCapacity", levelCapacity)
                    .set("firstLevel", firstLevel)
                    .set("depths", depths)
                    .set("pairs", pairs);
        }

        /** Whether depths or pairs are wanted. */
        public boolean areMeasured() {
            return depths != NOT_WANTED || pairs != NOT_WANTED;
        }

        /** A copy with a window of level counts. */
        public Sums withLevelCounts(long at, int capacity, int first) {
            return new Sums(farness, reach, at, capacity, first, depths, pairs);
        }
    }
}
