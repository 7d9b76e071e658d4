// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Breadth-first search from sources and, against the edges, from targets, until the two meet. The side whose frontier
 * has fewer edges is expanded. One thread.
 *
 * <p>Every level of a side is complete before the next expansion. So an edge that leads from one side to the other
 * leads from the frontier of the sources to that of the targets. Few vertices with many edges, such as hubs, are not
 * expanded before the edges between them were looked for: the lists ascend.
 *
 * <p>Memory: pages of the levels of the vertices that a side meets, the frontiers, and lists of the vertices on
 * shortest paths. So a search that ends after few vertices does not pay for all.
 */
final class BidirectionalSearch {

    /** The level of a vertex that neither side has reached. */
    private static final int NOWHERE = -1;

    /** A vertex at distance d to the nearest target has the level {@code TARGET - d}. */
    private static final int TARGET = -2;

    /** The edges that are followed in the time in which one is looked for. */
    private static final int EDGES_OF_A_PAIR = 32;

    private static final int PAGE_SHIFT = 8;
    private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

    private final PacedStop paced;

    /** The level of each vertex; null for a page without any. */
    private final int[][] levels;

    private final Side ahead;
    private final Side behind;

    /** Vertices of the targets' frontier that an edge from the sources' frontier leads to. */
    private IntList met = new IntList();

    private BidirectionalSearch(Csc out, Csc in, Stop stop) {
        this.paced = new PacedStop(stop);
        this.levels = new int[(out.vertexCount() >>> PAGE_SHIFT) + 1][];
        this.ahead = new Side(out);
        this.behind = new Side(in);
    }

    /**
     * Searches; arguments and result as {@link LoadedGraph#levelsTo}.
     *
     * @param in the graph with every edge reversed
     */
    static IntUnaryOperator run(Csc out, Csc in, int[] sources, int[] targets, int maxDepth, Stop stop) {
        BidirectionalSearch search = new BidirectionalSearch(out, in, stop);
        for (int source : sources) {
            search.paced.worked(1);
            search.set(source, 0);
            search.ahead.add(source);
        }
        boolean isApart = true;
        for (int target : targets) {
            search.paced.worked(1);
            if (search.level(target) == NOWHERE) {
                search.set(target, TARGET);
                search.behind.add(target);
            } else {
                isApart = false;
            }
        }
        if (isApart) {
            search.run(maxDepth);
        }
        return search::level;
    }

    private int level(int vertex) {
        int[] page = levels[vertex >>> PAGE_SHIFT];
        return page == null ? NOWHERE : page[vertex & PAGE_MASK];
    }

    private void set(int vertex, int level) {
        int page = vertex >>> PAGE_SHIFT;
        if (levels[page] == null) {
            levels[page] = new int[1 << PAGE_SHIFT];
            Arrays.fill(levels[page], NOWHERE);
        }
        levels[page][vertex & PAGE_MASK] = level;
    }

    private void run(int maxDepth) {
        int left = 0;
        while (met.size == 0
                && ahead.frontier.size > 0
                && behind.frontier.size > 0
                && (maxDepth == LoadedGraph.NO_MAX_DEPTH || ahead.level + behind.level < maxDepth)) {
            left = behind.level;
            meetOverOneEdge();
            if (met.size > 0) {
                break;
            }
            if (ahead.edges <= behind.edges) {
                expandAhead();
            } else {
                expandBehind();
            }
        }
        while (met.size > 0 && left > 0) {
            left--;
            levelNext(TARGET - left);
        }
    }

    /** Looks for the edges from one frontier to the other, if there are few pairs for the edges that either has. */
    private void meetOverOneEdge() {
        long pairs = (long) ahead.frontier.size * behind.frontier.size;
        if (pairs * EDGES_OF_A_PAIR >= Math.min(ahead.edges, behind.edges)) {
            return;
        }
        for (int i = 0; i < ahead.frontier.size; i++) {
            int from = ahead.frontier.items[i];
            for (int j = 0; j < behind.frontier.size; j++) {
                paced.worked(EDGES_OF_A_PAIR);
                int to = behind.frontier.items[j];
                long entry = ahead.graph.firstEntry(from, to);
                if (level(to) <= TARGET
                        && entry < ahead.graph.columnEnd(from)
                        && ahead.graph.rowIndices().get(entry) == to) {
                    set(to, ahead.level + 1);
                    met.add(to);
                }
            }
        }
    }

    private void expandAhead() {
        int next = ahead.level + 1;
        ahead.expand((vertex, neighbour) -> {
            int level = level(neighbour);
            if (level == NOWHERE && met.size == 0) {
                set(neighbour, next);
                ahead.add(neighbour);
            } else if (level <= TARGET) {
                set(neighbour, next);
                met.add(neighbour);
            }
        });
    }

    private void expandBehind() {
        int frontier = ahead.level;
        int next = TARGET - behind.level - 1;
        behind.expand((vertex, neighbour) -> {
            int level = level(neighbour);
            if (level == NOWHERE && met.size == 0) {
                set(neighbour, next);
                behind.add(neighbour);
            } else if (level == frontier && level(vertex) <= TARGET) {
                set(vertex, frontier + 1);
                met.add(vertex);
            }
        });
    }

    /** Replaces the vertices of shortest paths by those behind them, which get their level from the source. */
    private void levelNext(int behindLevel) {
        IntList next = new IntList();
        for (int i = 0; i < met.size; i++) {
            int vertex = met.items[i];
            for (long entry = ahead.graph.columnStart(vertex); entry < ahead.graph.columnEnd(vertex); entry++) {
                paced.worked(1);
                int neighbour = ahead.graph.rowIndices().get(entry);
                if (level(neighbour) == behindLevel) {
                    set(neighbour, level(vertex) + 1);
                    next.add(neighbour);
                }
            }
        }
        met = next;
    }

    @FunctionalInterface
    private interface Edge {
        void follow(int vertex, int neighbour);
    }

    /** The search from one of the two. */
    private final class Side {
        private final Csc graph;
        private int level;
        private IntList frontier = new IntList();

        /** The edges of the frontier. */
        private long edges;

        /** Creates a side without vertices, which follows the edges of a graph. */
        Side(Csc graph) {
            this.graph = graph;
        }

        void add(int vertex) {
            frontier.add(vertex);
            edges += graph.degree(vertex);
        }

        void expand(Edge edge) {
            IntList last = frontier;
            frontier = new IntList();
            edges = 0;
            for (int i = 0; i < last.size; i++) {
                int vertex = last.items[i];
                for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
                    paced.worked(1);
                    edge.follow(vertex, graph.rowIndices().get(entry));
                }
            }
            level++;
        }
    }
}
