// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

/**
 * The limits of calls on threads. They belong to the JVM, so the settings of the last started server apply to all its
 * servers. Thread-safe.
 */
public final class ServerLimits {

    private static volatile int configuredConcurrency = ProximaSettings.CONCURRENCY.defaultValue();
    private static volatile int configuredMaximum = ProximaSettings.MAX_CONCURRENCY.defaultValue();

    private ServerLimits() {}

    static void limitConcurrency(int whenNoneIsGiven, int most) {
        configuredConcurrency = whenNoneIsGiven;
        configuredMaximum = most;
    }

    /** The number of threads of calls that request none. */
    public static int defaultConcurrency() {
        return Math.min(configuredConcurrency, maxConcurrency());
    }

    /** The maximum number of threads of a call: the number of processors, or less by setting. */
    public static int maxConcurrency() {
        return Math.min(configuredMaximum, Runtime.getRuntime().availableProcessors());
    }
}
