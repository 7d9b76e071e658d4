// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Operation;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.backend.vulkan.driver.VulkanProbe;
import java.util.List;
import java.util.function.Supplier;

/** The Vulkan devices of this host, as one server may use them. */
public final class VulkanBackends extends DeviceBackends {

    private static final String NAME = "vulkan";

    private static final Supplier<DeviceProbe> OF_THIS_HOST = DeviceProbe.once(VulkanProbe::ofThisHost);

    private final boolean isLeftOut;

    VulkanBackends(Supplier<DeviceProbe> probing, LaunchPolicy policy, MappedBudget mapped) {
        super(
                NAME,
                List.of(),
                VulkanKernels.FAMILIES,
                policy.settings().vulkan() ? probing : VulkanProbe::leftOut,
                policy,
                mapped);
        isLeftOut = !policy.settings().vulkan();
    }

    @Override
    public boolean isLeftOut() {
        return isLeftOut;
    }

    /**
     * The devices of this host, not detected yet.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     */
    public static VulkanBackends ofThisHost(BackendSettings settings, MappedBudget mapped) {
        return new VulkanBackends(OF_THIS_HOST, LaunchPolicy.shipped(settings), mapped);
    }

    @Override
    public boolean pays(GraphShape graph, Operation operation, boolean resident) {
        return !VulkanKernels.ON_CPU.contains(operation) && super.pays(graph, operation, resident);
    }
}
