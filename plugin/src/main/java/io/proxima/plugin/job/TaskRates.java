// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import io.proxima.backend.BackendTask;
import io.proxima.concurrent.Task;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.Projector;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How fast this server works: units of work a second, by task, backend and depth of the graph. A rate starts as a
 * rough constant, partly from figures of docs/benchmarks, and follows the tasks that complete in this JVM. Thread-safe.
 */
public final class TaskRates {

    /** Shorter tasks measure the start of threads and the warm-up of code. */
    private static final long SHORTEST_MEASURED_NANOS = 20_000_000;

    /** Weight of the latest measurement; the others together have the rest. */
    private static final double LATEST = 0.5;

    private static final double NANOS = 1e9;

    /** Nodes or relationships a second of a thread, before the first measurement. */
    private static final Map<String, Double> ASSUMED = Map.of(
            Projector.SCAN_NODES.kind(), 1e7,
            Projector.SCAN_RELATIONSHIPS.kind(), 1e7,
            Projector.BUILD.kind(), 4e7,
            BackendTask.ORDER_VERTICES.kind(), 3e7,
            BackendTask.NEAREST_SOURCE.kind(), 1e8,
            PropertyWriter.TASK.kind(), 4e5);

    private static final double ASSUMED_OF_OTHERS = 1e7;

    private static final Map<Key, Double> MEASURED = new ConcurrentHashMap<>();

    private TaskRates() {}

    private record Key(String kind, String backend, boolean deep) {
        Key(Work work) {
            this(work.task.kind(), work.backend, work.deep);
        }
    }

    /**
     * What a task will do.
     *
     * @param task the task
     * @param backend the name of the backend that does it, as in {@code proxima.backend.list}
     * @param deep whether the searched graph is deep, see {@link io.proxima.projection.GraphDepth}; affects searches
     * @param units relationships times sources of a search; nodes or relationships otherwise
     * @param threads threads that share the units equally
     */
    public record Work(Task task, String backend, boolean deep, double units, int threads) {
        /** Work of one search or more, on a backend: a device counts as one thread. */
        public static Work of(Task task, String backend, boolean deep, double units, int threads) {
            return new Work(task, backend, deep, units, isDevice(backend) ? 1 : threads);
        }

        private double unitsOfAThread() {
            return units / threads;
        }
    }

    /** The expected time of the work, in nanoseconds. */
    public static double expectedNanos(Work work) {
        return work.unitsOfAThread() / rate(work) * NANOS;
    }

    /** Whether the rate of this kind of work was measured since the start of this JVM. */
    public static boolean isMeasured(Work work) {
        return MEASURED.containsKey(new Key(work));
    }

    /** Learns from work that took this time. */
    static void measured(Work work, double nanos) {
        if (nanos >= SHORTEST_MEASURED_NANOS && work.units > 0) {
            double rate = work.unitsOfAThread() / nanos * NANOS;
            MEASURED.merge(new Key(work), rate, (before, now) -> before + LATEST * (now - before));
        }
    }

    private static double rate(Work work) {
        Double measured = MEASURED.get(new Key(work));
        return measured == null ? assumed(work) : measured;
    }

    private static boolean isDevice(String backend) {
        return backend.startsWith("cuda");
    }

    /** Units a second before the first measurement, of one thread of the CPU or of a device. */
    private static double assumed(Work work) {
        boolean device = isDevice(work.backend);
        Task task = work.task;
        if (task.isSameKind(BackendTask.FARNESS)) {
            return device ? (work.deep ? 2e12 : 5e13) : (work.deep ? 3e9 : 6e10);
        }
        if (task.isSameKind(BackendTask.FARNESS_OF_SOURCES)) {
            return device ? (work.deep ? 1.5e10 : 1e13) : (work.deep ? 1e9 : 2e10);
        }
        if (task.isSameKind(BackendTask.MULTI_SOURCE_BFS)) {
            return device ? (work.deep ? 1.5e10 : 5e10) : (work.deep ? 1e9 : 5e9);
        }
        if (task.isSameKind(BackendTask.BETWEENNESS)) {
            return work.deep ? 1e8 : 5e8;
        }
        if (task.isSameKind(BackendTask.BFS)) {
            return device ? (work.deep ? 2.5e9 : 2e10) : (work.deep ? 6e7 : 3e8);
        }
        if (task.isSameKind(BackendTask.SHORTEST_PATHS) && device) {
            return work.deep ? 6e8 : 1e10;
        }
        return ASSUMED.getOrDefault(task.kind(), ASSUMED_OF_OTHERS);
    }
}
