// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.Key;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The keys of paths between two sets of nodes.
 *
 * @param weightProperty the property with the weights; empty if every weight is 1
 * @param maxDepth the greatest number of relationships of a path without weights
 * @param maxCost the greatest cost of a path with weights
 */
record PathEnds(Sources sources, Sources targets, String weightProperty, int maxDepth, double maxCost) {

    private static final Key<List<Long>> SOURCE_NODE = Key.of(
                    "sourceNode", List.<Long>of(), "The start of the paths. For several, give `sourceNodes` instead.")
            .absentMeans("`sourceNodes`");
    private static final Key<List<Long>> SOURCE_NODES =
            Key.of("sourceNodes", List.<Long>of(), "The starts of the paths.").absentMeans("`sourceNode`");
    private static final Key<List<Long>> TARGET_NODE = Key.of(
                    "targetNode", List.<Long>of(), "The end of the paths. For several, give `targetNodes` instead.")
            .absentMeans("`targetNodes`");
    private static final Key<List<Long>> TARGET_NODES =
            Key.of("targetNodes", List.<Long>of(), "The ends of the paths.").absentMeans("`targetNode`");
    private static final Key<Integer> MAX_DEPTH = Key.of(
            "maxDepth", LoadedGraph.NO_MAX_DEPTH, "The greatest number of relationships of a path, without weights.");

    static PathEnds read(CallKeys keys) {
        Sources sources = Sources.read(keys, SOURCE_NODE, SOURCE_NODES);
        Sources targets = Sources.read(keys, TARGET_NODE, TARGET_NODES);
        String weightProperty = Weights.readProperty(
                keys.reader(),
                "The projected property that is the weight of a relationship. Without it, every weight is 1.");
        int maxDepth = keys.reader().readInt(MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        double maxCost = CostSearches.readMaxCost(keys.reader(), weightProperty, maxDepth);
        return new PathEnds(sources, targets, weightProperty, maxDepth, maxCost);
    }

    boolean weighted() {
        return !weightProperty.isEmpty();
    }

    /** Heap of the nodes of the call. */
    MemoryTree memory() {
        return MemoryTree.together(
                "nodes of the call", sources.memory(), targets.memory().named("target nodes"));
    }

    /**
     * Searches over weights.
     *
     * @param graph the graph of the run, loaded
     * @param weights its edges with their weights, or those of the reversed graph to search from the targets
     * @param from vertices, ascending
     * @param reversed the graph of {@code weights} with every edge reversed
     * @param control concurrency, stop and progress of the search
     * @throws io.proxima.plugin.ProximaException if a cost exceeds the greatest FLOAT
     */
    ShortestPathDag search(
            GraphRun run,
            LoadedGraph graph,
            WeightedCsc weights,
            int[] from,
            SearchEnd end,
            Csc reversed,
            RunContext control) {
        IntToDoubleFunction costs = CostSearches.withCosts(run, weightProperty, () -> {
            if (from.length == 1 && end.targets().length == 1) {
                return graph.costsTo(from[0], end.targets()[0], weights, end.maxCost(), control);
            }
            double[] found = graph.shortestPaths(from, weights, end, LoadedGraph.ANY_DELTA, false, control)
                    .costs();
            return vertex -> found[vertex];
        });
        return ShortestPathDag.ofCosts(
                reversed, weights, costs, from, run.caller().stop());
    }
}
