// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.run.DeviceProbe;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lwjgl.system.APIUtil;
import org.lwjgl.system.Callback;
import org.lwjgl.system.CallbackI;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.libffi.FFICIF;
import org.lwjgl.system.libffi.FFIType;
import org.lwjgl.system.libffi.LibFFI;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VKCapabilitiesDevice;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPhysicalDevice;

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

    /** Lets a call of a function of Vulkan run out of memory, after so many. Returns how many are left, then -1. */
    public static AtomicInteger failing(DeviceDriver driver, String function, int calls)
            throws ReflectiveOperationException {
        VKCapabilitiesDevice functions = device(driver).getCapabilities();
        Field address = VKCapabilitiesDevice.class.getField(function);
        address.setAccessible(true);
        FailingFunction failing = new FailingFunction(address.getLong(functions), new AtomicInteger(calls));
        address.setLong(functions, failing.address());
        return failing.left;
    }

    /** Reads what is known of the device of a driver, as if a host had so many of them. */
    public static Stream<DeviceFacts> facts(DeviceDriver driver, int devices) throws ReflectiveOperationException {
        VkPhysicalDevice handle = device(driver).getPhysicalDevice();
        return Stream.generate(() -> VulkanHost.found(handle).facts()).limit(devices);
    }

    private static VkDevice device(DeviceDriver driver) throws ReflectiveOperationException {
        Field device = VulkanDriver.class.getDeclaredField("device");
        device.setAccessible(true);
        return (VkDevice) device.get(driver);
    }

    /** Passes six words on, which are at least all arguments of a function. */
    private record FailingFunction(long function, AtomicInteger left) implements CallbackI {
        private static final FFIType WORD = LibFFI.ffi_type_pointer;
        private static final FFICIF WORDS =
                APIUtil.apiCreateCIF(LibFFI.ffi_type_sint32, WORD, WORD, WORD, WORD, WORD, WORD);

        @Override
        public Callback.Descriptor getDescriptor() {
            return new Callback.Descriptor(FailingFunction.class, MethodHandles.lookup(), WORDS);
        }

        @Override
        public void callback(long result, long words) {
            LongUnaryOperator word = i -> MemoryUtil.memGetAddress(MemoryUtil.memGetAddress(words + i * Long.BYTES));
            long[] all = LongStream.range(0, 6).map(word).toArray();
            int code = left.getAndDecrement() == 0
                    ? VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY
                    : JNI.callPPPPPPI(all[0], all[1], all[2], all[3], all[4], all[5], function);
            APIUtil.apiClosureRet(result, code);
        }
    }

    /** What the layer has found so far. */
    public static List<String> errors() {
        return List.copyOf(ERRORS);
    }
}
