/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
import java.util.List;
import java.util.Locale;

/** Decides in which order a graph comes to a device, and makes the order. */
public final class OrderChooser {

    /** Sources below which 'auto' does not look whether an order pays: looking takes a pass over the graph. */
    static final long SEARCHES_THAT_MAY_PAY = 64;

    /** Searches that a graph is taken to be used for which is used again. */
    static final long SEARCHES_OF_A_GRAPH_IN_USE = 1_000_000;

    /** Numbers of vertices by degree in two tables of 64 ranges: see {@link io.proxima.backend.order.Orders}. */
    private static final long DEGREE_TABLE_BYTES = 2L << 20;

    private OrderChooser() {}

    /**
     * The order for the first run, made.
     *
     * @param wanted what was asked for
     * @param searches sources that the run will search from; 'auto' weighs the order's time against them
     * @param overSliceSets whether the run is left no other kernels than those over slice sets
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
        return advice.order() == VertexOrder.NATURAL
                ? SlotOrder.natural(advice.reason())
                : make(graph, advice.order(), advice.reason(), control);
    }

    /** Whether a graph's order by degree takes next to nothing, so that 'auto' looks whether it suits one search. */
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

    /** What 'auto' may take of what was saved, the best first: orders that suit the graph, whatever they once cost. */
    static List<VertexOrder> suitable(Csc graph, boolean overSliceSets, RunControl control) {
        if (!GraphClass.of(graph, control.concurrency(), control.stop()).scaleFreeLike()) {
            return List.of(VertexOrder.RCM);
        }
        return overSliceSets ? List.of(VertexOrder.JACCARD, VertexOrder.DEGREE) : List.of(VertexOrder.DEGREE);
    }

    /** What would be best for a graph that goes on being used. */
    static OrderAdvice best(Csc graph, boolean overSliceSets, RunControl control) {
        return advice(graph, SEARCHES_OF_A_GRAPH_IN_USE, overSliceSets, control);
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

    /** Makes an order; its reason tells what it cost. */
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
     * The most heap that making an order takes beside the permutation.
     *
     * @param wanted AUTO for the largest of those that 'auto' may make
     * @param forOneSearch whether 'auto' makes it for one search
     * @param overSliceSets as in {@link #first}
     */
    public static long makingBytes(
            VertexOrder wanted, GraphShape graph, boolean forOneSearch, boolean overSliceSets, int concurrency) {
        long n = graph.vertexCount();
        long entries = graph.entryCount();
        long degrees = 2L * Integer.BYTES * n + DEGREE_TABLE_BYTES;
        // a relabelled copy with every edge in both directions, the reversed graph, 13 ints a vertex
        long levels = 13L * Integer.BYTES * n
                + Integer.BYTES * entries
                + (graph.symmetric() ? 0 : Integer.BYTES * entries + 2 * Csc.bytes(graph.vertexCount(), entries));
        // a number a vertex and thread, 8 ints a column of a window and thread, 3 ints an entry of a window
        long columns = Math.min(n, JaccardWithWindows.DEFAULT_WINDOW);
        long jaccard = Integer.BYTES * (2 * n + (n + 8 * columns) * concurrency + 3 * entries);
        return switch (wanted) {
            case NATURAL -> 0;
            case DEGREE, HUBS -> degrees;
            case BFS, RCM -> levels;
            case JACCARD -> jaccard;
            case AUTO -> forOneSearch ? degrees : Math.max(levels, overSliceSets ? jaccard : degrees);
        };
    }
}
