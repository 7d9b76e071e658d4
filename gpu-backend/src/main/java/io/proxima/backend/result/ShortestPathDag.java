// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The directed acyclic graph of the shortest paths of a search, read backwards from their targets. A vertex may follow
 * any of its predecessors. Without weights these are its in-neighbours that are one level nearer to the source. With
 * weights they are the sources of tight edges that {@link io.proxima.backend.Predecessors} chooses the lowest of.
 * Vertex id space; used by one thread at a time.
 */
public final class ShortestPathDag {

    private static final int NONE = -1;

    private final Csc reversed;
    private final IntToDoubleFunction cost;
    private final Predicate predicate;

    /** The number of paths that begin at a vertex, if it is not 1 for each without predecessors. */
    private final IntToDoubleFunction beginning;

    private final Stop stop;
    private final PacedStop paced;

    /** The number of paths to each vertex, NaN if it is not known yet; null before the first question. */
    private double[] counts;

    /** Whether a path to a vertex may lead through one of its in-neighbours. */
    @FunctionalInterface
    private interface Predicate {
        boolean precedes(int inNeighbour, int vertex);
    }

    private ShortestPathDag(
            Csc reversed, IntToDoubleFunction cost, Predicate predicate, IntToDoubleFunction beginning, Stop stop) {
        this.reversed = reversed;
        this.cost = cost;
        this.predicate = predicate;
        this.beginning = beginning;
        this.stop = stop;
        this.paced = new PacedStop(stop);
    }

    /**
     * The shortest paths of a search over hops.
     *
     * @param reversed the graph of the search with every edge reversed
     * @param level the level of each vertex that is on a shortest path; a negative number for any other
     */
    public static ShortestPathDag ofLevels(Csc reversed, IntUnaryOperator level, Stop stop) {
        return new ShortestPathDag(
                reversed,
                vertex -> level.applyAsInt(vertex) < 0 ? ShortestPaths.UNREACHED : level.applyAsInt(vertex),
                (before, vertex) ->
                        level.applyAsInt(vertex) > 0 && level.applyAsInt(before) == level.applyAsInt(vertex) - 1,
                null,
                stop);
    }

    /**
     * The shortest paths of a search over weights.
     *
     * @param reversed the graph of the search with every edge reversed
     * @param weights the graph of the search
     * @param costs {@code double[vertexCount]}: the costs that the search has found, {@link ShortestPaths#UNREACHED} for none
     * @param predecessors finds the predecessors, if an edge is met that does not change the cost
     */
    public static ShortestPathDag ofCosts(
            Csc reversed, WeightedCsc weights, double[] costs, Supplier<int[]> predecessors, Stop stop) {
        int[][] known = new int[1][];
        return new ShortestPathDag(
                reversed,
                vertex -> costs[vertex],
                (before, vertex) -> {
                    boolean tight = costs[before] != ShortestPaths.UNREACHED
                            && costs[before] + weights.weight(weights.firstEntry(before, vertex)) == costs[vertex];
                    if (!tight || costs[before] < costs[vertex]) {
                        return tight;
                    }
                    known[0] = known[0] == null ? predecessors.get() : known[0];
                    int lowest = known[0][vertex];
                    return lowest != ShortestPaths.NONE
                            && costs[lowest] == costs[vertex]
                            && equalSteps(costs, known[0], before) == equalSteps(costs, known[0], lowest);
                },
                null,
                stop);
    }

    /**
     * The same paths from their targets: {@link #count} is the number of ways from a vertex on to a target.
     *
     * @param graph the graph of the search
     * @param leadsOn whether a path leads from a vertex to a target, or may do so
     * @param isTarget whether paths end at a vertex
     */
    public ShortestPathDag onward(Csc graph, IntPredicate leadsOn, IntPredicate isTarget) {
        return new ShortestPathDag(
                graph,
                cost,
                (after, vertex) -> leadsOn.test(after) && predicate.precedes(vertex, after),
                vertex -> isTarget.test(vertex) ? 1 : 0,
                stop);
    }

    /** Whether a path to a vertex may lead through one of its in-neighbours, which has it as a neighbour. */
    public boolean precedes(int inNeighbour, int vertex) {
        return predicate.precedes(inNeighbour, vertex);
    }

    /** The number of steps from a vertex back to the first of its cost, along predecessors. */
    private static int equalSteps(double[] costs, int[] predecessors, int vertex) {
        int steps = 0;
        int at = vertex;
        for (int before = predecessors[at];
                before != ShortestPaths.NONE && costs[before] == costs[at];
                before = predecessors[at]) {
            steps++;
            at = before;
        }
        return steps;
    }

    /**
     * The lowest predecessor of a vertex from an entry of the reversed graph on.
     *
     * @param entry an entry of the column of the vertex, or its end
     * @return the entry; {@link #NONE} if there is none
     */
    private long nextEntry(int vertex, long entry) {
        for (long next = entry, end = reversed.columnEnd(vertex); next < end; next++) {
            paced.worked(2);
            if (predicate.precedes(reversed.rowIndices().get(next), vertex)) {
                return next;
            }
        }
        return NONE;
    }

    /** The cost of the shortest paths to a vertex; {@link ShortestPaths#UNREACHED} if there is none. */
    public double cost(int vertex) {
        return cost.applyAsDouble(vertex);
    }

    /** Whether there is a path to a vertex. */
    public boolean reaches(int vertex) {
        return cost(vertex) != ShortestPaths.UNREACHED;
    }

    /** Heap of {@link #count}. */
    public static MemoryTree countingMemory(int vertexCount) {
        return MemoryTree.between("paths to each node", 0, vertexCount * (2L * Long.BYTES + Integer.BYTES));
    }

    /**
     * The number of paths to a reached vertex, as sequences of vertices: exact up to 2^53, rounded above, and infinite
     * above the greatest double.
     */
    public double count(int target) {
        if (counts == null) {
            counts = new double[reversed.vertexCount()];
            Arrays.fill(counts, Double.NaN);
        }
        if (!Double.isNaN(counts[target])) {
            return counts[target];
        }
        // a vertex on the way back to the sources has the sum of its predecessors before its entry
        Paths way = new Paths(this, target);
        while (way.depth >= 0) {
            int vertex = way.vertices[way.depth];
            long entry = nextEntry(vertex, way.entries[way.depth]);
            if (entry == NONE) {
                counts[vertex] = own(vertex) + (Double.isNaN(counts[vertex]) ? 0 : counts[vertex]);
                way.depth--;
                continue;
            }
            int before = reversed.rowIndices().get(entry);
            if (Double.isNaN(counts[before])) {
                way.entries[way.depth] = entry;
                way.push(before);
            } else {
                counts[vertex] = counts[before] + (Double.isNaN(counts[vertex]) ? 0 : counts[vertex]);
                way.entries[way.depth] = entry + 1;
            }
        }
        return counts[target];
    }

    /** The number of paths that begin at a vertex whose predecessors are counted. */
    private double own(int vertex) {
        if (beginning != null) {
            return beginning.applyAsDouble(vertex);
        }
        return Double.isNaN(counts[vertex]) ? 1 : 0;
    }

    /** The paths to a reached vertex, in the lexicographic order of their vertices, read from the target back. */
    public Paths paths(int target) {
        return new Paths(this, target);
    }

    /** Paths to a vertex, one after the other. */
    public static final class Paths {
        private final ShortestPathDag dag;

        /** The way back from the target. */
        private int[] vertices = new int[16];

        /** For each vertex of the way the entry of the reversed graph to continue with. */
        private long[] entries = new long[16];

        private int depth = NONE;

        private Paths(ShortestPathDag dag, int target) {
            this.dag = dag;
            push(target);
        }

        private void push(int vertex) {
            depth++;
            if (depth == vertices.length) {
                vertices = Arrays.copyOf(vertices, 2 * depth);
                entries = Arrays.copyOf(entries, 2 * depth);
            }
            vertices[depth] = vertex;
            entries[depth] = dag.reversed.columnStart(vertex);
        }

        /** The vertices of the next path, from the source to the target; null after the last path. */
        public int[] next() {
            while (depth >= 0) {
                int vertex = vertices[depth];
                long from = entries[depth];
                long entry = dag.nextEntry(vertex, from);
                if (entry != NONE) {
                    entries[depth] = entry + 1;
                    push(dag.reversed.rowIndices().get(entry));
                    continue;
                }
                depth--;
                // a vertex without any predecessor is a source
                if (from == dag.reversed.columnStart(vertex)) {
                    int[] path = new int[depth + 2];
                    for (int step = 0; step < path.length; step++) {
                        path[step] = vertices[depth + 1 - step];
                    }
                    return path;
                }
            }
            return null;
        }
    }
}
