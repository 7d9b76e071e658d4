// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;

/** Kernels of one BFS, from one or several sources. Immutable. All arrays are in slot id space. */
public interface LevelKernels extends DeviceKernels {

    @Override
    default long leastWorkspace(GraphSizes graph) {
        return plan(graph, 1, 0).bytes();
    }

    /** The exact size and layout of the workspace of a search. */
    Plan plan(GraphSizes graph, int sources, int stopTargets);

    /**
     * Runs a search to its end. The levels remain on the device.
     *
     * @param at device address of a workspace laid out by {@link #plan} for these sources and targets
     * @param sources slots without repeats, at least one
     * @param maxDepth the last level to visit, -1 for all
     * @param stopTargets slots; the search ends with the first level that contains one of them
     */
    DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets);

    /**
     * The state of a search.
     *
     * @param bytes size of the workspace
     * @param levels offset of the levels: {@code int[vertexCount]}, in slot id space, -1 for unreached
     */
    record Plan(long bytes, long levels) {}
}
