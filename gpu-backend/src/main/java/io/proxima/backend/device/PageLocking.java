// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.util.concurrent.locks.LockSupport;

/**
 * An allocation of mapped memory on a thread of its own, because the driver page-locks memory in one call, however
 * long.
 */
final class PageLocking {

    private final Device device;

    // guarded by this, the results until it is done; they take no heap, so that a full one keeps nobody waiting
    private boolean done;
    private DeviceArray allocated;
    private Throwable failure;

    /** The ticket of the lease that was left to the allocation; null if none was. */
    private Object left;

    /**
     * Begins to allocate, for the holder of the lease.
     *
     * @param promise and {@code what} as for {@link DeviceMemory#allocateMapped}
     */
    PageLocking(Device device, Promise promise, String what, long bytes) {
        this.device = device;
        DeviceMemory memory = device.memory();
        Runnable allocation = memory.likeThisThread(() -> allocated = memory.allocateMapped(promise, what, bytes));
        Workers.inBackground(unused -> {
            Throwable thrown = null;
            try {
                allocation.run();
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            end(thrown);
        });
    }

    private void end(Throwable thrown) {
        synchronized (this) {
            done = true;
            failure = thrown;
            if (left == null) {
                return;
            }
        }
        endLease();
    }

    /**
     * Waits for the memory.
     *
     * @throws StoppedException if the stop was requested before; the allocation goes on
     * @throws RuntimeException as {@link DeviceMemory#allocateMapped} does
     */
    DeviceArray await(Stop stop) {
        while (!isDone()) {
            stop.check();
            LockSupport.parkNanos(LaunchPolicy.PAUSE_NANOS);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
        return allocated;
    }

    private synchronized boolean isDone() {
        return done;
    }

    /** Leaves the lease to the thread that allocates: it frees the memory, and ends the lease. */
    void leave(Object ticket) {
        try {
            device.leaveLease();
        } finally {
            boolean over;
            synchronized (this) {
                left = ticket;
                over = done;
            }
            if (over) {
                endLease();
            }
        }
    }

    private void endLease() {
        try {
            if (allocated != null) {
                allocated.close();
            }
        } finally {
            device.endLeftLease(left);
        }
    }
}
