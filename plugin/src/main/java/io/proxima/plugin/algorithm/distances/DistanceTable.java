// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.distances.DistancesProcedures.StreamRow;
import io.proxima.plugin.arrow.ArrowColumn;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.ArrowStream;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import java.util.List;
import java.util.Map;

/** The rows of distances as a table. */
record DistanceTable(Distances distances, int batchSize) implements Algorithm<ArrowStream.Row> {

    static DistanceTable read(CallKeys keys) {
        return new DistanceTable(Distances.read(keys), ArrowStream.readBatchSize(keys.reader()));
    }

    @Override
    public Traits traits() {
        return distances.traits();
    }

    @Override
    public boolean onCpuOnly() {
        return distances.onCpuOnly();
    }

    @Override
    public CallPlan plan(CallSize size) {
        CallPlan plan = distances.plan(size);
        Workload work = plan.work();
        MemoryTree kept = MemoryTree.together("distances and batches", work.kept(), ArrowStream.memory(0));
        return new CallPlan(work.keeping(kept, work.afterwards()), plan.searches(), plan.passes());
    }

    @Override
    public RunResult<ArrowStream.Row> run(GraphRun run, CallPlan plan) {
        Streamed<StreamRow> rows = distances.run(run, plan).streamed();
        List<ArrowColumn> columns = List.of(
                new ArrowColumn("sourceNode", Kind.INTEGER),
                new ArrowColumn("targetNode", Kind.INTEGER),
                distances.weighted() ? new ArrowColumn("cost", Kind.FLOAT) : new ArrowColumn("distance", Kind.INTEGER));
        Rows.Maker<StreamRow> maker = rows.maker().get();
        ArrowStream table = new ArrowStream(
                columns,
                batchSize,
                rows.elements(),
                rows.parts(),
                (element, part, row) -> add(maker.row(element, part), row),
                maker::completed,
                run.caller().stop());
        return new RunResult<>(
                new Streamed<>(1, ArrowStream.MESSAGES, () -> table, rows.heapParts(), rows.searching()),
                Map::of,
                List::of);
    }

    private static boolean add(StreamRow row, List<ArrowColumn> columns) {
        if (row == null) {
            return false;
        }
        columns.get(0).add(row.sourceNode());
        columns.get(1).add(row.targetNode());
        if (row.cost() != null) {
            columns.get(2).add(Double.doubleToRawLongBits(row.cost()));
        } else if (row.distance() != null && row.distance() >= 0) {
            columns.get(2).add(row.distance());
        } else {
            columns.get(2).addMissing();
        }
        return true;
    }
}
