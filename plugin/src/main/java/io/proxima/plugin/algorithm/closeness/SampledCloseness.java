// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.Farness;
import io.proxima.backend.FarnessFromSources;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.VertexSample;
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

/**
 * Closeness of every node, estimated from searches along the relationships from a random sample of nodes; see
 * {@link FarnessFromSources}. A sample of all nodes yields the exact
 * scores, harmonic ones up to rounding.
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
        MemoryTree drawn = MemoryTree.exactly("set of sources", vertexCount / Byte.SIZE);
        return new Workload(operation(), searches(vertexCount), LoadedGraph.NO_MAX_DEPTH)
                .keeping(
                        MemoryTree.together(
                                "sample and sums",
                                VertexSample.memory(vertexCount),
                                drawn,
                                FarnessFromSources.memory(vertexCount, harmonic())),
                        scoresMemory(vertexCount, wholeVertexCount));
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        int vertexCount = run.vertexCount();
        double[] scores = new double[0];
        if (vertexCount > 0) {
            LoadedGraph graph = load(run);
            scores = timed(() -> estimated(graph, run));
        }
        return scores(run, scores, Map.of("sourceCount", (long) searches(vertexCount)));
    }

    private double[] estimated(LoadedGraph graph, GraphRun run) {
        Stop stop = caller().stop();
        BitSet drawn = new BitSet(run.vertexCount());
        for (int source : VertexSample.draw(searches(run.vertexCount()), samplingSeed, run.vertexCount(), stop)) {
            drawn.set(source);
        }
        int[] sources = drawn.stream().toArray();
        FarnessFromSources searches = new FarnessFromSources(run.vertexCount(), harmonic(), run.control());
        graph.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, searches, run.control());
        Farness sums = searches.farness();
        // a source says nothing about itself
        return formula().scores(sums, vertex -> drawn.get(vertex) ? sources.length - 1L : sources.length, stop);
    }
}
