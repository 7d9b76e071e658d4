// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.server.ServerLimits;

/** Reads the keys for numbers of threads. The effective configuration has the number that is used. */
public final class Concurrency {

    /** The key {@code concurrency}. */
    public static final Key<Integer> CONCURRENCY =
            Key.of("concurrency", "The number of threads, at least 1. Capped at the number of processors.");

    /** The key {@code readConcurrency}. */
    public static final Key<Integer> READ_CONCURRENCY =
            Key.of("readConcurrency", "The number of threads that project the graph.");

    private static final Key<Integer> WRITE_CONCURRENCY = Key.<Integer>of(
                    "writeConcurrency", "The number of transactions that write concurrently.")
            .absentMeans("`concurrency`");

    private Concurrency() {}

    /** The key {@code concurrency}. */
    public static int read(Caller caller, ConfigReader reader) {
        return read(caller, reader, CONCURRENCY);
    }

    /** A key whose default is that of {@code concurrency}. */
    public static int read(Caller caller, ConfigReader reader, Key<Integer> key) {
        ServerLimits limits = caller.limits();
        int threads = limits.defaultConcurrency();
        boolean all = threads == Runtime.getRuntime().availableProcessors();
        return reader.readConcurrency(
                key.absentMeans(all ? "the processors" : Integer.toString(threads)), threads, limits.maxConcurrency());
    }

    /** The key {@code writeConcurrency}, whose default is the value of {@code concurrency}. */
    public static int readForWriting(Caller caller, ConfigReader reader) {
        ServerLimits limits = caller.limits();
        return reader.readConcurrency(
                WRITE_CONCURRENCY,
                reader.givenThreads(CONCURRENCY, limits.defaultConcurrency()),
                limits.maxConcurrency());
    }
}
