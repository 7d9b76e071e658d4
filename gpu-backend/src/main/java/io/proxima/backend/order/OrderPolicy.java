// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import java.util.Locale;

/**
 * The order that a graph gets on a device. {@code order: 'auto'} knows the order that suits a graph: by degree for a
 * scale-free-like or shallow graph, RCM for a deep one. A graph is ordered so before its first run if that run has
 * {@link #SEARCHES_THAT_REPAY} searches or more, else in the background once it is used repeatedly. Until then, a
 * scale-free-like graph is ordered by degree, which takes milliseconds.
 *
 * <p>Over slice sets, the orders are those of section 4 of Elbek and Kaya, arXiv:2606.05081: Jaccard for
 * scale-free-like graphs, RCM for others.
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
        return GraphClass.of(graph, concurrency, stop).scaleFreeLike()
                ? new OrderPolicy(VertexOrder.DEGREE, "The graph is scale-free-like.")
                : natural("The graph is not scale-free-like, and there are too few searches for reordering.");
    }

    private static OrderPolicy natural(String reason) {
        return new OrderPolicy(VertexOrder.NATURAL, reason);
    }

    /**
     * The order for a graph that is used repeatedly.
     *
     * @param graph vertex id space; a directed graph is transposed and keeps its transposed form
     */
    public static OrderPolicy repeated(Csc graph, boolean overSliceSets, int concurrency, Stop stop) {
        return suiting(graph, SEARCHES_THAT_REPAY_JACCARD, overSliceSets, concurrency, stop);
    }

    private static OrderPolicy suiting(Csc graph, long searches, boolean overSliceSets, int concurrency, Stop stop) {
        boolean scaleFreeLike = GraphClass.of(graph, concurrency, stop).scaleFreeLike();
        boolean deep = graph.depth(stop) == GraphDepth.DEEP;
        VertexOrder order = VertexOrder.DEGREE;
        if (!scaleFreeLike && (deep || overSliceSets)) {
            order = VertexOrder.RCM;
        } else if (overSliceSets && searches >= SEARCHES_THAT_REPAY_JACCARD) {
            order = VertexOrder.JACCARD;
        } else if (!overSliceSets && !deep && !graph.isSymmetric() && searches >= SEARCHES_THAT_REPAY_REACH) {
            order = VertexOrder.REACH;
        }
        return new OrderPolicy(
                order,
                String.format(
                        Locale.ROOT,
                        "The graph is %sscale-free-like and %s.",
                        scaleFreeLike ? "" : "not ",
                        deep ? "deep" : "shallow"));
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
        // the class of the graph is that of both directions
        return manySearches && overSliceSets
                ? Math.max(
                        most,
                        Orders.afterTransposing(
                                graph, Orders.heapBytes(VertexOrder.JACCARD, graph, concurrency), concurrency))
                : most;
    }
}
