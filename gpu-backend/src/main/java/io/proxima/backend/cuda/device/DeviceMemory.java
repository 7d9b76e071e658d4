// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The allocator of a device's memory, and of the mapped host memory that the device reads. Every allocation counts against a budget; idle structures are evicted to make room, least
 * recently used first. Its monitor also guards the state of the tenants. Thread-safe.
 *
 * <p>The driver waits for running kernels before it frees memory. Therefore only the holder of the lease allocates and
 * {@link #reclaim reclaims} memory, while no kernel of another run is active. {@link #free} only marks memory as freed, on any
 * thread.
 *
 * <p>Page-locking takes half a second for a gibibyte, and the driver lets other calls wait meanwhile. Therefore memory is
 * allocated and reclaimed outside of the monitor, and figures come from the books until the driver has finished. So no thread
 * waits for a kernel or for page-locking inside the monitor.
 *
 * <p>After a device failure the memory is gone with its context. Memory can then still be freed, without a call of the driver,
 * but not allocated. Mapped memory stays in its budget until the context is closed.
 *
 * <p>The class is long because budget, eviction and freed memory share one monitor.
 */
public final class DeviceMemory {

    private static final String REMEDY =
            ". Drop graphs that are not needed, raise server.proxima.device_memory_share or"
                    + " server.proxima.mapped_memory_share in neo4j.conf (outside Neo4j -D"
                    + LaunchPolicy.MEMORY_SHARE_PROPERTY + " or -D" + MappedBudget.SHARE_PROPERTY
                    + "), or use backend: 'cpu'.";

    private final String deviceName;
    private final DeviceDriver driver;
    private final long budget;
    private final MappedBudget mapped;
    private final Function<DriverException, DeviceFailureException> onFailure;
    private final Runnable onReturn;

    // in order of last use; guarded by this, as all fields below
    private final Set<Tenant> tenants = new LinkedHashSet<>();
    private long used;
    private long mappedUsed;
    private long arrays;
    // the list of arrays that are freed, but not yet reclaimed from the driver; linked, because freeing allocates
    // nothing
    private DeviceArray firstReturned;
    private DeviceArray lastReturned;
    // mapped memory that the driver has, used or returned
    private long pageLocked;
    // whether the holder of the lease is allocating or reclaiming
    private boolean driverIsBusy;
    // the last figure of the driver, and what was allocated and reclaimed since
    private long freeInDriver;
    private String lost = "";
    private long hits;
    private long misses;
    private long evictions;
    private long uploaded;

    // whether this thread's allocations may evict idle structures
    private final ThreadLocal<Boolean> keepsAll = ThreadLocal.withInitial(() -> false);

    /** A structure that is resident on the device and can be evicted while idle. Called inside the monitor of the memory. */
    public interface Tenant {
        /** Bytes that eviction would free now: 0 while the structure is in use. */
        long idleBytes();

        /** Bytes of mapped memory that eviction would free now: 0 while the structure is in use. */
        default long idleMappedBytes() {
            return 0;
        }

        /** Frees its memory; called only while idle. */
        void evict();

        /** Bytes of unused parts that only make searches faster, whether or not the structure is idle. */
        default long spareBytes() {
            return 0;
        }

        /** Frees these parts. */
        default void evictSpare() {}
    }

    /**
     * Creates an allocator without allocations.
     *
     * @param budget maximum total of allocated bytes of the device
     * @param mapped the budget of mapped memory, which other devices use too
     * @param onFailure receives every driver error other than out-of-memory, sticky or not; returns the exception for the
     *     caller
     * @param onReturn is called outside of the monitor after memory was freed, so that a thread can {@link #reclaim} it;
     *     not if it was freed inside the monitor, because the thread that leaves the monitor reclaims it
     */
    DeviceMemory(
            String deviceName,
            DeviceDriver driver,
            long budget,
            MappedBudget mapped,
            Function<DriverException, DeviceFailureException> onFailure,
            Runnable onReturn) {
        this.deviceName = deviceName;
        this.driver = driver;
        this.budget = budget;
        this.mapped = mapped;
        this.onFailure = onFailure;
        this.onReturn = onReturn;
        this.freeInDriver = budget;
    }

    /**
     * Allocates memory. Only for the holder of the lease.
     *
     * @param what noun for the error message, such as "the graph"
     * @param bytes above 0
     * @throws DeviceMemoryException if memory is short even after all idle structures were evicted
     * @throws DeviceFailureException if the device has failed
     */
    public DeviceArray allocate(String what, long bytes) {
        requireNotLost();
        if (!makeRoomInBudget(bytes)) {
            throw tooLittle(what, bytes, "Proxima uses " + figure(usedBytes()) + " of its budget of " + figure(budget));
        }
        while (true) {
            reclaim();
            try {
                return allocate(new DeviceArray(this, bytes, false));
            } catch (DriverException e) {
                if (!evictOne()) {
                    throw tooLittle(
                            what,
                            bytes,
                            "the driver reports " + figure(inContext(driver::freeBytes)) + " free, and Proxima uses "
                                    + figure(usedBytes()));
                }
            }
        }
    }

    private synchronized boolean makeRoomInBudget(long bytes) {
        if (bytes > budget) {
            return false;
        }
        while (used + bytes > budget && evictOne()) {
            // as long as something is idle
        }
        return used + bytes <= budget;
    }

    /**
     * Allocates mapped memory, which takes half a second for a gibibyte. Only for the holder of the lease.
     *
     * @param what as for {@link #allocate}
     * @param bytes above 0
     * @throws DeviceMemoryException if the budget of mapped memory is short even after idle structures were evicted, or
     *     the host has too little memory
     * @throws DeviceFailureException if the device has failed
     */
    public DeviceArray allocateMapped(String what, long bytes) {
        requireNotLost();
        reclaim();
        // memory that cannot be had must not cost idle graphs their place
        if (bytes > availableMappedBytes()) {
            throw tooLittleMapped(what, bytes, "of their budget, " + figure(mapped.usedBytes()) + " are in use");
        }
        while (!mapped.take(bytes)) {
            if (!evictOneMapped()) {
                throw tooLittleMapped(what, bytes, "of their budget, " + figure(mapped.usedBytes()) + " are in use");
            }
            reclaim();
        }
        DeviceArray array = new DeviceArray(this, bytes, true);
        try {
            return allocate(array);
        } catch (DriverException e) {
            throw tooLittleMapped(what, bytes, "the driver cannot page-lock as much");
        } finally {
            if (array.place() == 0) {
                mapped.giveBack(bytes);
            }
        }
    }

    /** Allocates the memory of an array; nothing remains allocated if that fails, on a full heap neither. */
    private DeviceArray allocate(DeviceArray array) {
        boolean done = false;
        try {
            onDriver(() -> book(
                    array, array.isMapped() ? driver.allocateMapped(array.bytes()) : driver.allocate(array.bytes())));
            requireNotLost();
            done = true;
            return array;
        } finally {
            if (!done && array.place() != 0) {
                array.close();
            }
        }
    }

    private synchronized void book(DeviceArray array, long address) {
        array.placeAt(address);
        arrays++;
        if (array.isMapped()) {
            mappedUsed += array.bytes();
            pageLocked += array.bytes();
            mapped.lock(array.bytes());
        } else {
            used += array.bytes();
            freeInDriver -= array.bytes();
        }
    }

    private synchronized void requireNotLost() {
        if (!lost.isEmpty()) {
            throw new DeviceFailureException(lost);
        }
    }

    /** Runs work that is not worth an eviction: its allocations fail instead. */
    public void withoutEvicting(Runnable work) {
        withoutEvicting(() -> {
            work.run();
            return null;
        });
    }

    /** Does work that is not worth an eviction: its allocations fail instead. */
    public <T> T withoutEvicting(Supplier<T> work) {
        boolean before = keepsAll.get();
        keepsAll.set(true);
        try {
            return work.get();
        } finally {
            keepsAll.set(before);
        }
    }

    /** The same work for another thread, which then evicts only what this one may. */
    <T> Supplier<T> likeThisThread(Supplier<T> work) {
        return keepsAll.get() ? () -> withoutEvicting(work) : work;
    }

    /** Marks memory as freed. {@link #reclaim} frees it in the driver. */
    void free(DeviceArray array) {
        synchronized (this) {
            if (!array.markFreed()) {
                return;
            }
            arrays--;
            if (array.isMapped()) {
                mappedUsed -= array.bytes();
            } else {
                used -= array.bytes();
            }
            if (lost.isEmpty()) {
                append(array);
            }
        }
        if (!Thread.holdsLock(this)) {
            onReturn.run();
        }
    }

    private void append(DeviceArray array) {
        if (lastReturned == null) {
            firstReturned = array;
        } else {
            lastReturned.setNextReturned(array);
        }
        lastReturned = array;
    }

    /** Whether there is freed memory that has not been reclaimed. */
    public synchronized boolean hasReturned() {
        return firstReturned != null;
    }

    /**
     * Frees the marked memory in the driver. Memory that the driver fails to free stays marked. Only for the holder of the lease.
     *
     * @return whether anything was freed
     * @throws DeviceFailureException if the device has failed
     */
    boolean reclaim() {
        boolean any = false;
        DeviceArray array;
        while ((array = firstReturned()) != null) {
            DeviceArray freed = array;
            try {
                onDriver(() -> {
                    if (freed.isMapped()) {
                        driver.freeMapped(freed.place());
                    } else {
                        driver.free(freed.place());
                    }
                    // before anything else can fail, or the memory would be freed twice
                    forget(freed);
                });
            } catch (DeviceFailureException e) {
                requireNotLost();
                return any;
            }
            any = true;
        }
        return any;
    }

    private synchronized DeviceArray firstReturned() {
        return firstReturned;
    }

    private synchronized void forget(DeviceArray reclaimed) {
        firstReturned = reclaimed.nextReturned();
        reclaimed.setNextReturned(null);
        lastReturned = firstReturned == null ? null : lastReturned;
        if (reclaimed.isMapped()) {
            pageLocked -= reclaimed.bytes();
            mapped.unlock(reclaimed.bytes());
        } else {
            freeInDriver += reclaimed.bytes();
        }
    }

    /**
     * Makes room for allocations of the driver itself, such as a module: evicts an idle structure unless there is freed memory to
     * reclaim. Only for the holder of the lease.
     *
     * @return whether anything was freed
     */
    boolean makeRoom() {
        return reclaim() || (evictOne() && reclaim());
    }

    /** Records that the device has failed, or is released, and its memory is gone. The first reason stays. */
    synchronized void abandon(String reason) {
        lost = lost.isEmpty() ? reason : lost;
        firstReturned = null;
        lastReturned = null;
    }

    /** Gives all mapped memory back to its budget: the driver has freed it with the context. */
    synchronized void contextClosed() {
        mapped.unlock(pageLocked);
        pageLocked = 0;
    }

    /** Calls the driver outside of the monitor. Only for the holder of the lease. */
    private void onDriver(Runnable call) {
        setDriverBusy(true);
        try {
            inContext(() -> {
                call.run();
                return null;
            });
        } finally {
            setDriverBusy(false);
        }
    }

    private synchronized void setDriverBusy(boolean busy) {
        driverIsBusy = busy;
    }

    private <T> T inContext(Supplier<T> call) {
        try {
            driver.enter();
            try {
                return call.get();
            } finally {
                driver.leave();
            }
        } catch (DriverException e) {
            throw e.isOutOfMemory() ? e : onFailure.apply(e);
        }
    }

    /** Marks a tenant as most recently used; adds it if it is new. */
    public synchronized void use(Tenant tenant) {
        tenants.remove(tenant);
        tenants.add(tenant);
    }

    public synchronized void remove(Tenant tenant) {
        tenants.remove(tenant);
    }

    /** Bytes allocated now. */
    public synchronized long usedBytes() {
        return used;
    }

    /** Bytes of mapped memory allocated now. */
    public synchronized long mappedBytes() {
        return mappedUsed;
    }

    /** The budget of mapped memory. */
    public MappedBudget mappedBudget() {
        return mapped;
    }

    /** Bytes of mapped memory that this thread could allocate now: the free part of the budget, and idle memory of this device. */
    public synchronized long availableMappedBytes() {
        if (!lost.isEmpty()) {
            return 0;
        }
        if (keepsAll.get()) {
            return mapped.freeBytes();
        }
        long idle = tenants.stream().mapToLong(Tenant::idleMappedBytes).sum();
        return mapped.freeBytes() + returnedBytes(true) + idle;
    }

    /** Number of allocations now. */
    public synchronized long arrayCount() {
        return arrays;
    }

    public long budget() {
        return budget;
    }

    /** Bytes that this thread could allocate now: free memory and what it may evict, within the budget. */
    public synchronized long availableBytes() {
        if (!lost.isEmpty()) {
            return 0;
        }
        if (keepsAll.get()) {
            return freeBytes();
        }
        long idle = 0;
        for (Tenant tenant : tenants) {
            idle += Math.max(tenant.idleBytes(), tenant.spareBytes());
        }
        return freeBytes() + idle;
    }

    /** Bytes that can be allocated now without evicting anything; 0 if the device has failed. */
    public synchronized long freeBytes() {
        if (!lost.isEmpty()) {
            return 0;
        }
        try {
            if (!driverIsBusy) {
                freeInDriver = inContext(driver::freeBytes);
            }
        } catch (DeviceFailureException e) {
            // else the last figure holds
            if (!lost.isEmpty()) {
                return 0;
            }
        }
        return Math.max(0, Math.min(budget - used, freeInDriver + returnedBytes(false)));
    }

    private long returnedBytes(boolean ofMapped) {
        long bytes = 0;
        for (DeviceArray array = firstReturned; array != null; array = array.nextReturned()) {
            bytes += array.isMapped() == ofMapped ? array.bytes() : 0;
        }
        return bytes;
    }

    /** Counts a graph that a run uses, by whether it was resident. */
    public synchronized void countPreparation(boolean there) {
        if (there) {
            hits++;
        } else {
            misses++;
        }
    }

    /** Counts bytes that are copied to the device. */
    synchronized void countUpload(long bytes) {
        uploaded += bytes;
    }

    /** The current use of the memory. */
    public synchronized DeviceUse use(long totalBytes) {
        return new DeviceUse(
                deviceName, totalBytes, budget, used, mapped.bytes(), mappedUsed, hits, misses, evictions, uploaded);
    }

    private synchronized boolean evictOne() {
        if (keepsAll.get()) {
            return false;
        }
        for (Tenant tenant : tenants) {
            if (tenant.spareBytes() > 0) {
                tenant.evictSpare();
                evictions++;
                return true;
            }
        }
        for (Tenant tenant : tenants) {
            if (tenant.idleBytes() > 0) {
                tenants.remove(tenant);
                tenant.evict();
                evictions++;
                return true;
            }
        }
        return false;
    }

    private synchronized boolean evictOneMapped() {
        if (keepsAll.get()) {
            return false;
        }
        for (Tenant tenant : tenants) {
            if (tenant.idleMappedBytes() > 0) {
                tenants.remove(tenant);
                tenant.evict();
                evictions++;
                return true;
            }
        }
        return false;
    }

    /**
     * The refusal of a run that does not fit.
     *
     * @param bytes the maximum bytes of its structures and its workspace
     * @param room bytes of the device that it could have
     * @param kernelAsked whether the caller has asked for its kernel
     */
    public DeviceMemoryException refusal(long bytes, long room, boolean kernelAsked) {
        requireNotLost();
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for this run: its structures and"
                + " its workspace take up to " + figure(bytes) + ", but " + figure(room) + " can be freed"
                + (kernelAsked ? ". Leave out 'kernel', because other kernels may take less" : "")
                + budgets() + REMEDY);
    }

    private String budgets() {
        return ". The budgets are " + figure(budget) + " on the device and " + figure(mapped.bytes())
                + " of mapped host memory, in which lists of neighbours may lie instead";
    }

    private DeviceMemoryException tooLittleMapped(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what
                + ", and so has the host: its lists of neighbours take " + figure(bytes)
                + " of mapped host memory, but "
                + limit + budgets() + REMEDY);
    }

    private DeviceMemoryException tooLittle(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what + ": "
                + figure(bytes) + " are required, but " + limit + budgets() + REMEDY);
    }

    private static String figure(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
}
