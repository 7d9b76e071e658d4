// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.twolayer;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/**
 * The kernels 'two-layer': BFS composed of the operators of SYgraph (De Caro, Cordasco and Cosenza, ICPP 2025) over two-layer
 * bitmap frontiers. bfs_two_layer.cu. See docs/decisions/0055.
 */
public final class TwoLayerFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel TWO_LAYER = new Kernel(
            "two-layer",
            "The operators of SYgraph over two-layer bitmap frontiers; top-down only.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    @Override
    public List<Kernel> kernels() {
        return List.of(TWO_LAYER);
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new TwoLayerBfsKernel();
    }
}
