// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;

/** The host side keeps the contract with lists in mapped host memory, with kernels simulated on host memory. */
class SimulatedMappedTest extends TraversalBackendContract {

    private static final CudaBackends BACKENDS = FakeDevices.mapping(
            FakeDriver.hopper(FakeDevices.PLENTY),
            FakeDevices.policy(new RunOptions(VertexOrder.DEGREE, Kernel.AUTO)),
            MappedBudget.first(1, () -> FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }
}
