// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.SumKernels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kernels of BLEST (arXiv:2606.05081) over binarized virtual slice sets, in the variants of its section 7.1. */
public final class BvssFamily implements KernelFamily {

    private static final Map<Kernel, BvssBfsKernel.Variant> VARIANTS = variants();

    private static Map<Kernel, BvssBfsKernel.Variant> variants() {
        Map<Kernel, BvssBfsKernel.Variant> variants = new LinkedHashMap<>();
        variants.put(
                ofOneSearch("blest-a", "BLEST variant A: BVSS on tensor cores, in the layout of BerryBees."),
                BvssBfsKernel.Variant.A);
        variants.put(
                ofOneSearch("blest-ab", "BLEST variant AB: BVSS on tensor cores, in the layout of the paper."),
                BvssBfsKernel.Variant.AB);
        variants.put(
                ofOneSearch("blest-abcd", "BLEST variant ABCD: AB with lazy updates."), BvssBfsKernel.Variant.ABCD);
        variants.put(
                new Kernel(
                                "blest-full",
                                "BLEST variant Full: ABCD with switching to CUDA cores.",
                                Operation.BFS,
                                Operation.MULTI_SOURCE_BFS,
                                Operation.NEAREST_SOURCE,
                                Operation.FARNESS)
                        .overSliceSets(),
                BvssBfsKernel.Variant.FULL);
        variants.put(
                ofOneSearch("blest-ab-and", "'blest-ab' with AND instructions instead of tensor cores."),
                BvssBfsKernel.Variant.AB_AND);
        variants.put(
                ofOneSearch("blest-abcd-and", "'blest-abcd' with AND instructions instead of tensor cores."),
                BvssBfsKernel.Variant.ABCD_AND);
        variants.put(
                ofOneSearch("blest-full-and", "'blest-full' with AND instructions instead of tensor cores."),
                BvssBfsKernel.Variant.FULL_AND);
        return variants;
    }

    private static Kernel ofOneSearch(String keyword, String description) {
        return new Kernel(keyword, description, Operation.BFS, Operation.NEAREST_SOURCE).overSliceSets();
    }

    @Override
    public List<Kernel> kernels() {
        return List.copyOf(VARIANTS.keySet());
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new BvssBfsKernel(VARIANTS.get(kernel));
    }

    @Override
    public BatchKernels distances(Device device, Kernel kernel) {
        return new BvssBatchKernels(device.policy().batchSources());
    }

    @Override
    public SumKernels sums(Device device, Kernel kernel) {
        return new BatchedSums(distances(device, kernel));
    }
}
