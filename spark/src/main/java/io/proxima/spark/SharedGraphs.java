// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.OnDemand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The graphs in the memory of this JVM: each is loaded once, and stays while tasks use it and for a while after the
 * last one. A graph without tasks makes room as soon as another one is loaded. Thread-safe.
 */
final class SharedGraphs {

    /** The graphs of this class loader. */
    static final SharedGraphs OF_EXECUTOR = new SharedGraphs(Duration.ofMinutes(5));

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

    /** A graph and the number of tasks that use it, or wait for it. All but the loading is guarded by the set. */
    private static final class Entry {
        private final OnDemand<SharedGraph> loading = new OnDemand<>();
        private SharedGraph graph;
        private int tasks;
        private long idleSince;
    }

    /** The use of a graph by a task. */
    final class Lease implements AutoCloseable {
        private final Entry entry;
        private boolean closed;

        private Lease(Entry entry) {
            this.entry = entry;
        }

        SharedGraph graph() {
            synchronized (SharedGraphs.this) {
                return entry.graph;
            }
        }

        /** Ends the use; further calls have no effect. */
        @Override
        public void close() {
            synchronized (SharedGraphs.this) {
                if (closed) {
                    return;
                }
                closed = true;
                entry.tasks--;
                entry.idleSince = System.nanoTime();
            }
            CompletableFuture.delayedExecutor(idle.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(() -> closeIdle(idle.toNanos()));
        }
    }

    /**
     * The graph of a key, which the first task loads. If that task is killed, the next one loads.
     *
     * @param key equal for the same graph on the same backend
     * @param load called unless the graph is loaded
     * @param stop ends the waiting for another task that loads
     */
    Lease acquire(Object key, Supplier<SharedGraph> load, Stop stop) {
        Entry entry;
        synchronized (this) {
            entry = entries.computeIfAbsent(key, unknown -> new Entry());
            entry.tasks++;
        }
        Lease lease = new Lease(entry);
        boolean done = false;
        try {
            entry.loading.get(stop, () -> {
                closeIdle(0);
                SharedGraph graph = load.get();
                synchronized (this) {
                    entry.graph = graph;
                }
                return graph;
            });
            done = true;
            return lease;
        } finally {
            if (!done) {
                lease.close();
            }
        }
    }

    /** Closes the graphs that no task has used for so many nanoseconds. */
    void closeIdle(long nanos) {
        List<SharedGraph> unused = new ArrayList<>();
        synchronized (this) {
            entries.values().removeIf(entry -> {
                boolean old = entry.tasks == 0 && System.nanoTime() - entry.idleSince >= nanos;
                if (old && entry.graph != null) {
                    unused.add(entry.graph);
                }
                return old;
            });
        }
        unused.forEach(SharedGraph::close);
    }

    /** Number of loaded graphs. */
    synchronized int size() {
        return (int)
                entries.values().stream().filter(entry -> entry.graph != null).count();
    }
}
