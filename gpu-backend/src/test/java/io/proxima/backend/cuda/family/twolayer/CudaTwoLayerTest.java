// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.twolayer;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaSearchContract;
import java.util.List;

/** Searches over two-layer bitmap frontiers keep the contract on a real device, under the checking wrapper. */
class CudaTwoLayerTest extends CudaSearchContract {

    CudaTwoLayerTest() {
        super(VertexOrder.DEGREE, Kernel.of("two-layer"));
    }

    @Override
    protected List<Kernel> kernels() {
        return List.of(Kernel.of("two-layer"));
    }
}
