// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * An allocation of device memory, or of mapped memory; closing it more than once has no effect. Closing allocates
 * nothing, so it succeeds on a full heap, too.
 */
public final class DeviceArray implements AutoCloseable {

    private final DeviceMemory memory;
    private final long bytes;
    private final boolean mapped;

    // guarded by memory, as all fields below
    // of the run that has taken the memory; null if it is charged to nobody
    private Promise promise;
    private long address;
    private boolean freed;
    // the array that was freed after this one and is not reclaimed either; null if there is none
    private DeviceArray nextReturned;

    /** An array without memory. The memory sets its address. */
    DeviceArray(DeviceMemory memory, Promise promise, long bytes, boolean mapped) {
        this.memory = memory;
        this.promise = promise;
        this.bytes = bytes;
        this.mapped = mapped;
    }

    /** The device address of the first byte. */
    public long address() {
        synchronized (memory) {
            if (freed) {
                throw new IllegalStateException("device memory used after it was freed: bytes=" + bytes);
            }
            return address;
        }
    }

    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        memory.free(this);
    }

    /** Whether the memory is page-locked host memory that the device reads. */
    public boolean isMapped() {
        return mapped;
    }

    /** The address, also after the array was freed. */
    long rawAddress() {
        return address;
    }

    /** Charges the memory to the run, for which it has just been allocated. */
    void charge() {
        if (promise != null) {
            promise.take(bytes);
        }
    }

    /** Gives its bytes back to the run that has taken them: another run, which has found room for them, keeps them. */
    public void handOver() {
        synchronized (memory) {
            if (promise != null) {
                promise.giveBack(bytes);
                promise = null;
            }
        }
    }

    void setAddress(long allocated) {
        address = allocated;
    }

    /** Marks the array as freed; returns whether it was not. */
    boolean markFreed() {
        boolean first = !freed;
        freed = true;
        if (first && promise != null) {
            promise.giveBack(bytes);
        }
        return first;
    }

    DeviceArray nextReturned() {
        return nextReturned;
    }

    void setNextReturned(DeviceArray next) {
        nextReturned = next;
    }
}
