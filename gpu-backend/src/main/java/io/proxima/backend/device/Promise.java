// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * The memory of a device that one run was promised, from its placement to its end. What the run has not taken yet is no
 * room for others. Guarded by the monitor of the memory.
 */
public final class Promise implements AutoCloseable {

    private final DeviceMemory memory;
    private long bytes;
    private final long workspace;
    private long taken;
    // mapped memory that the run may still take
    private long mapped;
    // whether its workspace is kept while others have the device
    private boolean paused;

    /**
     * A promise that the memory does not know yet.
     *
     * @param bytes maximum bytes of all arrays at once that the run allocates, but for its workspace
     * @param workspace bytes of its workspace, as {@link Workspace#bytesFor} gives them
     * @param mapped maximum bytes of mapped memory that the run allocates
     */
    Promise(DeviceMemory memory, long bytes, long workspace, long mapped) {
        this.memory = memory;
        this.bytes = bytes;
        this.workspace = workspace;
        this.mapped = mapped;
    }

    /** The bytes that the run may still take. */
    public long open() {
        return bytes - taken;
    }

    /** The bytes that its workspace may still take. */
    public long workspace() {
        return paused ? 0 : workspace;
    }

    /** The bytes of mapped memory that the run may still take. */
    long mapped() {
        return mapped;
    }

    void takeMapped(long more) {
        mapped -= more;
    }

    void pause(boolean begins) {
        paused = begins;
    }

    /**
     * Checks that the run may take an array.
     *
     * @throws IllegalStateException if it was not promised as much
     */
    void requireOpen(String what, long more) {
        if (more > open()) {
            throw new IllegalStateException(
                    "a run takes what it was promised, here " + open() + " bytes: " + what + " takes " + more);
        }
    }

    void take(long more) {
        taken += more;
    }

    void giveBack(long less) {
        taken -= less;
    }

    /** Keeps of the promise what the run has taken, this many bytes more, and the workspace, but no mapped memory. */
    public void reduceTo(long more) {
        synchronized (memory) {
            memory.endMapped(this);
            bytes = Math.min(bytes, taken + more);
        }
    }

    /** Promises more bytes, for which the caller has found room within the monitor of the memory. */
    public void grow(long more) {
        bytes += more;
    }

    @Override
    public void close() {
        memory.end(this);
    }
}
