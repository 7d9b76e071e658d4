// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.driver.JcudaDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** CUDA backends on fake devices. */
public final class FakeDevices {

    /** Enough for every graph of the contract. */
    public static final long PLENTY = 400L << 20;

    /** All of a device's memory as budget. */
    public static final BackendSettings ALL_MEMORY = BackendSettings.DEFAULTS.withShares(1, 0.25, 0.5);

    private FakeDevices() {}

    /** Backends on the devices of a driver, with all of their memory as budget. */
    public static CudaBackends backends(FakeDriver driver) {
        return backends(driver, policy());
    }

    public static CudaBackends backends(FakeDriver driver, LaunchPolicy policy) {
        return backends(CudaKernels.FAMILIES, driver, policy);
    }

    public static CudaBackends backends(KernelFamilies families, FakeDriver driver, LaunchPolicy policy) {
        return backends(families, driver, policy, MappedBudget.none());
    }

    /** All of whose devices share the runs that can be shared, however short. */
    public static CudaBackends sharing(FakeDriver driver, LaunchPolicy policy) {
        return mappingAndSharing(driver, policy, MappedBudget.none());
    }

    /** Which may map so much host memory. */
    public static CudaBackends mapping(FakeDriver driver, LaunchPolicy policy, MappedBudget mapped) {
        return backends(CudaKernels.FAMILIES, driver, policy, mapped);
    }

    /** Which may map so much host memory, and share the runs that can be shared. */
    public static CudaBackends mappingAndSharing(FakeDriver driver, LaunchPolicy policy, MappedBudget mapped) {
        return backends(CudaKernels.FAMILIES, driver, sharing(policy), mapped);
    }

    private static CudaBackends backends(
            KernelFamilies families, FakeDriver driver, LaunchPolicy policy, MappedBudget mapped) {
        return new CudaBackends(families, () -> found(driver), policy, mapped);
    }

    /** The devices of a driver, all of them usable. */
    static DeviceProbe found(FakeDriver driver) {
        List<DeviceProbe.Found> devices = IntStream.range(0, driver.deviceCount())
                .mapToObj(ordinal ->
                        new DeviceProbe.Found(ordinal, driver.facts(ordinal), "13.0", "", () -> driver.open(ordinal)))
                .toList();
        return new DeviceProbe("13.0", "", devices, JcudaDriver.REMEDIES);
    }

    /** Backends on the devices that were found. */
    public static CudaBackends backends(DeviceProbe found, BackendSettings settings) {
        return backends(() -> found, policy(RunOptions.AUTO, settings));
    }

    static CudaBackends backends(Supplier<DeviceProbe> probing, LaunchPolicy policy) {
        return new CudaBackends(CudaKernels.FAMILIES, probing, policy, MappedBudget.none());
    }

    /** Small buffers, so that copies take several; the whole of the paper's kernels, as projected. */
    public static LaunchPolicy policy() {
        return policy(new RunOptions(VertexOrder.NATURAL, Kernel.of("blest-full")));
    }

    /** Small buffers; what runs leave to the backend is done like this. */
    public static LaunchPolicy policy(RunOptions defaults) {
        return policy(defaults, ALL_MEMORY);
    }

    /** The same under other settings. */
    public static LaunchPolicy policy(RunOptions defaults, BackendSettings settings) {
        return new LaunchPolicy(settings, 4096, 256, 4, 2, LaunchPolicy.LEAST_SHARED_SUMS, defaults);
    }

    /** The smallest batches, so that devices share small graphs. */
    public static LaunchPolicy smallBatches(RunOptions defaults) {
        return new LaunchPolicy(ALL_MEMORY, 4096, 32, 4, 2, LaunchPolicy.LEAST_SHARED_SUMS, defaults);
    }

    /** A policy by which devices share each run that can be shared, however short. */
    static LaunchPolicy sharing(LaunchPolicy policy) {
        return new LaunchPolicy(
                policy.settings(),
                policy.stagingBytes(),
                policy.batchSources(),
                policy.levelCapacity(),
                policy.runsBeforePreparing(),
                0,
                policy.defaults());
    }

    /** Holds a graph on a device for what is done with it. */
    public static void with(
            DeviceBackend backend, Csc csc, RunContext control, long searches, Consumer<HeldGraph> what) {
        ResidentGraph graph = new ResidentGraph(csc, backend.device(), backend.preparer());
        graph.addHandle();
        try (HeldGraph view = graph.acquire(control, searches)) {
            what.accept(view);
        } finally {
            graph.removeHandle();
            backend.device().workspace().close();
            backend.device().reclaim();
        }
    }

    /** Fails unless the sums are those of the CPU backend. */
    public static void assertAsOnCpu(Farness found, Csc csc, Set<DistanceMeasure> measures) {
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            Farness expected = onCpu.farness(measures, RunContext.of(1));
            assertThat(found.farness()).isEqualTo(expected.farness());
            assertThat(found.reach()).isEqualTo(expected.reach());
            assertThat(found.harmonic()).isEqualTo(expected.harmonic());
            assertThat(found.eccentricity()).isEqualTo(expected.eccentricity());
            assertThat(found.hops()).isEqualTo(expected.hops());
        }
    }
}
