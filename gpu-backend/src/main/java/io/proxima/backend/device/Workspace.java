// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * Device memory for the state of a search. A device has one workspace, because one search at a time runs on it. The
 * workspace is kept between searches, grows when needed, and is evicted like an idle graph.
 */
public final class Workspace implements DeviceMemory.Tenant, AutoCloseable {

    /** Bytes of the control blocks at the start of the memory, one for each launch in flight. */
    private static final long CONTROL_BLOCKS = (long) HostLink.MOST_IN_FLIGHT * ControlBlock.BYTES;

    private final DeviceMemory memory;

    // guarded by memory
    private DeviceArray array;
    private boolean inUse;
    // of the run that uses it; null if nobody was promised it
    private Promise user;
    private boolean prepared;

    /** The memory of an interrupted run. */
    record Suspended(DeviceArray array, Promise user) {

        /** Of a run that has no workspace. */
        static final Suspended NOTHING = new Suspended(null, null);
    }

    Workspace(DeviceMemory memory) {
        this.memory = memory;
    }

    /** The device memory of a workspace with {@code bytes} usable bytes, in bytes; 0 for 0. */
    public static long bytesFor(long bytes) {
        return bytes == 0 ? 0 : CONTROL_BLOCKS + bytes;
    }

    /**
     * Ensures a number of usable bytes. All content is lost except the control blocks. Only for the holder of the
     * lease.
     *
     * @param promise of the run; null for work in the background, which was promised nothing
     * @return the device address of the usable bytes
     */
    long require(Promise promise, long bytes) {
        synchronized (memory) {
            inUse = false;
            user = promise;
            if (array != null && array.bytes() < CONTROL_BLOCKS + bytes) {
                evict();
            }
            if (array != null) {
                return begin(array);
            }
        }
        DeviceArray allocated = memory.allocate(null, "a search", CONTROL_BLOCKS + bytes);
        synchronized (memory) {
            array = allocated;
            prepared = false;
            return begin(allocated);
        }
    }

    private long begin(DeviceArray used) {
        // first, because it may fail on a full heap
        memory.use(this);
        array = used;
        inUse = true;
        return used.address() + CONTROL_BLOCKS;
    }

    /** The device address of a launch's control block, after {@link #require}. */
    long control(int launch) {
        synchronized (memory) {
            return array.address() + (long) launch * ControlBlock.BYTES;
        }
    }

    /** Whether the control blocks are zero while no launch is in flight: each launch leaves its own zeroed. */
    boolean isPrepared() {
        synchronized (memory) {
            return prepared;
        }
    }

    /** Records that the control blocks have been zeroed. */
    void prepared() {
        synchronized (memory) {
            prepared = true;
        }
    }

    /** Records that a control block holds the state of a paused launch, until the launch that resumes it has ended. */
    void holdsPausedRun() {
        synchronized (memory) {
            prepared = false;
        }
    }

    /**
     * Detaches the memory, with its content, for a run that is interrupted; other runs get memory of their own. Only
     * for the holder of the lease.
     *
     * @return for {@link #resume}; null if the run may not pause
     */
    Suspended suspend() {
        synchronized (memory) {
            // in one step, because another run may be promised memory meanwhile
            if (!mayPause()) {
                return null;
            }
            if (!inUse) {
                return Suspended.NOTHING;
            }
            Suspended suspended = new Suspended(array, user);
            if (user != null) {
                user.pause(true);
            }
            array = null;
            user = null;
            inUse = false;
            memory.remove(this);
            return suspended;
        }
    }

    /** Attaches the memory of an interrupted run in place of the current one. Only for the holder of the lease. */
    void resume(Suspended suspended) {
        synchronized (memory) {
            if (suspended.array == null) {
                return;
            }
            if (array != null) {
                evict();
            }
            prepared = false;
            user = suspended.user;
            if (user != null) {
                user.pause(false);
            }
            begin(suspended.array);
        }
    }

    /** Frees the memory of an interrupted run that is not resumed. Others of its call may need what it was promised. */
    void free(Suspended suspended) {
        if (suspended.array != null) {
            suspended.array.close();
        }
        synchronized (memory) {
            if (suspended.user != null) {
                suspended.user.pause(false);
            }
        }
    }

    /** Allows the eviction of the memory. */
    void release() {
        synchronized (memory) {
            inUse = false;
            user = null;
        }
    }

    /** Whether the run that has the lease may keep what it uses of it while others have the device. */
    boolean mayPause() {
        synchronized (memory) {
            return !inUse || memory.mayPause(user);
        }
    }

    /** Bytes that a search can use without another allocation. */
    public long room() {
        synchronized (memory) {
            return array == null ? 0 : array.bytes() - CONTROL_BLOCKS;
        }
    }

    /** Bytes that the holder of the lease uses, and releases at the end of the lease. */
    public long bytesInUse() {
        synchronized (memory) {
            return inUse ? array.bytes() : 0;
        }
    }

    @Override
    public long idleBytes() {
        return inUse || array == null ? 0 : array.bytes();
    }

    @Override
    public void evict() {
        array.close();
        array = null;
    }

    /** Frees the memory unless a search uses it. */
    @Override
    public void close() {
        DeviceArray freed = null;
        synchronized (memory) {
            if (idleBytes() > 0) {
                memory.remove(this);
                freed = array;
                array = null;
            }
        }
        // outside of the monitor, so that the memory can be reclaimed
        if (freed != null) {
            freed.close();
        }
    }
}
