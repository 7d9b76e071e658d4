// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static io.proxima.backend.vulkan.driver.VulkanException.check;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.AMDShaderCoreProperties;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.EXTMemoryBudget;
import org.lwjgl.vulkan.NVShaderSmBuiltins;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceDriverProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderCorePropertiesAMD;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderSMBuiltinsPropertiesNV;
import org.lwjgl.vulkan.VkPhysicalDeviceSubgroupProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;

/**
 * The Vulkan loader of this host and the devices that it reports. There is one for the process, because it is never
 * released. On an NVIDIA H100 with driver 580.159, plain Java programs that had one ended with a SIGSEGV in
 * libEGL_nvidia.so, after their last Java code; a shutdown hook that destroyed the instance did not change that.
 */
public final class VulkanHost {

    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

    /** Processors of a device that does not say how many it has. */
    private static final int USUAL_PROCESSORS = 32;

    private static final int LEAST_SUBGROUP = 8;
    private static final int MOST_SUBGROUP = 64;

    private final VkInstance instance;
    private final List<Found> devices = new ArrayList<>();

    /**
     * A device.
     *
     * @param facts its attributes; the version is Vulkan's
     * @param driver name and version of its driver, and the version of Vulkan
     * @param software whether the driver computes on the CPU
     * @param lacks what the kernels need and the device does not have; empty if it has everything
     */
    public record Found(
            VkPhysicalDevice handle,
            DeviceFacts facts,
            String driver,
            boolean software,
            String lacks,
            Set<String> extensions) {

        /** Opens the device. */
        public DeviceDriver open() {
            return new VulkanDriver(this);
        }

        boolean hasMemoryBudget() {
            return extensions.contains(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
        }
    }

    /**
     * Loads Vulkan and finds the devices.
     *
     * @param validation receives the errors that the validation layer finds; null to leave the layer out
     * @throws UnsatisfiedLinkError if this host has no Vulkan loader, or the jar no library for this platform
     * @throws VulkanException if no driver can be started
     */
    public VulkanHost(Consumer<String> validation) {
        // a missing loader is reported by the exception
        Configuration.DEBUG_STREAM.set(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Configuration.VULKAN_EXPLICIT_INIT.set(true);
        VK.create();
        boolean complete = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK12.VK_API_VERSION_1_2));
            if (validation != null) {
                info.ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)))
                        .ppEnabledExtensionNames(
                                stack.pointers(stack.UTF8(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME)));
            }
            PointerBuffer created = stack.mallocPointer(1);
            check("vkCreateInstance", VK10.vkCreateInstance(info, null, created));
            instance = new VkInstance(created.get(0), info);
            if (validation != null) {
                validate(instance, validation, stack);
            }
            IntBuffer count = stack.mallocInt(1);
            check("vkEnumeratePhysicalDevices", VK10.vkEnumeratePhysicalDevices(instance, count, null));
            PointerBuffer handles = stack.mallocPointer(count.get(0));
            check("vkEnumeratePhysicalDevices", VK10.vkEnumeratePhysicalDevices(instance, count, handles));
            for (int i = 0; i < count.get(0); i++) {
                devices.add(found(new VkPhysicalDevice(handles.get(i), instance)));
            }
            complete = true;
        } finally {
            if (!complete) {
                VK.destroy();
            }
        }
    }

    private static void validate(VkInstance instance, Consumer<String> errors, MemoryStack stack) {
        // the callback lives as long as the process
        VkDebugUtilsMessengerCallbackEXT callback =
                VkDebugUtilsMessengerCallbackEXT.create((severity, types, data, user) -> {
                    errors.accept(
                            VkDebugUtilsMessengerCallbackDataEXT.create(data).pMessageString());
                    return VK10.VK_FALSE;
                });
        VkDebugUtilsMessengerCreateInfoEXT info = VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
                .sType$Default()
                .messageSeverity(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
                .messageType(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)
                .pfnUserCallback(callback);
        check(
                "vkCreateDebugUtilsMessengerEXT",
                EXTDebugUtils.vkCreateDebugUtilsMessengerEXT(instance, info, null, stack.mallocLong(1)));
    }

    /** All devices, in the order of the loader. */
    public List<Found> devices() {
        return List.copyOf(devices);
    }

    /** Reads what is known of a device, in a frame of its own: a stack holds what is read of 16 devices. */
    static Found found(VkPhysicalDevice handle) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return found(handle, stack);
        }
    }

    private static Found found(VkPhysicalDevice handle, MemoryStack stack) {
        VkPhysicalDeviceProperties basic = VkPhysicalDeviceProperties.calloc(stack);
        VK10.vkGetPhysicalDeviceProperties(handle, basic);
        int version = basic.apiVersion();
        boolean software = basic.deviceType() == VK10.VK_PHYSICAL_DEVICE_TYPE_CPU;
        Set<String> extensions = extensions(handle, stack);
        DeviceFacts facts = new DeviceFacts(
                basic.deviceNameString(),
                VK10.VK_VERSION_MAJOR(version),
                VK10.VK_VERSION_MINOR(version),
                processors(handle, software, extensions, stack),
                false,
                basic.limits().maxComputeSharedMemorySize(),
                memory(handle, stack));
        if (version < VK12.VK_API_VERSION_1_2) {
            return new Found(handle, facts, "Vulkan " + facts.version(), software, "Vulkan 1.2", extensions);
        }
        VkPhysicalDeviceDriverProperties driver =
                VkPhysicalDeviceDriverProperties.calloc(stack).sType$Default();
        VkPhysicalDeviceSubgroupProperties subgroup =
                VkPhysicalDeviceSubgroupProperties.calloc(stack).sType$Default();
        VK11.vkGetPhysicalDeviceProperties2(
                handle,
                VkPhysicalDeviceProperties2.calloc(stack)
                        .sType$Default()
                        .pNext(driver)
                        .pNext(subgroup));
        String name = driver.driverNameString() + " " + driver.driverInfoString() + ", Vulkan " + facts.version() + "."
                + VK10.VK_VERSION_PATCH(version);
        return new Found(handle, facts, name, software, lacking(handle, basic, subgroup, stack), extensions);
    }

    private static String lacking(
            VkPhysicalDevice handle,
            VkPhysicalDeviceProperties basic,
            VkPhysicalDeviceSubgroupProperties subgroup,
            MemoryStack stack) {
        VkPhysicalDeviceVulkan12Features has12 =
                VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
        VkPhysicalDeviceFeatures2 has =
                VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(has12);
        VK11.vkGetPhysicalDeviceFeatures2(handle, has);
        List<String> lacks = new ArrayList<>();
        require(lacks, has12.bufferDeviceAddress(), "buffer device addresses");
        require(lacks, has.features().shaderInt64(), "64-bit integers");
        require(
                lacks,
                has12.vulkanMemoryModel() && has12.vulkanMemoryModelDeviceScope(),
                "Vulkan's memory model with device scope");
        require(lacks, has12.storageBuffer8BitAccess() && has12.shaderInt8(), "8-bit storage");
        require(lacks, has12.timelineSemaphore(), "timeline semaphores");
        require(lacks, basic.limits().timestampComputeAndGraphics(), "time stamps");
        int operations = VK11.VK_SUBGROUP_FEATURE_BASIC_BIT
                | VK11.VK_SUBGROUP_FEATURE_ARITHMETIC_BIT
                | VK11.VK_SUBGROUP_FEATURE_BALLOT_BIT
                | VK11.VK_SUBGROUP_FEATURE_VOTE_BIT
                | VK11.VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
        require(
                lacks,
                (subgroup.supportedOperations() & operations) == operations
                        && (subgroup.supportedStages() & VK10.VK_SHADER_STAGE_COMPUTE_BIT) != 0,
                "arithmetic, votes, ballots and shuffles of subgroups");
        require(
                lacks,
                subgroup.subgroupSize() >= LEAST_SUBGROUP && subgroup.subgroupSize() <= MOST_SUBGROUP,
                "subgroups of " + LEAST_SUBGROUP + " to " + MOST_SUBGROUP + " threads");
        return String.join(", ", lacks);
    }

    private static void require(List<String> lacks, boolean has, String what) {
        if (!has) {
            lacks.add(what);
        }
    }

    private static Set<String> extensions(VkPhysicalDevice handle, MemoryStack stack) {
        IntBuffer count = stack.mallocInt(1);
        VK10.vkEnumerateDeviceExtensionProperties(handle, (String) null, count, null);
        Set<String> names = new HashSet<>();
        // not on the stack, which is too small for some drivers
        try (VkExtensionProperties.Buffer all = VkExtensionProperties.calloc(count.get(0))) {
            VK10.vkEnumerateDeviceExtensionProperties(handle, (String) null, count, all);
            all.forEach(extension -> names.add(extension.extensionNameString()));
        }
        return names;
    }

    private static int processors(
            VkPhysicalDevice handle, boolean software, Set<String> extensions, MemoryStack stack) {
        VkPhysicalDeviceProperties2 properties =
                VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
        if (extensions.contains(NVShaderSmBuiltins.VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
            VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia =
                    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceProperties2(handle, properties.pNext(nvidia));
            return nvidia.shaderSMCount();
        }
        if (extensions.contains(AMDShaderCoreProperties.VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
            VkPhysicalDeviceShaderCorePropertiesAMD amd =
                    VkPhysicalDeviceShaderCorePropertiesAMD.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceProperties2(handle, properties.pNext(amd));
            return amd.shaderEngineCount() * amd.shaderArraysPerEngineCount() * amd.computeUnitsPerShaderArray();
        }
        return software ? 1 : USUAL_PROCESSORS;
    }

    /** Bytes of the largest memory of the device. */
    private static long memory(VkPhysicalDevice handle, MemoryStack stack) {
        VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
        VK10.vkGetPhysicalDeviceMemoryProperties(handle, memory);
        long most = 0;
        for (int i = 0; i < memory.memoryHeapCount(); i++) {
            if ((memory.memoryHeaps(i).flags() & VK10.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
                most = Math.max(most, memory.memoryHeaps(i).size());
            }
        }
        return most;
    }
}
