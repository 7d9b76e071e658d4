// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.concurrent.PacedStop;
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
        return distances.plan(size);
    }

    @Override
    public RunResult<ArrowStream.Row> run(GraphRun run, CallPlan plan) {
        Streamed<StreamRow> rows = distances.run(run, plan).streamed();
        List<ArrowColumn> columns = List.of(
                new ArrowColumn("sourceNode", Kind.INTEGER),
                new ArrowColumn("targetNode", Kind.INTEGER),
                distances.weighted() ? new ArrowColumn("cost", Kind.FLOAT) : new ArrowColumn("distance", Kind.INTEGER));
        Rows.Maker<StreamRow> maker = rows.maker().get();
        PacedStop paced = new PacedStop(run.caller().stop());
        Pairs pairs = new Pairs(rows, maker, paced);
        return new RunResult<>(
                new Streamed<>(
                        1,
                        ArrowStream.PARTS,
                        () -> new ArrowStream(columns, batchSize, pairs, maker::completed),
                        rows.heapParts(),
                        rows.searching()),
                Map::of,
                List::of);
    }

    /** The rows, one after the other. */
    private static final class Pairs implements ArrowStream.Source {
        private final int elements;
        private final int parts;
        private final Rows.Maker<StreamRow> maker;
        private final PacedStop paced;
        private int element;
        private int part;

        Pairs(Streamed<StreamRow> rows, Rows.Maker<StreamRow> maker, PacedStop paced) {
            this.elements = rows.elements();
            this.parts = rows.parts();
            this.maker = maker;
            this.paced = paced;
        }

        @Override
        public boolean fill(ArrowStream batch) {
            while (element < elements && parts > 0 && !batch.isFull()) {
                paced.worked(1);
                StreamRow row = maker.row(element, part);
                if (++part == parts) {
                    part = 0;
                    element++;
                }
                if (row != null) {
                    batch.column(0).add(row.sourceNode());
                    batch.column(1).add(row.targetNode());
                    add(batch.column(2), row);
                    batch.endRow();
                }
            }
            return element < elements;
        }

        private static void add(ArrowColumn column, StreamRow row) {
            if (row.cost() != null) {
                column.add(Double.doubleToRawLongBits(row.cost()));
            } else if (row.distance() != null && row.distance() >= 0) {
                column.add(row.distance());
            } else {
                column.addMissing();
            }
        }
    }
}
