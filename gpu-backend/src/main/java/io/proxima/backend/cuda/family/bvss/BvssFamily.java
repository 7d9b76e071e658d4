// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BatchedSums;
import io.proxima.backend.cuda.kernel.KernelFamily;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kernels of BLEST (arXiv:2606.05081) over binarized virtual slice sets, in the variants of its section 7.1. */
public final class BvssFamily implements KernelFamily {

    /**
     * A variant.
     *
     * @param oneSearch variant of the kernel of one search
     * @param manySearches variant of the kernel of multi-source BFS, which has no variant with lazy updates only
     */
    private record Variant(BvssLevelKernels.Variant oneSearch, BvssBatchKernels.Variant manySearches) {}

    private static final Map<Kernel, Variant> VARIANTS = variants();

    private static Map<Kernel, Variant> variants() {
        Map<Kernel, Variant> variants = new LinkedHashMap<>();
        variants.put(
                kernel("blest-a", "BLEST variant A: BVSS on tensor cores, in the layout of BerryBees."),
                new Variant(BvssLevelKernels.Variant.A, BvssBatchKernels.Variant.A));
        variants.put(
                kernel("blest-ab", "BLEST variant AB: BVSS on tensor cores, in the layout of the paper."),
                new Variant(BvssLevelKernels.Variant.AB, BvssBatchKernels.Variant.AB));
        variants.put(
                kernel("blest-abcd", "BLEST variant ABCD: AB with lazy updates; multi-source BFS uses 'blest-full'."),
                new Variant(BvssLevelKernels.Variant.ABCD, BvssBatchKernels.Variant.FULL));
        variants.put(
                kernel("blest-full", "BLEST variant Full: ABCD with switching to CUDA cores."),
                new Variant(BvssLevelKernels.Variant.FULL, BvssBatchKernels.Variant.FULL));
        variants.put(
                kernel("blest-ab-and", "'blest-ab' with AND instructions instead of tensor cores."),
                new Variant(BvssLevelKernels.Variant.AB_AND, BvssBatchKernels.Variant.AB_AND));
        variants.put(
                kernel("blest-abcd-and", "'blest-abcd' with AND instructions instead of tensor cores."),
                new Variant(BvssLevelKernels.Variant.ABCD_AND, BvssBatchKernels.Variant.FULL_AND));
        variants.put(
                kernel("blest-full-and", "'blest-full' with AND instructions instead of tensor cores."),
                new Variant(BvssLevelKernels.Variant.FULL_AND, BvssBatchKernels.Variant.FULL_AND));
        return variants;
    }

    private static Kernel kernel(String keyword, String description) {
        return new Kernel(keyword, description, Run.BFS, Run.MULTI_SOURCE_BFS, Run.NEAREST_SOURCE, Run.FARNESS)
                .overSliceSets();
    }

    @Override
    public List<Kernel> kernels() {
        return List.copyOf(VARIANTS.keySet());
    }

    @Override
    public LevelKernels levels(CudaDevice device, Kernel kernel) {
        return new BvssLevelKernels(device, VARIANTS.get(kernel).oneSearch());
    }

    @Override
    public BatchKernels distances(CudaDevice device, Kernel kernel) {
        return new BvssBatchKernels(
                device, VARIANTS.get(kernel).manySearches(), device.policy().batchSources());
    }

    @Override
    public SumKernels sums(CudaDevice device, Kernel kernel) {
        return new BatchedSums(distances(device, kernel));
    }
}
