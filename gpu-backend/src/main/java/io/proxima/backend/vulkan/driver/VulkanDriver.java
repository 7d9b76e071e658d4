// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static io.proxima.backend.vulkan.driver.VulkanException.check;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTMemoryBudget;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkQueueFamilyProperties;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/**
 * A Vulkan device with one queue. Kernels get the address of their argument, which the queue writes before each launch.
 * A grid has no barrier, so a launch in steps is a sequence of dispatches.
 */
final class VulkanDriver implements DeviceDriver {

    /**
     * Threads of a workgroup on a device that computes on the CPU, where each barrier takes its time for each subgroup.
     */
    private static final int GROUP_THREADS_OF_SOFTWARE = 64;

    /** Threads that a processor is assumed to hold at once, as Vulkan does not report it. */
    private static final int THREADS_OF_A_PROCESSOR = 2048;

    private static final int ARGUMENT_BYTES = 1024;

    // the phases of a launch in steps; steps.glsl has the same
    private static final int PHASE_CLEAR = 0;
    private static final int PHASE_BEGIN = 1;
    private static final int PHASE_STEP = 2;
    private static final int PHASE_END = 3;

    private static final double NANOS_OF_A_MILLI = 1e6;

    private final VkDevice device;
    private final int mostGroupThreads;
    private final VulkanMemory memory;
    private final CommandStream stream;
    private final VulkanMemory.Buffer argument;
    private final float nanosOfATick;
    private final IdentityHashMap<ByteBuffer, VulkanMemory.Buffer> hostMemory = new IdentityHashMap<>();
    private final Set<VulkanModule> modules = new HashSet<>();

    VulkanDriver(VulkanHost.Found found) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
            VK10.vkGetPhysicalDeviceProperties(found.handle(), properties);
            nanosOfATick = properties.limits().timestampPeriod();
            mostGroupThreads = found.software()
                    ? GROUP_THREADS_OF_SOFTWARE
                    : groupThreads(
                            properties.limits().maxComputeWorkGroupInvocations(),
                            properties.limits().maxComputeWorkGroupSize(0));
            int family = family(found.handle(), stack);
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().queueFamilyIndex(family).pQueuePriorities(stack.floats(1));
            VkPhysicalDeviceFeatures2 features =
                    VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            features.features().shaderInt64(true);
            // pNext replaces the chain of its argument, so each link is added to the whole
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkPhysicalDeviceVulkan12Features.calloc(stack)
                            .sType$Default()
                            .bufferDeviceAddress(true)
                            .vulkanMemoryModel(true)
                            .vulkanMemoryModelDeviceScope(true)
                            .storageBuffer8BitAccess(true)
                            .shaderInt8(true)
                            .timelineSemaphore(true))
                    .pNext(features)
                    .pQueueCreateInfos(queues);
            if (found.hasMemoryBudget()) {
                info.ppEnabledExtensionNames(
                        stack.pointers(stack.UTF8(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)));
            }
            PointerBuffer created = stack.mallocPointer(1);
            check("vkCreateDevice", VK10.vkCreateDevice(found.handle(), info, null, created));
            device = new VkDevice(created.get(0), found.handle(), info);
            boolean complete = false;
            try {
                VK10.vkGetDeviceQueue(device, family, 0, created);
                memory = new VulkanMemory(found, device);
                stream = new CommandStream(device, new VkQueue(created.get(0), device), family);
                argument = memory.onDevice(ARGUMENT_BYTES);
                complete = true;
            } finally {
                if (!complete) {
                    VK10.vkDestroyDevice(device, null);
                }
            }
        }
    }

    /** The maximum number of threads of a workgroup by a device's limits: a power of two, as bfs.comp halves it. */
    static int groupThreads(int mostInvocations, int widest) {
        return Integer.highestOneBit(Math.min(mostInvocations, widest));
    }

    /** The first family of queues that compute: on a GPU it also draws, and begins a kernel faster than others. */
    private static int family(VkPhysicalDevice handle, MemoryStack stack) {
        IntBuffer count = stack.mallocInt(1);
        VK10.vkGetPhysicalDeviceQueueFamilyProperties(handle, count, null);
        VkQueueFamilyProperties.Buffer families = VkQueueFamilyProperties.calloc(count.get(0), stack);
        VK10.vkGetPhysicalDeviceQueueFamilyProperties(handle, count, families);
        for (int i = 0; i < count.get(0); i++) {
            if ((families.get(i).queueFlags() & VK10.VK_QUEUE_COMPUTE_BIT) != 0) {
                return i;
            }
        }
        throw new VulkanException("vkGetPhysicalDeviceQueueFamilyProperties", VK10.VK_ERROR_INITIALIZATION_FAILED);
    }

    @Override
    public void enter() {
        // Vulkan has no current device
    }

    @Override
    public void leave() {
        // Vulkan has no current device
    }

    @Override
    public long freeBytes() {
        return memory.freeBytes();
    }

    @Override
    public long allocate(long bytes) {
        return memory.onDevice(bytes).address();
    }

    @Override
    public synchronized void free(long address) {
        stream.finish();
        memory.free(address);
    }

    @Override
    public ByteBuffer allocateHost(int bytes) {
        VulkanMemory.Buffer buffer = memory.onHost(bytes);
        MemoryUtil.memSet(buffer.mapped(), 0, bytes);
        ByteBuffer host = MemoryUtil.memByteBuffer(buffer.mapped(), bytes).order(ByteOrder.nativeOrder());
        synchronized (hostMemory) {
            hostMemory.put(host, buffer);
        }
        return host;
    }

    private VulkanMemory.Buffer buffer(ByteBuffer host) {
        synchronized (hostMemory) {
            VulkanMemory.Buffer buffer = hostMemory.get(host);
            if (buffer == null) {
                throw new IllegalArgumentException("not page-locked memory of this device: " + host);
            }
            return buffer;
        }
    }

    @Override
    public long deviceAddress(ByteBuffer host) {
        return buffer(host).address();
    }

    @Override
    public void freeHost(ByteBuffer host) {
        long address = deviceAddress(host);
        synchronized (hostMemory) {
            hostMemory.remove(host);
        }
        memory.free(address);
    }

    @Override
    public long allocateMapped(long bytes) {
        return memory.onHost(bytes).address();
    }

    @Override
    public void freeMapped(long address) {
        free(address);
    }

    @Override
    public synchronized void copyToDevice(long to, ByteBuffer from, long bytes) {
        VulkanMemory.Buffer target = memory.at(to);
        stream.copy(buffer(from), 0, target, to - target.address(), bytes);
    }

    @Override
    public synchronized void copyToHost(ByteBuffer to, long from, long bytes) {
        VulkanMemory.Buffer source = memory.at(from);
        stream.copy(source, from - source.address(), buffer(to), 0, bytes);
    }

    @Override
    public synchronized void fill(long address, byte value, long bytes) {
        VulkanMemory.Buffer buffer = memory.at(address);
        stream.fill(buffer, address - buffer.address(), value, bytes);
    }

    @Override
    public synchronized Mark createMark() {
        return new VulkanMark(stream.newStamp());
    }

    @Override
    public KernelInterface kernels() {
        return ShippedShaders.INTERFACE;
    }

    @Override
    public Module load(String module) {
        byte[] code = ShippedShaders.code(module);
        ByteBuffer copied = MemoryUtil.memAlloc(code.length).put(0, code);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            LongBuffer created = stack.mallocLong(1);
            VkShaderModuleCreateInfo info =
                    VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(copied);
            check("vkCreateShaderModule", VK10.vkCreateShaderModule(device, info, null, created));
            boolean complete = false;
            try {
                int threads = kernels().entry(module).threads();
                VulkanModule loaded = new VulkanModule(created.get(0), Math.min(threads, mostGroupThreads));
                modules.add(loaded);
                complete = true;
                return loaded;
            } finally {
                if (!complete) {
                    VK10.vkDestroyShaderModule(device, created.get(0), null);
                }
            }
        } finally {
            MemoryUtil.memFree(copied);
        }
    }

    @Override
    public synchronized void launch(Function function, Shape shape, KernelArguments arguments) {
        stream.argument(argument, arguments.bytes());
        dispatch(function, PHASE_STEP, shape.blocks(), 1);
        stream.endLaunch();
    }

    @Override
    public synchronized void launchSteps(Function function, Shape shape, KernelArguments arguments, int steps) {
        // first: a launch that fails for lack of memory is repeated, so it must have recorded no step
        List.of(PHASE_CLEAR, PHASE_BEGIN, PHASE_STEP, PHASE_END).forEach(((VulkanFunction) function)::phase);
        stream.argument(argument, arguments.bytes());
        dispatch(function, PHASE_CLEAR, shape.blocks(), 1);
        dispatch(function, PHASE_BEGIN, shape.blocks(), 1);
        dispatch(function, PHASE_STEP, shape.blocks(), steps);
        dispatch(function, PHASE_END, 1, 1);
        stream.endLaunch();
    }

    private void dispatch(Function function, int phase, int groups, int times) {
        stream.dispatch(((VulkanFunction) function).phase(phase), argument.address(), groups, times);
    }

    @Override
    public Remedies remedies() {
        return VulkanProbe.REMEDIES;
    }

    @Override
    public synchronized void close() {
        // of a lost device, too: all its work has ended
        VK10.vkDeviceWaitIdle(device);
        List.copyOf(modules).forEach(VulkanModule::close);
        stream.close();
        memory.freeAll();
        VK10.vkDestroyDevice(device, null);
    }

    /** A position among the commands; {@code reached} may submit them. */
    private final class VulkanMark implements Mark {

        private final int stamp;
        private long submission;

        VulkanMark(int stamp) {
            this.stamp = stamp;
        }

        @Override
        public void put() {
            synchronized (VulkanDriver.this) {
                submission = stream.stamp(stamp);
            }
        }

        @Override
        public boolean reached() {
            synchronized (VulkanDriver.this) {
                return stream.reached(submission);
            }
        }

        @Override
        public void await() {
            synchronized (VulkanDriver.this) {
                stream.await(submission);
            }
        }

        @Override
        public float millisSince(Mark earlier) {
            synchronized (VulkanDriver.this) {
                long ticks = stream.ticks(stamp) - stream.ticks(((VulkanMark) earlier).stamp);
                return (float) (ticks * nanosOfATick / NANOS_OF_A_MILLI);
            }
        }

        @Override
        public void close() {
            // the time stamps are freed with the stream
        }
    }

    /** A module of one kernel. */
    private final class VulkanModule implements Module {

        private final long module;
        private final int groupThreads;
        private final long layout;
        private final VulkanFunction function = new VulkanFunction(this);

        VulkanModule(long module, int groupThreads) {
            this.module = module;
            this.groupThreads = groupThreads;
            this.layout = layout();
        }

        @Override
        public Function function(String name) {
            return function;
        }

        private long layout() {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                LongBuffer created = stack.mallocLong(1);
                VkPushConstantRange.Buffer pushed = VkPushConstantRange.calloc(1, stack);
                pushed.get(0).stageFlags(VK10.VK_SHADER_STAGE_COMPUTE_BIT).size(Long.BYTES);
                VkPipelineLayoutCreateInfo info =
                        VkPipelineLayoutCreateInfo.calloc(stack).sType$Default().pPushConstantRanges(pushed);
                check("vkCreatePipelineLayout", VK10.vkCreatePipelineLayout(device, info, null, created));
                return created.get(0);
            }
        }

        private CommandStream.Pipeline pipeline(int phase) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                LongBuffer created = stack.mallocLong(1);
                int[] values = {phase, groupThreads};
                VkSpecializationMapEntry.Buffer constants = VkSpecializationMapEntry.calloc(values.length, stack);
                for (int id = 0; id < values.length; id++) {
                    constants.get(id).constantID(id).offset(id * Integer.BYTES).size(Integer.BYTES);
                }
                VkSpecializationInfo specialization = VkSpecializationInfo.calloc(stack)
                        .pMapEntries(constants)
                        .pData(MemoryUtil.memByteBuffer(stack.ints(values)));
                VkComputePipelineCreateInfo.Buffer info = VkComputePipelineCreateInfo.calloc(1, stack);
                info.get(0).sType$Default().layout(layout);
                info.get(0)
                        .stage()
                        .sType$Default()
                        .stage(VK10.VK_SHADER_STAGE_COMPUTE_BIT)
                        .module(module)
                        .pName(stack.UTF8("main"))
                        .pSpecializationInfo(specialization);
                check(
                        "vkCreateComputePipelines",
                        VK10.vkCreateComputePipelines(device, VK10.VK_NULL_HANDLE, info, null, created));
                return new CommandStream.Pipeline(created.get(0), layout);
            }
        }

        @Override
        public void close() {
            modules.remove(this);
            function.pipelines.values().forEach(pipeline -> VK10.vkDestroyPipeline(device, pipeline.handle(), null));
            VK10.vkDestroyPipelineLayout(device, layout, null);
            VK10.vkDestroyShaderModule(device, module, null);
        }
    }

    /** A kernel, with a pipeline for each of its phases, which is created for the first launch. */
    private record VulkanFunction(VulkanModule module, Map<Integer, CommandStream.Pipeline> pipelines)
            implements Function {

        VulkanFunction(VulkanModule module) {
            this(module, new HashMap<>());
        }

        CommandStream.Pipeline phase(int phase) {
            return pipelines.computeIfAbsent(phase, module::pipeline);
        }

        @Override
        public int blocksPerMultiprocessor(int threads, int sharedBytes) {
            return THREADS_OF_A_PROCESSOR / threads;
        }
    }
}
