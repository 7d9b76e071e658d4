// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaSearchContract;
import java.util.List;

/** Searches over lists, top-down and bottom-up, keep the contract on a real device, under the checking wrapper. */
class CudaDirectionalTest extends CudaSearchContract {

    CudaDirectionalTest() {
        super(VertexOrder.DEGREE, Kernel.of("directional"));
    }

    @Override
    protected List<Kernel> kernels() {
        return List.of(Kernel.of("directional"));
    }
}
