// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;

/** Several devices keep the contract together: fake ones that share every run that can be shared. */
class SimulatedGroupTest extends TraversalBackendContract {

    private static final CudaBackends BACKENDS = FakeDevices.sharing(
            FakeDriver.hoppers(3, FakeDevices.PLENTY),
            FakeDevices.smallBatches(new RunOptions(VertexOrder.DEGREE, Kernel.of("blest-full"))));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.chooseAll().backend();
    }

    @Override
    protected boolean onlySmall() {
        return true;
    }
}
