// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import java.util.concurrent.atomic.LongAdder;

/** The work of all writers of this JVM since its start. Thread-safe. */
public final class WriteCounts {

    private static final LongAdder WRITTEN = new LongAdder();
    private static final LongAdder SKIPPED = new LongAdder();
    private static final LongAdder BATCHES = new LongAdder();
    private static final LongAdder RETRIES = new LongAdder();

    private WriteCounts() {}

    static void committed(long properties, long missing) {
        WRITTEN.add(properties);
        SKIPPED.add(missing);
        BATCHES.increment();
    }

    static void retried() {
        RETRIES.increment();
    }

    /** The number of properties committed. */
    public static long propertiesWritten() {
        return WRITTEN.sum();
    }

    /** The number of nodes skipped because they had been deleted. */
    public static long nodesSkipped() {
        return SKIPPED.sum();
    }

    /** The number of transactions committed. */
    public static long batches() {
        return BATCHES.sum();
    }

    /** The number of transactions retried. */
    public static long retries() {
        return RETRIES.sum();
    }
}
