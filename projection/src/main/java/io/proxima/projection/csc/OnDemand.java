// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A value that is built at the first request and kept. If building fails or is stopped, nothing is kept, and the next
 * request tries again. A request that waits for another thread's build can be stopped on its own.
 */
public final class OnDemand<T> {

    private final ReentrantLock making = new ReentrantLock();
    private volatile T value;

    /** The value if it exists, otherwise null. */
    public T peek() {
        return value;
    }

    /** Sets the value before any request. */
    void put(T made) {
        value = made;
    }

    /**
     * The value, built by {@code maker} on this thread if it does not exist.
     *
     * @throws StoppedException if the stop was requested, or the thread interrupted, while waiting for another thread
     */
    public T get(Stop stop, Supplier<T> maker) {
        T made = value;
        if (made != null) {
            return made;
        }
        stop.lock(making);
        try {
            if (value == null) {
                value = maker.get();
            }
            return value;
        } finally {
            making.unlock();
        }
    }
}
