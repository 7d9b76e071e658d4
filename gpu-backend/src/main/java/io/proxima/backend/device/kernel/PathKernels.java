// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;
import java.util.Set;

/**
 * Kernels of weighted shortest paths from one source. Immutable. They read {@link WeightedLists} of the property of the
 * run, which the caller makes resident.
 */
public interface PathKernels extends DeviceKernels {

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
     * The exact bytes of the workspace of a run.
     *
     * @param costBytes the number of bytes of the cost of a vertex
     */
    long workspace(int vertexCount, int costBytes);

    /** The bytes of the cost of a vertex, which the lengths determine. */
    GraphSizes.Figure COST_BYTES = new GraphSizes.Figure(graph -> Integer.BYTES, graph -> Double.BYTES);

    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        return List.of(Way.within(workspace(graph.vertexCount(), (int) graph.figure(COST_BYTES))));
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
}
