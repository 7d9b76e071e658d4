// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.FirstMappedBudget;

/**
 * The host side of every kernel with lists in mapped host memory, as far as it reads them. The kernels are simulated.
 */
class SimulatedMappedTest extends KernelFamiliesContract {

    private static final CudaBackends BACKENDS = FakeDevices.mapping(
            FakeDriver.hopper(FakeDevices.PLENTY),
            FakeDevices.policy(RunOptions.AUTO),
            new FirstMappedBudget(() -> FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }
}
