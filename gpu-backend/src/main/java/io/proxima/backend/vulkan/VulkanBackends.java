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
import java.util.function.Supplier;

/** The Vulkan devices of this host. */
public final class VulkanBackends extends DeviceBackends {

    private static final String NAME = "vulkan";

    VulkanBackends(Supplier<DeviceProbe> probing, Supplier<LaunchPolicy> policy, MappedBudget mapped) {
        super(NAME, VulkanKernels.FAMILIES, probing, policy, mapped, LaunchPolicy.LEAST_SHARED_SUMS);
    }

    /** The devices of this host, not detected yet. */
    public static VulkanBackends ofThisHost() {
        return new VulkanBackends(VulkanProbe::ofThisHost, LaunchPolicy::shipped, MappedBudget.ofThisHost());
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
