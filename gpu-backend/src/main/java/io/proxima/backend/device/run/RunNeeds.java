// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;

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
        return switch (work.operation()) {
            case BFS, NEAREST_SOURCE -> levels(graph);
            case MULTI_SOURCE_BFS -> {
                BatchKernels batches = (BatchKernels) kernels;
                int most = batches.mostDistances();
                yield new Bytes(
                        batches.workspace(graph, most, Math.min(most, sources), BatchKernels.levelBytes(deepest))
                                .bytes(),
                        0);
            }
            case FARNESS, FARNESS_OF_SOURCES -> {
                SumKernels sums = (SumKernels) kernels;
                int most = sums.mostSources();
                long sumBytes =
                        Sums.layout(searches(n), n, work.measures(), bySource()).bytes();
                // without edges there is no search
                yield graph.entryCount() == 0
                        ? new Bytes(0, bySource() ? 0 : sumBytes)
                        : new Bytes(
                                sums.bytes(graph, most, Math.min(most, Math.min(searches(n), n))),
                                sumBytes + levelCounts(sums, n, deepest));
            }
            case COMPONENTS -> new Bytes(kernels.leastWorkspace(graph), 0);
            case SHORTEST_PATHS -> new Bytes(((PathKernels) kernels).workspace(n, costBytes), 0);
            case BETWEENNESS -> throw new IllegalStateException("has no structures: " + work.operation());
        };
    }

    /** The least bytes with which the run can continue while memory is short. */
    Bytes least(GraphSizes graph) {
        if (isNothing(graph)) {
            return Bytes.NONE;
        }
        int n = graph.vertexCount();
        return switch (work.operation()) {
            case BFS, NEAREST_SOURCE -> levels(graph);
            case MULTI_SOURCE_BFS, COMPONENTS, SHORTEST_PATHS -> new Bytes(kernels.leastWorkspace(graph), 0);
            case FARNESS, FARNESS_OF_SOURCES ->
                new Bytes(
                        kernels.leastWorkspace(graph),
                        DeviceSums.leastBytes(policy, searches(n), n, work.measures(), bySource()));
            case BETWEENNESS -> throw new IllegalStateException("has no structures: " + work.operation());
        };
    }

    /** Whether the run has nothing to search from, and ends at once. */
    boolean isNothing(GraphSizes graph) {
        return switch (work.operation()) {
            case NEAREST_SOURCE, MULTI_SOURCE_BFS, FARNESS_OF_SOURCES -> work.sources() == 0;
            case FARNESS, COMPONENTS -> graph.vertexCount() == 0;
            case BFS, SHORTEST_PATHS, BETWEENNESS -> false;
        };
    }

    private Bytes levels(GraphSizes graph) {
        int sources = work.operation() == Operation.BFS ? 1 : work.sources();
        return new Bytes(
                ((BfsKernel) kernels)
                        .workspace(graph, sources, work.stopTargets())
                        .bytes(),
                0);
    }

    private boolean bySource() {
        return work.operation() == Operation.FARNESS_OF_SOURCES;
    }

    /** The vertices whose sums are wanted. */
    private int searches(int n) {
        return bySource() ? work.sources() : n;
    }

    /**
     * Bytes of the last window of level counts, which is the largest. A window that exceeds every device is never
     * allocated.
     */
    private long levelCounts(SumKernels sums, int n, long deepest) {
        if (bySource() || !work.wants(DistanceMeasure.HARMONIC)) {
            return 0;
        }
        int capacity = Math.min(sums.levelCapacity(policy.levelCapacity()), n);
        long reached = capacity;
        while (reached < deepest && Sums.levelCountBytes(n, capacity) < MORE_THAN_ANY_DEVICE) {
            capacity = (int) Math.min(n, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            reached += capacity;
        }
        return Sums.levelCountBytes(n, capacity);
    }
}
