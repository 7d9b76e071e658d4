// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceBackends;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** The device of this host for tests, under {@link CheckedDriver}. Without one the tests are skipped, or fail if required. */
public final class Gpu {

    private static final CudaBackends BACKENDS = new CudaBackends(Gpu::checked, LaunchPolicy::shipped);
    private static final Map<RunOptions, CudaBackends> OTHERS = new ConcurrentHashMap<>();
    private static final List<CudaBackends> MAPPING = new CopyOnWriteArrayList<>();

    private Gpu() {}

    public static DeviceBackend backend() {
        return backend(BACKENDS);
    }

    /** Another backend on the device, which does like this what runs leave to it. */
    public static DeviceBackend backend(RunOptions defaults) {
        return backend(OTHERS.computeIfAbsent(defaults, options -> {
            LaunchPolicy policy = policy(LaunchPolicy.shipped().batchSources(), options);
            return new CudaBackends(Gpu::checked, () -> policy);
        }));
    }

    private static DeviceBackend backend(CudaBackends backends) {
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

    /** Does for jqwik's properties what an assumption does for JUnit's tests. */
    public static final class SkipProperties implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            DeviceBackends.Choice choice = BACKENDS.choose();
            return choice.backend() == null && !required() ? SkipResult.skip(choice.reason()) : SkipResult.doNotSkip();
        }
    }

    /** Tells in the log of the tests what a test has measured. */
    static void report(String line) {
        PrintStream out = System.out;
        out.println(line);
    }

    /** Gives the device back; anything left on it is an error. */
    public static void release() {
        OTHERS.values().forEach(CudaBackends::close);
        MAPPING.forEach(CudaBackends::close);
        MAPPING.clear();
        BACKENDS.close();
    }

    /** Backends of their own whose calls of the driver fail as told. Without a device the test is skipped. */
    static CudaBackends backends(LaunchPolicy policy, CheckedDriver.Faults faults) {
        CudaBackends backends = new CudaBackends(() -> checked(faults), () -> policy);
        backend(backends);
        return backends;
    }

    /** Another backend on the device, which may map so much host memory. */
    static DeviceBackend mapping(LaunchPolicy policy, MappedBudget mapped) {
        CudaBackends backends = new CudaBackends(
                CudaKernels.FAMILIES, Gpu::checked, () -> policy, mapped, LaunchPolicy.LEAST_SHARED_SUMS);
        DeviceBackend backend = backend(backends);
        MAPPING.add(backends);
        return backend;
    }

    /** The shipped policy, with another size of batches and other defaults. */
    static LaunchPolicy policy(int batchSources, RunOptions defaults) {
        LaunchPolicy shipped = LaunchPolicy.shipped();
        return new LaunchPolicy(
                shipped.memoryShare(),
                shipped.recordsShare(),
                shipped.stagingBytes(),
                batchSources,
                shipped.levelCapacity(),
                shipped.runsBeforePreparing(),
                defaults);
    }

    /** All devices of the host, which share every run that can be shared. With fewer than two the test is skipped. */
    static CudaBackends sharing(RunOptions defaults, CheckedDriver.Faults faults) {
        // small batches, so that small graphs are shared
        LaunchPolicy policy = policy(LaunchPolicy.SMALLEST_BATCH, defaults);
        CudaBackends backends =
                new CudaBackends(CudaKernels.FAMILIES, () -> checked(faults), () -> policy, MappedBudget.none(), 0);
        backend(backends);
        assumeTrue(backends.openAll().size() > 1, "The host has one device.");
        return backends;
    }

    private static CudaProbe checked() {
        return checked(CheckedDriver.Faults.NONE);
    }

    private static CudaProbe checked(CheckedDriver.Faults faults) {
        CudaProbe probe = CudaProbe.ofThisHost();
        return probe.driver() == null
                ? probe
                : new CudaProbe(
                        CheckedDriver.around(probe.driver(), faults),
                        probe.driverVersion(),
                        probe.reason(),
                        probe.devices());
    }
}
