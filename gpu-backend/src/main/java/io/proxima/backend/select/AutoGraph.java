// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.ResumableDistances;
import io.proxima.backend.ResumableDistances.SinkFailure;
import io.proxima.backend.RunControl;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.bvss.BvssLimitException;
import io.proxima.backend.select.TraversalBackends.RunChoice;
import io.proxima.projection.WeightedCsc;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A graph loaded on a device and on the CPU; see {@link AutoBackend}. */
final class AutoGraph implements LoadedGraph {

    private static final String CPU = "cpu";

    private final String deviceName;
    private final LoadedGraph device;
    private final LoadedGraph cpu;
    private final GraphShape shape;
    private final RunChoice choice;

    AutoGraph(String deviceName, LoadedGraph device, LoadedGraph cpu, GraphShape shape, RunChoice choice) {
        this.deviceName = deviceName;
        this.device = device;
        this.cpu = cpu;
        this.shape = shape;
        this.choice = choice;
    }

    @Override
    public int vertexCount() {
        return cpu.vertexCount();
    }

    /** Prepares the graph on the device if the run will use it. A failure is reported, and the run tries again. */
    @Override
    public void prepare(Operation operation, long searches, RunControl control) {
        if (!pays(operation)) {
            return;
        }
        try {
            device.prepare(operation, searches, control);
        } catch (DeviceMemoryException | DeviceFailureException | BvssLimitException e) {
            control.observer().runsOn(CPU, fallback(e));
        }
    }

    @Override
    public Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control) {
        return run(Operation.BFS, control, graph -> graph.bfs(source, maxDepth, stopTargets, control));
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        ResumableDistances distances = new ResumableDistances(sources, maxDepth, sink);
        try {
            run(Operation.MULTI_SOURCE_BFS, control, graph -> {
                distances.continueOn(graph, control);
                return graph;
            });
        } catch (SinkFailure e) {
            throw e.failure();
        }
    }

    @Override
    public int multiSourceBatchSize() {
        return Math.max(device.multiSourceBatchSize(), cpu.multiSourceBatchSize());
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunControl control) {
        return run(Operation.NEAREST_SOURCE, control, graph -> graph.nearestSource(sources, maxDepth, control));
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunControl control) {
        return run(Operation.FARNESS, control, graph -> graph.farness(measures, control));
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        return run(Operation.FARNESS_OF_SOURCES, control, graph -> graph.farness(sources, measures, control));
    }

    @Override
    public int[] components(RunControl control) {
        return run(Operation.COMPONENTS, control, graph -> graph.components(control));
    }

    @Override
    public double[] betweenness(int[] sources, RunControl control) {
        return run(Operation.BETWEENNESS, control, graph -> graph.betweenness(sources, control));
    }

    @Override
    public ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunControl control) {
        return run(
                Operation.SHORTEST_PATHS,
                control,
                graph -> graph.shortestPaths(source, weights, delta, withPredecessors, control));
    }

    @Override
    public long bytes() {
        return device.bytes() > 0 ? device.bytes() : cpu.bytes();
    }

    @Override
    public long mappedBytes() {
        return device.mappedBytes();
    }

    @Override
    public String order() {
        return device.bytes() > 0 ? device.order() : cpu.order();
    }

    @Override
    public String residentOn() {
        return device.bytes() > 0 ? device.residentOn() : cpu.residentOn();
    }

    @Override
    public List<LoadedGraph> places() {
        return device.bytes() > 0 ? device.places() : cpu.places();
    }

    @Override
    public void close() {
        try {
            device.close();
        } finally {
            cpu.close();
        }
    }

    private boolean pays(Operation operation) {
        return choice.pays(shape, operation, device.bytes() > 0);
    }

    private <T> T run(Operation operation, RunControl control, Function<LoadedGraph, T> work) {
        if (!pays(operation)) {
            control.observer()
                    .runsOn(
                            CPU,
                            "The run would not benefit from " + deviceName + ": " + shape.vertexCount() + " nodes, "
                                    + shape.entryCount() + " relationships.");
            return work.apply(cpu);
        }
        control.observer().runsOn(deviceName, "A device is available and the graph is large enough.");
        try {
            return work.apply(device);
        } catch (DeviceMemoryException | DeviceFailureException | BvssLimitException | KernelLimitException e) {
            control.observer().runsOn(CPU, fallback(e));
        }
        return work.apply(cpu);
    }

    private static String fallback(RuntimeException failure) {
        return "The run falls back to the CPU: " + failure.getMessage();
    }
}
