// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import io.proxima.backend.ShortestPathsContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import net.jqwik.api.lifecycle.AfterContainer;

/** The host side of weighted shortest paths on a device, with the kernel simulated on host memory. */
class SimulatedShortestPathsTest extends ShortestPathsContract {

    private static final CudaBackends BACKENDS = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }

    @AfterContainer
    static void close() {
        BACKENDS.close();
    }
}
