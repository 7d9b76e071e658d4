// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Operation;
import io.proxima.backend.RunOptions;
import io.proxima.backend.StopContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceBackend;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Killed runs on several devices, with each kernel, in orders that are made on the way. The graphs are small, as a
 * simulated kernel ends before anyone can stop it.
 */
@Tag("full")
class SimulatedStopTest extends StopContract {

    private static final int DEVICES = 3;

    private final FakeDriver driver = FakeDriver.hoppers(DEVICES, FakeDevices.PLENTY);
    private final CudaBackends backends = FakeDevices.sharing(driver, FakeDevices.smallBatches(RunOptions.AUTO));

    @Override
    protected TraversalBackend backend() {
        return backends.chooseAll().backend();
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
        for (TraversalBackend device : backends.openAll()) {
            DeviceBackend backend = (DeviceBackend) device;
            backend.preparer().awaitIdle();
            backend.device().workspace().close();
        }
        for (int i = 0; i < DEVICES; i++) {
            assertThat(driver.device(i).usedBytes())
                    .as("bytes on device %d when the graph is closed", i)
                    .isZero();
        }
    }
}
