/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A value made at the first request and kept. A failed or stopped making leaves nothing behind, and the next request tries
 * again. Who waits for another's making can be stopped alone.
 */
final class OnDemand<T> {

    private static final int STOP_POLL_MILLIS = 10;

    private final ReentrantLock making = new ReentrantLock();
    private volatile T value;

    /** The value if it was made, else null. */
    T peek() {
        return value;
    }

    /** Gives the value from outside, before any request. */
    void put(T made) {
        value = made;
    }

    /**
     * The value, made by {@code maker} on this thread if it is not there.
     *
     * @throws StoppedException if the stop was requested, or the thread interrupted, while waiting for another's making
     */
    T get(Stop stop, Supplier<T> maker) {
        T made = value;
        if (made != null) {
            return made;
        }
        lock(stop);
        try {
            if (value == null) {
                value = maker.get();
            }
            return value;
        } finally {
            making.unlock();
        }
    }

    private void lock(Stop stop) {
        try {
            while (!making.tryLock(STOP_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}
