// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.backend.ResumableDistances.SinkFailure;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/** A loaded graph that leaves each run to one of several others, and to the next one if that fails. */
public abstract class RoutedGraph implements LoadedGraph {

    /** Does a run on one of the graphs. */
    protected abstract <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run);

    @Override
    public final Levels bfs(int[] sources, int maxDepth, int[] stopTargets, RunContext control) {
        return route(Operation.BFS, control, graph -> graph.bfs(sources, maxDepth, stopTargets, control));
    }

    @Override
    public final IntUnaryOperator levelsTo(int[] sources, int[] targets, int maxDepth, RunContext control) {
        return route(Operation.BFS, control, graph -> graph.levelsTo(sources, targets, maxDepth, control));
    }

    @Override
    public final void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunContext control) {
        ResumableDistances distances = new ResumableDistances(sources, maxDepth, sink);
        try {
            route(Operation.MULTI_SOURCE_BFS, control, graph -> {
                distances.continueOn(graph, control);
                return graph;
            });
        } catch (SinkFailure e) {
            throw e.failure();
        }
    }

    @Override
    public final int[] greatestDistances(int[] sources, RunContext control) {
        return route(Operation.MULTI_SOURCE_BFS, control, graph -> graph.greatestDistances(sources, control));
    }

    @Override
    public final int[] eccentricities(int[] sources, RunContext control) {
        return route(Operation.FARNESS_OF_SOURCES, control, graph -> graph.eccentricities(sources, control));
    }

    @Override
    public final NearestSources nearestSource(int[] sources, int maxDepth, RunContext control) {
        return route(Operation.NEAREST_SOURCE, control, graph -> graph.nearestSource(sources, maxDepth, control));
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
        return route(Operation.FARNESS, control, graph -> graph.farness(measures, control));
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        return route(Operation.FARNESS_OF_SOURCES, control, graph -> graph.farness(sources, measures, control));
    }

    @Override
    public final int[] components(RunContext control) {
        return route(Operation.COMPONENTS, control, graph -> graph.components(control));
    }

    @Override
    public final double[] betweenness(int[] sources, RunContext control) {
        return route(Operation.BETWEENNESS, control, graph -> graph.betweenness(sources, control));
    }

    @Override
    public final ShortestPaths shortestPaths(
            int[] sources,
            WeightedCsc weights,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control) {
        return route(
                Operation.SHORTEST_PATHS,
                control,
                graph -> graph.shortestPaths(sources, weights, end, delta, withPredecessors, control));
    }

    @Override
    public final IntToDoubleFunction costsTo(
            int source, int target, WeightedCsc weights, double maxCost, RunContext control) {
        return route(
                Operation.SHORTEST_PATHS, control, graph -> graph.costsTo(source, target, weights, maxCost, control));
    }

    @Override
    public final void weightedSearches(
            int[] sources, WeightedCsc weights, double maxCost, CostSink sink, RunContext control) {
        route(Operation.WEIGHTED_SEARCHES, control, graph -> {
            graph.weightedSearches(sources, weights, maxCost, sink, control);
            return graph;
        });
    }

    @Override
    public final CostSums costSums(int[] sources, WeightedCsc weights, boolean reciprocals, RunContext control) {
        return route(Operation.COST_SUMS, control, graph -> graph.costSums(sources, weights, reciprocals, control));
    }
}
