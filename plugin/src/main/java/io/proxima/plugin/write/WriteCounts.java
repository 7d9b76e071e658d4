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
