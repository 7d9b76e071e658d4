// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.ShortestPathsContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import net.jqwik.api.lifecycle.AfterContainer;

/** The host side of weighted shortest paths over lists and weights in mapped host memory. */
class SimulatedMappedPathsTest extends ShortestPathsContract {

    private static final CudaBackends BACKENDS = FakeDevices.mapping(
            FakeDriver.hopper(FakeDevices.PLENTY),
            FakeDevices.policy(),
            MappedBudget.first(1, () -> FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }

    @AfterContainer
    static void close() {
        BACKENDS.close();
    }
}
