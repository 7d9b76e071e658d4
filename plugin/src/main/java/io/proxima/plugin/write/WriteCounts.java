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
package io.proxima.plugin.write;

import java.util.concurrent.atomic.LongAdder;

/** What all writers of this JVM have done since its start. Thread-safe. */
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

    /** Properties committed. */
    public static long propertiesWritten() {
        return WRITTEN.sum();
    }

    /** Nodes skipped because they had been deleted. */
    public static long nodesSkipped() {
        return SKIPPED.sum();
    }

    /** Transactions committed. */
    public static long batches() {
        return BATCHES.sum();
    }

    /** Transactions tried again. */
    public static long retries() {
        return RETRIES.sum();
    }
}
