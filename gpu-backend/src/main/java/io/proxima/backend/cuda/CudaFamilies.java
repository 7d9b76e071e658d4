// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.cuda.family.afforest.DeviceComponents;
import io.proxima.backend.cuda.family.balls.BallsBfsKernel;
import io.proxima.backend.cuda.family.blocks.BlocksBatchKernels;
import io.proxima.backend.cuda.family.brandes.DeviceBetweenness;
import io.proxima.backend.cuda.family.directional.DirectionalBfsKernel;
import io.proxima.backend.cuda.family.nearfar.NearFarKernels;
import io.proxima.backend.cuda.family.tiles.TilesSumKernels;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/** The families of kernels for NVIDIA GPUs, in the order in which users see them. Found as a service. */
public final class CudaFamilies implements KernelFamily.Provider {

    @Override
    public List<KernelFamily> families() {
        return List.of(
                DirectionalBfsKernel.FAMILY,
                BallsBfsKernel.FAMILY,
                WordsBatchKernels.FAMILY,
                BlocksBatchKernels.FAMILY,
                TilesSumKernels.FAMILY,
                DeviceComponents.FAMILY,
                NearFarKernels.FAMILY,
                DeviceBetweenness.FAMILY);
    }
}
