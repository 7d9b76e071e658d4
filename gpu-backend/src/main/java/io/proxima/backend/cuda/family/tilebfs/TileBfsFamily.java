// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

/**
 * The kernels 'tile-bfs': TileBFS (Ji et al., TileSpMSpV, ICPP 2022) over a matrix of bitmask tiles. bfs_tile.cu. See docs/decisions/0055.
 */
public final class TileBfsFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel TILE = new Kernel(
            "tile-bfs",
            "TileBFS over a matrix of bitmask tiles, by Push-CSC, Push-CSR or Pull-CSC for each level.",
            Operation.BFS,
            Operation.NEAREST_SOURCE);

    @Override
    public List<Kernel> kernels() {
        return List.of(TILE);
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new TileBfsKernel();
    }
}
