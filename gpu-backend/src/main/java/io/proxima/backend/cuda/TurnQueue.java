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
package io.proxima.backend.cuda;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.ArrayDeque;

/** Lets one caller at a time use a device, in the order in which they came. A caller who waits can be stopped. */
final class TurnQueue {

    private static final long STOP_POLL_MILLIS = 20;

    // the head has the turn; guarded by this
    private final ArrayDeque<Object> callers = new ArrayDeque<>();

    /**
     * Waits for the turn.
     *
     * @return what {@link #leave} is to be given
     * @throws StoppedException if the stop was requested or the thread interrupted before the turn came
     */
    Object enter(Stop stop) {
        Object ticket = new Object();
        synchronized (this) {
            callers.add(ticket);
        }
        boolean taken = false;
        try {
            while (!taken) {
                stop.check();
                taken = await(ticket);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        } finally {
            if (!taken) {
                leave(ticket);
            }
        }
        return ticket;
    }

    /**
     * Takes the turn if nobody has it or waits for it.
     *
     * @return what {@link #leave} is to be given; null if somebody does
     */
    synchronized Object tryEnter() {
        if (!callers.isEmpty()) {
            return null;
        }
        Object ticket = new Object();
        callers.add(ticket);
        return ticket;
    }

    /** Ends the turn, or the waiting for it. */
    synchronized void leave(Object ticket) {
        callers.remove(ticket);
        notifyAll();
    }

    /** How many have the turn or wait for it. */
    synchronized int length() {
        return callers.size();
    }

    private synchronized boolean await(Object ticket) throws InterruptedException {
        long deadline = System.nanoTime() + STOP_POLL_MILLIS * 1_000_000;
        while (callers.peek() != ticket) {
            long millisLeft = (deadline - System.nanoTime()) / 1_000_000;
            if (millisLeft <= 0) {
                return false;
            }
            wait(millisLeft);
        }
        return true;
    }
}
