// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceBackend;
import org.junit.jupiter.api.AfterEach;

/** The host side of preparing graphs, with simulated kernels. */
class SimulatedPreparationTest extends DevicePreparationContract {

    private final CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));

    @Override
    DeviceBackend backend() {
        return (DeviceBackend) backends.choose().backend();
    }

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        backends.close();
    }
}
