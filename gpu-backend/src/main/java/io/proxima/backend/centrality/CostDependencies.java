// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.CheapestEdges;
import io.proxima.backend.CostSink;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Turns;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;

/**
 * Betweenness over weights: for each vertex of a {@link CostCore} the sum of the dependencies of all sources on it.
 * Brandes, A faster algorithm for betweenness centrality, J. Math. Sociology 25(2), 2001.
 *
 * <p>A path is a shortest one if each of its edges is tight: the cost of its target is the cost of its source plus its
 * weight. An edge that does not change the cost counts only if it leads to a vertex that no tight edge from a lower
 * cost reaches, and the path to it has the fewest such edges in a row. No cycle can arise. Of parallel edges, the one
 * of the least weight counts, unless they are chains.
 *
 * <p>The inner vertices of a chain are reached from its left end up to some place, and from its right end beyond. Where
 * both cost the same, the vertex has the paths of both ends.
 *
 * <p>The dependencies of each source are added in the order of the sources, so that every number of threads finds the
 * same scores. Numbers of paths are kept in units of powers of {@value #UNIT}, because a grid has more paths than a
 * double holds.
 */
final class CostDependencies implements CostSink {

    private static final double UNIT = 0x1p500;

    private final CostCore core;
    private final WeightedCsc graph;
    private final Searched[] searched;
    private final double[] scores;
    private final Turns turns = new Turns();

    /**
     * Creates scores of 0.
     *
     * @param core whose graph is searched
     * @param workers the most threads that search
     */
    CostDependencies(CostCore core, int workers) {
        this.core = core;
        this.graph = core.graph();
        this.searched = new Searched[workers];
        this.scores = new double[graph.vertexCount()];
    }

    /** Heap of the scores and of the state of so many workers. */
    static MemoryTree memory(int vertexCount, long entryCount, int workers) {
        long state = (3L * Double.BYTES + 4 * Integer.BYTES) * vertexCount
                + CheapestEdges.memory(vertexCount, entryCount).maxBytes();
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
        paths.find(found);
        turns.take(index, stop, paths::addToScores);
    }

    @Override
    public CheapestEdges newEdges() {
        return new CheapestEdges(graph.vertexCount(), core.isContracted());
    }

    /**
     * {@code double[core.graph().vertexCount()]}: for each vertex the sum of the dependencies of all sources on it,
     * without the pairs that {@link TreePairs} counts; core id space.
     */
    double[] scores() {
        return scores;
    }

    /** The shortest paths of one source after another; core id space. */
    private final class Searched {
        private final PacedStop paced;
        private CheapestEdges edges;
        private double[] costs;
        private int reached;

        // the junctions and the chains of the component
        private int firstJunction;
        private int endJunction;
        private int firstChain;
        private int endChain;

        /** The reached vertices so that each is behind those that its paths lead through. */
        private int[] order;

        /** The number of paths to each vertex, in units of the power of {@link #UNIT}. */
        private final double[] paths = new double[graph.vertexCount()];

        private final int[] powers = new int[graph.vertexCount()];

        /** Whether the power of a reached vertex is not 0. */
        private boolean scaled;

        private final double[] dependencies = new double[graph.vertexCount()];

        /** For each vertex its targets and its dependency, for each path to it. */
        private final double[] ofPath = new double[graph.vertexCount()];

        /** The order where edges are flat. */
        private int[] flatOrder;

        /** For each vertex the fewest flat edges back to the first of its cost. */
        private int[] steps;

        /** For each vertex its first flat edge. */
        private int[] firstFlat;

        Searched(Stop stop) {
            paced = new PacedStop(stop);
        }

        void find(Costs found) {
            edges = found.edges();
            costs = found.costs();
            order = found.order();
            reached = found.reached();
            scaled = false;
            paths[order[0]] = 1;
            powers[order[0]] = 0;
            dependencies[order[0]] = 0;
            if (edges.flatCount() > 0) {
                countOverFlatEdges();
            } else {
                for (int i = 1; i < reached; i++) {
                    count(order[i]);
                }
            }
            if (core.isContracted()) {
                int component = core.component(core.leftEnd(order[0]));
                firstJunction = core.firstJunction(component);
                endJunction = core.firstJunction(component + 1);
                firstChain = core.firstChain(firstJunction);
                endChain = core.firstChain(endJunction);
                followChains(false);
                follow();
                followChains(true);
            } else {
                follow();
            }
        }

        /** Counts the paths to a vertex over edges that are not flat. */
        private void count(int vertex) {
            paced.worked(1);
            dependencies[vertex] = 0;
            paths[vertex] = 0;
            add(vertex, edges.parent(vertex));
            for (int edge = edges.last(vertex); edge != CheapestEdges.NONE; edge = edges.before(edge)) {
                add(vertex, edges.other(edge));
                paced.worked(1);
            }
        }

        private void countOverFlatEdges() {
            int[] byCost = order;
            if (flatOrder == null) {
                flatOrder = new int[graph.vertexCount()];
                steps = new int[graph.vertexCount()];
                firstFlat = new int[graph.vertexCount()];
            }
            order = flatOrder;
            for (int i = 0; i < reached; i++) {
                steps[byCost[i]] = 0;
                firstFlat[byCost[i]] = edges.flatCount();
            }
            for (int flat = edges.flatCount() - 1; flat >= 0; flat--) {
                firstFlat[edges.flatSource(flat)] = flat;
            }
            paced.worked(reached + (long) edges.flatCount());
            int end;
            for (int begin = 0; begin < reached; begin = end) {
                double cost = costs[byCost[begin]];
                int tail = begin;
                for (end = begin; end < reached && costs[byCost[end]] == cost; end++) {
                    if (end == 0) {
                        order[tail++] = byCost[end];
                    } else if (edges.parent(byCost[end]) != CheapestEdges.NONE) {
                        order[tail++] = byCost[end];
                        count(byCost[end]);
                    }
                }
                for (int i = begin; i < end; i++) {
                    tail = countFrom(order[i], tail);
                }
            }
        }

        /**
         * Counts the paths that lead on from a vertex over flat edges. These edges then count like others.
         *
         * @param tail the end of the order
         * @return the end of the order, with vertices of equal cost that are new
         */
        private int countFrom(int vertex, int tail) {
            int size = tail;
            for (int flat = firstFlat[vertex]; flat < edges.flatCount() && edges.flatSource(flat) == vertex; flat++) {
                paced.worked(1);
                int target = edges.flatTarget(flat);
                if (target == order[0] || (edges.parent(target) != CheapestEdges.NONE && steps[target] == 0)) {
                    continue;
                }
                if (steps[target] == 0) {
                    steps[target] = steps[vertex] + 1;
                    order[size++] = target;
                    edges.lowered(vertex, target, false);
                    count(target);
                } else if (steps[target] == steps[vertex] + 1 && edges.equalled(vertex, target, false)) {
                    add(target, vertex);
                }
            }
            return size;
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
                scaled = true;
            }
        }

        /** Follows the paths back, and finds the dependencies. */
        private void follow() {
            for (int i = reached - 1; i > 0; i--) {
                int vertex = order[i];
                int parent = edges.parent(vertex);
                paced.worked(1);
                ofPath[vertex] = (core.targetCount(vertex) + dependencies[vertex]) / paths[vertex];
                dependencies[parent] += through(parent, vertex);
                for (int edge = edges.last(vertex); edge != CheapestEdges.NONE; edge = edges.before(edge)) {
                    dependencies[edges.other(edge)] += through(edges.other(edge), vertex);
                    paced.worked(1);
                }
            }
        }

        /** What a vertex and its dependency share with the paths by one edge to it. */
        private double through(int vertex, int target) {
            double share = paths[vertex] * ofPath[target];
            if (!scaled) {
                return share;
            }
            int difference = powers[target] - powers[vertex];
            return difference == 0 ? share : difference == 1 ? share / UNIT : 0;
        }

        /**
         * Follows all chains of the component.
         *
         * @param back whether the dependencies of the junctions are known: those of the inner vertices are found.
         *     Otherwise, the inner vertices are added to the dependencies of the junctions
         */
        private void followChains(boolean back) {
            int source = order[0];
            int begin = core.firstInner(firstChain);
            for (int chain = firstChain; chain < endChain; chain++) {
                int left = core.leftEnd(begin);
                int right = core.rightEnd(chain);
                int end = core.firstInner(chain + 1);
                if (begin <= source && source < end) {
                    double offset = core.offset(source);
                    followChain(left, source, begin, source, 0, offset, back);
                    followChain(source, right, source + 1, end, offset, core.length(chain), back);
                } else {
                    followChain(left, right, begin, end, 0, core.length(chain), back);
                }
                paced.worked(1L + end - begin);
                begin = end;
            }
        }

        /**
         * Follows the inner vertices {@code begin} to {@code end - 1} of a chain. Conditions are values rather than
         * branches, which no processor could predict.
         *
         * @param leftOffset the offset of the left end
         * @param rightOffset the offset of the right end
         */
        private void followChain(
                int left, int right, int begin, int end, double leftOffset, double rightOffset, boolean back) {
            double difference = costs[right] - costs[left];
            // twice the offset at which both sides cost the same
            double balance = difference + rightOffset + leftOffset;
            int middle = begin;
            int beyond = begin;
            for (int inner = begin; inner < end; inner++) {
                double offset = 2 * core.offset(inner);
                middle += offset < balance ? 1 : 0;
                beyond += offset <= balance ? 1 : 0;
            }
            double ofLeft = 0;
            double ofRight = 0;
            if (beyond > middle) {
                ofLeft = core.targetCount(middle) * share(left, right);
                ofRight = core.targetCount(middle) * share(right, left);
            }
            if (!back) {
                dependencies[left] += ofLeft + core.targets(begin, middle);
                dependencies[right] += ofRight + core.targets(beyond, end);
                return;
            }
            double length = rightOffset - leftOffset;
            ofLeft += difference == length ? through(left, right) : 0;
            ofRight += difference == -length ? through(right, left) : 0;
            for (int inner = begin; inner < end; inner++) {
                double behindLeft = ofLeft + core.targets(inner + 1, middle);
                double behindRight = ofRight + core.targets(beyond, inner);
                dependencies[inner] = inner < middle ? behindLeft : behindRight;
            }
            if (beyond > middle) {
                dependencies[middle] = 0;
            }
        }

        /** The share of one end of a chain in the paths of both. */
        private double share(int end, int other) {
            int difference = powers[end] - powers[other];
            double ofEnd = difference >= 0 ? paths[end] : difference == -1 ? paths[end] / UNIT : 0;
            double ofOther = difference <= 0 ? paths[other] : difference == 1 ? paths[other] / UNIT : 0;
            return ofEnd / (ofEnd + ofOther);
        }

        void addToScores() {
            int source = order[0];
            // depends on itself
            dependencies[source] = 0;
            double count = core.sourceCount(source);
            if (core.isContracted()) {
                addToScores(count, firstJunction, endJunction);
                addToScores(count, core.firstInner(firstChain), core.firstInner(endChain));
                return;
            }
            for (int i = 1; i < reached; i++) {
                scores[order[i]] += count * dependencies[order[i]];
                paced.worked(1);
            }
        }

        private void addToScores(double count, int begin, int end) {
            for (int id = begin; id < end; id++) {
                scores[id] += count * dependencies[id];
            }
            paced.worked(end - begin);
        }
    }
}
