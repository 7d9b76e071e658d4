// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.kernel.KernelTable;
import io.proxima.backend.device.kernel.KernelTable.ByDepth;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kernels for Vulkan devices. They have the names of the CUDA kernels with the same algorithm. */
final class VulkanKernels {

    private static final Kernel BFS = Kernel.of("directional");
    private static final Kernel MSBFS = Kernel.of("bit-parallel");

    /** The families. */
    static final KernelFamilies FAMILIES = new KernelFamilies(
            List.of(
                    DirectionOptimizing.family(BFS),
                    BitParallel.family(MSBFS),
                    UnionFind.family(Kernel.of("afforest"))),
            new KernelTable(
                    Map.of(
                            Operation.BFS, always(BFS),
                            Operation.NEAREST_SOURCE, always(BFS),
                            Operation.MULTI_SOURCE_BFS, always(MSBFS),
                            Operation.FARNESS_OF_SOURCES, always(MSBFS),
                            Operation.FARNESS, always(MSBFS)),
                    Map.of(),
                    BFS));

    /** What has no kernels here. */
    static final Set<Operation> ON_CPU = Set.of(Operation.SHORTEST_PATHS, Operation.COST_SUMS, Operation.BETWEENNESS);

    private VulkanKernels() {}

    private static ByDepth always(Kernel kernel) {
        return new ByDepth(kernel, kernel);
    }
}
