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
 * The one owner of a device's memory: every allocation goes through it, counts against a budget, and is made room for by
 * evicting what is idle, least recently used first. Its monitor guards the tenants' state too. Thread-safe.
 *
 * <p>The driver waits for running kernels before it frees memory. So memory is only allocated and {@link #reclaim reclaimed}
 * by the thread that has the lease, when no kernel of another runs; {@link #free} by any other thread only gives it back, and
 * nobody ever waits for a kernel inside the monitor.
 *
 * <p>When the device has failed its memory is gone with its context: from then on nothing calls the driver, memory can still
 * be given back, and none can be allocated.
 */
public final class DeviceMemory {

    private final String deviceName;
    private final DeviceDriver driver;
    private final long budget;
    private final Function<DriverException, DeviceFailureException> onFailure;
    private final Runnable onReturn;

    // in the order of last use; guarded by this, like the rest
    private final Set<Tenant> tenants = new LinkedHashSet<>();
    private long used;
    private long arrays;
    // bytes by address: what was given back and the driver does not know of yet
    private final Map<Long, Long> returned = new LinkedHashMap<>();
    private String lost = "";
    private long hits;
    private long misses;
    private long evictions;
    private long uploaded;

    // whether the thread's allocations may evict what is idle
    private final ThreadLocal<Boolean> keepsAll = ThreadLocal.withInitial(() -> false);

    /** Something that lies on the device and may be evicted while nobody uses it. Called under the memory's monitor. */
    public interface Tenant {
        /** Bytes that moving out would free now: 0 while it is in use. */
        long idleBytes();

        /** Frees its memory; called only while idle. */
        void evict();

        /** Bytes of it that nobody uses now, be it idle or not, and that only make searches faster. */
        default long spareBytes() {
            return 0;
        }

        /** Frees those. */
        default void evictSpare() {}
    }

    /**
     * No allocation yet.
     *
     * @param budget bytes that may be allocated at once
     * @param onFailure receives every error of the driver but short memory; returns what the caller gets
     * @param onReturn is told when memory was given back, so that somebody may {@link #reclaim} it
     */
    DeviceMemory(
            String deviceName,
            DeviceDriver driver,
            long budget,
            Function<DriverException, DeviceFailureException> onFailure,
            Runnable onReturn) {
        this.deviceName = deviceName;
        this.driver = driver;
        this.budget = budget;
        this.onFailure = onFailure;
        this.onReturn = onReturn;
    }

    /**
     * Allocates. Only for whoever has the lease.
     *
     * @param what for the message, as in "the graph"
     * @param bytes above 0
     * @throws DeviceMemoryException if the memory is short with everything idle evicted
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

    /** Does work whose allocations fail where they would have to move something out: it is not worth that. */
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
                DeviceArray array = new DeviceArray(this, driver.allocate(bytes), bytes);
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

    /** Gives memory back. The driver is told by {@link #reclaim}. */
    synchronized void free(long address, long bytes) {
        used -= bytes;
        arrays--;
        if (lost.isEmpty()) {
            returned.put(address, bytes);
            onReturn.run();
        }
    }

    /** Whether memory was given back that the driver does not know of yet. */
    public synchronized boolean hasReturned() {
        return !returned.isEmpty();
    }

    /** Frees on the device what was given back. Only for whoever has the lease. */
    synchronized void reclaim() {
        if (!returned.isEmpty()) {
            inContext(() -> {
                returned.keySet().forEach(driver::free);
                return null;
            });
            returned.clear();
        }
    }

    /**
     * Makes room in the driver's memory for what it needs itself, such as the code of a kernel. Only for whoever has the lease.
     *
     * @return whether anything was freed
     */
    synchronized boolean makeRoom() {
        boolean evicted = evictOne();
        reclaim();
        return evicted;
    }

    /** The device has failed: its memory is gone. */
    synchronized void abandon(String reason) {
        lost = reason;
        returned.clear();
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

    /** Makes a tenant the one used last; takes it in if it is new. */
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

    /** Number of allocations now. */
    public synchronized long arrayCount() {
        return arrays;
    }

    public long budget() {
        return budget;
    }

    /** Bytes that a run could have now: what is free, and what is idle, within the budget. */
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

    /** Counts a graph that is made ready, by whether it was on the device. */
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

    /** How the memory is used. */
    public synchronized DeviceUse use(long totalBytes) {
        return new DeviceUse(deviceName, totalBytes, budget, used, hits, misses, evictions, uploaded);
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

    private DeviceMemoryException tooLittle(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what + ": "
                + figure(bytes) + " are required, but " + limit
                + ". Drop graphs that are not needed, raise server.proxima.device_memory_share in neo4j.conf (outside"
                + " Neo4j -D" + LaunchPolicy.MEMORY_SHARE_PROPERTY + "), or use backend: 'cpu'.");
    }

    private static String figure(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
}
