// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendTask;
import io.proxima.backend.Operation;
import io.proxima.concurrent.Task;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.Projector;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Map;

/**
 * Expected times of work on a graph, from constants that were measured on an H200 and its host
 * (docs/benchmarks/runs.csv), or on two cores (peers.md). Those on the CPU, of shallow graphs, are within a factor
 * of 3 of the times in peers.md; the others are only good for shares of a job.
 *
 * @param backend the name of the backend, as in {@code proxima.backend.list}
 * @param graph size as {@link #sizeOf} has it; nodes or relationships alone for tasks on these
 * @param deep whether the graph is deep, see {@link io.proxima.projection.csc.GraphDepth}
 * @param searches number of sources
 * @param threads threads that share work on the CPU equally
 */
public record ExpectedTimes(String backend, double graph, boolean deep, long searches, int threads) {

    /** Nodes and relationships a second and source: of a CPU thread, and of a device; each also on deep graphs. */
    private record Rates(double cpu, double cpuDeep, double device, double deviceDeep) {
        static Rates ofHost(double rate) {
            return new Rates(rate, rate, 0, 0);
        }
    }

    /**
     * Nodes and relationships that a search of a shallow graph costs for each node, if every node is a source. A
     * source takes 0.4 to 2.3 ns of a core for each node of its component, however many relationships they have.
     */
    private static final double SIZE_OF_A_NODE = 50;

    /** Time of a call besides its tasks. */
    private static final double SECONDS_OF_A_CALL = 0.015;

    /**
     * Seconds of a device for each source of closeness of a shallow graph, whatever its size: small graphs leave most
     * of a device idle (docs/benchmarks/runs.csv).
     */
    private static final double DEVICE_SECONDS_OF_A_SOURCE = 4e-7;

    private static final Map<String, Rates> OF_SEARCHES = Map.of(
            BackendTask.FARNESS.kind(), new Rates(4.4e10, 3e9, 5e13, 2e12),
            BackendTask.FARNESS_OF_SOURCES.kind(), new Rates(2e10, 1e9, 1e13, 1.5e10),
            BackendTask.MULTI_SOURCE_BFS.kind(), new Rates(5e9, 1e9, 5e10, 1.5e10),
            BackendTask.BETWEENNESS.kind(), new Rates(5e8, 1e8, 3e11, 1e10),
            BackendTask.WEIGHTED_SEARCHES.kind(), new Rates(5e7, 5e7, 2e10, 7e9));

    private static final Map<String, Rates> OF_ONE_PASS = Map.ofEntries(
            Map.entry(BackendTask.BFS.kind(), new Rates(3e8, 6e7, 2e10, 2.5e9)),
            Map.entry(BackendTask.SHORTEST_PATHS.kind(), new Rates(2e7, 2e6, 1e10, 6e8)),
            Map.entry(BackendTask.COMPONENTS.kind(), new Rates(3e8, 2e7, 1e10, 2e9)),
            Map.entry(BackendTask.BFS_PARENTS.kind(), Rates.ofHost(1e8)),
            Map.entry(BackendTask.NEAREST_SOURCE.kind(), Rates.ofHost(1e8)),
            Map.entry(BackendTask.NEAREST_TIES.kind(), Rates.ofHost(1e8)),
            Map.entry(BackendTask.ORDER_VERTICES.kind(), Rates.ofHost(3e7)),
            Map.entry(Projector.SCAN_NODES.kind(), Rates.ofHost(1e7)),
            Map.entry(Projector.SCAN_RELATIONSHIPS.kind(), Rates.ofHost(1e7)),
            Map.entry(Projector.BUILD.kind(), Rates.ofHost(4e7)),
            Map.entry(PropertyWriter.TASK.kind(), Rates.ofHost(3e5)));

    /** Work on the host that searches nothing. */
    public static ExpectedTimes onHost(double units, int threads) {
        return new ExpectedTimes(BackendInfo.CPU, units, false, 1, threads);
    }

    /**
     * The size on which the time of a run depends: nodes plus directed relationships. Closeness of a shallow graph on
     * the CPU, or of a directed one, depends on its nodes only, because its searches have the fewer levels the more
     * relationships it has (docs/benchmarks/peers.md).
     */
    public static double sizeOf(String backend, Csc graph, boolean deep, Operation operation) {
        return operation == Operation.FARNESS && !deep && (backend.equals(BackendInfo.CPU) || !graph.isSymmetric())
                ? SIZE_OF_A_NODE * graph.vertexCount()
                : (double) graph.vertexCount() + graph.entryCount();
    }

    /** The expected time of a call, without copying the graph to a device. */
    public double ofCall(List<Task> tasks) {
        return SECONDS_OF_A_CALL + tasks.stream().mapToDouble(this::seconds).sum();
    }

    /** The expected time of a task of a run, a projection or a write. */
    public double seconds(Task task) {
        Rates ofSearches = OF_SEARCHES.get(task.kind());
        Rates rates = ofSearches == null ? OF_ONE_PASS.get(task.kind()) : ofSearches;
        double units = ofSearches == null ? graph : graph * searches;
        if (backend.equals(BackendInfo.CPU) || rates.device == 0) {
            return units / threads / (deep ? rates.cpuDeep : rates.cpu);
        }
        double idle = task.isSameKind(BackendTask.FARNESS) && !deep ? searches * DEVICE_SECONDS_OF_A_SOURCE : 0;
        return idle + units / (deep ? rates.deviceDeep : rates.device);
    }
}
