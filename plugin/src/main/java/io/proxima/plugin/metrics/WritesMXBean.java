// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import static io.proxima.plugin.write.WriteCount.BATCHES;
import static io.proxima.plugin.write.WriteCount.NODES_SKIPPED;
import static io.proxima.plugin.write.WriteCount.PROPERTIES_WRITTEN;
import static io.proxima.plugin.write.WriteCount.RETRIES;

/** The work of write modes in all databases of this JVM, since its start. */
public interface WritesMXBean {
    /** The number of properties committed. */
    default long getPropertiesWritten() {
        return PROPERTIES_WRITTEN.sum();
    }

    /** The number of nodes skipped because they were deleted after the projection. */
    default long getNodesSkipped() {
        return NODES_SKIPPED.sum();
    }

    /** The number of transactions committed. */
    default long getBatches() {
        return BATCHES.sum();
    }

    /** The number of transactions retried after a transient error. */
    default long getRetries() {
        return RETRIES.sum();
    }
}
