// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

/** The projected graphs of all users and databases of this JVM. */
public interface GraphsMXBean {
    /** The number of graphs in the catalog. */
    int getGraphCount();

    /** Their heap memory, in bytes. */
    long getHeapBytes();

    /** Their device memory, in bytes. */
    long getDeviceBytes();

    /** The page-locked host memory that devices read for them, in bytes. */
    long getMappedBytes();

    /** The number of graphs that are resident on a device. */
    int getResidentGraphCount();
}
