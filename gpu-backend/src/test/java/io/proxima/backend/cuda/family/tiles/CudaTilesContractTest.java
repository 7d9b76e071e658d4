// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaFamilyContract;

/** The contract with sums by tiles, on a real device under the checking wrapper; the long paths are theirs. */
class CudaTilesContractTest extends CudaFamilyContract {

    CudaTilesContractTest() {
        super(VertexOrder.RCM, Kernel.of("neighbour-tiles"));
    }

    @Override
    protected boolean onlySmall() {
        return false;
    }
}
