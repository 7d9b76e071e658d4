// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * A request to end work early, for example because its query was killed.
 *
 * <p>Implementations are thread-safe and cheap (well below a microsecond). Workers call them at least every few
 * milliseconds, so that a killed query ends within 200 ms.
 */
@FunctionalInterface
public interface Stop {

    /** Never requests a stop. */
    Stop NEVER = () -> false;

    /** Returns whether the work must end now; once true, always true. */
    boolean requested();

    /**
     * Throws an exception if the stop was requested.
     *
     * @throws StoppedException if the stop was requested
     */
    default void check() {
        if (requested()) {
            throw new StoppedException();
        }
    }

    /**
     * Acquires a lock; the wait for it can be stopped.
     *
     * @throws StoppedException if the stop was requested, or the thread interrupted, while waiting
     */
    default void lock(Lock lock) {
        try {
            while (!lock.tryLock(10, TimeUnit.MILLISECONDS)) {
                check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}
