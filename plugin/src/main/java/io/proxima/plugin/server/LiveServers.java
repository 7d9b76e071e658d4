// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Counts the running servers of this JVM; the last one to end releases the shared resources. Thread-safe. */
final class LiveServers {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final BooleanSupplier busy;
    private final Runnable release;
    private final long longestWaitNanos;

    private final AtomicInteger works = new AtomicInteger();

    // guarded by this
    private int servers;

    /**
     * Creates the count.
     *
     * @param busy whether the shared resources are in use
     * @param release releases them
     * @param longestWaitNanos maximum wait for the use to end
     */
    LiveServers(BooleanSupplier busy, Runnable release, long longestWaitNanos) {
        this.busy = busy;
        this.release = release;
        this.longestWaitNanos = longestWaitNanos;
    }

    /**
     * Begins one server.
     *
     * @return whether no other one is running
     */
    synchronized boolean begin() {
        return ++servers == 1;
    }

    /** Does work on the shared resources, which are not released before it has ended. */
    void use(Runnable work) {
        works.incrementAndGet();
        try {
            work.run();
        } finally {
            works.decrementAndGet();
        }
    }

    /**
     * Ends one server.
     *
     * @return false if it was the last and the shared resources could not be released, because they remain in use
     */
    synchronized boolean end() {
        if (--servers > 0) {
            return true;
        }
        long begin = System.nanoTime();
        while (works.get() > 0 || busy.getAsBoolean()) {
            if (System.nanoTime() - begin > longestWaitNanos) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        release.run();
        return true;
    }
}
