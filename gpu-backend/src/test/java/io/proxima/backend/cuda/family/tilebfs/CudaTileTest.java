// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaSearchContract;
import java.util.List;

/** Searches over bitmask tiles keep the contract on a real device, under the checking wrapper. */
class CudaTileTest extends CudaSearchContract {

    CudaTileTest() {
        super(VertexOrder.RCM, Kernel.of("tile-bfs"));
    }

    @Override
    protected List<Kernel> kernels() {
        return List.of(Kernel.of("tile-bfs"));
    }
}
