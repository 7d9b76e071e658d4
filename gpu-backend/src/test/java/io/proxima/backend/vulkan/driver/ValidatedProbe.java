// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.run.DeviceProbe;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.lwjgl.vulkan.VK10;

/**
 * The devices of this host for tests, under the validation layer if it is installed. Those that compute on the CPU are
 * among them only if a device is required, because the tests take minutes there.
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

    /** A driver whose device is lost by each launch for which {@code fails} says so. */
    public static DeviceDriver losing(DeviceDriver driver, BooleanSupplier fails) {
        InvocationHandler passOn = (proxy, method, arguments) -> {
            if (method.getName().equals("launchSteps") && fails.getAsBoolean()) {
                throw new VulkanException("vkQueueSubmit", VK10.VK_ERROR_DEVICE_LOST);
            }
            try {
                return method.invoke(driver, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (DeviceDriver) Proxy.newProxyInstance(
                DeviceDriver.class.getClassLoader(), new Class<?>[] {DeviceDriver.class}, passOn);
    }

    /** What the layer has found so far. */
    public static List<String> errors() {
        return List.copyOf(ERRORS);
    }
}
