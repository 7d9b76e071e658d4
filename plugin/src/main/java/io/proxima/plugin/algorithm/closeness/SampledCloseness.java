// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.backend.result.CostsFromSources;
import io.proxima.backend.result.FarnessFromSources;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.backend.result.VertexSample;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.closeness.SampledClosenessProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallPlan.Passes;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Closeness of every node, estimated from searches along the relationships from a random sample of nodes; see
 * {@link FarnessFromSources}. A sample of all nodes yields the exact scores.
 *
 * @param weightProperty the property with the weights; empty without weights
 */
record SampledCloseness(int samplingSize, long samplingSeed, ClosenessFormula formula, String weightProperty)
        implements Algorithm<StreamRow> {

    /** With this many sources, mean distances of millions of nodes err by a tenth of the diameter at most. */
    private static final Key<Integer> SAMPLING_SIZE =
            Key.of("samplingSize", 1024, "The number of sources, at least 1.");

    static SampledCloseness read(CallKeys keys) {
        return new SampledCloseness(
                keys.reader().readInt(SAMPLING_SIZE, 1),
                Scores.readSamplingSeed(keys.reader()),
                Formula.read(keys.reader()),
                CostSearches.readProperty(keys.reader()));
    }

    @Override
    public Traits traits() {
        return new Traits(
                "Sampled Closeness",
                onCpuOnly() ? Operation.WEIGHTED_SEARCHES : Operation.MULTI_SOURCE_BFS,
                WrittenValues.SHARED_FLOATS);
    }

    @Override
    public boolean onCpuOnly() {
        return !weightProperty.isEmpty();
    }

    private boolean isHarmonic() {
        return formula == ClosenessFormula.HARMONIC;
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        boolean exact = samplingSize >= vertexCount;
        int sources = exact ? vertexCount : samplingSize;
        if (onCpuOnly()) {
            MemoryTree sums = exact
                    ? WeightedCloseness.memory(vertexCount, formula)
                    : ofSample(vertexCount, CostsFromSources.memory(vertexCount));
            return CostSearches.plan(
                    size,
                    Operation.WEIGHTED_SEARCHES,
                    weightProperty,
                    sources,
                    exact,
                    sums,
                    Scores.memory(size, vertexCount));
        }
        Workload search = new Workload(Operation.MULTI_SOURCE_BFS, sources, LoadedGraph.NO_MAX_DEPTH);
        MemoryTree kept = exact
                ? MemoryTree.together(
                        "sources and sums",
                        MemoryTree.exactly("sources", (long) vertexCount * Integer.BYTES),
                        FarnessOfSources.memory(
                                vertexCount, search.deepest(vertexCount), formula.measures(), size.threads()))
                : ofSample(vertexCount, FarnessFromSources.memory(vertexCount, isHarmonic()));
        return new CallPlan(
                search.keeping(kept, Scores.memory(size, vertexCount)),
                sources,
                exact ? Passes.REVERSED : Passes.ALONG);
    }

    private MemoryTree ofSample(int vertexCount, MemoryTree sums) {
        return MemoryTree.together(
                "sample and sums",
                VertexSample.memory(samplingSize, vertexCount),
                MemoryTree.exactly("set of sources", vertexCount / Byte.SIZE),
                sums);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        Map<String, Object> statistics = Map.of("sourceCount", (long) plan.searches());
        double[] scores = run.vertexCount() == 0
                ? new double[0]
                : onCpuOnly()
                        ? overWeights(run, plan)
                        : plan.passes() == Passes.REVERSED
                                ? exactly(run.loadReversed(plan), run)
                                : estimated(run.load(plan), run);
        return Scores.of(run, null, scores, StreamRow::new, statistics);
    }

    private double[] overWeights(GraphRun run, CallPlan plan) {
        LoadedGraph graph = run.load(plan);
        int vertexCount = run.vertexCount();
        if (plan.searches() == vertexCount) {
            int[] all = IntStream.range(0, vertexCount).toArray();
            return WeightedCloseness.scores(
                    run, all, formula, WeightedCloseness.sums(run, graph, all, formula, weightProperty));
        }
        Stop stop = run.caller().stop();
        int[] sources = VertexSample.draw(samplingSize, samplingSeed, vertexCount, stop);
        IntToLongFunction others = others(sources, vertexCount);
        if (isHarmonic()) {
            WeightedCloseness.requireReciprocals(run, weightProperty);
        }
        CostsFromSources sums = CostSearches.run(
                run,
                graph,
                weightProperty,
                run.lengths(weightProperty),
                sources,
                new CostsFromSources(vertexCount, isHarmonic()));
        double[] scores = new double[vertexCount];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            double sum = WeightedCloseness.requireFinite(run, vertex, sums.sum(vertex));
            scores[vertex] = WeightedCloseness.requireFinite(
                    run, vertex, formula.score(sum, sums.reach()[vertex], sum, others.applyAsLong(vertex)));
            paced.worked(1);
        }
        return scores;
    }

    private double[] exactly(LoadedGraph reversed, GraphRun run) {
        int[] all = IntStream.range(0, run.vertexCount()).toArray();
        FarnessOfSources sums = new FarnessOfSources(all.length, all.length, formula.measures(), run.control());
        reversed.multiSourceBfs(all, LoadedGraph.NO_MAX_DEPTH, sums, run.control());
        return formula.scores(
                sums.farness(), vertex -> all.length - 1L, run.caller().stop());
    }

    private double[] estimated(LoadedGraph graph, GraphRun run) {
        Stop stop = run.caller().stop();
        int[] sources = VertexSample.draw(samplingSize, samplingSeed, run.vertexCount(), stop);
        FarnessFromSources searches = new FarnessFromSources(run.vertexCount(), isHarmonic(), run.control());
        graph.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, searches, run.control());
        return formula.scores(searches.farness(), others(sources, run.vertexCount()), stop);
    }

    /** The number of sources besides a vertex: a source says nothing about itself. */
    private static IntToLongFunction others(int[] sources, int vertexCount) {
        BitSet drawn = new BitSet(vertexCount);
        for (int source : sources) {
            drawn.set(source);
        }
        return vertex -> drawn.get(vertex) ? sources.length - 1L : sources.length;
    }
}
