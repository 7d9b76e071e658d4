// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.CostSink;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.order.Afforest;
import io.proxima.backend.result.NearestAssignment;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/** A CSC on the heap, traversed in place. */
final class CpuGraph implements LoadedGraph {

    private final CpuBackend backend;
    private final Csc graph;

    CpuGraph(CpuBackend backend, Csc graph) {
        this.backend = backend;
        this.graph = graph;
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public Levels bfs(int[] sources, int maxDepth, int[] stopTargets, RunContext control) {
        checkVertices("sources", sources);
        checkVertices("stopTargets", stopTargets);
        return search(sources, stopTargets, Workload.bfs(sources.length, stopTargets.length, maxDepth), control)
                .result();
    }

    @Override
    public IntUnaryOperator levelsTo(int[] sources, int[] targets, int maxDepth, RunContext control) {
        if (targets.length == 0) {
            return LoadedGraph.super.levelsTo(sources, targets, maxDepth, control);
        }
        checkVertices("sources", sources);
        checkVertices("targets", targets);
        control.progress().beginTask(BackendTask.BFS, 0);
        Csc reversed = graph.transposed(control.concurrency(), control.stop());
        return BidirectionalSearch.run(graph, reversed, sources, targets, maxDepth, control.stop());
    }

    private BreadthFirstSearch search(int[] sources, int[] stopTargets, Workload work, RunContext control) {
        BreadthFirstSearch search = new BreadthFirstSearch(graph, reversed(work, control), control);
        search.run(sources, work.maxDepth(), stopTargets);
        return search;
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunContext control) {
        checkVertices("sources", sources);
        control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, sources.length);
        Csc reversed = reversed(new Workload(Operation.MULTI_SOURCE_BFS, sources.length, maxDepth), control);
        MultiSourceRun.run(graph, reversed, sources, maxDepth, sink, control);
    }

    @Override
    public int[] eccentricities(int[] sources, RunContext control) {
        checkVertices("sources", sources);
        return EccentricityRun.isFew(sources)
                ? EccentricityRun.ofSources(graph.transposed(control.concurrency(), control.stop()), sources, control)
                : LoadedGraph.super.eccentricities(sources, control);
    }

    @Override
    public int[] greatestDistances(int[] sources, RunContext control) {
        checkVertices("sources", sources);
        return EccentricityRun.ofVertices(graph, sources, control);
    }

    @Override
    public int multiSourceBatchSize() {
        return NarrowSearch.WIDTH;
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunContext control) {
        checkVertices("sources", sources);
        Workload work = new Workload(Operation.NEAREST_SOURCE, sources.length, maxDepth);
        int[] levels = search(sources, new int[0], work, control).levels();
        return NearestAssignment.assign(graph, sources, levels, control);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
        return FarnessRun.run(graph, null, measures, way(Workload.farness(measures), control), control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        checkVertices("sources", sources);
        HostWay way = way(Workload.farness(sources.length, measures), control);
        return FarnessRun.run(graph, sources, measures, way, control);
    }

    @Override
    public int[] components(RunContext control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        return Afforest.of(graph, control.concurrency(), control.stop(), control.progress());
    }

    @Override
    public double[] betweenness(int[] sources, RunContext control) {
        if (sources != null) {
            checkVertices("sources", sources);
        }
        int count = sources == null ? graph.vertexCount() : sources.length;
        HostWay way = way(new Workload(Operation.BETWEENNESS, count, NO_MAX_DEPTH), control);
        return BetweennessRun.run(graph, sources, (searches, each) -> BrandesRun.run(searches, way, each), control);
    }

    @Override
    public ShortestPaths shortestPaths(
            int[] sources,
            WeightedCsc weights,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control) {
        checkVertices("sources", sources);
        control.progress().beginTask(BackendTask.SHORTEST_PATHS, graph.vertexCount());
        return ShortestPaths.of(
                weights,
                sources,
                end,
                delta,
                withPredecessors,
                control,
                lengths -> DeltaStepping.run(weights, lengths, sources, end, delta, control));
    }

    @Override
    public IntToDoubleFunction costsTo(
            int source, int target, WeightedCsc weights, double maxCost, RunContext control) {
        checkVertices("source", source);
        checkVertices("target", target);
        WeightedCsc.Lengths lengths = ShortestPaths.lengths(weights, control);
        IntToDoubleFunction near = null;
        if (lengths.areCostsFinite(graph.vertexCount())) {
            control.progress().beginTask(BackendTask.SHORTEST_PATHS, 0);
            Csc reversed = graph.transposed(control.concurrency(), control.stop());
            near = BidirectionalCostSearch.run(weights, reversed, source, target, maxCost, control.stop());
        }
        return near != null ? near : LoadedGraph.super.costsTo(source, target, weights, maxCost, control);
    }

    @Override
    public void weightedSearches(
            int[] sources, WeightedCsc weights, double maxCost, CostSink sink, RunContext control) {
        checkVertices("sources", sources);
        control.progress().beginTask(BackendTask.WEIGHTED_SEARCHES, sources.length);
        HostWay way = way(new Workload(Operation.WEIGHTED_SEARCHES, sources.length, NO_MAX_DEPTH), control);
        CostSearch.run(sources, weights, maxCost, sink, way, control);
    }

    @Override
    public void close() {
        // the CSC belongs to the caller
    }

    private HostWay way(Workload work, RunContext control) {
        return backend.way(GraphShape.of(graph, control.searched()), work, control.concurrency());
    }

    /** The reversed graph if the run reads it; null otherwise. */
    private Csc reversed(Workload work, RunContext control) {
        return way(work, control).reversed() ? graph.transposed(control.concurrency(), control.stop()) : null;
    }
}
