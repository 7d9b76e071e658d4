// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.server.ServerLimits;

/** Reads the keys for numbers of threads. The effective configuration has the number that is used. */
public final class Concurrency {

    private static final String KEY = "concurrency";

    private Concurrency() {}

    /** The key {@code concurrency}. */
    public static int read(ConfigReader reader) {
        return read(reader, KEY);
    }

    /** A key whose default is that of {@code concurrency}. */
    public static int read(ConfigReader reader, String key) {
        int threads = ServerLimits.defaultConcurrency();
        return reader.readConcurrency(
                key,
                threads,
                ServerLimits.maxConcurrency(),
                threads == Runtime.getRuntime().availableProcessors() ? "the processors" : Integer.toString(threads));
    }

    /** The key {@code writeConcurrency}, whose default is the value of {@code concurrency}. */
    public static int readForWriting(ConfigReader reader) {
        // concurrency is read again, with its faults, among the common keys
        return reader.readConcurrency(
                "writeConcurrency", KEY, ServerLimits.defaultConcurrency(), ServerLimits.maxConcurrency());
    }
}
