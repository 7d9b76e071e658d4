// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import io.proxima.concurrent.Stop;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** What all versions of a live graph have in common: the right to refresh it. Thread-safe. */
public final class Live {

    private final ReentrantLock refreshing = new ReentrantLock();

    /**
     * Does work that may refresh the graph, one call at a time.
     *
     * @param stop ends the wait for another call
     */
    public <T> T alone(Stop stop, Supplier<T> work) {
        stop.lock(refreshing);
        try {
            return work.get();
        } finally {
            refreshing.unlock();
        }
    }
}
