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
package io.proxima.backend.cuda;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The one owner of a device's memory: every allocation goes through it, counts against a budget, and is made room for by
 * moving out what is idle, least recently used first. Its monitor guards the tenants' state too. Thread-safe.
 */
final class DeviceMemory {

    private final String deviceName;
    private final DeviceDriver driver;
    private final long budget;

    // in the order of last use; guarded by this, like the rest
    private final Set<Tenant> tenants = new LinkedHashSet<>();
    private long used;
    private long arrays;
    private long hits;
    private long misses;
    private long evictions;
    private long uploaded;

    // whether the thread's allocations may move out what is idle
    private final ThreadLocal<Boolean> keepsAll = ThreadLocal.withInitial(() -> false);

    /** Something that lies on the device and may be moved out while nobody uses it. Called under the memory's monitor. */
    interface Tenant {
        /** Bytes that moving out would free now: 0 while it is in use. */
        long idleBytes();

        /** Frees its memory; called only while idle. */
        void moveOut();

        /** Bytes of it that nobody uses now, be it idle or not, and that only make searches faster. */
        default long spareBytes() {
            return 0;
        }

        /** Frees those. */
        default void moveOutSpare() {}
    }

    DeviceMemory(String deviceName, DeviceDriver driver, long budget) {
        this.deviceName = deviceName;
        this.driver = driver;
        this.budget = budget;
    }

    /**
     * Allocates.
     *
     * @param what for the message, as in "the graph"
     * @param bytes above 0
     * @throws DeviceMemoryException if the memory is short with everything idle moved out
     */
    synchronized DeviceArray allocate(String what, long bytes) {
        if (bytes <= budget) {
            while (used + bytes > budget && moveOutOne()) {
                // as long as something is idle
            }
            if (used + bytes <= budget) {
                driver.enter();
                try {
                    return allocateOnDevice(what, bytes);
                } finally {
                    driver.leave();
                }
            }
        }
        throw tooLittle(what, bytes, "within its budget of " + figure(budget));
    }

    /** Does work whose allocations fail where they would have to move something out: it is not worth that. */
    void withoutMovingOut(Runnable work) {
        keepsAll.set(true);
        try {
            work.run();
        } finally {
            keepsAll.remove();
        }
    }

    private DeviceArray allocateOnDevice(String what, long bytes) {
        while (true) {
            try {
                DeviceArray array = new DeviceArray(this, driver.allocate(bytes), bytes);
                used += bytes;
                arrays++;
                return array;
            } catch (DriverException e) {
                if (!e.isOutOfMemory()) {
                    throw e;
                }
                if (!moveOutOne()) {
                    throw tooLittle(
                            what, bytes, "of which the driver says " + figure(driver.freeBytes()) + " are free");
                }
            }
        }
    }

    synchronized void free(DeviceArray array) {
        used -= array.bytes();
        arrays--;
        driver.enter();
        try {
            driver.free(array.address());
        } finally {
            driver.leave();
        }
    }

    /** Makes a tenant the one used last; takes it in if it is new. */
    synchronized void use(Tenant tenant) {
        tenants.remove(tenant);
        tenants.add(tenant);
    }

    synchronized void remove(Tenant tenant) {
        tenants.remove(tenant);
    }

    /** Bytes allocated now. */
    synchronized long usedBytes() {
        return used;
    }

    /** Number of allocations now. */
    synchronized long arrayCount() {
        return arrays;
    }

    long budget() {
        return budget;
    }

    /** Bytes that a run could have now: what is free, and what is idle, within the budget. */
    synchronized long availableBytes() {
        long idle = 0;
        for (Tenant tenant : tenants) {
            idle += Math.max(tenant.idleBytes(), tenant.spareBytes());
        }
        driver.enter();
        try {
            return Math.max(0, Math.min(budget - used, driver.freeBytes()) + idle);
        } finally {
            driver.leave();
        }
    }

    /** Bytes that can be allocated now without moving anything out. */
    synchronized long freeBytes() {
        driver.enter();
        try {
            return Math.max(0, Math.min(budget - used, driver.freeBytes()));
        } finally {
            driver.leave();
        }
    }

    /** Counts a graph that is made ready, by whether it was on the device. */
    synchronized void countPreparation(boolean there) {
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
    synchronized DeviceUse use(long totalBytes) {
        return new DeviceUse(deviceName, totalBytes, budget, used, hits, misses, evictions, uploaded);
    }

    private boolean moveOutOne() {
        if (keepsAll.get()) {
            return false;
        }
        for (Tenant tenant : tenants) {
            if (tenant.spareBytes() > 0) {
                tenant.moveOutSpare();
                evictions++;
                return true;
            }
        }
        for (Tenant tenant : tenants) {
            if (tenant.idleBytes() > 0) {
                tenants.remove(tenant);
                tenant.moveOut();
                evictions++;
                return true;
            }
        }
        return false;
    }

    private DeviceMemoryException tooLittle(String what, long bytes, String limit) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what + ": needed are "
                + figure(bytes) + ", Proxima holds " + figure(used) + " in use, " + limit
                + ". Drop graphs that are not needed, raise server.proxima.device_memory_share in neo4j.conf (outside"
                + " Neo4j -D" + LaunchPolicy.MEMORY_SHARE_PROPERTY + "), or use backend: 'cpu'.");
    }

    private static String figure(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
}
