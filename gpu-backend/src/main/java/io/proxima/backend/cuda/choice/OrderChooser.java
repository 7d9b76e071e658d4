// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.GraphClass;
import io.proxima.backend.order.JaccardWithWindows;
import io.proxima.backend.order.OrderAdvice;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.VertexOrder;
import io.proxima.projection.Csc;
import java.util.Locale;

/** Chooses the order of a graph on a device, and computes it. */
public final class OrderChooser {

    /**
     * The number of sources below which 'auto' does not examine whether an order pays off, because that takes a pass
     * over the graph.
     */
    static final long SEARCHES_THAT_MAY_PAY = 64;

    /** The number of searches to expect of a graph that is used repeatedly. */
    static final long SEARCHES_OF_A_GRAPH_IN_USE = 1_000_000;

    /** Bytes of two histograms of degrees; see {@link io.proxima.backend.order.Orders}. */
    private static final long DEGREE_TABLE_BYTES = 2L << 20;

    private OrderChooser() {}

    /**
     * Chooses and computes the order for the first run.
     *
     * @param wanted the requested order
     * @param searches number of sources of the run; 'auto' weighs the time for the order against them
     * @param overSliceSets whether the run can use only the kernels over BVSS
     */
    public static SlotOrder first(
            Csc graph, VertexOrder wanted, long searches, boolean overSliceSets, RunControl control) {
        if (graph.vertexCount() == 0) {
            return SlotOrder.natural("The graph has no vertices.");
        }
        if (wanted == VertexOrder.NATURAL) {
            return SlotOrder.natural("The configuration selects the order of the projection.");
        }
        if (wanted != VertexOrder.AUTO) {
            return make(graph, wanted, "The configuration selects this order.", control);
        }
        if (graph.entryCount() < LaunchPolicy.SMALLEST_TO_ORDER) {
            return SlotOrder.natural("The graph is too small for reordering.");
        }
        if (searches < SEARCHES_THAT_MAY_PAY) {
            return overSliceSets
                    ? SlotOrder.natural("There are too few searches for reordering.")
                    : ofFewSearches(graph, control);
        }
        OrderAdvice advice = advice(graph, searches, overSliceSets, control);
        if (advice.order() == VertexOrder.NATURAL) {
            return overSliceSets ? SlotOrder.natural(advice.reason()) : ofFewSearches(graph, control);
        }
        return make(graph, advice.order(), advice.reason(), control);
    }

    /** Whether ordering a graph by degree is cheap enough for 'auto' to consider it for one search. */
    public static boolean isCheapByDegree(long entryCount, boolean reverseIsThere) {
        return entryCount >= LaunchPolicy.SMALLEST_TO_ORDER && reverseIsThere;
    }

    private static SlotOrder ofFewSearches(Csc graph, RunControl control) {
        if (!isCheapByDegree(graph.entryCount(), graph.hasTransposed())) {
            return SlotOrder.natural(
                    "The graph is directed, so ordering it by degree costs more time than a few searches save.");
        }
        return GraphClass.of(graph, control.concurrency(), control.stop()).scaleFreeLike()
                ? make(graph, VertexOrder.DEGREE, "The graph is scale-free-like.", control)
                : SlotOrder.natural("The graph is not scale-free-like, and there are too few searches for reordering.");
    }

    /**
     * The best order for a graph that is used repeatedly.
     *
     * @param fewLargeLevels whether searches of it were found to have such levels: RCM then leaves neighbours as far apart as
     *     they are, while an order by degree brings those together that most searches read
     */
    static OrderAdvice best(Csc graph, boolean overSliceSets, boolean fewLargeLevels, RunControl control) {
        OrderAdvice advice = advice(graph, SEARCHES_OF_A_GRAPH_IN_USE, overSliceSets, control);
        if (advice.order() != VertexOrder.RCM || !fewLargeLevels) {
            return advice;
        }
        return new OrderAdvice(
                VertexOrder.DEGREE,
                OrderAdvice.seconds(VertexOrder.DEGREE, graph.vertexCount(), graph.entryCount(), control.concurrency()),
                "The graph is not scale-free-like, and its levels are few and large.");
    }

    private static OrderAdvice advice(Csc graph, long searches, boolean overSliceSets, RunControl control) {
        return OrderAdvice.of(
                GraphClass.of(graph, control.concurrency(), control.stop()),
                graph.vertexCount(),
                graph.entryCount(),
                searches,
                overSliceSets,
                control.concurrency());
    }

    /** Computes an order. Its reason includes the time. */
    static SlotOrder make(Csc graph, VertexOrder order, String reason, RunControl control) {
        long begin = System.nanoTime();
        var permutation = Orders.permutation(
                order, graph, Orders.Settings.DEFAULT, control.concurrency(), control.stop(), control.progress());
        return new SlotOrder(
                order,
                permutation,
                String.format(
                        Locale.ROOT, "%s Reordering took %d ms.", reason, (System.nanoTime() - begin) / 1_000_000));
    }

    /**
     * The maximum heap for computing an order, without the permutation.
     *
     * @param wanted the order; AUTO for the maximum over the orders that 'auto' may choose
     * @param forOneSearch whether 'auto' orders for one search
     * @param overSliceSets as in {@link #first}
     */
    public static long makingBytes(
            VertexOrder wanted, GraphShape graph, boolean forOneSearch, boolean overSliceSets, int concurrency) {
        long n = graph.vertexCount();
        long entries = graph.entryCount();
        long degrees = 2L * Integer.BYTES * n + DEGREE_TABLE_BYTES;
        // a relabelled symmetric copy, the transposed graph, and 13 ints per vertex
        long levels = 13L * Integer.BYTES * n
                + Integer.BYTES * entries
                + (graph.symmetric() ? 0 : Integer.BYTES * entries + 2 * Csc.bytes(graph.vertexCount(), entries));
        // an int per vertex and thread, 8 ints per column of a window and thread, and 3 ints per entry of a window
        long columns = Math.min(n, JaccardWithWindows.DEFAULT_WINDOW);
        long jaccard = Integer.BYTES * (2 * n + (n + 8 * columns) * concurrency + 3 * entries);
        return switch (wanted) {
            case NATURAL -> 0;
            case DEGREE -> degrees;
            case RCM -> levels;
            case JACCARD -> jaccard;
            case AUTO -> forOneSearch ? degrees : Math.max(levels, overSliceSets ? jaccard : degrees);
        };
    }
}
