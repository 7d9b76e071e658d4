// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The allocator of a device's memory, and of the mapped host memory that the device reads. Every allocation counts
 * against a budget; idle structures are evicted to make room, least recently used first. Its monitor also guards the
 * state of the tenants. Thread-safe.
 *
 * <p>The driver waits for running kernels before it frees memory. Therefore only the holder of the lease allocates and
 * {@link #reclaim reclaims} memory, while no kernel of another run is active. {@link #free} only marks memory as freed,
 * on any thread.
 *
 * <p>Page-locking takes half a second for a gibibyte, and the driver lets other calls wait meanwhile. Therefore memory
 * is allocated and reclaimed outside of the monitor, and figures come from the books until the driver has finished. So
 * no thread waits for a kernel or for page-locking inside the monitor.
 *
 * <p>After a device failure the memory is gone with its context. Memory can then still be freed, without a call of the
 * driver, but not allocated. Mapped memory stays in its budget until the context is closed.
 */
public final class DeviceMemory {

    private final String deviceName;
    private final DeviceDriver driver;
    private final long budget;
    private final MappedBudget mapped;
    private final Function<DriverException, DeviceFailureException> onFailure;
    private final Runnable onReturn;

    private final MemoryShortage shortage;

    // guarded by this, as all fields below
    // least recently used first
    private final Set<Tenant> tenants = new LinkedHashSet<>();
    private final FreedArrays freed = new FreedArrays();
    // of all runs
    private final Set<Promise> promises = Collections.newSetFromMap(new IdentityHashMap<>());
    private long used;
    private long mappedUsed;
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

    /**
     * A structure that is resident on the device and can be evicted while idle. Called inside the monitor of the
     * memory.
     */
    public interface Tenant {
        /** Bytes that eviction would free now: 0 while the structure is in use. */
        long idleBytes();

        /** Bytes of mapped memory that eviction would free now: 0 while the structure is in use. */
        default long idleMappedBytes() {
            return 0;
        }

        /** Frees its memory; called only while idle. */
        void evict();
    }

    /**
     * Creates an allocator without allocations.
     *
     * @param budget maximum total of allocated bytes of the device
     * @param mapped the budget of mapped memory, which other devices use too
     * @param onFailure receives every driver error other than out-of-memory, sticky or not; returns the exception for
     *     the caller
     * @param onReturn is called outside of the monitor after memory was freed, so that a thread can {@link #reclaim}
     *     it; not if it was freed inside the monitor, because the thread that leaves the monitor reclaims it
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
        this.shortage = new MemoryShortage(deviceName, budget, mapped);
    }

    /**
     * Promises memory to a run. The caller has found room for it within the monitors of this memory and of the budget
     * of mapped memory, and ends the promise. Idle structures in mapped memory are evicted at once, because another run
     * could pin them.
     *
     * @param bytes maximum bytes of all arrays at once that the run allocates, but for its workspace
     * @param workspace bytes of its workspace, as {@link Workspace#bytesFor} gives them
     * @param mappedBytes maximum bytes of mapped memory that the run allocates
     */
    public synchronized Promise promise(long bytes, long workspace, long mappedBytes) {
        while (mappedBytes > 0
                && mappedBytes > mapped.freeBytes() - mapped.promisedBytes() + freed.bytes(true)
                && evictOne(Tenant::idleMappedBytes)) {
            // as long as something is idle
        }
        Promise made = new Promise(this, bytes, workspace, mappedBytes);
        // from here on without allocations: a full heap must not leave a promise that nobody ends
        promises.add(made);
        mapped.promise(mappedBytes);
        return made;
    }

    /** Answers as if another run had been promised so much. The caller does not wait for anything meanwhile. */
    public synchronized <T> T asIfPromised(long bytes, long workspace, long mappedBytes, Supplier<T> answer) {
        // which other devices use too
        synchronized (mapped) {
            Promise other = new Promise(this, bytes, workspace, mappedBytes);
            promises.add(other);
            mapped.promise(mappedBytes);
            try {
                return answer.get();
            } finally {
                end(other);
            }
        }
    }

    synchronized void end(Promise promise) {
        promises.remove(promise);
        endMapped(promise);
    }

    /** Ends the promise of mapped memory. */
    synchronized void endMapped(Promise promise) {
        mapped.endPromise(promise.mapped());
        promise.takeMapped(promise.mapped());
    }

    /** Whether no run but this one was promised memory. */
    public synchronized boolean isPromisedOnly(Promise run) {
        return promises.isEmpty() || (promises.size() == 1 && promises.contains(run));
    }

    /** The bytes that all runs but this one may still take, workspaces left out. */
    public synchronized long promisedBeside(Promise run) {
        return promises.stream()
                .filter(promise -> promise != run)
                .mapToLong(Promise::open)
                .sum();
    }

    /** The largest workspace of a run but this one. Only one of them is in use, unless its run pauses. */
    public synchronized long workspaceBeside(Promise run) {
        return promises.stream()
                .filter(promise -> promise != run)
                .mapToLong(Promise::workspace)
                .max()
                .orElse(0);
    }

    /** Whether a run may keep its workspace while others have the device: the largest of theirs fits beside it. */
    synchronized boolean mayPause(Promise run) {
        return promisedBeside(null) + workspaceBeside(run) <= budget - used + idleBytes(Tenant::idleBytes);
    }

    /**
     * Allocates memory. Only for the holder of the lease.
     *
     * @param promise of the run; null for work in the background, which was promised nothing
     * @param what noun for the error message, such as "the graph"
     * @param bytes above 0
     * @throws DeviceMemoryException if memory is short even after all idle structures were evicted
     * @throws DeviceFailureException if the device has failed
     * @throws IllegalStateException if the run was not promised as much
     */
    public DeviceArray allocate(Promise promise, String what, long bytes) {
        requireNotLost();
        Promise claimed = claim(promise, what, bytes);
        try {
            DeviceArray array = new DeviceArray(this, claimed, bytes, false);
            while (true) {
                reclaim();
                try {
                    return allocate(array);
                } catch (DriverException e) {
                    if (!evictOne(Tenant::idleBytes)) {
                        throw shortage.ofDriver(what, bytes, usedBytes(), inContext(driver::freeBytes));
                    }
                }
            }
        } finally {
            if (promise == null && claimed != null) {
                claimed.close();
            }
        }
    }

    /**
     * Makes room for an array. Until the driver has allocated it, its bytes count as promised, so that no other run is
     * promised them meanwhile.
     *
     * @return what contains its bytes: the promise of the run; for work in the background, one of these bytes, which
     *     the caller ends; null for the workspace, which the promises contain
     */
    private synchronized Promise claim(Promise run, String what, long bytes) {
        if (run != null) {
            run.requireOpen(what, bytes);
        }
        boolean inBackground = run == null && keepsAll.get();
        long kept = inBackground ? promisedBeside(null) + workspaceBeside(null) : 0;
        // memory that cannot be had must not cost idle structures their place
        boolean fits = bytes <= budget - used - kept + idleBytes(Tenant::idleBytes);
        while (fits && used + bytes > budget) {
            fits = evictOne(Tenant::idleBytes);
        }
        if (!fits) {
            throw shortage.ofBudget(what, bytes, used);
        }
        return inBackground ? promise(bytes, 0, 0) : run;
    }

    /**
     * Allocates mapped memory, which takes half a second for a gibibyte. Only for the holder of the lease.
     *
     * @param promise of the run; null for work that was promised nothing
     * @param what as for {@link #allocate}
     * @param bytes above 0
     * @throws DeviceMemoryException if the budget of mapped memory is short even after idle structures were evicted, or
     *     the host has too little memory
     * @throws DeviceFailureException if the device has failed
     */
    public DeviceArray allocateMapped(Promise promise, String what, long bytes) {
        requireNotLost();
        reclaim();
        while (!takeMapped(promise, bytes)) {
            // memory that cannot be had must not cost idle graphs their place
            if (bytes > availableMappedBytes() || !evictOne(Tenant::idleMappedBytes)) {
                throw shortage.ofMappedBudget(what, bytes);
            }
            reclaim();
        }
        DeviceArray array = new DeviceArray(this, null, bytes, true);
        try {
            return allocate(array);
        } catch (DriverException e) {
            throw shortage.ofPageLocking(what, bytes);
        } finally {
            if (array.rawAddress() == 0) {
                mapped.giveBack(bytes);
            }
        }
    }

    private synchronized boolean takeMapped(Promise promise, long bytes) {
        long ofPromise = promise == null ? 0 : Math.min(bytes, promise.mapped());
        boolean done = mapped.take(bytes, ofPromise);
        if (done && promise != null) {
            promise.takeMapped(ofPromise);
        }
        return done;
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
            if (!done && array.rawAddress() != 0) {
                array.close();
            }
        }
    }

    private synchronized void book(DeviceArray array, long address) {
        array.setAddress(address);
        if (array.isMapped()) {
            mappedUsed += array.bytes();
            pageLocked += array.bytes();
            mapped.lock(array.bytes());
        } else {
            used += array.bytes();
            freeInDriver -= array.bytes();
            array.charge();
        }
    }

    private synchronized void requireNotLost() {
        if (!lost.isEmpty()) {
            throw new DeviceFailureException(lost);
        }
    }

    /** Does work that is not worth an eviction: its allocations fail instead. */
    public void withoutEvicting(Runnable work) {
        boolean before = keepsAll.get();
        keepsAll.set(true);
        try {
            work.run();
        } finally {
            keepsAll.set(before);
        }
    }

    /** The same work for another thread, which then evicts only what this one may. */
    Runnable likeThisThread(Runnable work) {
        return keepsAll.get() ? () -> withoutEvicting(work) : work;
    }

    /** Marks memory as freed. {@link #reclaim} frees it in the driver. */
    void free(DeviceArray array) {
        synchronized (this) {
            if (!array.markFreed()) {
                return;
            }
            if (array.isMapped()) {
                mappedUsed -= array.bytes();
            } else {
                used -= array.bytes();
            }
            if (lost.isEmpty()) {
                freed.add(array);
            }
        }
        if (!Thread.holdsLock(this)) {
            onReturn.run();
        }
    }

    /** Whether there is freed memory that has not been reclaimed. */
    public synchronized boolean hasReturned() {
        return freed.first() != null;
    }

    /**
     * Frees the marked memory in the driver. Memory that the driver fails to free stays marked. Only for the holder of
     * the lease.
     *
     * @return whether anything was freed
     * @throws DeviceFailureException if the device has failed
     */
    boolean reclaim() {
        boolean any = false;
        DeviceArray array;
        while ((array = firstFreed()) != null) {
            DeviceArray next = array;
            try {
                onDriver(() -> {
                    if (next.isMapped()) {
                        driver.freeMapped(next.rawAddress());
                    } else {
                        driver.free(next.rawAddress());
                    }
                    // before anything else can fail, or the memory would be freed twice
                    forgetFirst(next);
                });
            } catch (DeviceFailureException e) {
                requireNotLost();
                return any;
            }
            any = true;
        }
        return any;
    }

    private synchronized DeviceArray firstFreed() {
        return freed.first();
    }

    private synchronized void forgetFirst(DeviceArray reclaimed) {
        freed.removeFirst();
        if (reclaimed.isMapped()) {
            pageLocked -= reclaimed.bytes();
            mapped.unlock(reclaimed.bytes());
        } else {
            freeInDriver += reclaimed.bytes();
        }
    }

    /**
     * Makes room for allocations of the driver itself, such as a module: evicts an idle structure unless there is freed
     * memory to reclaim. Only for the holder of the lease.
     *
     * @return whether anything was freed
     */
    boolean makeRoom() {
        return reclaim() || (evictOne(Tenant::idleBytes) && reclaim());
    }

    /** Records that the device has failed, or is released, and its memory is gone. The first reason stays. */
    synchronized void abandon(String reason) {
        lost = lost.isEmpty() ? reason : lost;
        freed.clear();
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

    /** The budget of mapped memory. */
    public MappedBudget mappedBudget() {
        return mapped;
    }

    /**
     * Bytes of mapped memory that this thread could allocate now: the free part of the budget, and idle memory of this
     * device.
     */
    private synchronized long availableMappedBytes() {
        if (!lost.isEmpty()) {
            return 0;
        }
        if (keepsAll.get()) {
            return mapped.freeBytes();
        }
        return mapped.freeBytes() + freed.bytes(true) + idleBytes(Tenant::idleMappedBytes);
    }

    /** The same without what runs of all devices but this one were promised. */
    public synchronized long unpromisedMappedBytes(Promise run) {
        long others = mapped.promisedBytes() - (run == null ? 0 : run.mapped());
        return Math.max(0, availableMappedBytes() - others);
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
        return freeBytes() + idleBytes(Tenant::idleBytes);
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
        return Math.max(0, Math.min(budget - used, freeInDriver + freed.bytes(false)));
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

    /** Evicts a tenant that has idle bytes of one kind; returns whether there was one. */
    private synchronized boolean evictOne(ToLongFunction<Tenant> idleBytes) {
        if (keepsAll.get()) {
            return false;
        }
        for (Tenant tenant : tenants) {
            if (idleBytes.applyAsLong(tenant) > 0) {
                tenants.remove(tenant);
                tenant.evict();
                evictions++;
                return true;
            }
        }
        return false;
    }

    /** The idle bytes of one kind that evicting all tenants would free. */
    private long idleBytes(ToLongFunction<Tenant> ofTenant) {
        return tenants.stream().mapToLong(ofTenant).sum();
    }

    /** The refusal of a run that does not fit; see {@link MemoryShortage#ofRun}. */
    public DeviceMemoryException refusal(long bytes, long room, boolean kernelAsked) {
        requireNotLost();
        return shortage.ofRun(bytes, room, kernelAsked);
    }
}
