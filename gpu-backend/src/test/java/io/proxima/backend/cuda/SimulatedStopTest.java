// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.StopContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceBackend;
import java.util.List;

/**
 * Killed runs of the host side of the CUDA backend: each family of kernels, in orders that are made on the way. The graphs
 * are small, as a simulated kernel ends before anyone can stop it.
 */
class SimulatedStopTest extends StopContract {

    private final FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private final CudaBackends backends = FakeDevices.backends(driver);

    @Override
    protected TraversalBackend backend() {
        return backends.choose().backend();
    }

    @Override
    protected int vertices() {
        return 1000;
    }

    @Override
    protected int killsOfARun() {
        return 2;
    }

    @Override
    protected List<RunOptions> options(Operation operation) {
        return everyKernel(operation, VertexOrder.NATURAL, VertexOrder.RCM, VertexOrder.AUTO);
    }

    @Override
    protected void shouldLeaveNothing() {
        DeviceBackend backend = (DeviceBackend) backend();
        backend.preparer().awaitIdle();
        backend.device().workspace().close();
        assertThat(driver.device().usedBytes())
                .as("bytes on the device when the graph is closed")
                .isZero();
    }
}
