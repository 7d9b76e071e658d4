// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;

/**
 * The host side of every kernel on several devices, which share every run that can be shared. The kernels are
 * simulated.
 */
class SimulatedGroupTest extends KernelFamiliesContract {

    private static final CudaBackends BACKENDS =
            FakeDevices.sharing(FakeDriver.hoppers(3, FakeDevices.PLENTY), FakeDevices.smallBatches(RunOptions.AUTO));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.chooseAll().backend();
    }
}
