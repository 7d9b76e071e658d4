// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.backend.BackendTask;
import io.proxima.backend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.ServiceLoader;

/**
 * Computes vertex orders. Each depends on the graph only: neither the concurrency nor the run changes
 * the permutation.
 */
public final class Orders {

    private Orders() {}

    /** The algorithm of an order that this package does not have, found by {@link ServiceLoader}. */
    public interface Provider {

        /** The order. */
        VertexOrder order();

        /** As {@link Orders#permutation}; tells the progress all entries of the graph. */
        Permutation permutation(Csc graph, int concurrency, Stop stop, Progress progress);

        /** The maximum heap meanwhile, without the permutation. */
        long heapBytes(long vertexCount, long entryCount, int concurrency);
    }

    private static Provider provider(VertexOrder order) {
        return ServiceLoader.load(Provider.class, Orders.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.order() == order)
                .findFirst()
                .orElseThrow();
    }

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
                    case JACCARD -> provider(order).permutation(graph, concurrency, stop, progress);
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
                // the symmetric structure, the transposed graph, and 9 ints per vertex
                long reversed = graph.symmetric() ? 0 : Integer.BYTES * entryCount + 2 * Csc.bytes(n, entryCount);
                yield 9L * Integer.BYTES * n + Integer.BYTES * entryCount + reversed;
            }
            case JACCARD -> provider(order).heapBytes(n, entryCount, concurrency);
        };
    }

    /** The maximum heap for work that needs the reversed graph, given that of the work alone. */
    private static long afterTransposing(GraphShape graph, long work, int concurrency) {
        return graph.afterTransposing(MemoryTree.exactly("order", work), concurrency)
                .maxBytes();
    }
}
