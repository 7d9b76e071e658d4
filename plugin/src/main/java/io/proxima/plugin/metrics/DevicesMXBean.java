// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import java.util.Map;

/** The GPUs that this JVM uses. A device is listed, and its counters start, when it is first used. */
public interface DevicesMXBean {
    /** The devices by backend name, as in {@code proxima.backend.list}. */
    Map<String, Use> getByName();

    /** The use of one device. */
    interface Use {
        /** The total memory of the device, in bytes. */
        long getTotalBytes();

        /** The memory that Proxima may use, in bytes. */
        long getBudgetBytes();

        /** The memory that Proxima uses, in bytes. */
        long getUsedBytes();

        /** The host memory that may be page-locked for lists of neighbours, of all devices together, in bytes. */
        long getMappedBudgetBytes();

        /** The page-locked host memory that the device reads, in bytes. */
        long getMappedBytes();

        /** The number of calls that found their graph resident. */
        long getHits();

        /** The number of calls that had to copy their graph to the device. */
        long getMisses();

        /** The number of evictions of idle graphs and workspaces. */
        long getEvictions();

        /** Bytes copied to the device, or to page-locked host memory that it reads. */
        long getUploadedBytes();
    }
}
