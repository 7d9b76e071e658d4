// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The graphs in the memory of this JVM: each is loaded once, and stays while tasks use it and for a while after the last
 * one. One graph without tasks makes room as soon as another one is loaded. Thread-safe.
 */
final class SharedGraphs {

    /** The graphs of this class loader. */
    static final SharedGraphs OF_EXECUTOR = new SharedGraphs(Duration.ofMinutes(5));

    private static final int WAIT_MILLIS = 100;

    private final Duration idle;
    private final Map<Object, Entry> entries = new HashMap<>();

    /**
     * Creates an empty set.
     *
     * @param idle how long a graph stays after its last task
     */
    SharedGraphs(Duration idle) {
        this.idle = idle;
    }

    /** A graph and the number of tasks that use it, or wait for it. */
    private static final class Entry {
        private final ReentrantLock loading = new ReentrantLock();
        private SharedGraph graph;
        private int tasks;
        private long idleSince;
    }

    /** The use of a graph by a task. */
    interface Lease extends AutoCloseable {
        SharedGraph graph();

        @Override
        void close();
    }

    /**
     * The graph of a key, which the first task loads.
     *
     * @param key equal for the same graph on the same backend
     * @param load called unless the graph is loaded
     * @param stop ends the waiting for another task that loads
     */
    Lease acquire(Object key, Supplier<SharedGraph> load, Stop stop) {
        Entry entry;
        boolean absent;
        synchronized (this) {
            entry = entries.computeIfAbsent(key, unknown -> new Entry());
            entry.tasks++;
            absent = entry.graph == null;
        }
        boolean done = false;
        try {
            if (absent) {
                closeIdle();
            }
            SharedGraph graph = loaded(entry, load, stop);
            Lease lease = new Lease() {
                private boolean closed;

                @Override
                public SharedGraph graph() {
                    return graph;
                }

                @Override
                public synchronized void close() {
                    if (!closed) {
                        closed = true;
                        release(entry);
                    }
                }
            };
            done = true;
            return lease;
        } finally {
            if (!done) {
                release(entry);
            }
        }
    }

    private SharedGraph loaded(Entry entry, Supplier<SharedGraph> load, Stop stop) {
        lock(entry.loading, stop);
        try {
            synchronized (this) {
                if (entry.graph != null) {
                    return entry.graph;
                }
            }
            SharedGraph graph = load.get();
            synchronized (this) {
                entry.graph = graph;
            }
            return graph;
        } finally {
            entry.loading.unlock();
        }
    }

    /** Waits for another task that loads; if that one is killed, this one loads. */
    private static void lock(ReentrantLock lock, Stop stop) {
        try {
            while (!lock.tryLock(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    private void release(Entry entry) {
        synchronized (this) {
            entry.tasks--;
            entry.idleSince = System.nanoTime();
            if (entry.tasks > 0) {
                return;
            }
            if (entry.graph == null) {
                entries.values().remove(entry);
                return;
            }
        }
        CompletableFuture.delayedExecutor(idle.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> closeIdle(idle.toNanos()));
    }

    /** Closes the graphs that no task uses. */
    void closeIdle() {
        closeIdle(0);
    }

    private void closeIdle(long nanos) {
        List<SharedGraph> unused;
        synchronized (this) {
            unused = removeIdle(nanos);
        }
        unused.forEach(SharedGraph::close);
    }

    /** Removes the graphs that no task has used for some time; the caller closes them. */
    private List<SharedGraph> removeIdle(long nanos) {
        List<SharedGraph> unused = new ArrayList<>();
        entries.values().removeIf(entry -> {
            boolean old = entry.tasks == 0 && entry.graph != null && System.nanoTime() - entry.idleSince >= nanos;
            if (old) {
                unused.add(entry.graph);
            }
            return old;
        });
        return unused;
    }

    /** Number of loaded graphs. */
    synchronized int size() {
        return (int)
                entries.values().stream().filter(entry -> entry.graph != null).count();
    }
}
