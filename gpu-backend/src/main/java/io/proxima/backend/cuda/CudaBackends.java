// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.driver.JcudaDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.function.Supplier;

/** The CUDA devices of this host. */
public final class CudaBackends extends DeviceBackends {

    /** The name of the row of a host without devices. */
    static final String NAME = "cuda";

    CudaBackends(Supplier<CudaProbe> probing, Supplier<LaunchPolicy> policy) {
        this(CudaKernels.FAMILIES, probing, policy, MappedBudget.none(), LaunchPolicy.LEAST_SHARED_SUMS);
    }

    CudaBackends(
            KernelFamilies families,
            Supplier<CudaProbe> probing,
            Supplier<LaunchPolicy> policy,
            MappedBudget mapped,
            long leastShared) {
        super(NAME, families, () -> devices(probing.get()), policy, mapped, leastShared);
    }

    /**
     * The devices of this host, not detected yet.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     */
    public static CudaBackends ofThisHost(MappedBudget mapped) {
        return new CudaBackends(
                CudaKernels.FAMILIES,
                CudaProbe::ofThisHost,
                LaunchPolicy::shipped,
                mapped,
                LaunchPolicy.LEAST_SHARED_SUMS);
    }

    /**
     * Whether a run on a graph should use a device rather than the CPU.
     *
     * @param resident whether the graph is on the device already
     */
    public static boolean pays(GraphShape graph, Operation operation, boolean resident) {
        return LaunchPolicy.pays(graph, operation, resident);
    }

    private static DeviceProbe devices(CudaProbe probe) {
        return new DeviceProbe(
                probe.driverVersion(),
                probe.reason(),
                probe.devices().stream()
                        .map(found -> new DeviceProbe.Found(
                                found.ordinal(),
                                found.facts(),
                                probe.driverVersion(),
                                found.reason(),
                                () -> probe.driver().open(found.ordinal())))
                        .toList(),
                JcudaDriver.REMEDIES);
    }
}
