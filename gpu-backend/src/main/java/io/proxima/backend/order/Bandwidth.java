// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.concurrent.atomic.AtomicInteger;

/** How far from the diagonal the entries of an ordered graph's matrix lie at most: what Cuthill-McKee lowers. */
final class Bandwidth {

    private static final int COLUMNS_AT_ONCE = 1 << 12;

    private Bandwidth() {}

    /**
     * Measures an order without relabelling the graph.
     *
     * @param graph vertex id space
     * @param order of as many vertices
     * @param concurrency threads that read, at least 1
     * @return the greatest |slot(u) - slot(v)| over all edges u to v; 0 without edges
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    static int of(Csc graph, Permutation order, int concurrency, Stop stop) {
        AtomicInteger bandwidth = new AtomicInteger();
        Workers.forRanges(concurrency, graph.vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            IntPages rows = graph.rowIndices();
            int widest = 0;
            for (int column = (int) from; column < to; column++) {
                int slot = order.slot(column);
                long end = graph.columnEnd(column);
                for (long i = graph.columnStart(column); i < end; i++) {
                    widest = Math.max(widest, Math.abs(order.slot(rows.get(i)) - slot));
                }
            }
            bandwidth.accumulateAndGet(widest, Math::max);
        });
        return bandwidth.get();
    }
}
