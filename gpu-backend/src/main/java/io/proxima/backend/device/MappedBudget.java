// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.BackendSettings;
import java.util.function.LongSupplier;

/**
 * The budget of mapped memory: page-locked host memory that devices read over the bus. All devices of a server share
 * one, because they share the host's memory. The operating system cannot swap this memory, so the limit is a share of
 * the memory that is free now and that the server will not take otherwise. Thread-safe.
 */
public class MappedBudget {

    private final double share;
    private final LongSupplier free;

    // guarded by this
    // page-locked, so that the host's free memory no longer contains it
    private long locked;
    // taken, but perhaps not page-locked yet
    private long taken;
    // promised to runs of all devices, and not taken yet
    private long promised;

    /**
     * A budget of which nothing is used.
     *
     * @param share from 0 (none) to 1
     * @param free supplies the bytes of host memory that are free now; none if negative
     */
    public MappedBudget(double share, LongSupplier free) {
        this.share = share;
        this.free = free;
    }

    /** Whether lists lie here even if they would fit the device, as in tests of small graphs. */
    public boolean isFirst() {
        return false;
    }

    /** The budget of a program on this host. */
    public static MappedBudget ofThisHost(BackendSettings settings) {
        LongSupplier toCome = settings.hostMemoryToCome();
        return new MappedBudget(settings.mappedShare(), () -> HostMemory.freeBytes() - toCome.getAsLong());
    }

    /** A budget without mapped memory. */
    public static MappedBudget none() {
        return new MappedBudget(0, () -> 0);
    }

    /** The current limit, in bytes. */
    public synchronized long bytes() {
        return share == 0 ? 0 : (long) (share * (locked + Math.max(0, free.getAsLong())));
    }

    /** Bytes in use. */
    public synchronized long usedBytes() {
        return locked + taken;
    }

    /** Bytes that could be taken now. */
    public synchronized long freeBytes() {
        return Math.max(0, bytes() - usedBytes());
    }

    /** Bytes that runs were promised and have not taken. */
    public synchronized long promisedBytes() {
        return promised;
    }

    /** Promises bytes, for which the caller has found room within the monitor of this budget. */
    synchronized void promise(long bytes) {
        promised += bytes;
    }

    /** Ends the promise of bytes that were not taken. */
    synchronized void endPromise(long bytes) {
        promised -= bytes;
    }

    /**
     * Takes bytes that will be page-locked, and returns whether it did. Bytes that were promised need only be free on
     * the host: the limit is lower while another device page-locks what it has taken, and others may have been promised
     * memory that is not unlocked yet. More than was promised must fit the limit beside all promises.
     *
     * @param ofPromise how many of them the run was promised
     */
    synchronized boolean take(long bytes, long ofPromise) {
        boolean done = bytes <= (bytes == ofPromise ? free.getAsLong() : freeBytes() - (promised - ofPromise));
        if (done) {
            taken += bytes;
            promised -= ofPromise;
        }
        return done;
    }

    /** Bytes that were taken are page-locked now. */
    synchronized void lock(long bytes) {
        taken -= bytes;
        locked += bytes;
    }

    /** Gives bytes back that were taken and not page-locked. */
    synchronized void giveBack(long bytes) {
        taken -= bytes;
    }

    /** Gives page-locked bytes back, after the driver has unlocked them. */
    synchronized void unlock(long bytes) {
        locked -= bytes;
    }
}
