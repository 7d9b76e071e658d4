// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds the Vulkan devices of this host. LWJGL is linked here for the first time. */
public final class VulkanProbe {

    /** System property: whether devices may be used whose driver computes on the CPU. For tests. */
    static final String SOFTWARE_PROPERTY = "proxima.vulkan.cpu";

    /** What a user can do about a Vulkan device in trouble. Here, because a jar without LWJGL reports it too. */
    static final DeviceDriver.Remedies REMEDIES = new DeviceDriver.Remedies(
            "",
            "Check the system log for messages of the GPU's driver and restart the server",
            "Check which processes use its memory");

    private static final String OR_CPU = " Or use backend: 'cpu'.";

    private VulkanProbe() {}

    /** The devices, or the reason why there are none. */
    public static DeviceProbe ofThisHost() {
        return ofThisHost(null);
    }

    /**
     * The devices, or the reason why there are none.
     *
     * @param validation receives the errors that Vulkan's validation layer finds; null to leave the layer out
     */
    public static DeviceProbe ofThisHost(Consumer<String> validation) {
        try {
            return of(new VulkanHost(validation).devices());
        } catch (LinkageError e) {
            return without("The Vulkan loader cannot be loaded: " + e.getMessage()
                    + ". Install the GPU's Vulkan driver and the loader, libvulkan1 on Debian." + OR_CPU);
        } catch (VulkanException e) {
            return without("Vulkan failed to start: " + e.getMessage()
                    + " Install the GPU's Vulkan driver; in a container, give it access to the GPU." + OR_CPU);
        }
    }

    static DeviceProbe of(List<VulkanHost.Found> found) {
        List<DeviceProbe.Found> devices = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            VulkanHost.Found device = found.get(i);
            devices.add(new DeviceProbe.Found(i, device.facts(), device.driver(), unusable(device), device::open));
        }
        return devices.isEmpty()
                ? without(
                        "The Vulkan loader reports no device. Install the GPU's Vulkan driver; in a container, give it"
                                + " access to the GPU." + OR_CPU)
                : new DeviceProbe("", "", devices, REMEDIES);
    }

    /** What is reported if the devices are left out. */
    public static DeviceProbe leftOut() {
        return without(
                "The setting server.proxima.vulkan.enabled is false. Set it to true and restart the server." + OR_CPU);
    }

    private static String unusable(VulkanHost.Found device) {
        if (!device.lacks().isEmpty()) {
            return "The device lacks what the kernels need: " + device.lacks()
                    + ". Update its driver, or use backend: 'cpu'.";
        }
        if (device.software() && !Boolean.getBoolean(SOFTWARE_PROPERTY)) {
            return "The device is no GPU: its driver computes on the CPU. Use backend: 'cpu', which is faster.";
        }
        return "";
    }

    private static DeviceProbe without(String reason) {
        return new DeviceProbe("", reason, List.of(), REMEDIES);
    }
}
