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
package io.proxima.plugin.procedures;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.server.ServerLimits;

/** Reads the keys for numbers of threads. The effective configuration has the number that is used. */
final class Concurrency {

    private static final String KEY = "concurrency";

    private Concurrency() {}

    /** The key {@code concurrency}. */
    static int read(ConfigReader reader) {
        return read(reader, KEY);
    }

    /** A key whose default is that of {@code concurrency}. */
    static int read(ConfigReader reader, String key) {
        int threads = ServerLimits.defaultConcurrency();
        return reader.readConcurrency(
                key,
                threads,
                ServerLimits.maxConcurrency(),
                threads == Runtime.getRuntime().availableProcessors() ? "the processors" : Integer.toString(threads));
    }

    /** The key {@code writeConcurrency}, whose default is the value of {@code concurrency}. */
    static int readForWriting(ConfigReader reader) {
        // concurrency is read again, with its faults, among the common keys
        return reader.readConcurrency(
                "writeConcurrency", KEY, ServerLimits.defaultConcurrency(), ServerLimits.maxConcurrency());
    }
}
