// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.CostSink;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Turns;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;

/**
 * Betweenness over weights: for each vertex the sum of the dependencies of all sources on it. Brandes, A faster
 * algorithm for betweenness centrality, J. Math. Sociology 25(2), 2001.
 *
 * <p>A path is a shortest one if each of its edges is tight: the cost of its target is the cost of its source plus its
 * weight. An edge that does not change the cost counts only if it leads to a vertex that no tight edge from a lower
 * cost reaches, and the path to it has the fewest such edges in a row. No cycle can arise. Of parallel edges, the one
 * of the least weight counts.
 *
 * <p>The dependencies of each source are added in the order of the sources, so that every number of threads finds the
 * same scores. Numbers of paths are kept in units of powers of {@value #UNIT}, because a grid has more paths than a
 * double holds.
 */
public final class CostDependencies implements CostSink {

    private static final double UNIT = 0x1p500;

    private final WeightedCsc graph;
    private final Searched[] searched;
    private final double[] scores;
    private final Turns turns = new Turns();

    /**
     * Creates scores of 0.
     *
     * @param graph the graph of the searches
     * @param workers the most threads that search
     */
    public CostDependencies(WeightedCsc graph, int workers) {
        this.graph = graph;
        this.searched = new Searched[workers];
        this.scores = new double[graph.vertexCount()];
    }

    /** Heap of the scores and of the state of so many workers. */
    public static MemoryTree memory(int vertexCount, int workers) {
        long state = (3L * Double.BYTES + 3 * Integer.BYTES) * vertexCount;
        return MemoryTree.together(
                "dependencies",
                MemoryTree.exactly("score by node", (long) vertexCount * Double.BYTES),
                MemoryTree.between("paths of a thread", 0, state).times(workers).named("paths of the threads"));
    }

    @Override
    public void accept(int worker, int index, Costs found, Stop stop) {
        if (searched[worker] == null) {
            searched[worker] = new Searched(stop);
        }
        Searched paths = searched[worker];
        paths.count(found);
        paths.follow(found);
        turns.take(index, stop, () -> paths.addTo(scores, found.reached()));
    }

    /** {@code double[vertexCount]}: for each vertex the sum of the dependencies of all sources on it. */
    public double[] scores() {
        return scores;
    }

    /** The shortest paths of one source after another. */
    private final class Searched {
        private final PacedStop paced;

        /** The reached vertices so that each is behind those that its paths lead through. */
        private final int[] order = new int[graph.vertexCount()];

        /** For each vertex the fewest edges back to the first of its cost. */
        private final int[] steps = new int[graph.vertexCount()];

        /** The number of paths to each vertex, in units of the power of {@link #UNIT}. */
        private final double[] paths = new double[graph.vertexCount()];

        private final int[] powers = new int[graph.vertexCount()];
        private final double[] dependencies = new double[graph.vertexCount()];

        /** For each vertex its dependency and itself, for each path to it. */
        private final double[] ofPath = new double[graph.vertexCount()];

        Searched(Stop stop) {
            paced = new PacedStop(stop);
        }

        void count(Costs found) {
            double[] costs = found.costs();
            int[] byCost = found.order();
            for (int i = 0; i < found.reached(); i++) {
                paths[byCost[i]] = 0;
                powers[byCost[i]] = 0;
                steps[byCost[i]] = 0;
            }
            paths[byCost[0]] = 1;
            int end;
            for (int begin = 0; begin < found.reached(); begin = end) {
                double cost = costs[byCost[begin]];
                int tail = begin;
                for (end = begin; end < found.reached() && costs[byCost[end]] == cost; end++) {
                    if (paths[byCost[end]] > 0) {
                        order[tail++] = byCost[end];
                    }
                }
                for (int i = begin; i < end; i++) {
                    tail = countFrom(order[i], costs, tail);
                }
            }
        }

        /**
         * Counts the paths that lead on from a vertex.
         *
         * @param tail the end of the order
         * @return the end of the order, with vertices of equal cost that are new
         */
        private int countFrom(int vertex, double[] costs, int tail) {
            double cost = costs[vertex];
            int last = -1;
            int size = tail;
            paced.worked(1L + graph.degree(vertex));
            for (long entry = graph.columnStart(vertex), end = graph.columnEnd(vertex); entry < end; entry++) {
                int target = graph.rowIndices().get(entry);
                if (target != last && cost + graph.weight(entry) == costs[target]) {
                    if (costs[target] == cost && paths[target] == 0) {
                        steps[target] = steps[vertex] + 1;
                        order[size++] = target;
                    }
                    if (leadsOn(vertex, target, costs)) {
                        add(target, vertex);
                    }
                }
                last = target;
            }
            return size;
        }

        /** Whether a tight edge counts. */
        private boolean leadsOn(int vertex, int target, double[] costs) {
            return costs[vertex] < costs[target] || steps[target] == steps[vertex] + 1;
        }

        /** Adds the paths to a vertex to those of another. */
        private void add(int target, int vertex) {
            int difference = paths[target] == 0 ? 1 : powers[vertex] - powers[target];
            if (difference > 0) {
                paths[target] = paths[vertex] + (difference == 1 ? paths[target] / UNIT : 0);
                powers[target] = powers[vertex];
            } else if (difference == 0) {
                paths[target] += paths[vertex];
            } else if (difference == -1) {
                paths[target] += paths[vertex] / UNIT;
            }
            if (paths[target] >= UNIT) {
                paths[target] /= UNIT;
                powers[target]++;
            }
        }

        /** Follows the paths back, and finds the dependencies. */
        void follow(Costs found) {
            double[] costs = found.costs();
            for (int i = found.reached() - 1; i >= 0; i--) {
                int vertex = order[i];
                double cost = costs[vertex];
                double dependency = 0;
                int last = -1;
                paced.worked(1L + graph.degree(vertex));
                for (long entry = graph.columnStart(vertex), end = graph.columnEnd(vertex); entry < end; entry++) {
                    int target = graph.rowIndices().get(entry);
                    if (target != last
                            && cost + graph.weight(entry) == costs[target]
                            && leadsOn(vertex, target, costs)) {
                        int difference = powers[target] - powers[vertex];
                        double share = paths[vertex] * ofPath[target];
                        dependency += difference == 0 ? share : difference == 1 ? share / UNIT : 0;
                    }
                    last = target;
                }
                dependencies[vertex] = dependency;
                ofPath[vertex] = (1 + dependency) / paths[vertex];
            }
        }

        void addTo(double[] scores, int reached) {
            // the source, which is the first, depends on itself
            for (int i = 1; i < reached; i++) {
                scores[order[i]] += dependencies[order[i]];
                paced.worked(1);
            }
        }
    }
}
