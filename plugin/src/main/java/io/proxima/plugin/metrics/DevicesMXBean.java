// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.backend.DeviceUse;
import io.proxima.backend.select.TraversalBackends;
import java.util.LinkedHashMap;
import java.util.Map;

/** The GPUs that this JVM uses. A device is listed, and its counters start, when it is first used. */
public interface DevicesMXBean {
    /** The devices by backend name, as in {@code proxima.backend.list}. */
    default Map<String, Use> getByName() {
        Map<String, Use> uses = new LinkedHashMap<>();
        TraversalBackends.deviceUse().forEach(use -> uses.put(use.name(), () -> use));
        return uses;
    }

    /** The use of one device. */
    @FunctionalInterface
    interface Use {
        /** The figures, of which the attributes are made. */
        DeviceUse use();

        /** The total memory of the device, in bytes. */
        default long getTotalBytes() {
            return use().totalBytes();
        }

        /** The memory that Proxima may use, in bytes. */
        default long getBudgetBytes() {
            return use().budgetBytes();
        }

        /** The memory that Proxima uses, in bytes. */
        default long getUsedBytes() {
            return use().usedBytes();
        }

        /** The host memory that may be page-locked for lists of neighbours, of all devices together, in bytes. */
        default long getMappedBudgetBytes() {
            return use().mappedBudgetBytes();
        }

        /** The page-locked host memory that the device reads, in bytes. */
        default long getMappedBytes() {
            return use().mappedBytes();
        }

        /** The number of calls that found their graph resident. */
        default long getHits() {
            return use().hits();
        }

        /** The number of calls that had to copy their graph to the device. */
        default long getMisses() {
            return use().misses();
        }

        /** The number of evictions of idle graphs and workspaces. */
        default long getEvictions() {
            return use().evictions();
        }

        /** Bytes copied to the device, or to page-locked host memory that it reads. */
        default long getUploadedBytes() {
            return use().uploadedBytes();
        }
    }
}
