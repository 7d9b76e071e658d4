/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.family.tiles;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.kernel.KernelFamily;
import io.proxima.backend.cuda.kernel.SumKernels;
import java.util.List;

/** The kernels 'tiles': sums of multi-source BFS from neighbouring sources, for deep graphs. msbfs_tiles.cu. */
public final class TilesFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel TILES =
            new Kernel("tiles", "Multi-source BFS from neighbouring sources over tiles.", Run.FARNESS);

    @Override
    public List<Kernel> kernels() {
        return List.of(TILES);
    }

    @Override
    public SumKernels sums(CudaDevice device, Kernel kernel) {
        return new TilesSumKernels(device);
    }

    @Override
    public List<SumKernels> triedSums(CudaDevice device) {
        return List.of(new TilesSumKernels(device));
    }
}
