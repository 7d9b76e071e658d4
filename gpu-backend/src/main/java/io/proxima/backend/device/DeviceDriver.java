// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.nio.ByteBuffer;

/**
 * What Proxima needs from the driver of one device. Addresses are device addresses. Every call but {@link #enter} must
 * come from a thread that has entered, and throws {@link DriverException} when the driver reports an error, including
 * one of an earlier asynchronous call. Tests replace it by a fake in host memory and by a checking wrapper.
 */
public interface DeviceDriver extends AutoCloseable {

    /** Makes the device's context current on the calling thread; nests. */
    void enter();

    /** Restores the context that was current before {@link #enter}. */
    void leave();

    /** Device memory that is free now, in bytes. */
    long freeBytes();

    /**
     * Allocates device memory, aligned to at least 256 bytes.
     *
     * @throws DriverException {@link DriverException#isOutOfMemory} if there is not enough
     */
    long allocate(long bytes);

    /** Frees memory that {@link #allocate} returned, when the work that was submitted has ended. */
    void free(long address);

    /** Allocates page-locked host memory that the device can read and write too; native byte order, zeroed. */
    ByteBuffer allocateHost(int bytes);

    /** The device address of memory that {@link #allocateHost} returned. */
    long deviceAddress(ByteBuffer host);

    /** Frees memory that {@link #allocateHost} returned. */
    void freeHost(ByteBuffer host);

    /**
     * Allocates page-locked host memory that kernels read over the bus, aligned to at least 256 bytes. The host reaches
     * it only through {@link #copyToDevice}.
     *
     * @param bytes may exceed 2^31
     * @return the address at which the device sees the memory
     * @throws DriverException {@link DriverException#isOutOfMemory} if there is not enough
     */
    long allocateMapped(long bytes);

    /** Frees memory that {@link #allocateMapped} returned, when the work that was submitted has ended. */
    void freeMapped(long address);

    /**
     * Starts an asynchronous copy of the first {@code bytes} of page-locked memory to memory of {@link #allocate} or
     * {@link #allocateMapped}.
     */
    void copyToDevice(long to, ByteBuffer from, long bytes);

    /** Starts an asynchronous copy from the device to the start of page-locked memory. */
    void copyToHost(ByteBuffer to, long from, long bytes);

    /** Starts to set bytes of device memory, asynchronously. */
    void fill(long address, byte value, long bytes);

    /** Creates a mark for this device's stream. */
    Mark createMark();

    /** The kernels of this driver. */
    KernelInterface kernels();

    /**
     * Loads compiled code.
     *
     * @param module as {@link KernelInterface.Entry#module}
     */
    Module load(String module);

    /** Launches a one-dimensional grid, asynchronously. */
    void launch(Function function, Shape shape, KernelArguments arguments);

    /**
     * Launches a one-dimensional grid several times with the same argument, asynchronously and in order. Drivers need
     * this if the blocks of a grid cannot synchronize with each other on their devices. A kernel that is not finished
     * after the last step reports {@link ControlBlock#PAUSED_OFFSET}, and a further launch resumes it.
     *
     * @param steps number of launches, at least 1
     * @throws UnsupportedOperationException if the kernels of this driver synchronize by themselves
     */
    default void launchSteps(Function function, Shape shape, KernelArguments arguments, int steps) {
        throw new UnsupportedOperationException("the kernels of this driver take no steps");
    }

    /** What a user can do about a device in trouble. */
    Remedies remedies();

    /** Releases the device, with all allocations. */
    @Override
    void close();

    /**
     * A grid.
     *
     * @param blocks of the grid
     * @param threads of a block
     * @param sharedBytes dynamic shared memory of a block
     * @param cooperative whether the blocks can synchronize with each other, which requires all of them to be resident
     *     at once
     */
    record Shape(int blocks, int threads, int sharedBytes, boolean cooperative) {}

    /** A position in a device's stream. */
    interface Mark extends AutoCloseable {
        /** Records the mark behind all work submitted so far. */
        void put();

        /** Whether all work before the mark is done. */
        boolean reached();

        /** Waits until all work before the mark is done. */
        void await();

        /** Milliseconds from another mark to this one; both must have been reached. */
        float millisSince(Mark earlier);

        @Override
        void close();
    }

    /** A loaded module. */
    interface Module extends AutoCloseable {
        /** A kernel of the module. */
        Function function(String name);

        @Override
        void close();
    }

    /** A kernel. */
    interface Function {
        /**
         * The number of blocks that one multiprocessor can hold at once.
         *
         * @param threads of a block
         * @param sharedBytes dynamic shared memory of a block, which launches may then have
         */
        int blocksPerMultiprocessor(int threads, int sharedBytes);
    }

    /**
     * What a user can do about a device in trouble: parts of messages.
     *
     * @param afterFault sentences about a device that a kernel fault has broken
     * @param findCause the beginning of a sentence: how to find the cause of failures of the device, and restart
     * @param findUsers the beginning of a sentence: how to find out who uses the memory of the device
     */
    record Remedies(String afterFault, String findCause, String findUsers) {}
}
