// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/** The kernels 'directional': direction-optimizing BFS for shallow graphs. bfs_directional.cu. */
public final class DirectionalFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel DIRECTIONAL = new Kernel(
            "directional",
            "Direction-optimizing BFS over CSR; the direction of each level is chosen by expected cost.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    @Override
    public List<Kernel> kernels() {
        return List.of(DIRECTIONAL);
    }

    @Override
    public boolean canSearch(GraphSizes graph) {
        return KernelLayouts.countsInOneWord(graph.vertexCount(), graph.entryCount());
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new DirectionalBfsKernel(device);
    }
}
