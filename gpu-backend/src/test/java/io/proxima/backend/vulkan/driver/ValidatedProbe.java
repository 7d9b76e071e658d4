// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.run.DeviceProbe;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The devices of this host for tests, under the validation layer if it is installed. Those that compute on the CPU are among them
 * only if a device is required, because the tests take minutes there.
 */
public final class ValidatedProbe {

    private static final List<String> ERRORS = new CopyOnWriteArrayList<>();

    private ValidatedProbe() {}

    public static DeviceProbe ofThisHost() {
        if (Boolean.getBoolean("vulkan.required")) {
            System.setProperty(VulkanProbe.SOFTWARE_PROPERTY, "true");
        }
        DeviceProbe validated = VulkanProbe.ofThisHost(ERRORS::add);
        return validated.reason().contains("VK_ERROR_LAYER_NOT_PRESENT") ? VulkanProbe.ofThisHost() : validated;
    }

    /** What the layer has found so far. */
    public static List<String> errors() {
        return List.copyOf(ERRORS);
    }
}
