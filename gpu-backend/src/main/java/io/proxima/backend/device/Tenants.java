// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The tenants of a device's memory, which may be evicted, least recently used first. Guarded by the monitor of the
 * memory.
 */
final class Tenants {

    private final Set<DeviceMemory.Tenant> byLastUse = new LinkedHashSet<>();
    private long evictions;

    /** Marks a tenant as most recently used; adds it if it is new. */
    void use(DeviceMemory.Tenant tenant) {
        byLastUse.remove(tenant);
        byLastUse.add(tenant);
    }

    void remove(DeviceMemory.Tenant tenant) {
        byLastUse.remove(tenant);
    }

    /** The idle bytes of one kind that evicting all tenants would free. */
    long sum(ToLongFunction<DeviceMemory.Tenant> idleBytes) {
        return byLastUse.stream().mapToLong(idleBytes).sum();
    }

    /** Evicts a tenant that has idle bytes of one kind; returns whether there was one. */
    boolean evictOne(ToLongFunction<DeviceMemory.Tenant> idleBytes) {
        for (DeviceMemory.Tenant tenant : byLastUse) {
            if (idleBytes.applyAsLong(tenant) > 0) {
                evict(tenant);
                return true;
            }
        }
        return false;
    }

    private void evict(DeviceMemory.Tenant tenant) {
        byLastUse.remove(tenant);
        tenant.evict();
        evictions++;
    }

    long evictions() {
        return evictions;
    }
}
