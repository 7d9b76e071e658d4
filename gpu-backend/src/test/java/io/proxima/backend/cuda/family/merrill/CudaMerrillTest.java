// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.merrill;

import io.proxima.backend.Kernel;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaSearchContract;
import java.util.List;

/** Searches with queues by prefix sums, of every strategy, keep the contract on a real device, under the checking wrapper. */
class CudaMerrillTest extends CudaSearchContract {

    CudaMerrillTest() {
        super(VertexOrder.NATURAL, Kernel.of("merrill"));
    }

    @Override
    protected List<Kernel> kernels() {
        return List.of(
                Kernel.of("merrill"),
                Kernel.of("merrill-expand-contract"),
                Kernel.of("merrill-contract-expand"),
                Kernel.of("merrill-two-phase"));
    }
}
