// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.betweenness;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.CostBetweenness;
import io.proxima.backend.result.VertexSample;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.betweenness.BetweennessProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.WeightedCsc;
import java.util.stream.IntStream;

/**
 * Betweenness of every node: exact, or from a sample of sources.
 *
 * @param samplingSize number of sources, or {@link #ALL}
 * @param weightProperty the property with the weights; empty without weights
 */
record Betweenness(int samplingSize, long samplingSeed, String weightProperty) implements Algorithm<StreamRow> {

    private static final int ALL = -1;
    private static final Key<Integer> SAMPLING_SIZE =
            Key.of("samplingSize", ALL, "The number of sources, at least 1.").absentMeans("all nodes");

    static Betweenness read(CallKeys keys) {
        return new Betweenness(
                keys.reader().readInt(SAMPLING_SIZE, 1),
                Scores.readSamplingSeed(keys.reader()),
                CostSearches.readProperty(keys.reader()));
    }

    @Override
    public Traits traits() {
        return new Traits(
                "Betweenness",
                onCpuOnly() ? Operation.WEIGHTED_SEARCHES : Operation.BETWEENNESS,
                WrittenValues.SHARED_FLOATS);
    }

    @Override
    public boolean onCpuOnly() {
        return !weightProperty.isEmpty();
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        int sources = samplingSize == ALL ? vertexCount : Math.min(samplingSize, vertexCount);
        MemoryTree sample = sources == vertexCount ? MemoryTree.NONE : VertexSample.memory(sources, vertexCount);
        if (onCpuOnly()) {
            MemoryTree kept = MemoryTree.together(
                    "sources and scores",
                    sources == vertexCount ? MemoryTree.exactly("sources", (long) vertexCount * Integer.BYTES) : sample,
                    CostBetweenness.memory(
                            vertexCount,
                            size.weights(weightProperty).count(),
                            Math.min(size.threads(), Math.max(1, sources))));
            return CostSearches.plan(
                    size,
                    Operation.WEIGHTED_SEARCHES,
                    weightProperty,
                    sources,
                    false,
                    kept,
                    size.property(vertexCount, Double.BYTES));
        }
        Workload work = new Workload(Operation.BETWEENNESS, sources, LoadedGraph.NO_MAX_DEPTH)
                .keeping(sample, MemoryTree.together("rows", size.property(vertexCount, Double.BYTES)));
        return new CallPlan(work, sources);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        if (run.vertexCount() == 0) {
            return Scores.of(run, new double[0], StreamRow::new);
        }
        Stop stop = run.caller().stop();
        int[] sources = sources(run.vertexCount(), stop);
        double[] scores = onCpuOnly()
                ? overWeights(run, run.load(plan), sources)
                : run.load(plan).betweenness(sources, run.control());
        if (run.isUndirected()) {
            // each pair was counted in both directions
            PacedStop paced = new PacedStop(stop);
            for (int vertex = 0; vertex < scores.length; vertex++) {
                scores[vertex] /= 2;
                paced.worked(1);
            }
        }
        return Scores.of(run, scores, StreamRow::new);
    }

    private double[] overWeights(GraphRun run, LoadedGraph graph, int[] chosen) {
        WeightedCsc weights = run.lengths(weightProperty);
        int[] sources = chosen == null ? IntStream.range(0, run.vertexCount()).toArray() : chosen;
        return CostSearches.withCosts(
                run,
                weightProperty,
                () -> CostBetweenness.run(graph, weights, run.isUndirected(), sources, run.control()));
    }

    /** The drawn sources; null for all vertices. */
    private int[] sources(int vertexCount, Stop stop) {
        return samplingSize == ALL || samplingSize >= vertexCount
                ? null
                : VertexSample.draw(samplingSize, samplingSeed, vertexCount, stop);
    }
}
