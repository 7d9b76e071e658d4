// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * The use of a device by a server, or by all servers of this process. Counts begin when the device is opened.
 *
 * @param name the name of the device's backend, as in {@link BackendInfo#name}
 * @param totalBytes memory of the device
 * @param budgetBytes maximum that Proxima may allocate on the device
 * @param usedBytes currently allocated bytes of the device
 * @param mappedBudgetBytes maximum of page-locked host memory for lists of neighbours, of all devices together
 * @param mappedBytes currently allocated page-locked host memory for lists of neighbours that this device reads
 * @param hits runs whose graph was resident
 * @param misses runs whose graph had to be copied to the device
 * @param evictions evictions of idle graphs and workspaces
 * @param uploadedBytes bytes copied to the device, or to mapped host memory
 */
public record DeviceUse(
        String name,
        long totalBytes,
        long budgetBytes,
        long usedBytes,
        long mappedBudgetBytes,
        long mappedBytes,
        long hits,
        long misses,
        long evictions,
        long uploadedBytes) {

    /** The use by this server and another one. */
    public DeviceUse plus(DeviceUse other) {
        return new DeviceUse(
                name,
                totalBytes,
                budgetBytes + other.budgetBytes,
                usedBytes + other.usedBytes,
                mappedBudgetBytes + other.mappedBudgetBytes,
                mappedBytes + other.mappedBytes,
                hits + other.hits,
                misses + other.misses,
                evictions + other.evictions,
                uploadedBytes + other.uploadedBytes);
    }
}
