// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.TopCloseness;
import io.proxima.backend.bounds.TopCloseness.Top;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.backend.result.FarnessFile;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.BoundedDistances;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallPlan.Passes;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.DistanceStatistics;
import io.proxima.plugin.write.WrittenValues;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Exact closeness of every node, or of chosen nodes only, which take one search each.
 *
 * @param targets the nodes to score; none for all
 * @param topK how many of them to return, the best; {@link #ALL} for all
 * @param resume whether finished parts of the run are kept on disk
 * @param statistics whether statistics of the distances are computed
 * @param radius whether the radius is one of them
 * @param distances whether a column needs the distances of all pairs
 * @param measures what the searches sum
 * @param bounded what bounds find instead of the searches; null if a column needs all distances
 */
record Closeness(
        ClosenessFormula formula,
        Sources targets,
        int topK,
        boolean resume,
        boolean statistics,
        boolean radius,
        boolean distances,
        Set<DistanceMeasure> measures,
        Set<Wanted> bounded)
        implements Algorithm<StreamRow> {

    private static final Key<List<Long>> TARGET_NODES = Key.of(
            "targetNodes",
            List.of(),
            "Restricts the call to these nodes: only they are searched and scored. Empty: all nodes.");
    private static final Key<Boolean> RESUME = Key.of(
            "resume",
            false,
            "Keeps finished parts of the run on disk. A later call with the same `jobId` continues the run after a crash"
                    + " or a restart of the server, or after a kill.");

    private static final int ALL = 0;
    private static final Key<Integer> TOP_K = Key.of(
                    "topK",
                    ALL,
                    "Returns only so many nodes: those of the greatest scores, which mostly take few searches.")
            .absentMeans("all nodes");

    /** Closeness by the formula that the configuration names. */
    static Algorithm<StreamRow> byKeys(CallKeys keys) {
        return read(keys, Formula.read(keys.reader()));
    }

    /** Harmonic closeness; the configuration has no keys for the formula. */
    static Algorithm<StreamRow> harmonic(CallKeys keys) {
        return read(keys, ClosenessFormula.HARMONIC);
    }

    private static Algorithm<StreamRow> read(CallKeys keys, ClosenessFormula formula) {
        ConfigReader reader = keys.reader();
        Sources targets = Sources.read(keys, TARGET_NODES);
        boolean resume = keys.mode() == Mode.WRITE && reader.readBoolean(RESUME);
        if (resume && (!(reader.given(JobKeys.JOB_ID) instanceof String jobId) || jobId.isBlank())) {
            reader.fault("`resume` requires a `jobId`: the id by which a later call finds the finished part.");
        }
        int topK = reader.readInt(TOP_K, 1);
        if (resume && topK != ALL) {
            reader.fault(
                    "`topK` and `resume` exclude each other: the best nodes take few searches. Leave out `resume`.");
        }
        String weightProperty = CostSearches.readProperty(reader);
        if (!weightProperty.isEmpty()) {
            if (resume) {
                reader.fault("`resume` keeps counts of relationships, not costs. Leave out `resume` or"
                        + " `relationshipWeightProperty`.");
            }
            if (topK != ALL) {
                reader.fault("`topK` finds the best nodes by counts of relationships, not by costs. Leave out `topK` or"
                        + " `relationshipWeightProperty`.");
            }
            return new WeightedCloseness(
                    formula, weightProperty, targets, keys.mode() == Mode.STATS, keys.computesStatistic("radius"));
        }
        Set<Wanted> bounded = BoundedDistances.wanted(keys);
        boolean sumsAll = bounded.isEmpty() // a call that reads only times measures closeness
                || targets.count() > 0
                || keys.mode() != Mode.STATS
                || keys.computes("centralityDistribution")
                || BoundedDistances.sumsAll(keys);
        EnumSet<DistanceMeasure> measures = DistanceStatistics.measures(keys::computesStatistic);
        measures.addAll(formula.measures());
        return new Closeness(
                formula,
                targets,
                topK,
                resume,
                keys.mode() == Mode.STATS,
                keys.computesStatistic("radius"),
                DistanceStatistics.NONE.keySet().stream().anyMatch(keys::computesStatistic),
                measures,
                sumsAll ? null : bounded);
    }

    @Override
    public Traits traits() {
        Traits traits = new Traits(
                Formula.task(formula),
                sumsAll() ? Operation.FARNESS : Operation.FARNESS_OF_SOURCES,
                WrittenValues.SHARED_FLOATS);
        return bounded == null ? traits : BoundedDistances.traits(traits);
    }

    @Override
    public int[] resultVertices(GraphRun run) {
        return ofAll() ? null : targets.ascendingVertices(run);
    }

    private boolean ofAll() {
        return targets.count() == 0;
    }

    /** Whether one run sums the distances of all nodes. */
    private boolean sumsAll() {
        return ofAll() && !resume && !bounds();
    }

    /** Whether bounds find the best nodes. */
    private boolean bounds() {
        return topK != ALL && !distances;
    }

    @Override
    public CallPlan plan(CallSize size) {
        if (bounded != null) {
            return BoundedDistances.plan(size, bounded, MemoryTree.NONE);
        }
        int scores = ofAll() ? size.vertexCount() : targets.count();
        if (bounds()) {
            return planOfBest(size, scores);
        }
        Workload sums = sumsAll() ? Workload.farness(measures) : Workload.farness(scores, measures);
        MemoryTree resumable = resume
                ? MemoryTree.together(
                        "resumable run",
                        MemoryTree.exactly("sources", (long) scores * Integer.BYTES),
                        FarnessFile.memory(scores))
                : MemoryTree.NONE;
        Workload work = sums.keeping(
                MemoryTree.together("targets and sums", targets.memory().named("target nodes"), resumable),
                MemoryTree.together("rows", Scores.memory(size, scores), size.hopDistribution()));
        // eccentricities are measured along the relationships, closeness against them
        return new CallPlan(work, scores, ofAll() && radius ? Passes.BOTH : Passes.ALONG);
    }

    private CallPlan planOfBest(CallSize size, int nodes) {
        int best = Math.min(topK, nodes);
        MemoryTree kept = MemoryTree.together(
                "target nodes and bounds",
                targets.memory().named("target nodes"),
                TopCloseness.heldMemory(size.vertexCount(), best));
        MemoryTree rows = MemoryTree.together(
                "rows", Scores.memory(size, best), MemoryTree.exactly("best nodes", (long) best * Integer.BYTES));
        Workload some = Workload.farness(TopCloseness.mostSources(nodes), measures);
        return new CallPlan(
                some.keeping(kept, rows).beside(sumsOf(nodes).keeping(kept, rows)),
                Math.min(nodes, TopCloseness.sources(best)),
                Passes.ALONG,
                shape -> TopCloseness.memory(shape, best, size.threads()));
    }

    /** The run that searches from all nodes to score, of which there are so many. */
    private Workload sumsOf(int nodes) {
        return ofAll() ? Workload.farness(measures) : Workload.farness(nodes, measures);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        if (bounds()) {
            int[] among = resultVertices(run);
            int nodes = among == null ? run.vertexCount() : among.length;
            Runnable beforeAll = () -> run.expectTasks(new CallPlan(sumsOf(nodes), nodes));
            Top top = run.vertexCount() == 0
                    ? new Top(new int[0], new double[0], 0, 0)
                    : TopCloseness.of(run.load(plan), run.csc(), formula, topK, among, beforeAll, run.control());
            run.show(BoundedDistances.SEARCHES, top.searches());
            return Scores.ofBest(run, top.vertices(), top.scores(), among, StreamRow::new);
        }
        // a graph without nodes must not end a job of another graph
        if (run.vertexCount() == 0 && sumsAll()) {
            return scores(run, null, new double[0], DistanceStatistics.NONE);
        }
        if (bounded != null) {
            Eccentricities found = BoundedDistances.find(run, plan, bounded);
            return scores(run, null, new double[0], DistanceStatistics.of(found));
        }
        Stop stop = run.caller().stop();
        int[] vertices = resultVertices(run);
        GraphRun.Both graphs = plan.passes() == Passes.BOTH
                ? run.loadBoth(plan, traits().tasks())
                : GraphRun.Both.same(run.load(plan));
        LoadedGraph graph = graphs.along();
        boolean bothWays = graphs.against() != graph;
        // only the radius is kept while the other sums are computed, as the estimate assumes
        long ofReversed = bothWays
                ? DistanceStatistics.radius(
                        graphs.against().farness(Set.of(DistanceMeasure.ECCENTRICITY), run.control()), stop)
                : 0;
        FinishedSums finished =
                resume ? new FinishedSums(run.caller(), run.job().id()) : null;
        Farness sums = sums(run, graph, vertices, finished);
        long found = radius && !bothWays ? DistanceStatistics.radius(sums, stop) : ofReversed;
        double[] scores = formula.scores(sums, vertex -> run.vertexCount() - 1L, stop);
        if (topK != ALL && topK < scores.length) {
            // only their distribution is read
            Arrays.sort(scores);
            scores = Arrays.copyOfRange(scores, scores.length - topK, scores.length);
        }
        RunResult<StreamRow> result =
                scores(run, vertices, scores, statistics ? DistanceStatistics.of(sums, found, stop) : Map.of());
        // a run that can be resumed can be until its scores have been written
        return finished == null ? result : result.whenWritten(finished::delete);
    }

    private static RunResult<StreamRow> scores(
            GraphRun run, int[] vertices, double[] values, Map<String, Object> statistics) {
        return Scores.of(run, vertices, values, StreamRow::new, statistics);
    }

    /**
     * The sums of the nodes to score.
     *
     * @param vertices null for all
     * @param finished what earlier calls of the job have summed; null if it is not resumed
     */
    private Farness sums(GraphRun run, LoadedGraph graph, int[] vertices, FinishedSums finished) {
        if (finished != null) {
            int[] chosen = vertices != null
                    ? vertices
                    : IntStream.range(0, run.vertexCount()).toArray();
            return finished.complete(run, graph, chosen, measures);
        }
        return vertices == null
                ? graph.farness(measures, run.control())
                : graph.farness(vertices, measures, run.control());
    }
}
