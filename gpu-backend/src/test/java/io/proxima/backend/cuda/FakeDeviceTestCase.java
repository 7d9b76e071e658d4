// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.ToldRuns;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Base of tests on a fake device, on which they may leave nothing. */
public abstract class FakeDeviceTestCase {

    protected static final int[] NO_TARGETS = {};

    private final LaunchPolicy policy;

    protected FakeDriver driver;
    protected CudaBackends backends;
    protected DeviceBackend backend;
    protected final ToldRuns told = new ToldRuns();

    /** A device with room for every graph of the contract, whose backend chooses order and kernel. */
    protected FakeDeviceTestCase() {
        this(FakeDevices.policy(RunOptions.AUTO));
    }

    /** The same device under another policy. */
    protected FakeDeviceTestCase(LaunchPolicy policy) {
        this.policy = policy;
        useDevice(FakeDevices.PLENTY);
    }

    /** Takes a device with so much memory instead. */
    protected final void useDevice(long totalBytes) {
        use(FakeDriver.hopper(totalBytes), MappedBudget.none());
    }

    /** Takes the devices of a driver instead, which may map so much host memory. */
    protected final void use(FakeDriver devices, MappedBudget mapped) {
        use(devices, FakeDevices.mapping(devices, policy, mapped));
    }

    /** Takes the devices of a driver instead, as these backends. */
    protected final void use(FakeDriver devices, CudaBackends chosen) {
        if (backends != null) {
            backends.close();
        }
        driver = devices;
        backends = chosen;
        backend = (DeviceBackend) chosen.choose().backend();
    }

    @AfterEach
    protected void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    /** A run in the order of the projection with these kernels. */
    protected static RunContext with(String kernel) {
        return RunContext.of(1).with(new RunOptions(VertexOrder.NATURAL, Kernel.of(kernel)));
    }

    /** Launches so far of kernels whose names begin like this, on the device opened last. */
    protected final int launches(String prefix) {
        return (int) driver.device().launches().stream()
                .filter(entry -> entry.startsWith(prefix))
                .count();
    }

    /** Waits until another thread waits for the device. */
    protected final void awaitWaiting() {
        awaitThat(() -> backend.device().leases().length() == 2);
    }

    public static void await(CountDownLatch latch) {
        awaitThat(() -> latch.getCount() == 0);
    }

    public static void awaitThat(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(100_000);
        }
    }
}
