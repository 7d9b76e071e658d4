// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.CostSums;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;
import java.util.Set;

/**
 * Kernels of weighted shortest paths: the costs from one source, or the sums over the costs from each of many.
 * Immutable. They read {@link WeightedLists} of the property of the run, which the caller makes resident.
 */
public interface PathKernels extends DeviceKernels {

    /** Maximum number of sources of a launch that sums costs. */
    int SOURCES_OF_A_LAUNCH = 1 << 14;

    /** The bytes of the cost of a vertex, which the lengths determine. */
    GraphSizes.Figure COST_BYTES = new GraphSizes.Figure(graph -> Integer.BYTES, graph -> Double.BYTES);

    @Override
    default Set<DeviceStructure<?>> structures() {
        return Set.of();
    }

    /**
     * Whether the kernels can search lists of this size.
     *
     * @param entryCount number of entries, parallel ones included
     */
    boolean canSearch(int vertexCount, long entryCount);

    /**
     * The ways of a run, with the exact bytes of its workspace, the preferred first.
     *
     * @param costBytes the number of bytes of the cost of a vertex
     */
    List<Way> ways(int vertexCount, int costBytes, Workload work);

    /** Heap of sums, as they come from the device. */
    static MemoryTree memoryOfSums(int sources) {
        // two sums of 128 bits, the greatest and the least cost, and the reach
        return MemoryTree.between("sums as they come", 0, 7L * Long.BYTES * Math.min(sources, SOURCES_OF_A_LAUNCH));
    }

    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        return ways(graph.vertexCount(), (int) graph.figure(COST_BYTES), work);
    }

    /** The width of a bucket if the caller leaves it open, above 0. */
    double delta(WeightedCsc.Lengths lengths);

    /**
     * The costs of the shortest paths from a vertex: {@code double[vertexCount]}, {@link
     * io.proxima.backend.ShortestPaths#UNREACHED} if there is no path; on the host, in vertex id space.
     *
     * @param graph held by the caller, with the lists
     * @param lists adjacency lists with weights
     * @param delta the width of a bucket, above 0
     */
    double[] run(GraphView graph, WeightedLists.Lists lists, int source, double delta, RunContext control);

    /**
     * The sums over the costs of the shortest paths from each of some vertices; no cost exceeds the greatest double.
     *
     * @param graph held by the caller, with the lists
     * @param lists adjacency lists with weights
     * @param sources vertices, at least one
     * @param delta the width of a bucket, above 0
     * @param reciprocals whether to sum the reciprocal costs too
     */
    CostSums sums(
            GraphView graph,
            WeightedLists.Lists lists,
            int[] sources,
            double delta,
            boolean reciprocals,
            RunContext control);
}
