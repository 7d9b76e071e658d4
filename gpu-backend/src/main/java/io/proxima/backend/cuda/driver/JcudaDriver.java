// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * The CUDA driver through JCuda. It calls only functions of CUDA 12.0 or older. A call of a function that the installed
 * driver lacks would abort the JVM, so {@link CudaProbe} checks the version first.
 */
public final class JcudaDriver implements Driver {

    private static final int NAME_BYTES = 256;

    /**
     * Links JCuda and initializes the driver.
     *
     * @throws LinkageError if the native library or the driver's library cannot be loaded
     * @throws DriverException if the driver cannot be initialized
     */
    public JcudaDriver() {
        JCudaDriver.setExceptionsEnabled(false);
        check("cuInit", JCudaDriver.cuInit(0));
    }

    /** What a user can do about a CUDA device in trouble. */
    public static final DeviceDriver.Remedies REMEDIES = new DeviceDriver.Remedies(
            " After a kernel fault, the CUDA driver refuses the device to the whole process: check the system log for NVRM"
                    + " messages and restart the server.",
            "Check the system log for NVRM messages and restart the server",
            "Check with nvidia-smi which processes use its memory");

    @Override
    public int version() {
        int[] version = new int[1];
        check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return version[0];
    }

    @Override
    public int deviceCount() {
        int[] count = new int[1];
        check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
        return count[0];
    }

    @Override
    public DeviceFacts facts(int ordinal) {
        CUdevice device = device(ordinal);
        byte[] name = new byte[NAME_BYTES];
        check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device));
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        long[] total = new long[1];
        check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(total, device));
        return new DeviceFacts(
                new String(name, 0, length, StandardCharsets.US_ASCII),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0,
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                total[0]);
    }

    @Override
    public DeviceDriver open(int ordinal) {
        return new JcudaDevice(device(ordinal), facts(ordinal));
    }

    private static CUdevice device(int ordinal) {
        CUdevice device = new CUdevice();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        return device;
    }

    private static int attribute(CUdevice device, int attribute) {
        int[] value = new int[1];
        check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    private static void check(String call, int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw new CudaException(call, code, CUresult.stringFor(code));
        }
    }

    /** A device address that JCuda has allocated or that was computed from one. */
    private static final class Address extends CUdeviceptr {
        long value() {
            return getNativePointer();
        }

        static CUdeviceptr of(long address) {
            return new CUdeviceptr().withByteOffset(address);
        }
    }

    /** Page-locked memory of any size. */
    private static final class HostPointer extends CUdeviceptr {
        /**
         * Allocates. JCuda wraps the memory into a ByteBuffer, which fails from 2 GiB on, after it has been allocated
         * and its address stored here.
         */
        void allocate(long bytes, int flags) {
            try {
                check("cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(this, bytes, flags));
            } catch (IllegalArgumentException e) {
                if (getNativePointer() == 0) {
                    throw e;
                }
            }
        }
    }

    private static final class JcudaDevice implements DeviceDriver {

        private final CUdevice device;
        private final DeviceFacts facts;
        private final CUcontext context = new CUcontext();
        private final CUstream stream = new CUstream();
        // the pointers that JCuda needs to free and copy page-locked memory
        private final IdentityHashMap<ByteBuffer, Pointer> hostMemory = new IdentityHashMap<>();
        // by the first address behind the memory
        private final ConcurrentSkipListMap<Long, Mapped> mappedMemory = new ConcurrentSkipListMap<>();

        private record Mapped(long address, Pointer pointer) {}

        JcudaDevice(CUdevice device, DeviceFacts facts) {
            this.device = device;
            this.facts = facts;
            check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
            try {
                enter();
                try {
                    check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
                } finally {
                    leave();
                }
            } catch (RuntimeException | Error e) {
                JCudaDriver.cuDevicePrimaryCtxRelease(device);
                throw e;
            }
        }

        @Override
        public void enter() {
            check("cuCtxPushCurrent", JCudaDriver.cuCtxPushCurrent(context));
        }

        @Override
        public void leave() {
            check("cuCtxPopCurrent", JCudaDriver.cuCtxPopCurrent(new CUcontext()));
        }

        @Override
        public long freeBytes() {
            long[] free = new long[1];
            long[] total = new long[1];
            check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
            return free[0];
        }

        @Override
        public long allocate(long bytes) {
            Address address = new Address();
            check("cuMemAlloc", JCudaDriver.cuMemAlloc(address, bytes));
            return address.value();
        }

        @Override
        public void free(long address) {
            check("cuMemFree", JCudaDriver.cuMemFree(Address.of(address)));
        }

        @Override
        public ByteBuffer allocateHost(int bytes) {
            Pointer pointer = new Pointer();
            int flags = JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP | JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;
            check("cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(pointer, bytes, flags));
            ByteBuffer buffer = pointer.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
            synchronized (hostMemory) {
                hostMemory.put(buffer, pointer);
            }
            while (buffer.remaining() >= Long.BYTES) {
                buffer.putLong(0);
            }
            while (buffer.hasRemaining()) {
                buffer.put((byte) 0);
            }
            buffer.clear();
            return buffer;
        }

        @Override
        public long deviceAddress(ByteBuffer host) {
            Address address = new Address();
            check("cuMemHostGetDevicePointer", JCudaDriver.cuMemHostGetDevicePointer(address, pointer(host), 0));
            return address.value();
        }

        @Override
        public void freeHost(ByteBuffer host) {
            Pointer pointer = pointer(host);
            synchronized (hostMemory) {
                hostMemory.remove(host);
            }
            check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(pointer));
        }

        @Override
        public long allocateMapped(long bytes) {
            HostPointer pointer = new HostPointer();
            pointer.allocate(bytes, JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP | JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
            boolean known = false;
            try {
                Address address = new Address();
                check("cuMemHostGetDevicePointer", JCudaDriver.cuMemHostGetDevicePointer(address, pointer, 0));
                mappedMemory.put(address.value() + bytes, new Mapped(address.value(), pointer));
                known = true;
                return address.value();
            } finally {
                if (!known) {
                    JCudaDriver.cuMemFreeHost(pointer);
                }
            }
        }

        @Override
        public void freeMapped(long address) {
            Map.Entry<Long, Mapped> mapped = mappedMemory.higherEntry(address);
            if (mapped == null || mapped.getValue().address() != address) {
                // the next entry is that of other memory
                throw new IllegalArgumentException("not mapped memory of this device: address=" + address);
            }
            check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(mapped.getValue().pointer()));
            mappedMemory.remove(mapped.getKey());
        }

        private boolean isMapped(long address) {
            Map.Entry<Long, Mapped> mapped = mappedMemory.higherEntry(address);
            return mapped != null && mapped.getValue().address() <= address;
        }

        @Override
        public void copyToDevice(long to, ByteBuffer from, long bytes) {
            if (isMapped(to)) {
                CUdeviceptr source = Address.of(deviceAddress(from));
                check("cuMemcpyAsync", JCudaDriver.cuMemcpyAsync(Address.of(to), source, bytes, stream));
                return;
            }
            check("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(Address.of(to), pointer(from), bytes, stream));
        }

        @Override
        public void copyToHost(ByteBuffer to, long from, long bytes) {
            check("cuMemcpyDtoHAsync", JCudaDriver.cuMemcpyDtoHAsync(pointer(to), Address.of(from), bytes, stream));
        }

        @Override
        public void fill(long address, byte value, long bytes) {
            check("cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(Address.of(address), value, bytes, stream));
        }

        @Override
        public Mark createMark() {
            CUevent event = new CUevent();
            check("cuEventCreate", JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DEFAULT));
            return new JcudaMark(event, stream);
        }

        @Override
        public KernelInterface kernels() {
            return ShippedKernels.INTERFACE;
        }

        @Override
        public Remedies remedies() {
            return REMEDIES;
        }

        @Override
        public Module load(String name) {
            CUmodule module = new CUmodule();
            check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, ShippedKernels.image(name, facts)));
            return new JcudaModule(module);
        }

        @Override
        public void launch(Function function, Shape shape, KernelArguments arguments) {
            Pointer parameters = Pointer.to(Pointer.to(arguments.bytes()));
            CUfunction kernel = ((JcudaFunction) function).function;
            if (shape.cooperative()) {
                check(
                        "cuLaunchCooperativeKernel",
                        JCudaDriver.cuLaunchCooperativeKernel(
                                kernel,
                                shape.blocks(),
                                1,
                                1,
                                shape.threads(),
                                1,
                                1,
                                shape.sharedBytes(),
                                stream,
                                parameters));
            } else {
                check(
                        "cuLaunchKernel",
                        JCudaDriver.cuLaunchKernel(
                                kernel,
                                shape.blocks(),
                                1,
                                1,
                                shape.threads(),
                                1,
                                1,
                                shape.sharedBytes(),
                                stream,
                                parameters,
                                null));
            }
        }

        @Override
        public void close() {
            try {
                enter();
                try {
                    check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
                } finally {
                    leave();
                }
            } finally {
                check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
            }
        }

        private Pointer pointer(ByteBuffer host) {
            synchronized (hostMemory) {
                Pointer pointer = hostMemory.get(host);
                if (pointer == null) {
                    throw new IllegalArgumentException("not page-locked memory of this device: " + host);
                }
                return pointer;
            }
        }
    }

    private record JcudaMark(CUevent event, CUstream stream) implements DeviceDriver.Mark {
        @Override
        public void put() {
            check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
        }

        @Override
        public boolean reached() {
            int code = JCudaDriver.cuEventQuery(event);
            if (code == CUresult.CUDA_ERROR_NOT_READY) {
                return false;
            }
            check("cuEventQuery", code);
            return true;
        }

        @Override
        public void await() {
            check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(event));
        }

        @Override
        public float millisSince(DeviceDriver.Mark earlier) {
            float[] millis = new float[1];
            check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, ((JcudaMark) earlier).event, event));
            return millis[0];
        }

        @Override
        public void close() {
            check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
        }
    }

    private record JcudaModule(CUmodule module) implements DeviceDriver.Module {
        @Override
        public DeviceDriver.Function function(String name) {
            CUfunction function = new CUfunction();
            check("cuModuleGetFunction(" + name + ")", JCudaDriver.cuModuleGetFunction(function, module, name));
            return new JcudaFunction(function);
        }

        @Override
        public void close() {
            check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
        }
    }

    /** Caches the driver's answer, because every launch asks for it. */
    private static final class JcudaFunction implements DeviceDriver.Function {

        private final CUfunction function;
        private final Map<Long, Integer> blocks = new ConcurrentHashMap<>();
        private int grantedSharedBytes;

        JcudaFunction(CUfunction function) {
            this.function = function;
        }

        @Override
        public int blocksPerMultiprocessor(int threads, int sharedBytes) {
            return blocks.computeIfAbsent(
                    (long) threads << Integer.SIZE | sharedBytes, shape -> ask(threads, sharedBytes));
        }

        private synchronized int ask(int threads, int sharedBytes) {
            if (sharedBytes > grantedSharedBytes) {
                // without this attribute a block has at most 48 KB, including static shared memory
                check(
                        "cuFuncSetAttribute",
                        JCudaDriver.cuFuncSetAttribute(
                                function,
                                CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                sharedBytes));
                grantedSharedBytes = sharedBytes;
            }
            int[] resident = new int[1];
            check(
                    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                    JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(resident, function, threads, sharedBytes));
            return resident[0];
        }
    }
}
