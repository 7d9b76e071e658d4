// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.FarnessFromSources;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.backend.result.VertexSample;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.closeness.SampledClosenessProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Closeness of every node, estimated from searches along the relationships from a random sample of nodes; see
 * {@link FarnessFromSources}. A sample of all nodes yields the exact scores.
 */
public final class SampledCloseness extends ClosenessAlgorithm<StreamRow> {

    /** With this many sources, mean distances of millions of nodes err by a tenth of the diameter at most. */
    private static final Key<Integer> SAMPLING_SIZE =
            Key.of("samplingSize", 1024, "The number of sources, at least 1.");

    private int samplingSize;
    private long samplingSeed;

    public SampledCloseness(Caller caller, Mode mode) {
        super(caller, mode, Operation.MULTI_SOURCE_BFS, "Sampled Closeness", StreamRow::new);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        samplingSize = reader.readInt(SAMPLING_SIZE, 1);
        samplingSeed = readSamplingSeed(reader);
        readFormula(reader);
    }

    @Override
    protected int searches(int vertexCount) {
        return Math.min(samplingSize, vertexCount);
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        MemoryTree rows = scoresMemory(vertexCount, wholeVertexCount);
        if (isExact(vertexCount)) {
            Workload search = new Workload(operation(), vertexCount, LoadedGraph.NO_MAX_DEPTH);
            return search.keeping(
                    MemoryTree.together(
                            "sources and sums",
                            MemoryTree.exactly("sources", (long) vertexCount * Integer.BYTES),
                            FarnessOfSources.memory(
                                    vertexCount, search.deepest(vertexCount), measures(Set.of()), config().threads())),
                    rows);
        }
        MemoryTree drawn = MemoryTree.exactly("set of sources", vertexCount / Byte.SIZE);
        return new Workload(operation(), searches(vertexCount), LoadedGraph.NO_MAX_DEPTH)
                .keeping(
                        MemoryTree.together(
                                "sample and sums",
                                VertexSample.memory(vertexCount),
                                drawn,
                                FarnessFromSources.memory(vertexCount, harmonic())),
                        rows);
    }

    @Override
    protected Passes passes(int vertexCount) {
        return isExact(vertexCount) ? Passes.REVERSED : Passes.ALONG;
    }

    private boolean isExact(int vertexCount) {
        return samplingSize >= vertexCount;
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        int vertexCount = run.vertexCount();
        double[] scores = new double[0];
        if (vertexCount > 0) {
            LoadedGraph graph = isExact(vertexCount) ? loadReversed(run) : load(run);
            scores = timed(() -> isExact(vertexCount) ? exactly(graph, run) : estimated(graph, run));
        }
        return scores(run, scores, Map.of("sourceCount", (long) searches(vertexCount)));
    }

    private double[] exactly(LoadedGraph reversed, GraphRun run) {
        int[] all = IntStream.range(0, run.vertexCount()).toArray();
        FarnessOfSources sums = new FarnessOfSources(all.length, all.length, measures(Set.of()), run.control());
        reversed.multiSourceBfs(all, LoadedGraph.NO_MAX_DEPTH, sums, run.control());
        return formula().scores(sums.farness(), vertex -> all.length - 1L, caller().stop());
    }

    private double[] estimated(LoadedGraph graph, GraphRun run) {
        Stop stop = caller().stop();
        int[] sources = VertexSample.draw(samplingSize, samplingSeed, run.vertexCount(), stop);
        BitSet drawn = new BitSet(run.vertexCount());
        for (int source : sources) {
            drawn.set(source);
        }
        FarnessFromSources searches = new FarnessFromSources(run.vertexCount(), harmonic(), run.control());
        graph.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, searches, run.control());
        Farness sums = searches.farness();
        // a source says nothing about itself
        return formula().scores(sums, vertex -> drawn.get(vertex) ? sources.length - 1L : sources.length, stop);
    }
}
