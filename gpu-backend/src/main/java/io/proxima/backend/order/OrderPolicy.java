// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.backend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.IntPages;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The order that a graph gets on a device. {@code order: 'auto'} knows the order that suits a graph: by degree or by
 * reach for a shallow graph, RCM for a deep one. A graph is ordered so before its first run if that run has
 * {@link #SEARCHES_THAT_REPAY} searches or more, else in the background once it is used repeatedly. Until then, only a
 * shallow graph {@linkplain #hasHubs with hubs} is ordered by degree: it gains the most.
 *
 * <p>Over slice sets, the orders are those of section 4 of Elbek and Kaya, arXiv:2606.05081: Jaccard for graphs with
 * hubs, RCM for others.
 *
 * @param order any but AUTO
 * @param reason one sentence for the log
 */
public record OrderPolicy(VertexOrder order, String reason) {

    /** The number of searches that repay RCM or an order by degree. On an H200, RCM is repaid after 560 to 1,700. */
    static final long SEARCHES_THAT_REPAY = 1 << 10;

    /** The number of searches that repay Jaccard. On kron20 with 16 cores, it is repaid after 47,000. */
    static final long SEARCHES_THAT_REPAY_JACCARD = 1 << 16;

    /** The number of searches of a directed graph that repay an order by reach, which one thread finds. */
    static final long SEARCHES_THAT_REPAY_REACH = 1 << 13;

    /** Entries below which 'auto' orders no graph for its first run. */
    static final long LEAST_ENTRIES = 1L << 17;

    /**
     * Degree of a hub, as a multiple of the mean. A random graph has vertices of 2 to 6 times the mean, a scale-free
     * one of 13 to 1,000 times.
     */
    private static final long HUB_FACTOR = 10;

    private static final int VERTICES_AT_ONCE = 1 << 16;
    private static final int ENTRIES_AT_ONCE = 1 << 18;

    /**
     * The order for the first run of a graph.
     *
     * @param graph vertex id space
     * @param wanted the requested order
     * @param searches number of sources of the run
     * @param overSliceSets whether the run can use only the kernels over BVSS
     */
    public static OrderPolicy first(
            Csc graph, VertexOrder wanted, long searches, boolean overSliceSets, int concurrency, Stop stop) {
        if (graph.vertexCount() == 0) {
            return natural("The graph has no vertices.");
        }
        if (wanted != VertexOrder.AUTO) {
            return new OrderPolicy(wanted, "The configuration selects this order.");
        }
        if (graph.entryCount() < LEAST_ENTRIES) {
            return natural("The graph is too small for reordering.");
        }
        if (searches >= SEARCHES_THAT_REPAY) {
            return suiting(graph, searches, overSliceSets, concurrency, stop);
        }
        if (overSliceSets) {
            return natural("There are too few searches for reordering.");
        }
        if (!graph.hasTransposed()) {
            return natural("The graph is directed, so ordering it by degree costs more time than a few searches save.");
        }
        return graph.depth(stop) == GraphDepth.SHALLOW && hasHubs(graph, concurrency, stop)
                ? new OrderPolicy(VertexOrder.DEGREE, "The graph is shallow and has hubs.")
                : natural("The graph is deep or has no hubs, and there are too few searches for reordering.");
    }

    private static OrderPolicy natural(String reason) {
        return new OrderPolicy(VertexOrder.NATURAL, reason);
    }

    /**
     * Whether a graph has hubs: vertices of at least {@value #HUB_FACTOR} times as many out-edges, or in-edges, as the
     * mean.
     *
     * @param graph vertex or slot id space. For a directed one, {@code int[vertexCount]} of in-degrees is allocated
     */
    public static boolean hasHubs(Csc graph, int concurrency, Stop stop) {
        long n = graph.vertexCount();
        long leastProduct = Math.max(1, HUB_FACTOR * graph.entryCount());
        AtomicBoolean found = new AtomicBoolean();
        Workers.forRanges(concurrency, n, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                if (graph.degree(vertex) * n >= leastProduct) {
                    found.set(true);
                }
            }
        });
        if (graph.isSymmetric() || found.get()) {
            return found.get();
        }
        AtomicIntegerArray inDegrees = new AtomicIntegerArray(graph.vertexCount());
        IntPages rows = graph.rowIndices();
        Workers.forRanges(concurrency, graph.entryCount(), ENTRIES_AT_ONCE, stop, (worker, from, to) -> {
            for (long entry = from; entry < to; entry++) {
                if (inDegrees.incrementAndGet(rows.get(entry)) * n >= leastProduct) {
                    found.set(true);
                }
            }
        });
        return found.get();
    }

    /**
     * The order for a graph that is used repeatedly.
     *
     * @param graph vertex id space
     */
    public static OrderPolicy repeated(Csc graph, boolean overSliceSets, int concurrency, Stop stop) {
        return suiting(graph, SEARCHES_THAT_REPAY_JACCARD, overSliceSets, concurrency, stop);
    }

    private static OrderPolicy suiting(Csc graph, long searches, boolean overSliceSets, int concurrency, Stop stop) {
        if (graph.depth(stop) == GraphDepth.DEEP) {
            return new OrderPolicy(VertexOrder.RCM, "The graph is deep.");
        }
        String shallow = "The graph is shallow.";
        if (!overSliceSets) {
            boolean byReach = !graph.isSymmetric() && searches >= SEARCHES_THAT_REPAY_REACH;
            return new OrderPolicy(byReach ? VertexOrder.REACH : VertexOrder.DEGREE, shallow);
        }
        if (!hasHubs(graph, concurrency, stop)) {
            return new OrderPolicy(VertexOrder.RCM, "The graph has no hubs.");
        }
        boolean byRows = searches >= SEARCHES_THAT_REPAY_JACCARD;
        return new OrderPolicy(byRows ? VertexOrder.JACCARD : VertexOrder.DEGREE, shallow);
    }

    /**
     * Whether 'auto' may order a graph for its first run.
     *
     * @param manySearches whether the run may have many searches
     */
    public static boolean mayOrderFirst(GraphShape graph, boolean manySearches, boolean overSliceSets) {
        return graph.entryCount() >= LEAST_ENTRIES && (manySearches || (graph.transposed() && !overSliceSets));
    }

    /**
     * The maximum heap for computing the requested order, without the permutation.
     *
     * @param wanted AUTO for the maximum over the orders that 'auto' may choose
     * @param manySearches as in {@link #mayOrderFirst}
     */
    public static long heapBytes(
            VertexOrder wanted, GraphShape graph, boolean manySearches, boolean overSliceSets, int concurrency) {
        if (wanted != VertexOrder.AUTO) {
            return Orders.heapBytes(wanted, graph, concurrency);
        }
        long most = Orders.heapBytes(VertexOrder.DEGREE, graph, concurrency);
        if (manySearches) {
            most = Math.max(most, Orders.heapBytes(VertexOrder.RCM, graph, concurrency));
            most = Math.max(most, Orders.heapBytes(VertexOrder.REACH, graph, concurrency));
        }
        return manySearches && overSliceSets
                ? Math.max(most, Orders.heapBytes(VertexOrder.JACCARD, graph, concurrency))
                : most;
    }
}
