// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.CostOverflowException;
import io.proxima.backend.CostSink;
import io.proxima.backend.CostSums;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.projection.csc.WeightedCsc;
import java.util.function.Supplier;

/** Searches over weights from many nodes. */
public final class CostSearches {

    private static final Key<Double> MAX_COST = Key.of(
                    "maxCost", ShortestPaths.UNREACHED, "The greatest cost of a path (inclusive), with weights.")
            .absentMeans("none");

    private CostSearches() {}

    /** Reads the name of the property that has the weights; empty to count relationships. */
    public static String readProperty(ConfigReader reader) {
        return Weights.readProperty(
                reader,
                "The projected property that is the weight of a relationship. Without it, relationships are counted.");
    }

    /**
     * Reads the greatest cost; infinite for any.
     *
     * @param weightProperty empty without weights
     * @param maxDepth the greatest distance without weights
     */
    public static double readMaxCost(ConfigReader reader, String weightProperty, int maxDepth) {
        double maxCost = reader.readNotNegative(MAX_COST);
        if (!weightProperty.isEmpty() && maxDepth != LoadedGraph.NO_MAX_DEPTH) {
            reader.fault("`maxDepth` counts relationships. With `relationshipWeightProperty`, use `maxCost`.");
        }
        if (weightProperty.isEmpty() && reader.given(MAX_COST) != null) {
            reader.fault("`maxCost` needs `relationshipWeightProperty`. To limit the number of relationships, use"
                    + " `maxDepth`.");
        }
        return maxCost;
    }

    /**
     * Plans searches.
     *
     * @param operation what the searches find
     * @param sources number of sources
     * @param against whether relationships are followed against their direction
     * @param kept heap that the call keeps while it searches
     * @param rows heap that the call allocates afterwards
     */
    public static CallPlan plan(
            CallSize size,
            Operation operation,
            String weightProperty,
            int sources,
            boolean against,
            MemoryTree kept,
            MemoryTree rows) {
        Weights weights = size.weights(weightProperty);
        Workload work = new Workload(operation, sources, LoadedGraph.NO_MAX_DEPTH)
                .over(weights.count())
                .keeping(
                        MemoryTree.together(
                                "weights and result",
                                weights.memory(),
                                against ? weights.reversedMemory(size.vertexCount(), size.threads()) : MemoryTree.NONE,
                                kept),
                        rows);
        return new CallPlan(work, sources);
    }

    /**
     * Sums the costs from each source.
     *
     * @param reciprocals whether to sum the reciprocal costs too
     * @throws ProximaException if a cost exceeds the greatest FLOAT
     */
    public static CostSums sums(
            GraphRun run,
            LoadedGraph graph,
            String weightProperty,
            WeightedCsc weights,
            int[] sources,
            boolean reciprocals) {
        return withCosts(run, weightProperty, () -> graph.costSums(sources, weights, reciprocals, run.control()));
    }

    /**
     * Searches from each source.
     *
     * @return the sink
     * @throws ProximaException if a cost exceeds the greatest FLOAT
     */
    public static <S extends CostSink> S run(
            GraphRun run, LoadedGraph graph, String weightProperty, WeightedCsc weights, int[] sources, S sink) {
        return run(run, graph, weightProperty, weights, sources, ShortestPaths.UNREACHED, sink, run.control());
    }

    /**
     * Searches from each source, up to a cost.
     *
     * @param control concurrency, stop and progress of the searches
     * @return the sink
     * @throws ProximaException if there is no {@code maxCost} and a cost exceeds the greatest FLOAT
     */
    public static <S extends CostSink> S run(
            GraphRun run,
            LoadedGraph graph,
            String weightProperty,
            WeightedCsc weights,
            int[] sources,
            double maxCost,
            S sink,
            RunContext control) {
        return withCosts(run, weightProperty, () -> {
            graph.weightedSearches(sources, weights, maxCost, sink, control);
            return sink;
        });
    }

    /**
     * Does a search over weights.
     *
     * @throws ProximaException if a cost exceeds the greatest FLOAT
     */
    public static <T> T withCosts(GraphRun run, String weightProperty, Supplier<T> search) {
        try {
            return search.get();
        } catch (CostOverflowException e) {
            throw ProximaException.invalidArgument("The cost of the path to the node "
                    + run.idMap().toNeo4jId(e.to()) + " is above the greatest FLOAT: that to the node "
                    + run.idMap().toNeo4jId(e.from()) + " is " + e.cost()
                    + ", and the relationship between them has the weight " + e.weight() + " in `" + weightProperty
                    + "`. Project smaller weights, for example in another unit.");
        }
    }
}
