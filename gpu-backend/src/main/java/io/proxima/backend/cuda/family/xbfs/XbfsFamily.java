// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.xbfs;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/**
 * The kernels 'xbfs': Gaihre, Wu, Yao and Liu, "XBFS: eXploring Runtime Optimizations for Breadth-First Search on GPUs" (HPDC
 * 2019). 'auto' does not choose them, because on an H200 other kernels were
 * faster on every graph measured: docs/benchmarks/h200-techniques.md.
 */
public final class XbfsFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel XBFS = new Kernel(
            "xbfs",
            "Direction-optimizing BFS; the way to generate the queue of each level is chosen by its edges.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    @Override
    public List<Kernel> kernels() {
        return List.of(XBFS);
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new XbfsKernel();
    }
}
