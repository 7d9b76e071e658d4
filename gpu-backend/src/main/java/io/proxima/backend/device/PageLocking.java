// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/**
 * An allocation of mapped memory on a thread of its own, because the driver page-locks memory in one call, however
 * long.
 */
final class PageLocking {

    private final Device device;
    private final CompletableFuture<DeviceArray> allocated = new CompletableFuture<>();

    /**
     * Begins to allocate, for the holder of the lease.
     *
     * @param promise and {@code what} as for {@link DeviceMemory#allocateMapped}
     */
    PageLocking(Device device, Promise promise, String what, long bytes) {
        this.device = device;
        DeviceMemory memory = device.memory();
        Runnable allocation =
                memory.likeThisThread(() -> allocated.complete(memory.allocateMapped(promise, what, bytes)));
        Workers.inBackground(unused -> {
            try {
                allocation.run();
            } catch (RuntimeException | Error e) {
                allocated.completeExceptionally(e);
            }
        });
    }

    /**
     * Waits for the memory.
     *
     * @throws StoppedException if the stop was requested before; the allocation goes on
     * @throws RuntimeException as {@link DeviceMemory#allocateMapped} does
     */
    DeviceArray await(Stop stop) {
        while (!allocated.isDone()) {
            stop.check();
            LockSupport.parkNanos(LaunchPolicy.PAUSE_NANOS);
        }
        try {
            return allocated.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    /** Leaves the lease to the thread that allocates: it frees the memory, and ends the lease. */
    void leave(Object ticket) {
        try {
            device.leaveLease();
        } finally {
            var unused = allocated.whenComplete((array, failure) -> {
                if (array != null) {
                    array.close();
                }
                device.endLeftLease(ticket);
            });
        }
    }
}
