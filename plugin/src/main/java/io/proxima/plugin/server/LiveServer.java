// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A running server, whose end releases its resources. Thread-safe. */
final class LiveServer {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final BooleanSupplier busy;
    private final Runnable release;
    private final long longestWaitNanos;

    private final AtomicInteger works = new AtomicInteger();

    /**
     * A server that begins.
     *
     * @param busy whether the resources are in use
     * @param release releases them
     * @param longestWaitNanos maximum wait for the use to end
     */
    LiveServer(BooleanSupplier busy, Runnable release, long longestWaitNanos) {
        this.busy = busy;
        this.release = release;
        this.longestWaitNanos = longestWaitNanos;
    }

    /** Does work on the resources, which are not released before it has ended. */
    void use(Runnable work) {
        works.incrementAndGet();
        try {
            work.run();
        } finally {
            works.decrementAndGet();
        }
    }

    /**
     * Ends the server.
     *
     * @return false if the resources could not be released, because they remain in use
     */
    boolean end() {
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
