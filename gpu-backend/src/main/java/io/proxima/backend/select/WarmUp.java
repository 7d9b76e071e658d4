// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.CypherGraphCollector;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * Projects generated graphs and does every kind of run on them. Afterwards classes are initialized, hot loops are
 * compiled, and the kernels that 'auto' may choose are loaded on the device. Nothing is kept.
 */
final class WarmUp {

    private static final int EDGES_PER_VERTEX = 12;

    private static final int FEW_HUBS = 3;

    /** So unequal that a fifth of the vertices have degree 1, and that searches leave them out. */
    private static final int MANY_LEAVES = 16;

    /** Vertices between two hubs: a prime number that divides no number of vertices. */
    private static final int APART = 7919;

    private static final CypherGraphCollector.Kind EDGE =
            new CypherGraphCollector.Kind(List.of(), List.of(), CypherGraphCollector.UNNAMED);

    private static final int COMPONENT_RUNS = 2;
    private static final int[] SOURCES = {0, 1, 2, 3, 4, 5, 6, 7};
    private static final int[] NO_TARGETS = {};
    private static final Workload SEARCH = new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH);
    private static final Workload CLOSENESS = Workload.farness(EnumSet.allOf(DistanceMeasure.class));
    private static final Workload SUMS = Workload.farness(Set.of());
    private static final Workload BETWEENNESS = new Workload(Operation.BETWEENNESS, 1, LoadedGraph.NO_MAX_DEPTH);
    private static final long SEED = 2026;

    private final Sizes sizes;
    private final HeapBudget heap;
    private final RunContext control;

    /**
     * Sizes of the generated graphs.
     *
     * @param small number of vertices of the graph that all runs search, including closeness
     * @param large number of vertices of a graph with few large levels; it is projected and searched from single
     *     sources
     * @param side side of the square lattices, which are deep graphs; only for devices
     * @param preparations how often graphs with {@code large} vertices are prepared on a device, so that the loops over
     *     their vertices are compiled
     */
    record Sizes(int small, int large, int side, int preparations) {

        static final Sizes SHIPPED = new Sizes(1 << 11, 1 << 16, 64, 8);
    }

    /**
     * Creates a warm-up.
     *
     * @param heap grants the memory of the graphs and runs
     * @param concurrency number of threads, at least 1
     * @param stop ends the warm-up early
     */
    WarmUp(Sizes sizes, HeapBudget heap, int concurrency, Stop stop) {
        this.sizes = sizes;
        this.heap = heap;
        // under 'auto', the graph would be prepared for repeated use in the background
        this.control =
                new RunContext(concurrency, stop, Progress.NONE).with(new RunOptions(VertexOrder.NATURAL, Kernel.AUTO));
    }

    /** Warms up projections and the CPU backend. */
    void onCpu(TraversalBackend cpu) {
        for (Orientation orientation : List.of(Orientation.UNDIRECTED, Orientation.NATURAL)) {
            with(scaleFree(sizes.small), orientation, cpu, CLOSENESS, this::runAll);
            with(
                    scaleFree(sizes.small),
                    orientation,
                    cpu,
                    BETWEENNESS,
                    (csc, graph) -> graph.betweenness(null, control));
        }
        with(scaleFree(sizes.large), Orientation.UNDIRECTED, cpu, SEARCH, (csc, graph) -> {
            search(graph, control);
            // the first run interprets its loops
            for (int run = 0; run < COMPONENT_RUNS; run++) {
                graph.components(control);
            }
        });
    }

    /** Warms up an open device. */
    void onDevice(TraversalBackend device) {
        Orientation undirected = Orientation.UNDIRECTED;
        for (Orientation orientation : List.of(undirected, Orientation.NATURAL)) {
            with(scaleFree(sizes.small), orientation, device, CLOSENESS, (csc, graph) -> {
                runAll(csc, graph);
                runAll(csc, graph, in(VertexOrder.DEGREE));
            });
            with(scaleFree(sizes.large), orientation, device, CLOSENESS, this::prepare);
        }
        with(withManyLeaves(sizes.large), undirected, device, SUMS, (csc, graph) -> {
            for (int run = 0; run < sizes.preparations; run++) {
                graph.farness(Set.of(), control);
            }
        });
        // 'balls' searches in one of two ways, depending on the number of edges on a level
        for (boolean diagonals : new boolean[] {false, true}) {
            with(lattice(sizes.side, diagonals), undirected, device, CLOSENESS, this::runAll);
            with(lattice((int) Math.sqrt(sizes.large), diagonals), undirected, device, CLOSENESS, this::prepare);
        }
        try {
            with(
                    scaleFree(sizes.small),
                    undirected,
                    device,
                    BETWEENNESS,
                    (csc, graph) -> graph.betweenness(SOURCES, control));
        } catch (KernelLimitException e) {
            // the device has no kernels for it
        }
    }

    /**
     * Prepares a graph for its first search and for closeness, in two orders in turn: each replaces the other, so that
     * all of the work is repeated.
     */
    private void prepare(Csc csc, LoadedGraph graph) {
        int concurrency = control.concurrency();
        Stop stop = control.stop();
        for (int round = 0; round < sizes.preparations; round++) {
            OrderPolicy.first(csc, VertexOrder.AUTO, 1, false, concurrency, stop);
            VertexOrder suiting =
                    OrderPolicy.repeated(csc, false, concurrency, stop).order();
            for (RunContext ordered : List.of(control, in(suiting))) {
                // without the run, which takes long on a deep graph
                graph.reserve(CLOSENESS, csc.vertexCount(), ordered).close();
                graph.bfs(SOURCES[round % SOURCES.length], LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, ordered);
            }
        }
    }

    private RunContext in(VertexOrder order) {
        return control.with(new RunOptions(order, Kernel.AUTO));
    }

    /** Projects a graph and works on it, with the heap of the projection and of the longest run reserved. */
    private void with(
            CypherGraphCollector edges,
            Orientation orientation,
            TraversalBackend backend,
            Workload longest,
            BiConsumer<Csc, LoadedGraph> work) {
        int concurrency = control.concurrency();
        Stop stop = control.stop();
        boolean undirected = orientation == Orientation.UNDIRECTED;
        long projecting = edges.peak(edges.rowCount(), undirected, concurrency).maxBytes();
        try (HeapBudget.Reservation reserved = heap.reserve(projecting)) {
            Csc csc = edges.project(type -> orientation, node -> List.of(), concurrency, stop, Progress.NONE, reserved)
                    .csc(concurrency, stop);
            reserved.grow(
                    backend.estimate(GraphShape.of(csc), longest, concurrency).heapBytes());
            try (LoadedGraph graph = backend.load(csc)) {
                work.accept(csc, graph);
            }
        }
    }

    private void runAll(Csc csc, LoadedGraph graph) {
        runAll(csc, graph, control);
    }

    private void runAll(Csc csc, LoadedGraph graph, RunContext control) {
        search(graph, control);
        graph.nearestSource(SOURCES, LoadedGraph.NO_MAX_DEPTH, control);
        measureDistances(graph, control);
        graph.farness(Set.of(), control);
        graph.farness(SOURCES, Set.of(), control);
        graph.farness(EnumSet.allOf(DistanceMeasure.class), control);
        graph.components(control);
        try {
            for (int source : SOURCES) {
                graph.shortestPaths(source, WeightedCsc.ofOnes(csc), LoadedGraph.ANY_DELTA, true, control);
            }
        } catch (KernelLimitException e) {
            // the device has no kernels for them; under 'auto' they run on the CPU
        }
    }

    private static void search(LoadedGraph graph, RunContext control) {
        for (int source : SOURCES) {
            graph.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control);
        }
    }

    private static void measureDistances(LoadedGraph graph, RunContext control) {
        graph.multiSourceBfs(SOURCES, LoadedGraph.NO_MAX_DEPTH, batch -> batch.distance(0, 0), control);
    }

    /** Degrees as unequal as in a social network: a few of most vertices, and thousands of hubs. */
    private static CypherGraphCollector scaleFree(int vertexCount) {
        return unequal(vertexCount, FEW_HUBS);
    }

    /** Whose hanging trees closeness leaves out, if there are as many vertices as {@link Sizes#SHIPPED} says. */
    static CypherGraphCollector withManyLeaves(int vertexCount) {
        return unequal(vertexCount, MANY_LEAVES);
    }

    /** @param inequality the power of a random number that chooses the ends of edges */
    private static CypherGraphCollector unequal(int vertexCount, int inequality) {
        SplittableRandom random = new SplittableRandom(SEED);
        CypherGraphCollector edges = new CypherGraphCollector();
        int kind = edges.number(EDGE);
        for (int i = 0; i < EDGES_PER_VERTEX * vertexCount; i++) {
            edges.add(end(random, vertexCount, inequality), end(random, vertexCount, inequality), kind);
        }
        return edges;
    }

    private static int end(SplittableRandom random, int vertexCount, int inequality) {
        long rank = (long) (Math.pow(random.nextDouble(), inequality) * vertexCount);
        // loops that meet the hubs only while they are interpreted would be compiled as if there were none
        return (int) ((rank + 1) * APART % vertexCount);
    }

    /** A square lattice of this side. */
    private static CypherGraphCollector lattice(int side, boolean diagonals) {
        CypherGraphCollector edges = new CypherGraphCollector();
        int kind = edges.number(EDGE);
        for (int vertex = 0; vertex < side * side; vertex++) {
            if (vertex % side < side - 1) {
                edges.add(vertex, vertex + 1, kind);
            }
            if (vertex < side * (side - 1)) {
                edges.add(vertex, vertex + side, kind);
            }
            if (diagonals && vertex % side < side - 1 && vertex < side * (side - 1)) {
                edges.add(vertex, vertex + side + 1, kind);
                edges.add(vertex + 1, vertex + side, kind);
            }
        }
        return edges;
    }
}
