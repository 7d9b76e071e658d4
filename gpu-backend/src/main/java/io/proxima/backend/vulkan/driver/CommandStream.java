// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static io.proxima.backend.vulkan.driver.VulkanException.check;
import static io.proxima.backend.vulkan.driver.VulkanException.checkOnce;

import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * The commands of a device: they are recorded, submitted in batches, and done one after the other. Each submission
 * raises a counter on the device. Not thread-safe.
 */
final class CommandStream implements AutoCloseable {

    /** Command buffers used in turn. */
    private static final int COMMAND_BUFFERS = 8;

    /** Time stamps; a mark has one. */
    private static final int STAMPS = 64;

    private static final long NO_TIMEOUT = -1;

    private final VkDevice device;
    private final VkQueue queue;
    private final long pool;
    private final long stamps;
    private final long counter;
    private final VkCommandBuffer[] buffers = new VkCommandBuffer[COMMAND_BUFFERS];
    // the submission after which each can be recorded again
    private final long[] free = new long[COMMAND_BUFFERS];
    private int current = -1;
    private boolean recording;
    // whether the current buffer has ended, but could not be submitted for lack of memory
    private boolean unsubmitted;
    private boolean hasWork;
    private long submitted;
    private int stampsTaken;

    CommandStream(VkDevice device, VkQueue queue, int family) {
        this.device = device;
        this.queue = queue;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            LongBuffer created = stack.mallocLong(1);
            VkCommandPoolCreateInfo ofPool = VkCommandPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK10.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT)
                    .queueFamilyIndex(family);
            check("vkCreateCommandPool", VK10.vkCreateCommandPool(device, ofPool, null, created));
            pool = created.get(0);
            VkQueryPoolCreateInfo ofStamps = VkQueryPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .queryType(VK10.VK_QUERY_TYPE_TIMESTAMP)
                    .queryCount(STAMPS);
            check("vkCreateQueryPool", VK10.vkCreateQueryPool(device, ofStamps, null, created));
            stamps = created.get(0);
            VkSemaphoreCreateInfo ofCounter = VkSemaphoreCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                            .sType$Default()
                            .semaphoreType(VK12.VK_SEMAPHORE_TYPE_TIMELINE));
            check("vkCreateSemaphore", VK10.vkCreateSemaphore(device, ofCounter, null, created));
            counter = created.get(0);
            PointerBuffer handles = stack.mallocPointer(COMMAND_BUFFERS);
            VkCommandBufferAllocateInfo ofBuffers = VkCommandBufferAllocateInfo.calloc(stack)
                    .sType$Default()
                    .commandPool(pool)
                    .level(VK10.VK_COMMAND_BUFFER_LEVEL_PRIMARY)
                    .commandBufferCount(COMMAND_BUFFERS);
            check("vkAllocateCommandBuffers", VK10.vkAllocateCommandBuffers(device, ofBuffers, handles));
            for (int i = 0; i < COMMAND_BUFFERS; i++) {
                buffers[i] = new VkCommandBuffer(handles.get(i), device);
            }
        }
    }

    private VkCommandBuffer recorded() {
        if (unsubmitted) {
            submit();
        }
        if (!recording) {
            current = (current + 1) % COMMAND_BUFFERS;
            await(free[current]);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VkCommandBufferBeginInfo begin = VkCommandBufferBeginInfo.calloc(stack)
                        .sType$Default()
                        .flags(VK10.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
                check("vkBeginCommandBuffer", VK10.vkBeginCommandBuffer(buffers[current], begin));
            }
            recording = true;
        }
        return buffers[current];
    }

    /** Orders everything before it, on host and device, and everything behind it. */
    private void barrier() {
        barrier(
                VK10.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK10.VK_PIPELINE_STAGE_HOST_BIT,
                VK10.VK_ACCESS_MEMORY_WRITE_BIT | VK10.VK_ACCESS_HOST_WRITE_BIT,
                VK10.VK_ACCESS_MEMORY_READ_BIT
                        | VK10.VK_ACCESS_MEMORY_WRITE_BIT
                        | VK10.VK_ACCESS_HOST_READ_BIT
                        | VK10.VK_ACCESS_HOST_WRITE_BIT);
    }

    /** Orders the kernels before it and those behind it, which costs less. */
    private void barrierOfKernels() {
        barrier(
                VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK10.VK_ACCESS_SHADER_WRITE_BIT,
                VK10.VK_ACCESS_SHADER_READ_BIT | VK10.VK_ACCESS_SHADER_WRITE_BIT);
    }

    private void barrier(int stages, int before, int behind) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryBarrier.Buffer barrier = VkMemoryBarrier.calloc(1, stack);
            barrier.get(0).sType$Default().srcAccessMask(before).dstAccessMask(behind);
            VK10.vkCmdPipelineBarrier(recorded(), stages, stages, 0, barrier, null, null);
        }
    }

    void copy(VulkanMemory.Buffer from, long fromOffset, VulkanMemory.Buffer to, long toOffset, long bytes) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkBufferCopy.Buffer region = VkBufferCopy.calloc(1, stack);
            region.get(0).srcOffset(fromOffset).dstOffset(toOffset).size(bytes);
            VK10.vkCmdCopyBuffer(recorded(), from.handle(), to.handle(), region);
        }
        barrier();
        hasWork = true;
    }

    /** Sets bytes, in whole words of 4 bytes. */
    void fill(VulkanMemory.Buffer buffer, long offset, byte value, long bytes) {
        VK10.vkCmdFillBuffer(recorded(), buffer.handle(), offset, bytes, (value & 0xff) * 0x01010101);
        barrier();
    }

    /** Passes an argument to the following kernel. */
    void argument(VulkanMemory.Buffer to, byte[] struct) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK10.vkCmdUpdateBuffer(
                    recorded(), to.handle(), 0, stack.malloc(struct.length).put(0, struct));
        }
        barrier();
    }

    /**
     * Dispatches a kernel so many times, one after the other.
     *
     * @param argument the device address of its argument
     */
    void dispatch(Pipeline kernel, long argument, int groups, int times) {
        VK10.vkCmdBindPipeline(recorded(), VK10.VK_PIPELINE_BIND_POINT_COMPUTE, kernel.handle());
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK10.vkCmdPushConstants(
                    recorded(), kernel.layout(), VK10.VK_SHADER_STAGE_COMPUTE_BIT, 0, stack.longs(argument));
        }
        for (int i = 0; i < times; i++) {
            VK10.vkCmdDispatch(recorded(), groups, 1, 1);
            barrierOfKernels();
        }
        hasWork = true;
    }

    /** A kernel with the layout of its push constant, the address of its argument. */
    record Pipeline(long handle, long layout) {}

    /** Ends a launch: what follows may be something else than a kernel. */
    void endLaunch() {
        barrier();
    }

    /** Takes a time stamp. */
    int newStamp() {
        if (stampsTaken == STAMPS) {
            throw new IllegalStateException("at most " + STAMPS + " marks");
        }
        return stampsTaken++;
    }

    /** Records a time stamp behind all commands, and submits them if they have work. Returns the submission. */
    long stamp(int stamp) {
        VK10.vkCmdResetQueryPool(recorded(), stamps, stamp, 1);
        VK10.vkCmdWriteTimestamp(recorded(), VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps, stamp);
        long submission = submitted + 1;
        if (hasWork) {
            submit();
        }
        return submission;
    }

    /** The ticks of a time stamp that was reached. */
    long ticks(int stamp) {
        long[] ticks = new long[1];
        check(
                "vkGetQueryPoolResults",
                VK10.vkGetQueryPoolResults(
                        device,
                        stamps,
                        stamp,
                        1,
                        ticks,
                        Long.BYTES,
                        VK10.VK_QUERY_RESULT_64_BIT | VK10.VK_QUERY_RESULT_WAIT_BIT));
        return ticks[0];
    }

    /** Submits what is recorded. If memory is short, the next call, or the next command, submits it. */
    private void submit() {
        if (!unsubmitted) {
            barrier();
            checkOnce("vkEndCommandBuffer", VK10.vkEndCommandBuffer(recorded()));
            recording = false;
            hasWork = false;
            unsubmitted = true;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSubmitInfo submission = VkSubmitInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkTimelineSemaphoreSubmitInfo.calloc(stack)
                            .sType$Default()
                            .pSignalSemaphoreValues(stack.longs(submitted + 1)))
                    .pCommandBuffers(stack.pointers(buffers[current]))
                    .pSignalSemaphores(stack.longs(counter));
            check("vkQueueSubmit", VK10.vkQueueSubmit(queue, submission, VK10.VK_NULL_HANDLE));
        }
        unsubmitted = false;
        submitted++;
        free[current] = submitted;
    }

    /** Whether a submission is done. */
    boolean reached(long submission) {
        submitUpTo(submission);
        long[] done = new long[1];
        check("vkGetSemaphoreCounterValue", VK12.vkGetSemaphoreCounterValue(device, counter, done));
        return done[0] >= submission;
    }

    /** Waits until a submission is done. */
    void await(long submission) {
        submitUpTo(submission);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreWaitInfo wait = VkSemaphoreWaitInfo.calloc(stack)
                    .sType$Default()
                    .semaphoreCount(1)
                    .pSemaphores(stack.longs(counter))
                    .pValues(stack.longs(submission));
            check("vkWaitSemaphores", VK12.vkWaitSemaphores(device, wait, NO_TIMEOUT));
        }
    }

    /** Waits until everything that is recorded is done. */
    void finish() {
        if (recording || unsubmitted) {
            submit();
        }
        await(submitted);
    }

    private void submitUpTo(long submission) {
        if (submission > submitted) {
            submit();
        }
    }

    @Override
    public void close() {
        VK10.vkDestroySemaphore(device, counter, null);
        VK10.vkDestroyQueryPool(device, stamps, null);
        VK10.vkDestroyCommandPool(device, pool, null);
    }
}
