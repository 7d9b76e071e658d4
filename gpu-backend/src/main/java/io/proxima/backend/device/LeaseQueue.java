// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The queue of callers for a device of this host, which one caller of this process at a time uses. Short runs go before
 * long ones, each kind first in, first out. At most {@link #MOST_OVERTAKES} later callers overtake a long run. A
 * waiting caller can be stopped.
 */
public final class LeaseQueue {

    /** What the servers of this process have opened of the device. */
    final List<Device> openings = new CopyOnWriteArrayList<>();

    /** Maximum number of short runs that overtake each lease of a long run. */
    static final int MOST_OVERTAKES = 8;

    private static final long STOP_POLL_NANOS = 20_000_000;

    // guarded by this
    private final ArrayDeque<Ticket> shortRuns = new ArrayDeque<>();
    private final ArrayDeque<Ticket> longRuns = new ArrayDeque<>();
    private Ticket holder;
    private long arrivals;
    private int runs;

    /** How long a run is expected to use the device. */
    public enum RunLength {
        /** A search or a batch, and any run not known to be long. */
        SHORT,
        /** Many batches, or a run that has used up its time and continues. */
        LONG
    }

    /** A caller's place in the queue. */
    private static final class Ticket {
        private final long arrival;
        private final Thread caller = Thread.currentThread();
        private int overtakes;
        private volatile boolean isCalled;

        Ticket(long arrival) {
            this.arrival = arrival;
        }
    }

    /** Waits for the lease as a short run. */
    public Object enter(Stop stop) {
        return enter(stop, RunLength.SHORT);
    }

    /**
     * Waits for the lease.
     *
     * @return the ticket for {@link #leave}
     * @throws StoppedException if the stop was requested or the thread interrupted before the lease came
     */
    public Object enter(Stop stop, RunLength length) {
        Ticket ticket = lineUp(length);
        boolean taken = false;
        try {
            stop.check();
            while (!ticket.isCalled) {
                LockSupport.parkNanos(this, STOP_POLL_NANOS);
                stop.check();
                if (ticket.caller.isInterrupted()) {
                    throw new StoppedException();
                }
            }
            taken = true;
        } finally {
            if (!taken) {
                leave(ticket);
            }
        }
        return ticket;
    }

    /**
     * Takes the lease if it is free and nobody waits for it.
     *
     * @return the ticket for {@link #leave}, or null
     */
    synchronized Object tryEnter() {
        if (holder == null) {
            // a free lease implies an empty queue, because a waiting caller gets a free lease at once
            holder = new Ticket(arrivals++);
            return holder;
        }
        return null;
    }

    /** Ends the lease or the wait for it. */
    public synchronized void leave(Object ticket) {
        if (holder == ticket) {
            holder = null;
            callNext();
        } else if (!shortRuns.remove(ticket)) {
            longRuns.remove(ticket);
        }
    }

    /** Announces a run, which takes the lease several times and works on the host in between, until {@link #endRun}. */
    public synchronized void beginRun() {
        runs++;
    }

    /** Ends an announced run. */
    public synchronized void endRun() {
        runs--;
    }

    /** The number of announced runs, or of callers that have the lease or wait for it, if that is greater. */
    public synchronized int load() {
        return Math.max(runs, length());
    }

    /** The number of callers that have the lease or wait for it. */
    public synchronized int length() {
        return waiting() + (holder == null ? 0 : 1);
    }

    /** Whether somebody waits for the lease. */
    public synchronized boolean isWanted() {
        return waiting() > 0;
    }

    private int waiting() {
        return shortRuns.size() + longRuns.size();
    }

    private synchronized Ticket lineUp(RunLength length) {
        Ticket ticket = new Ticket(arrivals++);
        (length == RunLength.SHORT ? shortRuns : longRuns).add(ticket);
        if (holder == null) {
            callNext();
        }
        return ticket;
    }

    private void callNext() {
        Ticket ofShort = shortRuns.peek();
        Ticket ofLong = longRuns.peek();
        boolean overtakes = ofShort != null && ofLong != null && ofLong.arrival < ofShort.arrival;
        if (ofLong != null && (ofShort == null || (overtakes && ofLong.overtakes == MOST_OVERTAKES))) {
            holder = longRuns.remove();
        } else if (ofShort != null) {
            holder = shortRuns.remove();
            if (overtakes) {
                ofLong.overtakes++;
            }
        }
        if (holder != null) {
            holder.isCalled = true;
            LockSupport.unpark(holder.caller);
        }
    }
}
