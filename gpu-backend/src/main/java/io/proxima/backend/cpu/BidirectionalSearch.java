// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/**
 * Breadth-first search from sources and, against the edges, from targets, until the two meet. The side whose frontier
 * has fewer edges is expanded. One thread.
 *
 * <p>Every level of a side is complete before the next expansion. So an edge that leads from one side to the other leads
 * from the frontier of the sources to that of the targets. Few vertices with many edges, such as hubs, are not expanded
 * before the edges between them were looked for: the lists ascend.
 *
 * <p>Memory: an int for each vertex beside the result, and lists of the vertices on shortest paths.
 */
final class BidirectionalSearch {

    /** The level of a vertex that neither side has reached. */
    private static final int NOWHERE = -1;

    /** A vertex at distance d to the nearest target has the level {@code TARGET - d}. */
    private static final int TARGET = -2;

    /** The edges that are followed in the time in which one is looked for. */
    private static final int EDGES_OF_A_PAIR = 32;

    private final PacedStop paced;
    private final int[] levels;

    /** The vertices of the sources' side from the front, those of the targets' side from the back. */
    private final int[] queue;

    private final Side ahead;
    private final Side behind;

    /** Vertices of the targets' frontier that an edge from the sources' frontier leads to. */
    private IntList met = new IntList();

    private BidirectionalSearch(Csc out, Csc in, Stop stop) {
        this.paced = new PacedStop(stop);
        this.levels = new int[out.vertexCount()];
        this.queue = new int[out.vertexCount()];
        this.ahead = new Side(out, 0, 1);
        this.behind = new Side(in, queue.length - 1, -1);
        Arrays.fill(levels, NOWHERE);
    }

    /**
     * Searches; arguments and result as {@link LoadedGraph#levelsTo}.
     *
     * @param in the graph with every edge reversed
     */
    static int[] run(Csc out, Csc in, int[] sources, int[] targets, int maxDepth, Stop stop) {
        BidirectionalSearch search = new BidirectionalSearch(out, in, stop);
        for (int source : sources) {
            search.paced.worked(1);
            search.levels[source] = 0;
            search.ahead.add(source);
        }
        boolean isApart = true;
        for (int target : targets) {
            search.paced.worked(1);
            if (search.levels[target] == NOWHERE) {
                search.levels[target] = TARGET;
                search.behind.add(target);
            } else {
                isApart = false;
            }
        }
        if (isApart) {
            search.run(maxDepth);
        }
        return search.levels;
    }

    private void run(int maxDepth) {
        int left = 0;
        while (met.size == 0
                && ahead.begin != ahead.end
                && behind.begin != behind.end
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
        long pairs = (long) (ahead.end - ahead.begin) * (behind.begin - behind.end);
        if (pairs * EDGES_OF_A_PAIR >= Math.min(ahead.edges, behind.edges)) {
            return;
        }
        for (int i = ahead.begin; i < ahead.end; i++) {
            int from = queue[i];
            for (int j = behind.begin; j > behind.end; j--) {
                paced.worked(EDGES_OF_A_PAIR);
                int to = queue[j];
                long entry = ahead.graph.firstEntry(from, to);
                if (levels[to] <= TARGET
                        && entry < ahead.graph.columnEnd(from)
                        && ahead.graph.rowIndices().get(entry) == to) {
                    levels[to] = ahead.level + 1;
                    met.add(to);
                }
            }
        }
    }

    private void expandAhead() {
        int next = ahead.level + 1;
        ahead.expand((vertex, neighbour) -> {
            int level = levels[neighbour];
            if (level == NOWHERE && met.size == 0) {
                levels[neighbour] = next;
                ahead.add(neighbour);
            } else if (level <= TARGET) {
                levels[neighbour] = next;
                met.add(neighbour);
            }
        });
    }

    private void expandBehind() {
        int frontier = ahead.level;
        int next = TARGET - behind.level - 1;
        behind.expand((vertex, neighbour) -> {
            int level = levels[neighbour];
            if (level == NOWHERE && met.size == 0) {
                levels[neighbour] = next;
                behind.add(neighbour);
            } else if (level == frontier && levels[vertex] <= TARGET) {
                levels[vertex] = frontier + 1;
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
                if (levels[neighbour] == behindLevel) {
                    levels[neighbour] = levels[vertex] + 1;
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
        private final int step;
        private int level;

        /** The frontier lies in the queue from here on. */
        private int begin;

        /** The place behind the last vertex. */
        private int end;

        /** The edges of the frontier. */
        private long edges;

        /**
         * Creates a side without vertices.
         *
         * @param graph the edges to follow
         * @param first the place of the first vertex in the queue
         * @param step the place of the next vertex relative to that of the one before
         */
        Side(Csc graph, int first, int step) {
            this.graph = graph;
            this.begin = first;
            this.end = first;
            this.step = step;
        }

        void add(int vertex) {
            queue[end] = vertex;
            end += step;
            edges += graph.degree(vertex);
        }

        void expand(Edge edge) {
            int last = end;
            edges = 0;
            for (; begin != last; begin += step) {
                int vertex = queue[begin];
                for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
                    paced.worked(1);
                    edge.follow(vertex, graph.rowIndices().get(entry));
                }
            }
            level++;
        }
    }
}
