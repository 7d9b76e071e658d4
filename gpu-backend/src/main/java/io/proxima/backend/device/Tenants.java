// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.util.LinkedHashSet;
import java.util.Set;

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

    /** Bytes of the device that evicting all idle tenants would free. */
    long idleBytes() {
        return byLastUse.stream().mapToLong(DeviceMemory.Tenant::idleBytes).sum();
    }

    /** Bytes of mapped memory that evicting all idle tenants would free. */
    long idleMappedBytes() {
        return byLastUse.stream()
                .mapToLong(DeviceMemory.Tenant::idleMappedBytes)
                .sum();
    }

    /** Evicts an idle tenant; returns whether there was one. */
    boolean evictOne() {
        for (DeviceMemory.Tenant tenant : byLastUse) {
            if (tenant.idleBytes() > 0) {
                evict(tenant);
                return true;
            }
        }
        return false;
    }

    /** Evicts an idle tenant that has mapped memory; returns whether there was one. */
    boolean evictOneMapped() {
        for (DeviceMemory.Tenant tenant : byLastUse) {
            if (tenant.idleMappedBytes() > 0) {
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
