// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.kernel.KernelTable;
import io.proxima.backend.device.kernel.KernelTable.ByDepth;
import java.util.Map;

/** The kernels for NVIDIA GPUs. */
public final class CudaKernels {

    /** The kernels of 'auto', as in the manual; see docs/decisions/0021. */
    public static final KernelTable TABLE = new KernelTable(
            Map.of(
                    Operation.BFS, byDepth("directional", "balls"),
                    Operation.NEAREST_SOURCE, byDepth("directional", "balls"),
                    Operation.MULTI_SOURCE_BFS, byDepth("bit-parallel", "blocks"),
                    Operation.FARNESS_OF_SOURCES, byDepth("bit-parallel", "blocks"),
                    Operation.FARNESS, byDepth("bit-parallel", "neighbour-tiles")),
            Map.of(Kernel.of("balls"), Kernel.of("ball-records")),
            Kernel.of("blest-abcd"));

    /** The families of this jar. */
    public static final KernelFamilies FAMILIES = KernelFamilies.ofThisJar(TABLE);

    private CudaKernels() {}

    private static ByDepth byDepth(String shallow, String deep) {
        return new ByDepth(Kernel.of(shallow), Kernel.of(deep));
    }
}
