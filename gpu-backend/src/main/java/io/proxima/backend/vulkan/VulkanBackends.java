// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.backend.vulkan.driver.VulkanProbe;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The Vulkan devices of this host. */
public final class VulkanBackends extends DeviceBackends {

    private static final String NAME = "vulkan";

    private final AtomicBoolean leftOut;

    VulkanBackends(Supplier<DeviceProbe> probing, Supplier<LaunchPolicy> policy, MappedBudget mapped) {
        this(probing, policy, mapped, new AtomicBoolean());
    }

    private VulkanBackends(
            Supplier<DeviceProbe> probing, Supplier<LaunchPolicy> policy, MappedBudget mapped, AtomicBoolean leftOut) {
        super(
                NAME,
                VulkanKernels.FAMILIES,
                () -> leftOut.get() ? VulkanProbe.leftOut() : probing.get(),
                policy,
                mapped,
                LaunchPolicy.LEAST_SHARED_SUMS);
        this.leftOut = leftOut;
    }

    /** Leaves the devices out, unless they have been detected already. */
    public void leaveOut() {
        leftOut.set(true);
    }

    /**
     * The devices of this host, not detected yet.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     */
    public static VulkanBackends ofThisHost(MappedBudget mapped) {
        return new VulkanBackends(VulkanProbe::ofThisHost, LaunchPolicy::shipped, mapped);
    }

    /**
     * Whether a run on a graph should use a device rather than the CPU.
     *
     * @param resident whether the graph is on the device already
     */
    public static boolean pays(GraphShape graph, Operation operation, boolean resident) {
        return VulkanKernels.pays(graph, operation, resident);
    }
}
