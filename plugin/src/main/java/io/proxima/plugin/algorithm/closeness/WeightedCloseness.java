// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.CostSums;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures.StreamRow;
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
 * Exact closeness over costs, of every node or of chosen nodes. Each takes a search against the relationships, so that
 * costs are summed from the scored node on.
 *
 * @param targets the nodes to score; none for all
 * @param statistics whether statistics of the costs are computed
 * @param radius whether the radius is one of them
 */
record WeightedCloseness(
        ClosenessFormula formula, String weightProperty, Sources targets, boolean statistics, boolean radius)
        implements Algorithm<StreamRow> {

    @Override
    public Traits traits() {
        return new Traits(Formula.task(formula), Operation.COST_SUMS, WrittenValues.SHARED_FLOATS);
    }

    @Override
    public int[] resultVertices(GraphRun run) {
        return targets.count() == 0 ? null : targets.ascendingVertices(run);
    }

    @Override
    public CallPlan plan(CallSize size) {
        int scores = targets.count() == 0 ? size.vertexCount() : targets.count();
        MemoryTree kept = MemoryTree.together(
                "nodes and sums",
                targets.memory().named("target nodes"),
                memory(scores, formula),
                radius ? CostSums.memory(scores, false) : MemoryTree.NONE);
        return CostSearches.plan(
                size, Operation.COST_SUMS, weightProperty, scores, true, kept, Scores.memory(size, scores));
    }

    /** Heap of the sources and sums of so many nodes. */
    static MemoryTree memory(int nodes, ClosenessFormula formula) {
        return MemoryTree.together(
                "sources and sums",
                MemoryTree.exactly("sources", (long) nodes * Integer.BYTES),
                CostSums.memory(nodes, formula == ClosenessFormula.HARMONIC));
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        Stop stop = run.caller().stop();
        int[] chosen = resultVertices(run);
        int[] vertices = chosen == null ? IntStream.range(0, run.vertexCount()).toArray() : chosen;
        LoadedGraph graph = run.load(plan);
        // only the radius depends on the direction
        boolean bothWays = radius && chosen == null && !run.isUndirected();
        double ofReversed = 0;
        if (bothWays) {
            run.expectTasks(plan);
            WeightedCsc along = run.lengths(weightProperty);
            ofReversed = CostSearches.sums(run, graph, weightProperty, along, vertices, false)
                    .radius(stop);
        }
        CostSums sums = sums(run, graph, vertices, formula, weightProperty);
        Map<String, Object> found = statistics
                ? DistanceStatistics.ofCosts(sums, bothWays ? ofReversed : sums.radius(stop), stop)
                : Map.of();
        return Scores.of(run, chosen, scores(run, vertices, formula, sums), StreamRow::new, found);
    }

    /** The sums of the costs to some nodes. */
    static CostSums sums(
            GraphRun run, LoadedGraph graph, int[] vertices, ClosenessFormula formula, String weightProperty) {
        boolean harmonic = formula == ClosenessFormula.HARMONIC;
        if (harmonic) {
            requireReciprocals(run, weightProperty);
        }
        return CostSearches.sums(run, graph, weightProperty, run.reversedLengths(weightProperty), vertices, harmonic);
    }

    static double[] scores(GraphRun run, int[] vertices, ClosenessFormula formula, CostSums sums) {
        double[] scores = new double[vertices.length];
        PacedStop paced = new PacedStop(run.caller().stop());
        for (int i = 0; i < scores.length; i++) {
            double reciprocals = sums.reciprocals() == null ? 0 : sums.reciprocals()[i];
            double farness = requireFinite(run, vertices[i], sums.sums()[i]);
            scores[i] = requireFinite(
                    run, vertices[i], formula.score(farness, sums.reach()[i], reciprocals, run.vertexCount() - 1L));
            paced.worked(1);
        }
        return scores;
    }

    /** Refuses a sum that is above the greatest FLOAT. */
    static double requireFinite(GraphRun run, int vertex, double sum) {
        if (!Double.isFinite(sum)) {
            throw ProximaException.invalidArgument("The sum over the paths to the node "
                    + run.idMap().toNeo4jId(vertex)
                    + " is above the greatest FLOAT. Project weights that are less extreme, for example in another"
                    + " unit.");
        }
        return sum;
    }

    /** Refuses weights by which harmonic closeness cannot divide. */
    static void requireReciprocals(GraphRun run, String weightProperty) {
        WeightedCsc weights = run.lengths(weightProperty);
        PacedStop paced = new PacedStop(run.caller().stop());
        for (long entry = 0; entry < weights.entryCount(); entry++) {
            paced.worked(1);
            if (Double.isInfinite(1 / weights.weight(entry))) {
                throw ProximaException.invalidArgument("The relationship from the node "
                        + run.idMap().toNeo4jId(weights.columnOf(entry)) + " to the node "
                        + run.idMap().toNeo4jId(weights.rowIndices().get(entry)) + " has the weight "
                        + weights.weight(entry) + " in `" + weightProperty
                        + "`, but harmonic closeness divides by costs: weights must be above 0. Leave such"
                        + " relationships out, or project greater weights.");
            }
        }
    }
}
