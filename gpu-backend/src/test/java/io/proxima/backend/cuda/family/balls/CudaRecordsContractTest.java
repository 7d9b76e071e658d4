// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaFamilyContract;

/** The contract with single searches by records of balls, on a real device under the checking wrapper. */
class CudaRecordsContractTest extends CudaFamilyContract {

    CudaRecordsContractTest() {
        super(VertexOrder.NATURAL, Kernel.of("ball-records"));
    }
}
