// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaFamilyContract;

/** The contract with single searches by rows of neighbours, on a real device under the checking wrapper. */
class CudaRowsContractTest extends CudaFamilyContract {

    CudaRowsContractTest() {
        super(VertexOrder.NATURAL, Kernel.of("balls"));
    }
}
