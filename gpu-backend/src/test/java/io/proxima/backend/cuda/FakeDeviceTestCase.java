// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.run.DeviceBackend;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Base of tests in which several threads share a fake device. */
public abstract class FakeDeviceTestCase {

    protected static final int[] NO_TARGETS = {};

    protected final FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    protected final CudaBackends backends;
    protected final DeviceBackend backend;

    protected FakeDeviceTestCase(LaunchPolicy policy) {
        backends = FakeDevices.backends(driver, policy);
        backend = (DeviceBackend) backends.choose().backend();
    }

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    /** A run in the order of the projection with these kernels. */
    protected static RunControl with(Kernel kernel) {
        return RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, kernel));
    }

    /** Waits until another thread waits for the device. */
    protected final void awaitWaiting() {
        awaitThat(() -> backend.device().leases().length() == 2);
    }

    public static void await(CountDownLatch latch) {
        awaitThat(() -> latch.getCount() == 0);
    }

    public static void awaitThat(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(100_000);
        }
    }
}
