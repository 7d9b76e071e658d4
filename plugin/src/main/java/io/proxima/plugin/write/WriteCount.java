// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What all writers of this JVM have done since its start. Thread-safe. */
public enum WriteCount {
    /** Properties committed. */
    PROPERTIES_WRITTEN,
    /** Nodes skipped because they had been deleted. */
    NODES_SKIPPED,
    /** Transactions committed. */
    BATCHES,
    /** Transactions retried. */
    RETRIES;

    private static final Map<WriteCount, Long> COUNTS = new ConcurrentHashMap<>();

    void add(long more) {
        COUNTS.merge(this, more, Long::sum);
    }

    /** The count. */
    public long sum() {
        return COUNTS.getOrDefault(this, 0L);
    }
}
