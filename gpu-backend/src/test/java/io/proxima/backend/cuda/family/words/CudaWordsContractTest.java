// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaFamilyContract;

/** The contract with many searches word-parallel, hubs first, on a real device under the checking wrapper. */
class CudaWordsContractTest extends CudaFamilyContract {

    CudaWordsContractTest() {
        super(VertexOrder.DEGREE, Kernel.of("bit-parallel"));
    }
}
