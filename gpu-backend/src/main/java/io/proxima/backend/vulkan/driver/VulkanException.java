// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.DriverException;
import java.util.Map;
import java.util.Set;
import org.lwjgl.vulkan.VK10;

/** A Vulkan driver reported an error. */
final class VulkanException extends DriverException {

    private static final long serialVersionUID = 1L;

    private static final Map<Integer, String> NAMES = Map.of(
            VK10.VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY",
            VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY",
            VK10.VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS",
            VK10.VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED",
            VK10.VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST",
            VK10.VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED",
            VK10.VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT",
            VK10.VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER");

    private static final Set<Integer> OUT_OF_MEMORY = Set.of(
            VK10.VK_ERROR_OUT_OF_HOST_MEMORY, VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY, VK10.VK_ERROR_TOO_MANY_OBJECTS);

    /**
     * Creates the exception. Every error but a shortage of memory loses the device: Vulkan does not say what else
     * remains valid.
     *
     * @param call the function of Vulkan
     * @param code its result
     */
    VulkanException(String call, int code) {
        this(call, code, OUT_OF_MEMORY.contains(code));
    }

    private VulkanException(String call, int code, boolean mayRepeat) {
        super(
                "The Vulkan driver reported " + NAMES.getOrDefault(code, "VkResult") + " (" + code + ") in " + call
                        + ".",
                mayRepeat,
                !mayRepeat);
    }

    /** Throws an error of the driver. */
    static void check(String call, int code) {
        if (code < 0) {
            throw new VulkanException(call, code);
        }
    }

    /** As {@link #check}, of a call after which a shortage of memory loses the device, too: it cannot be repeated. */
    static void checkOnce(String call, int code) {
        if (code < 0) {
            throw new VulkanException(call, code, false);
        }
    }
}
