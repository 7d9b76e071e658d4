// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static io.proxima.backend.cuda.driver.KernelConstants.LEAST_ROW_BITS;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_ROW_BITS;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Map;

/**
 * Padded rows: the first out-neighbours of each slot in rows of equal length, so that a warp reads the rows of several
 * vertices in one access. Longer lists continue in {@link Csr#OUT}.
 */
public final class PaddedNeighbours implements DeviceStructure<PaddedNeighbours.Rows> {

    /** The share of the lists that may be longer than a row. */
    static final double LONG_LISTS = 0.01;

    /** The one instance. */
    public static final PaddedNeighbours ROWS = new PaddedNeighbours();

    /** The logarithm of the length of a row. */
    static final GraphSizes.Figure ROW_BITS = new GraphSizes.Figure(graph -> LEAST_ROW_BITS, graph -> MOST_ROW_BITS);

    /** 1 if the levels of the graph have few edges, else 0. */
    static final GraphSizes.Figure FEW_EDGES = BallsBfsKernel.fewEdges(false);

    private static final int GRAIN = 1 << 16;

    private PaddedNeighbours() {}

    /**
     * Rows.
     *
     * @param rows device address of {@code int[vertexCount << rowBits]}: out-neighbours, then the constant
     *     NO_NEIGHBOUR of the kernels; the last place of the row of a longer list has MORE_NEIGHBOURS; slot id space
     * @param rowBits from the constant LEAST_ROW_BITS of the kernels to MOST_ROW_BITS
     */
    public record Rows(DeviceArray array, long rows, int rowBits) implements Arrays {
        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(ROW_BITS, (long) rowBits, FEW_EDGES, rowBits == LEAST_ROW_BITS ? 1L : 0L);
        }
    }

    @Override
    public String label() {
        return "rows of neighbours";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.vertexCount(), (int) graph.figure(ROW_BITS));
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(Csr.OUT), 0);
    }

    @Override
    public Rows build(BuildContext context) {
        Lists lists = context.structure(Csr.OUT);
        int n = context.graph().vertexCount();
        int rowBits = rowBits(context.graph(), context.concurrency(), context.stop());
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the rows of the graph", bytes(n, rowBits));
            lease.launchThreads(
                    (long) n << rowBits,
                    ShippedKernels.arguments("balls_rows_thread")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set("rows", array.address())
                            .set("n", n)
                            .set("rowBits", rowBits));
            lease.await();
            return new Rows(array, array.address(), rowBits);
        }
    }

    /**
     * The logarithm of the shortest row length for which at most {@link #LONG_LISTS} of the lists are longer than a
     * row.
     */
    static int rowBits(Csc graph, int concurrency, Stop stop) {
        int n = graph.vertexCount();
        long[][] longer = new long[concurrency][MOST_ROW_BITS];
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            for (int v = (int) from; v < to; v++) {
                for (int bits = LEAST_ROW_BITS; bits < MOST_ROW_BITS && graph.degree(v) > 1 << bits; bits++) {
                    longer[worker][bits]++;
                }
            }
        });
        for (int bits = LEAST_ROW_BITS; bits < MOST_ROW_BITS; bits++) {
            long count = 0;
            for (long[] own : longer) {
                count += own[bits];
            }
            if (count <= n * LONG_LISTS) {
                return bits;
            }
        }
        return MOST_ROW_BITS;
    }

    /** Room for at least one neighbour. */
    public static long bytes(int vertexCount, int rowBits) {
        return ArrayLayout.bytesOf(Math.max(1, (long) vertexCount << rowBits), Integer.BYTES);
    }
}
