// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;

/** The projected graphs of all users and databases of this JVM. */
public interface GraphsMXBean {
    /** The number of graphs in the catalog. */
    default int getGraphCount() {
        return GraphCatalog.all().size();
    }

    /** Their heap memory, in bytes. */
    default long getHeapBytes() {
        return GraphCatalog.all().stream().mapToLong(GraphEntry::heapBytes).sum();
    }

    /** Their device memory, in bytes. */
    default long getDeviceBytes() {
        return GraphCatalog.all().stream().mapToLong(GraphEntry::deviceBytes).sum();
    }

    /** The page-locked host memory that devices read for them, in bytes. */
    default long getMappedBytes() {
        return GraphCatalog.all().stream().mapToLong(GraphEntry::mappedBytes).sum();
    }

    /** The number of graphs that are resident on a device. */
    default int getResidentGraphCount() {
        return (int) GraphCatalog.all().stream()
                .filter(entry -> entry.deviceBytes() > 0)
                .count();
    }
}
