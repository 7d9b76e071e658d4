// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kernels of BLEST (arXiv:2606.05081) over binarized virtual slice sets, in the variants of its section 7.1. */
public final class BvssFamily implements KernelFamily {

    private static final Kernel FULL = new Kernel(
                    BvssBfsKernel.Variant.FULL.keyword(),
                    BvssBfsKernel.Variant.FULL.description,
                    Operation.BFS,
                    Operation.MULTI_SOURCE_BFS,
                    Operation.NEAREST_SOURCE,
                    Operation.FARNESS)
            .overSliceSets();

    private static final Map<Kernel, BvssBfsKernel.Variant> VARIANTS = variants();

    private static Map<Kernel, BvssBfsKernel.Variant> variants() {
        Map<Kernel, BvssBfsKernel.Variant> variants = new LinkedHashMap<>();
        for (BvssBfsKernel.Variant variant : BvssBfsKernel.Variant.values()) {
            Kernel ofOneSearch = new Kernel(
                            variant.keyword(), variant.description, Operation.BFS, Operation.NEAREST_SOURCE)
                    .overSliceSets();
            variants.put(variant == BvssBfsKernel.Variant.FULL ? FULL : ofOneSearch, variant);
        }
        return variants;
    }

    @Override
    public List<Kernel> kernels() {
        return List.copyOf(VARIANTS.keySet());
    }

    @Override
    public DeviceKernels kernels(Device device, Kernel kernel, Operation operation) {
        if (operation.isSingleSearch()) {
            return new BvssBfsKernel(VARIANTS.get(kernel));
        }
        BvssBatchKernels batches = new BvssBatchKernels(device.policy().batchSources());
        return operation == Operation.MULTI_SOURCE_BFS ? batches : new BatchedSums(batches);
    }
}
