// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;

/**
 * The host side of the CUDA backend keeps the contract, with kernels simulated on host memory, in another order than
 * projected, and with the kernels of 'auto'. Every family is in SimulatedFamiliesTest; the kernels themselves are
 * CudaBackendTest's.
 */
class SimulatedDeviceTest extends TraversalBackendContract {

    private static final CudaBackends BACKENDS = FakeDevices.backends(
            FakeDriver.hopper(FakeDevices.PLENTY), FakeDevices.policy(new RunOptions(VertexOrder.DEGREE, Kernel.AUTO)));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }
}
