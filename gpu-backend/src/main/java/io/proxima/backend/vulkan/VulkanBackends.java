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

    private final AtomicBoolean allowed;

    VulkanBackends(Supplier<DeviceProbe> probing, Supplier<LaunchPolicy> policy, MappedBudget mapped) {
        this(probing, policy, mapped, new AtomicBoolean(true));
    }

    private VulkanBackends(
            Supplier<DeviceProbe> probing, Supplier<LaunchPolicy> policy, MappedBudget mapped, AtomicBoolean allowed) {
        super(
                NAME,
                VulkanKernels.FAMILIES,
                () -> allowed.get() ? probing.get() : VulkanProbe.leftOut(),
                policy,
                mapped,
                LaunchPolicy.LEAST_SHARED_SUMS);
        this.allowed = allowed;
    }

    /** Allows the use of the devices, unless they have been left out already. */
    public void allow() {
        allowed.set(true);
    }

    @Override
    public boolean isLeftOut() {
        return !allowed.get();
    }

    /**
     * The devices of this host, not detected yet. They are left out until they are {@link #allow allowed}.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     */
    public static VulkanBackends ofThisHost(MappedBudget mapped) {
        return new VulkanBackends(VulkanProbe::ofThisHost, LaunchPolicy::shipped, mapped, new AtomicBoolean());
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
