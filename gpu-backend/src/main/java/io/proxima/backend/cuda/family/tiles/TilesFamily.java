// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.SumKernels;
import java.util.List;

/** The kernels 'neighbour-tiles': sums of multi-source BFS from neighbouring sources, for deep graphs. msbfs_tiles.cu. */
public final class TilesFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel TILES =
            new Kernel("neighbour-tiles", "Multi-source BFS from neighbouring sources over tiles.", Operation.FARNESS);

    @Override
    public List<Kernel> kernels() {
        return List.of(TILES);
    }

    @Override
    public SumKernels sums(Device device, Kernel kernel) {
        return new TilesSumKernels(device);
    }
}
