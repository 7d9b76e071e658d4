// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.degree;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.ScoreAlgorithm;
import io.proxima.plugin.algorithm.degree.DegreeProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.Map;

/** The degree of every node. */
final class Degree extends ScoreAlgorithm<StreamRow> {

    private static final Key<Boolean> RELATIVE = Key.of("relative", false, "Divides by the number of other nodes.");

    private boolean relative;

    Degree(Caller caller, Mode mode) {
        super(caller, mode, Operation.BFS, "Degree", StreamRow::new);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        relative = reader.readBoolean(RELATIVE);
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        return new Workload(operation(), 1, LoadedGraph.NO_MAX_DEPTH)
                .keeping(MemoryTree.NONE, scoresMemory(vertexCount, wholeVertexCount));
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        load(run);
        Csc graph = run.csc();
        double[] scores = new double[run.vertexCount()];
        Arrays.setAll(scores, vertex -> relative ? graph.degree(vertex) / (scores.length - 1.0) : graph.degree(vertex));
        return timed(() -> scores(run, scores, Map.of()));
    }
}
