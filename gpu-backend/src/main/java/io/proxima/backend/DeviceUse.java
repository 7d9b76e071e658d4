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
package io.proxima.backend;

/**
 * The use of a device by this process. Counts begin when the device is opened.
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
        long uploadedBytes) {}
