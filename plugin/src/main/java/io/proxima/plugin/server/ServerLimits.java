// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import io.proxima.plugin.memory.HeapLedger;

/**
 * The limits of calls on threads and heap. Both belong to the JVM, so the settings of the last started server apply to
 * all its servers. Thread-safe.
 */
public final class ServerLimits {

    private static volatile int configuredConcurrency = ProximaSettings.CONCURRENCY.defaultValue();
    private static volatile int configuredMaximum = ProximaSettings.MAX_CONCURRENCY.defaultValue();

    private ServerLimits() {}

    static void limitHeap(double share) {
        HeapLedger.ofThisJvm().limit(share);
    }

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

    /** Bytes of the heap that a call may take now. */
    public static long freeHeap() {
        return HeapLedger.ofThisJvm().free();
    }
}
