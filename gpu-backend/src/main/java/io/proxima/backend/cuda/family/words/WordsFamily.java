// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.SumKernels;
import java.util.List;

/** The kernels 'bit-parallel': bit-parallel multi-source BFS over CSR, for shallow graphs. msbfs_words.cu. */
public final class WordsFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel WORDS = new Kernel(
            "bit-parallel",
            "Bit-parallel multi-source BFS over CSR.",
            Operation.MULTI_SOURCE_BFS,
            Operation.FARNESS,
            Operation.FARNESS_OF_SOURCES);

    @Override
    public List<Kernel> kernels() {
        return List.of(WORDS);
    }

    @Override
    public BatchKernels distances(Device device, Kernel kernel) {
        return new WordsBatchKernels(device, false);
    }

    @Override
    public SumKernels sums(Device device, Kernel kernel) {
        return new BatchedSums(new WordsBatchKernels(device, false));
    }

    @Override
    public SumKernels sumsBySource(Device device, Kernel kernel) {
        return new BatchedSums(new WordsBatchKernels(device, true));
    }
}
