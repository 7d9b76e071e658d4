// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.SumKernels;
import java.util.List;

/** The kernels 'blocks': multi-source BFS with one thread block per source, for deep graphs. msbfs_blocks.cu. */
public final class BlocksFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel BLOCKS = new Kernel(
            "blocks",
            "Multi-source BFS, one thread block per source.",
            Operation.MULTI_SOURCE_BFS,
            Operation.FARNESS_OF_SOURCES);

    @Override
    public List<Kernel> kernels() {
        return List.of(BLOCKS);
    }

    @Override
    public BatchKernels distances(Device device, Kernel kernel) {
        return new BlocksBatchKernels(device, false);
    }

    @Override
    public SumKernels sumsBySource(Device device, Kernel kernel) {
        return new BatchedSums(new BlocksBatchKernels(device, true));
    }
}
