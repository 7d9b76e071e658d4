// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import org.junit.jupiter.api.AfterAll;

/** The host side of every family of kernels: structures, plans, launches. The kernels are simulated on host memory. */
class SimulatedFamiliesTest extends KernelFamiliesContract {

    private static final CudaBackends BACKENDS =
            FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY), FakeDevices.policy(RunOptions.AUTO));

    @AfterAll
    static void close() {
        BACKENDS.close();
    }

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }
}
