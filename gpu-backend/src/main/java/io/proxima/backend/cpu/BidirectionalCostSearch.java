// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Columns;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * Dijkstra's algorithm from a source and, against the edges, from a target, until no path over vertices that neither
 * side has settled can be among the shortest ones (Nicholson, Finding the shortest route between two points in a
 * network, The Computer Journal 9, 1966). The side on which fewer vertices wait goes on. Then the side of the source
 * settles the rest of the shortest paths: it leaves out each vertex whose costs from both sides add up to more. One
 * thread: between vertices that are far apart, this gives up, and all threads search from the source.
 *
 * <p>The cost of a vertex is the floating-point sum from the source on, as in {@link DeltaStepping}. Sums from the
 * target back round differently: they serve as bounds only, with a margin for what rounding can add.
 *
 * <p>Memory: pages of the costs of the vertices that a side meets, and the heaps.
 */
final class BidirectionalCostSearch {

    /** Vertices are far apart if the sides settle more than one in this many before they meet. */
    private static final int FAR_SHARE = 16;

    /** And more than this many. */
    private static final int FAR = 1 << 10;

    private static final int PAGE_SHIFT = 8;
    private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

    /** Edges between two stop checks. */
    private static final int EDGES_AT_ONCE = 1 << 15;

    /** The place of a vertex that does not wait. */
    private static final int NOWHERE = -1;

    /** A vertex that leads to no shortest path: no cost is less. */
    private static final double LEFT_OUT = Double.NaN;

    private final WeightedCsc graph;
    private final PacedStop paced;
    private final Side ahead;
    private final Side behind;

    /** A factor that exceeds what the rounding of two sums adds to either. */
    private final double margin;

    /** A path whose costs from both sides add up to more is no shortest one, or exceeds the greatest cost. */
    private double limit;

    private BidirectionalCostSearch(WeightedCsc graph, Csc reversed, double maxCost, Stop stop) {
        this.graph = graph;
        this.paced = new PacedStop(stop);
        this.margin = 1 + 4 * Math.ulp(1.0) * (graph.vertexCount() + 8.0);
        this.limit = maxCost * margin;
        this.ahead = new Side(graph, graph.weights());
        this.behind = new Side(reversed, null);
    }

    /**
     * Searches; arguments and result as {@link LoadedGraph#costsTo}. No sum of weights exceeds the greatest double.
     *
     * @param reversed the graph with every edge reversed
     * @return null if the two are far apart
     */
    static IntToDoubleFunction run(WeightedCsc graph, Csc reversed, int source, int target, double maxCost, Stop stop) {
        BidirectionalCostSearch search = new BidirectionalCostSearch(graph, reversed, maxCost, stop);
        search.improve(search.behind, search.ahead, target, 0);
        search.improve(search.ahead, search.behind, source, 0);
        if (!search.meet()) {
            return null;
        }
        if (search.limit == ShortestPaths.UNREACHED) {
            return vertex -> ShortestPaths.UNREACHED;
        }
        search.settleShortestPaths();
        double greatest = Math.min(search.limit, maxCost);
        return vertex -> {
            double cost = search.ahead.cost(vertex);
            return cost <= greatest ? cost : ShortestPaths.UNREACHED;
        };
    }

    /** The way of {@link #run}, and of the search if that gives up. */
    static HostWay way(GraphShape graph) {
        // for both sides a cost and a place of each vertex, and heaps that are doubled by copying
        long most = 2 * 4L * (Double.BYTES + Integer.BYTES) * graph.vertexCount();
        List<MemoryTree> steps = new ArrayList<>(DeltaStepping.way(graph).steps());
        steps.add(0, MemoryTree.between("search from both ends", 0, most));
        return new HostWay(1, false, false, List.copyOf(steps));
    }

    /** Returns whether every shortest path leads over vertices that a side has settled, or there is none. */
    private boolean meet() {
        int settled = 0;
        int most = Math.max(FAR, graph.vertexCount() / FAR_SHARE);
        while (ahead.size > 0 && behind.size > 0 && ahead.heapCosts[0] + behind.heapCosts[0] <= limit) {
            if (settled++ == most) {
                return false;
            }
            if (ahead.size <= behind.size) {
                settleNext(ahead, behind);
            } else {
                settleNext(behind, ahead);
            }
        }
        return true;
    }

    private void settleShortestPaths() {
        while (ahead.size > 0 && ahead.heapCosts[0] <= limit) {
            int vertex = ahead.heapVertices[0];
            if (ahead.heapCosts[0] + behind.cost(vertex) <= limit) {
                settleNext(ahead, behind);
            } else {
                ahead.pop();
                ahead.setCost(vertex, LEFT_OUT);
            }
        }
    }

    private void settleNext(Side side, Side other) {
        double cost = side.heapCosts[0];
        int vertex = side.heapVertices[0];
        side.pop();
        long entry = side.graph.columnStart(vertex);
        long end = side.graph.columnEnd(vertex);
        int mask = side.graph.rowIndices().pageMask();
        paced.worked(1);
        while (entry < end) {
            int[] neighbours = side.graph.rowIndices().pageOf(entry);
            double[] weights = side.weights == null ? null : side.weights.pageOf(entry);
            int first = (int) (entry & mask);
            int last = (int) Math.min(neighbours.length, first + Math.min(EDGES_AT_ONCE, end - entry));
            paced.worked(last - first);
            for (int i = first; i < last; i++) {
                double weight = weights == null ? graph.weight(graph.firstEntry(neighbours[i], vertex)) : weights[i];
                improve(side, other, neighbours[i], cost + weight);
            }
            entry += last - first;
        }
    }

    private void improve(Side side, Side other, int vertex, double cost) {
        if (cost <= limit && cost < side.cost(vertex)) {
            side.setCost(vertex, cost);
            side.moveUp(cost, vertex);
            double through = (cost + other.cost(vertex)) * margin;
            limit = through < limit ? through : limit;
        }
    }

    /** The search from one of the two. */
    private static final class Side {
        private final Columns graph;

        /** The weights of its entries; null to look for those of the entries in the other direction. */
        private final DoublePages weights;

        /** The least known cost of each vertex; null for a page without any. */
        private final double[][] costs;

        /** The place of each vertex in the heap, if it waits there; pages as those of the costs. */
        private final int[][] places;

        /** A heap of four children. */
        private double[] heapCosts = new double[64];

        private int[] heapVertices = new int[64];
        private int size;

        Side(Columns graph, DoublePages weights) {
            this.graph = graph;
            this.weights = weights;
            this.costs = new double[(graph.vertexCount() >>> PAGE_SHIFT) + 1][];
            this.places = new int[costs.length][];
        }

        double cost(int vertex) {
            double[] page = costs[vertex >>> PAGE_SHIFT];
            return page == null ? ShortestPaths.UNREACHED : page[vertex & PAGE_MASK];
        }

        void setCost(int vertex, double cost) {
            int page = vertex >>> PAGE_SHIFT;
            if (costs[page] == null) {
                costs[page] = new double[1 << PAGE_SHIFT];
                places[page] = new int[1 << PAGE_SHIFT];
                Arrays.fill(costs[page], ShortestPaths.UNREACHED);
                Arrays.fill(places[page], NOWHERE);
            }
            costs[page][vertex & PAGE_MASK] = cost;
        }

        /** Lets a vertex wait, or moves it up if it waits with a higher cost. */
        void moveUp(double cost, int vertex) {
            int place = places[vertex >>> PAGE_SHIFT][vertex & PAGE_MASK];
            if (place == NOWHERE) {
                if (size == heapCosts.length) {
                    int length = (int) Math.min(Integer.MAX_VALUE - 8, 2L * size);
                    heapCosts = Arrays.copyOf(heapCosts, length);
                    heapVertices = Arrays.copyOf(heapVertices, length);
                }
                place = size++;
            }
            while (place > 0) {
                int parent = (place - 1) >> 2;
                if (heapCosts[parent] <= cost) {
                    break;
                }
                put(place, heapCosts[parent], heapVertices[parent]);
                place = parent;
            }
            put(place, cost, vertex);
        }

        /** Takes the vertex of the lowest cost out of the heap. */
        void pop() {
            setPlace(heapVertices[0], NOWHERE);
            int last = --size;
            if (last == 0) {
                return;
            }
            double cost = heapCosts[last];
            int place = 0;
            for (int child = 1; child < last; child = 4 * place + 1) {
                int least = child;
                for (int other = child + 1, end = Math.min(child + 4, last); other < end; other++) {
                    if (heapCosts[other] < heapCosts[least]) {
                        least = other;
                    }
                }
                if (heapCosts[least] >= cost) {
                    break;
                }
                put(place, heapCosts[least], heapVertices[least]);
                place = least;
            }
            put(place, cost, heapVertices[last]);
        }

        private void put(int place, double cost, int vertex) {
            heapCosts[place] = cost;
            heapVertices[place] = vertex;
            setPlace(vertex, place);
        }

        private void setPlace(int vertex, int place) {
            places[vertex >>> PAGE_SHIFT][vertex & PAGE_MASK] = place;
        }
    }
}
