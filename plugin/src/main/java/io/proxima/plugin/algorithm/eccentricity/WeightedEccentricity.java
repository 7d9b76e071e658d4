// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import io.proxima.backend.CostSums;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.statistics.DistanceStatistics;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The greatest cost from every node to any node that it reaches.
 *
 * @param statistics whether statistics of the costs are computed
 */
record WeightedEccentricity(boolean statistics, String weightProperty) implements Algorithm<StreamRow> {

    @Override
    public Traits traits() {
        return new Traits("Eccentricity", Operation.COST_SUMS, WrittenValues.SHARED_FLOATS);
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        MemoryTree kept = MemoryTree.together(
                "sources and costs",
                MemoryTree.exactly("sources", (long) vertexCount * Integer.BYTES),
                CostSums.memory(vertexCount, false));
        return CostSearches.plan(
                size,
                Operation.COST_SUMS,
                weightProperty,
                vertexCount,
                false,
                kept,
                size.property(vertexCount, Double.BYTES));
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        Stop stop = run.caller().stop();
        int[] vertices = IntStream.range(0, run.vertexCount()).toArray();
        LoadedGraph graph = run.load(plan);
        WeightedCsc weights = run.lengths(weightProperty);
        CostSums sums = CostSearches.sums(run, graph, weightProperty, weights, vertices, false);
        Map<String, Object> found = statistics ? DistanceStatistics.ofCosts(sums, sums.radius(stop), stop) : Map.of();
        return Scores.of(run, null, sums.greatest(), StreamRow::new, found, "eccentricityDistribution");
    }
}
