// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static io.proxima.backend.vulkan.driver.VulkanException.check;

import java.nio.LongBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryAllocateFlagsInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryBudgetPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties2;

/** Buffers that kernels reach by their address, and copies by address too. Thread-safe. */
final class VulkanMemory {

    private static final int USAGE = VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
            | VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
            | VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT
            | VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

    private static final int VISIBLE =
            VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

    private final VulkanHost.Found found;
    private final VkDevice device;
    private final int deviceType;
    private final int deviceHeap;
    private final int hostType;
    private final ConcurrentSkipListMap<Long, Buffer> buffers = new ConcurrentSkipListMap<>();

    /**
     * A buffer.
     *
     * @param address its device address
     * @param mapped its address in the host's address space; 0 if the host cannot read it
     */
    record Buffer(long handle, long memory, long address, long bytes, long mapped) {}

    VulkanMemory(VulkanHost.Found found, VkDevice device) {
        this.found = found;
        this.device = device;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
            VK10.vkGetPhysicalDeviceMemoryProperties(found.handle(), memory);
            deviceType = type(memory, List.of(VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT));
            deviceHeap = memory.memoryTypes(deviceType).heapIndex();
            // reads of memory that the host does not cache are slow
            hostType = type(memory, List.of(VISIBLE | VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT, VISIBLE));
        }
    }

    /** The first memory type that has all properties of one of the sets, in their order. */
    private static int type(VkPhysicalDeviceMemoryProperties memory, List<Integer> properties) {
        for (int wanted : properties) {
            for (int i = 0; i < memory.memoryTypeCount(); i++) {
                if ((memory.memoryTypes(i).propertyFlags() & wanted) == wanted) {
                    return i;
                }
            }
        }
        throw new VulkanException("vkGetPhysicalDeviceMemoryProperties", VK10.VK_ERROR_INITIALIZATION_FAILED);
    }

    /** Memory of the device that is free now, in bytes. */
    long freeBytes() {
        if (!found.hasMemoryBudget()) {
            long used = buffers.values().stream()
                    .filter(buffer -> buffer.mapped == 0)
                    .mapToLong(Buffer::bytes)
                    .sum();
            return Math.max(0, found.facts().totalBytes() - used);
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceMemoryBudgetPropertiesEXT budget =
                    VkPhysicalDeviceMemoryBudgetPropertiesEXT.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceMemoryProperties2(
                    found.handle(),
                    VkPhysicalDeviceMemoryProperties2.calloc(stack)
                            .sType$Default()
                            .pNext(budget));
            return Math.max(0, budget.heapBudget(deviceHeap) - budget.heapUsage(deviceHeap));
        }
    }

    /** Allocates memory of the device. */
    Buffer onDevice(long bytes) {
        return allocate(bytes, deviceType, false);
    }

    /** Allocates memory of the host that the device reads and writes too. */
    Buffer onHost(long bytes) {
        return allocate(bytes, hostType, true);
    }

    private Buffer allocate(long bytes, int type, boolean mapped) {
        long handle = VK10.VK_NULL_HANDLE;
        long memory = VK10.VK_NULL_HANDLE;
        boolean complete = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            LongBuffer created = stack.mallocLong(1);
            VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .size(bytes)
                    .usage(USAGE)
                    .sharingMode(VK10.VK_SHARING_MODE_EXCLUSIVE);
            check("vkCreateBuffer", VK10.vkCreateBuffer(device, info, null, created));
            handle = created.get(0);
            VkMemoryRequirements required = VkMemoryRequirements.calloc(stack);
            VK10.vkGetBufferMemoryRequirements(device, handle, required);
            VkMemoryAllocateInfo allocation = VkMemoryAllocateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkMemoryAllocateFlagsInfo.calloc(stack)
                            .sType$Default()
                            .flags(VK12.VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT))
                    .allocationSize(required.size())
                    .memoryTypeIndex(type);
            check("vkAllocateMemory", VK10.vkAllocateMemory(device, allocation, null, created));
            memory = created.get(0);
            check("vkBindBufferMemory", VK10.vkBindBufferMemory(device, handle, memory, 0));
            PointerBuffer at = stack.callocPointer(1);
            if (mapped) {
                check("vkMapMemory", VK10.vkMapMemory(device, memory, 0, VK10.VK_WHOLE_SIZE, 0, at));
            }
            long address = VK12.vkGetBufferDeviceAddress(
                    device,
                    VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(handle));
            Buffer buffer = new Buffer(handle, memory, address, bytes, at.get(0));
            buffers.put(address, buffer);
            complete = true;
            return buffer;
        } finally {
            if (!complete) {
                VK10.vkDestroyBuffer(device, handle, null);
                VK10.vkFreeMemory(device, memory, null);
            }
        }
    }

    /** The buffer that contains an address. */
    Buffer at(long address) {
        Map.Entry<Long, Buffer> buffer = buffers.floorEntry(address);
        if (buffer == null || address - buffer.getKey() >= buffer.getValue().bytes) {
            throw new IllegalArgumentException("not memory of this device: address=" + address);
        }
        return buffer.getValue();
    }

    /** Frees the buffer that begins at an address. */
    void free(long address) {
        Buffer buffer = buffers.remove(address);
        if (buffer == null) {
            throw new IllegalArgumentException("not memory of this device: address=" + address);
        }
        VK10.vkDestroyBuffer(device, buffer.handle, null);
        VK10.vkFreeMemory(device, buffer.memory, null);
    }

    /** Frees all buffers. */
    void freeAll() {
        List.copyOf(buffers.keySet()).forEach(this::free);
    }
}
