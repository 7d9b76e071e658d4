// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.util.function.LongSupplier;

/**
 * The budget of mapped memory: page-locked host memory that devices read over the bus. All devices of a host share one,
 * because they share the host's memory. The operating system cannot swap this memory, so the limit is a share of the
 * memory that is free now and that nobody else in this process will take. Thread-safe.
 */
public final class MappedBudget {

    private final LongSupplier free;
    private final boolean first;

    // guarded by this
    private double share;
    private LongSupplier expected = () -> 0;
    // page-locked, so that the host's free memory no longer contains it
    private long locked;
    // taken, but perhaps not page-locked yet
    private long taken;

    /**
     * A budget of which nothing is used.
     *
     * @param share from 0 (none) to 1
     * @param free supplies the bytes of host memory that are free now
     */
    public MappedBudget(double share, LongSupplier free) {
        this(share, free, false);
    }

    private MappedBudget(double share, LongSupplier free, boolean first) {
        this.free = free;
        this.first = first;
        limit(share);
    }

    /**
     * A budget in which lists lie as long as it has room, even if they would fit the device: for tests of small graphs.
     *
     * @param free as of the constructor
     */
    public static MappedBudget first(double share, LongSupplier free) {
        return new MappedBudget(share, free, true);
    }

    /** Whether lists lie here even if they would fit the device. */
    public boolean isFirst() {
        return first;
    }

    /** The budget of this host, with the share that the system property sets. */
    public static MappedBudget ofThisHost() {
        return new MappedBudget(MemoryShare.MAPPED.ofThisHost(), HostMemory::freeBytes);
    }

    /** A budget without mapped memory. */
    public static MappedBudget none() {
        return new MappedBudget(0, () -> 0);
    }

    /** Sets the share of free memory; memory in use stays. */
    public synchronized void limit(double newShare) {
        MemoryShare.MAPPED.require(newShare);
        share = newShare;
    }

    /**
     * Leaves free memory to others in this process.
     *
     * @param bytes supplies the bytes outside of the heap that they will take and have not taken yet
     */
    public synchronized void leave(LongSupplier bytes) {
        expected = bytes;
    }

    /** The current limit, in bytes. */
    public synchronized long bytes() {
        return share == 0 ? 0 : (long) (share * (locked + Math.max(0, free.getAsLong() - expected.getAsLong())));
    }

    /** Bytes in use. */
    public synchronized long usedBytes() {
        return locked + taken;
    }

    /** Bytes that could be taken now. */
    public synchronized long freeBytes() {
        return Math.max(0, bytes() - usedBytes());
    }

    /** Takes bytes that will be page-locked, and returns whether the limit allowed that. */
    synchronized boolean take(long bytes) {
        if (bytes > freeBytes()) {
            return false;
        }
        taken += bytes;
        return true;
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
