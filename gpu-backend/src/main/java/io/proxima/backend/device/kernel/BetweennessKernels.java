// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.memory.MemoryTree;
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

    /** None beside a resident graph, which these kernels do not read. */
    @Override
    default long leastWorkspace(GraphSizes graph) {
        return 0;
    }

    /**
     * The maximum device memory of a run, with the graph of the searches.
     *
     * @param scarce whether memory is short
     */
    long bytes(int vertexCount, long entryCount, boolean symmetric, boolean scarce);

    /** Heap of the searches beside the sums of the dependencies. */
    MemoryTree memory(GraphShape graph);

    /**
     * The {@link io.proxima.backend.centrality.BetweennessRun.Engine} of the device.
     *
     * @throws io.proxima.backend.DeviceMemoryException if the graph, or the least state of the searches, does not fit
     */
    double[] run(BetweennessSearches searches, RunControl control);
}
