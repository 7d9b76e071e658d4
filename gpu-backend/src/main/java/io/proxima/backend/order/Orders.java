// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.backend.BackendTask;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;

/**
 * Computes vertex orders. Each depends on the graph only: neither the concurrency nor the run changes
 * the permutation.
 */
public final class Orders {

    private Orders() {}

    /**
     * Orders a graph.
     *
     * @param order any but {@link VertexOrder#AUTO}, which {@link OrderPolicy} turns into one of the others
     * @param graph vertex id space; may be directed
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @param progress receives one task, whose volume is the number of entries
     * @return vertices to slots
     * @throws IllegalArgumentException for {@link VertexOrder#AUTO}
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Permutation permutation(VertexOrder order, Csc graph, int concurrency, Stop stop, Progress progress) {
        progress.beginTask(BackendTask.ORDER_VERTICES.with("(" + order.key() + ")"), graph.entryCount());
        Permutation permutation =
                switch (order) {
                    case AUTO -> throw new IllegalArgumentException("order must not be auto: order=" + order);
                    case NATURAL -> Permutation.identity(graph.vertexCount());
                    case DEGREE -> DegreeOrder.of(graph, concurrency, stop);
                    case REACH -> ReachOrder.of(graph, concurrency, stop);
                    case RCM -> ReverseCuthillMcKee.of(graph, concurrency, stop);
                    case JACCARD ->
                        JaccardWithWindows.of(graph, JaccardWithWindows.DEFAULT_WINDOW, concurrency, stop, progress);
                };
        if (order != VertexOrder.JACCARD) {
            progress.advance(graph.entryCount());
        }
        return permutation;
    }

    /**
     * The maximum heap for computing an order, without the permutation.
     *
     * @param order any but {@link VertexOrder#AUTO}
     */
    static long heapBytes(VertexOrder order, GraphShape graph, int concurrency) {
        long n = graph.vertexCount();
        long entryCount = graph.entryCount();
        return switch (order) {
            case AUTO -> throw new IllegalArgumentException("order must not be auto: order=" + order);
            case NATURAL -> 0;
            case DEGREE -> afterTransposing(graph, DegreeOrder.heapBytes(n), concurrency);
            case REACH ->
                afterTransposing(
                        graph,
                        Integer.BYTES * n + Math.max(DegreeOrder.heapBytes(n), ReachOrder.heapBytes(n)),
                        concurrency);
            case RCM -> {
                // the symmetric structure, the transposed graph, and 7 ints per vertex
                long reversed = graph.symmetric() ? 0 : Integer.BYTES * entryCount + 2 * Csc.bytes(n, entryCount);
                yield 7L * Integer.BYTES * n + Integer.BYTES * entryCount + reversed;
            }
            case JACCARD -> {
                // an int per vertex and thread, 9 ints per column of a window and thread, and 3 ints per entry of a
                // window
                long columns = Math.min(n, JaccardWithWindows.DEFAULT_WINDOW);
                yield Integer.BYTES * (2 * n + (n + 9 * columns) * concurrency + 3 * entryCount);
            }
        };
    }

    /** The maximum heap for work that needs the reversed graph, given that of the work alone. */
    static long afterTransposing(GraphShape graph, long work, int concurrency) {
        return graph.afterTransposing(MemoryTree.exactly("order", work), concurrency)
                .maxBytes();
    }
}
