// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.GraphShape;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Way;
import io.proxima.memory.MemoryTree;
import java.util.List;
import java.util.Set;

/**
 * Kernels of the searches of betweenness. Immutable. They copy the graph of the searches, which lacks the hanging trees
 * of the resident one, and read no resident structure.
 */
public interface BetweennessKernels extends DeviceKernels {

    @Override
    default Set<DeviceStructure<?>> structures() {
        return Set.of();
    }

    /**
     * {@inheritDoc} They are those of a graph without hanging trees, with the copy of the graph. Once the trees are
     * cut, a run is placed in the ways of what is left.
     */
    @Override
    List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy);

    /** Heap of the searches beside the sums of the dependencies. */
    MemoryTree memory(GraphShape graph);

    /**
     * The {@link io.proxima.backend.centrality.BetweennessRun.Engine} of the device.
     *
     * @throws io.proxima.backend.DeviceMemoryException if the graph of the searches, or the least state of them, does
     *     not fit; nothing was evicted or copied then
     */
    double[] run(BetweennessSearches searches, RunContext control);
}
