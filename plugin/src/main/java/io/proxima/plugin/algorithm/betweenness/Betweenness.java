// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.betweenness;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.VertexSample;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.ScoreAlgorithm;
import io.proxima.plugin.algorithm.betweenness.BetweennessProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.util.Map;

/** Betweenness of every node: exact, or from a sample of sources. */
public final class Betweenness extends ScoreAlgorithm<StreamRow> {

    private static final int ALL = -1;
    private static final Key<Integer> SAMPLING_SIZE =
            Key.of("samplingSize", ALL, "The number of sources, at least 0.").absentMeans("all nodes");

    private int samplingSize;
    private long samplingSeed;

    public Betweenness(Caller caller, Mode mode) {
        super(caller, mode, Operation.BETWEENNESS, "Betweenness", StreamRow::new);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        samplingSize = reader.readInt(SAMPLING_SIZE, 0);
        samplingSeed = readSamplingSeed(reader);
    }

    @Override
    protected int searches(int vertexCount) {
        return samplingSize == ALL ? vertexCount : Math.min(samplingSize, vertexCount);
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        MemoryTree sample = samplingSize == ALL ? MemoryTree.NONE : VertexSample.memory(vertexCount);
        return new Workload(operation(), searches(vertexCount), LoadedGraph.NO_MAX_DEPTH)
                .keeping(
                        sample,
                        MemoryTree.together("rows", propertyMemory(vertexCount, wholeVertexCount, Double.BYTES)));
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return scores(run, new double[0], Map.of());
        }
        LoadedGraph graph = load(run);
        double[] scores = timed(() -> {
            double[] found = graph.betweenness(sources(run.vertexCount()), run.control());
            if (run.isUndirected()) {
                // each pair was counted in both directions
                PacedStop paced = new PacedStop(caller().stop());
                for (int vertex = 0; vertex < found.length; vertex++) {
                    found[vertex] /= 2;
                    paced.worked(1);
                }
            }
            return found;
        });
        return scores(run, scores, Map.of());
    }

    /** The drawn sources; null for all vertices. */
    private int[] sources(int vertexCount) {
        return samplingSize == ALL || samplingSize >= vertexCount
                ? null
                : VertexSample.draw(samplingSize, samplingSeed, vertexCount, caller().stop());
    }
}
