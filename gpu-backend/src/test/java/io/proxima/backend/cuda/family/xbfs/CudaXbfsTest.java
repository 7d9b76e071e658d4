// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.xbfs;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaSearchContract;
import java.util.List;

/** Searches with adaptive queues keep the contract on a real device, under the checking wrapper. */
class CudaXbfsTest extends CudaSearchContract {

    CudaXbfsTest() {
        super(VertexOrder.NATURAL, Kernel.of("xbfs"));
    }

    @Override
    protected List<Kernel> kernels() {
        return List.of(Kernel.of("xbfs"));
    }
}
