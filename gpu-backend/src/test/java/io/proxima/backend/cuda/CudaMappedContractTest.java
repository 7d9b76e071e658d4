// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.FirstMappedBudget;
import io.proxima.backend.device.LaunchPolicy;

/** The contract with lists in mapped host memory, on a real device under the checking wrapper. */
@OnGpu
class CudaMappedContractTest extends TraversalBackendContract {

    private static final long HOST_BYTES = 1L << 32;

    private static final CudaBackends BACKENDS = Gpu.mapping(
            Gpu.policy(
                    LaunchPolicy.shipped(BackendSettings.DEFAULTS).batchSources(),
                    new RunOptions(VertexOrder.DEGREE, Kernel.AUTO)),
            new FirstMappedBudget(() -> HOST_BYTES));

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend(BACKENDS);
    }

    /** Deep graphs take long over the bus. */
    @Override
    protected boolean onlySmall() {
        return true;
    }
}
