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
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Padded rows: the first out-neighbours of each slot in rows of equal length, so that a warp reads the rows of several
 * vertices in one access. Longer lists continue in {@link Csr#OUT}.
 */
final class PaddedNeighbours implements DeviceStructure<PaddedNeighbours.Rows> {

    /** The share of the lists that may be longer than a row. */
    static final double LONG_LISTS = 0.01;

    /** The one instance. */
    static final PaddedNeighbours ROWS = new PaddedNeighbours();

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
    record Rows(DeviceArray array, long rows, int rowBits) implements Arrays {
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
        // by the bits of the shortest row that holds a list
        AtomicLongArray lists = new AtomicLongArray(MOST_ROW_BITS + 1);
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            int[] own = new int[MOST_ROW_BITS + 1];
            for (int v = (int) from; v < to; v++) {
                long degree = graph.degree(v);
                own[Math.min(MOST_ROW_BITS, Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, degree - 1)))]++;
            }
            for (int bits = 0; bits < own.length; bits++) {
                lists.addAndGet(bits, own[bits]);
            }
        });
        long longer = 0;
        int rowBits = MOST_ROW_BITS;
        while (rowBits > LEAST_ROW_BITS && longer + lists.get(rowBits) <= n * LONG_LISTS) {
            longer += lists.get(rowBits--);
        }
        return rowBits;
    }

    /** Room for at least one neighbour. */
    private static long bytes(int vertexCount, int rowBits) {
        return ArrayLayout.bytesOf(Math.max(1, (long) vertexCount << rowBits), Integer.BYTES);
    }
}
