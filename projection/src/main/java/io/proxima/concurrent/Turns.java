// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Lets workers do the last part of their work one after another, in the order of numbers from 0. Thread-safe. */
public final class Turns {

    private static final long PAUSE_NANOS = 20_000;

    private final AtomicInteger done = new AtomicInteger();

    /**
     * Does work after that of all lower numbers, and before that of the next. Its effects are visible to that.
     *
     * @param number of this work; each number is taken once
     * @param stop ends the waiting
     * @throws StoppedException if the stop was requested before the turn came
     */
    public void take(int number, Stop stop, Runnable work) {
        while (done.get() < number) {
            stop.check();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        work.run();
        done.set(number + 1);
    }
}
