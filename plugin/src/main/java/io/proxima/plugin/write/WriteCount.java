// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import java.util.concurrent.atomic.LongAdder;

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

    @SuppressWarnings("ImmutableEnumChecker") // counts for the whole JVM
    private final LongAdder count = new LongAdder();

    void add(long more) {
        count.add(more);
    }

    /** The count. */
    public long sum() {
        return count.sum();
    }
}
