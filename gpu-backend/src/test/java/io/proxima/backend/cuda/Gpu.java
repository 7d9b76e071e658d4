// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.jqwik.api.lifecycle.AfterContainerHook;
import net.jqwik.api.lifecycle.ContainerLifecycleContext;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The device of this host for tests, under {@link CheckedDriver}. Without one the tests are skipped, or fail if
 * required.
 */
public final class Gpu {

    private static final List<CudaBackends> RELEASED = new CopyOnWriteArrayList<>();
    private static final CudaBackends BACKENDS =
            released(FakeDevices.backends(Gpu::checked, LaunchPolicy.shipped(BackendSettings.DEFAULTS)));

    private Gpu() {}

    public static DeviceBackend backend() {
        return backend(BACKENDS);
    }

    /** The device of other backends. */
    static DeviceBackend backend(CudaBackends backends) {
        DeviceBackends.Choice choice = backends.choose();
        if (choice.backend() == null && required()) {
            fail("A device is required: " + choice.reason());
        }
        assumeTrue(choice.backend() != null, choice.reason());
        return (DeviceBackend) choice.backend();
    }

    private static boolean required() {
        return Boolean.getBoolean("gpu.required");
    }

    /**
     * Skips tests and properties without a device, or fails them if one is required, and gives the device back after
     * them.
     */
    public static final class DeviceTests
            implements BeforeAllCallback, AfterAllCallback, SkipExecutionHook, AfterContainerHook {
        @Override
        public void beforeAll(ExtensionContext context) {
            backend();
        }

        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            DeviceBackends.Choice choice = BACKENDS.choose();
            return choice.backend() == null && !required() ? SkipResult.skip(choice.reason()) : SkipResult.doNotSkip();
        }

        @Override
        public void afterAll(ExtensionContext context) {
            release();
        }

        @Override
        public void afterContainer(ContainerLifecycleContext context) {
            release();
        }
    }

    /** Tells in the log of the tests what a test has measured. */
    static void report(String line) {
        PrintStream out = System.out;
        out.println(line);
    }

    /** Gives the device back; anything left on it is an error. */
    static void release() {
        RELEASED.forEach(CudaBackends::close);
    }

    private static CudaBackends released(CudaBackends backends) {
        RELEASED.add(backends);
        return backends;
    }

    /** Backends of their own whose calls of the driver fail as told. Without a device the test is skipped. */
    static CudaBackends backends(LaunchPolicy policy, CheckedDriver.Faults faults) {
        CudaBackends backends = FakeDevices.backends(() -> checked(faults), policy);
        backend(backends);
        return backends;
    }

    /** Other backends of the device, which may map so much host memory. */
    static CudaBackends mapping(LaunchPolicy policy, MappedBudget mapped) {
        return released(new CudaBackends(CudaKernels.FAMILIES, Gpu::checked, policy, mapped));
    }

    /** The shipped policy, with another size of batches and other defaults. */
    static LaunchPolicy policy(int batchSources, RunOptions defaults) {
        LaunchPolicy shipped = LaunchPolicy.shipped(BackendSettings.DEFAULTS);
        return new LaunchPolicy(
                shipped.settings(),
                shipped.stagingBytes(),
                batchSources,
                shipped.levelCapacity(),
                shipped.runsBeforePreparing(),
                shipped.leastShared(),
                defaults);
    }

    /** All devices of the host, which share every run that can be shared. With fewer than two the test is skipped. */
    static CudaBackends sharing(RunOptions defaults, CheckedDriver.Faults faults) {
        // small batches, so that small graphs are shared
        LaunchPolicy policy = FakeDevices.sharing(policy(LaunchPolicy.SMALLEST_BATCH, defaults));
        CudaBackends backends = FakeDevices.backends(() -> checked(faults), policy);
        backend(backends);
        assumeTrue(backends.openAll().size() > 1, "The host has one device.");
        return backends;
    }

    private static DeviceProbe checked() {
        return checked(CheckedDriver.Faults.NONE);
    }

    private static DeviceProbe checked(CheckedDriver.Faults faults) {
        return CheckedDriver.around(CudaProbe.ofThisHost(), driver -> new CheckedDriver(driver, faults));
    }
}
