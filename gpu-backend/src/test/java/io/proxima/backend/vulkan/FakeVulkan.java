// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.List;

/** Vulkan backends on fake devices, or on none. No kernel can run on them. */
public final class FakeVulkan {

    private static final DeviceDriver.Remedies REMEDIES = new DeviceDriver.Remedies("", "", "");

    private FakeVulkan() {}

    /** Backends on the first device of a driver. */
    public static VulkanBackends backends(FakeDriver driver) {
        return backends(new DeviceProbe(
                "",
                "",
                List.of(new DeviceProbe.Found(0, driver.facts(0), "Vulkan 1.3", "", () -> driver.open(0))),
                REMEDIES));
    }

    /** Backends without a device, for this reason. */
    public static VulkanBackends none(String reason) {
        return backends(new DeviceProbe("", reason, List.of(), REMEDIES));
    }

    private static VulkanBackends backends(DeviceProbe probe) {
        return new VulkanBackends(
                () -> probe, LaunchPolicy.shipped(BackendSettings.DEFAULTS.withVulkan(true)), MappedBudget.none());
    }
}
