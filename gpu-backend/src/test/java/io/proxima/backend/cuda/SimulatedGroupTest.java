// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.AfterAll;

/**
 * The host side of every kernel on several devices, which share every run that can be shared. The kernels are
 * simulated.
 */
class SimulatedGroupTest extends KernelFamiliesContract {

    private static final int DEVICES = 3;
    private static final FakeDriver DRIVER = FakeDriver.hoppers(DEVICES, FakeDevices.PLENTY);
    private static final CudaBackends BACKENDS = FakeDevices.sharing(DRIVER, FakeDevices.smallBatches(RunOptions.AUTO));

    @AfterAll
    @AfterContainer
    static void shouldHaveSharedRuns() {
        for (int i = 0; i < DEVICES; i++) {
            assertThat(DRIVER.device(i).launches())
                    .as("launches on device %d", i)
                    .isNotEmpty();
        }
    }

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.chooseAll().backend();
    }
}
