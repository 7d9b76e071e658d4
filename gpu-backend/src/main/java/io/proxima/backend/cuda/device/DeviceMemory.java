/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The allocator of a device's memory, and of the mapped host memory that the device reads. Every allocation counts against a budget; idle structures are evicted to make room, least
 * recently used first. Its monitor also guards the state of the tenants. Thread-safe.
 *
 * <p>The driver waits for running kernels before it frees memory. Therefore only the holder of the lease allocates and
 * {@link #reclaim reclaims} memory, while no kernel of another run is active. {@link #free} only marks memory as freed, on any
 * thread. So no thread waits for a kernel inside the monitor.
 *
 * <p>After a device failure the memory is gone with its context. Memory can then still be freed, without a call of the driver,
 * but not allocated.
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
    // bytes by address: freed, but not yet reclaimed from the driver
    private final Map<Long, Long> returned = new LinkedHashMap<>();
    private final Map<Long, Long> returnedMapped = new LinkedHashMap<>();
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
     * @param onFailure receives every driver error other than out-of-memory; returns the exception for the caller
     * @param onReturn is called after memory was freed, so that a thread can {@link #reclaim} it
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
    }

    /**
     * Allocates memory. Only for the holder of the lease.
     *
     * @param what noun for the error message, such as "the graph"
     * @param bytes above 0
     * @throws DeviceMemoryException if memory is short even after all idle structures were evicted
     * @throws DeviceFailureException if the device has failed
     */
    public synchronized DeviceArray allocate(String what, long bytes) {
        if (!lost.isEmpty()) {
            throw new DeviceFailureException(lost);
        }
        if (bytes <= budget) {
            while (used + bytes > budget && evictOne()) {
                // as long as something is idle
            }
            if (used + bytes <= budget) {
                return inContext(() -> allocateOnDevice(what, bytes));
            }
        }
        throw tooLittle(what, bytes, "Proxima uses " + figure(used) + " of its budget of " + figure(budget));
    }

    /**
     * Allocates mapped memory. Only for the holder of the lease.
     *
     * @param what as for {@link #allocate}
     * @param bytes above 0
     * @throws DeviceMemoryException if the budget of mapped memory is short even after idle structures were evicted, or
     *     the host has too little memory
     * @throws DeviceFailureException if the device has failed
     */
    public synchronized DeviceArray allocateMapped(String what, long bytes) {
        if (!lost.isEmpty()) {
            throw new DeviceFailureException(lost);
        }
        reclaim();
        while (!mapped.take(bytes)) {
            if (!evictOneMapped()) {
                throw tooLittleMapped(what, bytes, "of their budget, " + figure(mapped.usedBytes()) + " are in use");
            }
            reclaim();
        }
        try {
            DeviceArray array = inContext(() -> new DeviceArray(this, driver.allocateMapped(bytes), bytes, true));
            mappedUsed += bytes;
            arrays++;
            return array;
        } catch (DriverException e) {
            mapped.giveBack(bytes);
            throw tooLittleMapped(what, bytes, "the driver cannot page-lock as much");
        } catch (RuntimeException | Error e) {
            mapped.giveBack(bytes);
            throw e;
        }
    }

    /** Runs work that is not worth an eviction: its allocations fail instead. */
    public void withoutEvicting(Runnable work) {
        keepsAll.set(true);
        try {
            work.run();
        } finally {
            keepsAll.remove();
        }
    }

    private DeviceArray allocateOnDevice(String what, long bytes) {
        while (true) {
            reclaim();
            try {
                DeviceArray array = new DeviceArray(this, driver.allocate(bytes), bytes, false);
                used += bytes;
                arrays++;
                return array;
            } catch (DriverException e) {
                if (!e.isOutOfMemory()) {
                    throw e;
                }
                if (!evictOne()) {
                    throw tooLittle(
                            what,
                            bytes,
                            "the driver reports " + figure(driver.freeBytes()) + " free, and Proxima uses "
                                    + figure(used));
                }
            }
        }
    }

    /** Marks memory as freed. {@link #reclaim} frees it in the driver. */
    synchronized void free(long address, long bytes, boolean isMapped) {
        arrays--;
        if (isMapped) {
            mappedUsed -= bytes;
        } else {
            used -= bytes;
        }
        if (lost.isEmpty()) {
            (isMapped ? returnedMapped : returned).put(address, bytes);
            onReturn.run();
        }
    }

    /** Whether there is freed memory that has not been reclaimed. */
    public synchronized boolean hasReturned() {
        return !returned.isEmpty() || !returnedMapped.isEmpty();
    }

    /** Frees the marked memory in the driver. Only for the holder of the lease. */
    synchronized void reclaim() {
        if (!returned.isEmpty()) {
            inContext(() -> {
                returned.keySet().forEach(driver::free);
                return null;
            });
            returned.clear();
        }
        if (!returnedMapped.isEmpty()) {
            inContext(() -> {
                returnedMapped.keySet().forEach(driver::freeMapped);
                return null;
            });
            forgetReturnedMapped();
        }
    }

    private void forgetReturnedMapped() {
        returnedMapped.values().forEach(mapped::giveBack);
        returnedMapped.clear();
    }

    /**
     * Evicts one idle structure to make room for allocations of the driver itself, such as a module. Only for the holder of
     * the lease.
     *
     * @return whether anything was freed
     */
    synchronized boolean makeRoom() {
        boolean evicted = evictOne();
        reclaim();
        return evicted;
    }

    /** Records that the device has failed and its memory is gone. */
    synchronized void abandon(String reason) {
        lost = reason;
        returned.clear();
        forgetReturnedMapped();
        // the driver frees it with the context, whenever its arrays are closed
        mapped.giveBack(mappedUsed);
    }

    private <T> T inContext(Supplier<T> call) {
        driver.enter();
        try {
            return call.get();
        } catch (DriverException e) {
            throw e.isOutOfMemory() ? e : onFailure.apply(e);
        } finally {
            driver.leave();
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

    /** Bytes of mapped memory that a run could allocate now: the free part of the budget, and idle memory of this device. */
    public synchronized long availableMappedBytes() {
        return lost.isEmpty()
                ? mapped.freeBytes()
                        + tenants.stream().mapToLong(Tenant::idleMappedBytes).sum()
                : 0;
    }

    /** Number of allocations now. */
    public synchronized long arrayCount() {
        return arrays;
    }

    public long budget() {
        return budget;
    }

    /** Bytes that a run could allocate now: free and idle memory, within the budget. */
    public synchronized long availableBytes() {
        if (!lost.isEmpty()) {
            return 0;
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
            long returnedBytes =
                    returned.values().stream().mapToLong(Long::longValue).sum();
            return Math.max(0, Math.min(budget - used, inContext(driver::freeBytes) + returnedBytes));
        } catch (DeviceFailureException e) {
            return 0;
        }
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

    private boolean evictOne() {
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

    private boolean evictOneMapped() {
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

    private DeviceMemoryException tooLittleMapped(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what
                + ", and so has the host: its lists of neighbours take " + figure(bytes)
                + " of mapped host memory, but "
                + limit + ". The budgets are " + figure(budget) + " on the device and " + figure(mapped.bytes())
                + " of mapped host memory" + REMEDY);
    }

    private DeviceMemoryException tooLittle(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what + ": "
                + figure(bytes) + " are required, but " + limit
                + ". The budget of mapped host memory, in which lists of neighbours may lie instead, is "
                + figure(mapped.bytes()) + REMEDY);
    }

    private static String figure(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
}
