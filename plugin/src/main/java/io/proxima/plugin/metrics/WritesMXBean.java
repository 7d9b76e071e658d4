// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

/** The work of write modes in all databases of this JVM, since its start. */
public interface WritesMXBean {
    /** The number of properties committed. */
    long getPropertiesWritten();

    /** The number of nodes skipped because they were deleted after the projection. */
    long getNodesSkipped();

    /** The number of transactions committed. */
    long getBatches();

    /** The number of transactions retried after a transient error. */
    long getRetries();
}
