// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.estimate;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.PathKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.backend.cuda.run.VertexSums;

/** The device memory that a run takes besides structures: the workspace of its kernels, and its sums. */
record RunNeeds(LaunchPolicy policy, Workload work, DeviceKernels kernels) {

    private static final long MORE_THAN_ANY_DEVICE = 1L << 48;

    /** Bytes of the workspace, and of what is allocated besides it. */
    record Bytes(long workspace, long besides) {
        private static final Bytes NONE = new Bytes(0, 0);
    }

    /** The bytes if the searches go as deep as they can. */
    Bytes most(GraphSizes graph) {
        return usual(graph, work.deepest(graph.vertexCount()), Double.BYTES);
    }

    /** The bytes if the searches end at their sources. */
    Bytes fewest(GraphSizes graph) {
        return usual(graph, 0, Integer.BYTES);
    }

    private Bytes usual(GraphSizes graph, long deepest, int costBytes) {
        if (isNothing(graph)) {
            return Bytes.NONE;
        }
        int n = graph.vertexCount();
        int sources = work.sources();
        return switch (work.run()) {
            case BFS, NEAREST_SOURCE -> levels(graph);
            case MULTI_SOURCE_BFS -> {
                BatchKernels batches = (BatchKernels) kernels;
                int most = batches.mostDistances();
                yield new Bytes(
                        batches.workspace(graph, most, Math.min(most, sources), BatchKernels.levelBytes(deepest))
                                .bytes(),
                        0);
            }
            case FARNESS_OF_SOURCES -> {
                RowKernels rows = (RowKernels) kernels;
                // without edges there is no search
                yield graph.entryCount() == 0
                        ? Bytes.NONE
                        : new Bytes(rows.bytes(graph, Math.min(rows.mostSources(), Math.min(sources, n))), rowBytes(n));
            }
            case FARNESS -> {
                SumKernels sums = (SumKernels) kernels;
                int most = sums.mostSources();
                yield graph.entryCount() == 0
                        ? new Bytes(0, sumBytes(n))
                        : new Bytes(
                                sums.bytes(graph, most, Math.min(most, n)),
                                sumBytes(n) + levelCounts(sums, n, deepest));
            }
            case COMPONENTS -> new Bytes(kernels.leastWorkspace(graph), 0);
            case SHORTEST_PATHS -> new Bytes(((PathKernels) kernels).workspace(n, costBytes), 0);
            case BETWEENNESS -> throw new IllegalStateException("has no structures: " + work.run());
        };
    }

    /** The bytes with which the run goes on while memory is short. */
    Bytes least(GraphSizes graph) {
        if (isNothing(graph)) {
            return Bytes.NONE;
        }
        int n = graph.vertexCount();
        return switch (work.run()) {
            case BFS, NEAREST_SOURCE -> levels(graph);
            case MULTI_SOURCE_BFS, COMPONENTS, SHORTEST_PATHS -> new Bytes(kernels.leastWorkspace(graph), 0);
            case FARNESS_OF_SOURCES -> new Bytes(kernels.leastWorkspace(graph), rowBytes(n));
            case FARNESS -> new Bytes(kernels.leastWorkspace(graph), VertexSums.leastBytes(policy, n, work.measures()));
            case BETWEENNESS -> throw new IllegalStateException("has no structures: " + work.run());
        };
    }

    /** Whether the run has nothing to search from, and ends at once. */
    boolean isNothing(GraphSizes graph) {
        return switch (work.run()) {
            case NEAREST_SOURCE, MULTI_SOURCE_BFS, FARNESS_OF_SOURCES -> work.sources() == 0;
            case FARNESS, COMPONENTS -> graph.vertexCount() == 0;
            case BFS, SHORTEST_PATHS, BETWEENNESS -> false;
        };
    }

    private Bytes levels(GraphSizes graph) {
        int sources = work.run() == Run.BFS ? 1 : work.sources();
        return new Bytes(
                ((LevelKernels) kernels)
                        .workspace(graph, sources, work.stopTargets())
                        .bytes(),
                0);
    }

    private long rowBytes(int n) {
        return RowKernels.RowsLayout.of(work.sources(), n, work.measures()).bytes();
    }

    private long sumBytes(int n) {
        return SumsLayout.of(n, n, work.measures()).bytes();
    }

    /**
     * Bytes of the last window of level counts, which is the largest. A window that exceeds every device is never
     * allocated.
     */
    private long levelCounts(SumKernels sums, int n, long deepest) {
        if (!work.wants(DistanceMeasure.HARMONIC)) {
            return 0;
        }
        int capacity = Math.min(sums.levelCapacity(policy.levelCapacity()), n);
        long reached = capacity;
        while (reached < deepest && SumsLayout.levelCountBytes(n, capacity) < MORE_THAN_ANY_DEVICE) {
            capacity = (int) Math.min(n, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            reached += capacity;
        }
        return SumsLayout.levelCountBytes(n, capacity);
    }
}
