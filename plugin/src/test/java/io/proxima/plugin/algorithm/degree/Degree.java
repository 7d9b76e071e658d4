// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.degree;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.algorithm.degree.DegreeProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/** The degree of every node. */
record Degree(boolean relative) implements Algorithm<StreamRow> {

    private static final Key<Boolean> RELATIVE = Key.of("relative", false, "Divides by the number of other nodes.");

    static Degree read(CallKeys keys) {
        return new Degree(keys.reader().readBoolean(RELATIVE));
    }

    @Override
    public Traits traits() {
        return new Traits("Degree", Operation.BFS, WrittenValues.SHARED_FLOATS);
    }

    @Override
    public CallPlan plan(CallSize size) {
        Workload work = new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH);
        return new CallPlan(work.keeping(MemoryTree.NONE, Scores.memory(size, size.vertexCount())), 1);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        run.load(plan);
        Csc graph = run.csc();
        double[] scores = new double[run.vertexCount()];
        Arrays.setAll(scores, vertex -> relative ? graph.degree(vertex) / (scores.length - 1.0) : graph.degree(vertex));
        return Scores.of(run, scores, StreamRow::new);
    }
}
