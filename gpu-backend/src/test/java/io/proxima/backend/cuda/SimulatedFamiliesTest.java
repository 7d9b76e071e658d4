// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The host side of every kernel: structures, plans, launches, which pause now and then. The kernels are simulated on
 * host memory.
 */
class SimulatedFamiliesTest extends KernelFamiliesContract {

    private static final FakeDriver DRIVER = FakeDriver.hopper(FakeDevices.PLENTY);
    private static final CudaBackends BACKENDS = FakeDevices.backends(DRIVER, FakeDevices.policy(RunOptions.AUTO));

    @BeforeAll
    @BeforeContainer
    static void pauseSearches() {
        BACKENDS.choose();
        // a launch with another one behind it cannot pause, and none is queued behind so long a batch
        DRIVER.device().time(entry -> 2 * LaunchPolicy.MILLIS_OF_A_BATCH_IN_FLIGHT);
        DRIVER.device().pauseSearches(1);
    }

    @AfterAll
    @AfterContainer
    static void shouldHaveResumedWhatHasPaused() {
        assertThat(DRIVER.device().pausedLaunches()).isZero();
        BACKENDS.close();
    }

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }
}
