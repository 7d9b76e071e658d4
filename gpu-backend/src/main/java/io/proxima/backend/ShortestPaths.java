// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.projection.csc.WeightedCsc;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * The result of a search for the shortest paths from a source, or from the nearest of several, where the cost of a path
 * is the sum of its weights. The arrays belong to the caller.
 *
 * @param costs {@code double[vertexCount]}: the least cost of a path from the source, {@link #UNREACHED} if there is
 *     none; host, vertex id space
 * @param predecessors {@code int[vertexCount]}: the vertex before each vertex on the shortest path to it, {@link #NONE}
 *     if there is none; null if they were not requested
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ShortestPaths(double[] costs, int[] predecessors) {

    /** The cost of an unreached vertex. */
    public static final double UNREACHED = Double.POSITIVE_INFINITY;

    /** The predecessor of the source and of unreached vertices. */
    public static final int NONE = -1;

    /** Edges between two stop checks. */
    private static final int EDGES_AT_ONCE = 1 << 15;

    /**
     * Checks the arguments of {@link LoadedGraph#shortestPaths}, lets a search find the costs, checks these, and finds
     * the predecessors.
     *
     * @param search finds the costs of all vertices, or of those that the search reaches before its end and that do not
     *     exceed the greatest cost, {@code double[vertexCount]}, given the figures of the weights
     * @throws IllegalArgumentException if a weight is not finite or negative, or if delta is negative or NaN
     * @throws CostOverflowException if a cost exceeds the greatest double, unless the search may end before
     */
    public static ShortestPaths of(
            WeightedCsc weights,
            int[] sources,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control,
            Function<WeightedCsc.Lengths, double[]> search) {
        WeightedCsc.Lengths lengths = lengths(weights, control);
        if (!(delta >= 0)) {
            throw new IllegalArgumentException("delta must not be negative: delta=" + delta);
        }
        double[] costs = search.apply(lengths);
        if (end.maxCost() == UNREACHED && !end.isReached(costs)) {
            requireFinite(weights, lengths, costs, control.stop());
        }
        return new ShortestPaths(costs, withPredecessors ? Predecessors.of(weights, sources, costs, control) : null);
    }

    /**
     * The figures of weights.
     *
     * @throws IllegalArgumentException if a weight is not finite or negative
     */
    public static WeightedCsc.Lengths lengths(WeightedCsc weights, RunContext control) {
        WeightedCsc.Lengths lengths = weights.lengths(control.concurrency(), control.stop());
        if (lengths.firstInvalid() != WeightedCsc.NONE) {
            throw new IllegalArgumentException(
                    "weights must be finite and not negative: entry=" + lengths.firstInvalid());
        }
        return lengths;
    }

    /**
     * A delta for weights of unknown distribution: {@link WeightedCsc.Lengths#light}, times the greater of {@code
     * denseShare} and {@code (deepDegree / d)^2}, where d is {@link WeightedCsc.Lengths#degree}. Few edges of a vertex
     * are lighter, so that a bucket repeats little work. Where there are few edges, few paths compete, and wide buckets
     * save steps on long paths. Too narrow a bucket costs little: the delta is the least possible one if there is
     * hardly any positive weight.
     */
    public static double delta(WeightedCsc.Lengths lengths, double denseShare, double deepDegree) {
        double ratio = deepDegree / lengths.degree();
        double delta = Math.max(denseShare, ratio * ratio) * lengths.light();
        return Math.max(Double.MIN_VALUE, Math.min(delta, Double.MAX_VALUE));
    }

    /**
     * Checks that no cost exceeds the greatest double: its vertex would count as unreached.
     *
     * @param costs {@code double[vertexCount]}: the costs that a search has found
     * @throws CostOverflowException if an edge leads from a reached vertex to one that is not
     */
    public static void requireFinite(WeightedCsc graph, WeightedCsc.Lengths lengths, double[] costs, Stop stop) {
        if (lengths.areCostsFinite(costs.length)) {
            return;
        }
        PacedStop paced = new PacedStop(stop);
        for (int from = 0; from < costs.length; from++) {
            paced.worked(1);
            if (costs[from] == UNREACHED) {
                continue;
            }
            for (long entry = graph.columnStart(from); entry < graph.columnEnd(from); entry++) {
                paced.worked(1);
                int to = graph.rowIndices().get(entry);
                double weight = graph.weight(entry);
                if (costs[to] == UNREACHED && costs[from] + weight == UNREACHED) {
                    throw new CostOverflowException(from, to, costs[from], weight);
                }
            }
        }
    }

    /**
     * Visits the targets of the tight edges of a vertex. An edge is tight if the cost of its target is the cost of its
     * source plus its weight.
     *
     * @param costs {@code double[vertexCount]}: the costs that a search has found
     */
    public static void forTightEdges(
            WeightedCsc graph, double[] costs, int vertex, PacedStop paced, IntConsumer visitor) {
        double cost = costs[vertex];
        long index = graph.columnStart(vertex);
        long end = graph.columnEnd(vertex);
        int mask = graph.rowIndices().pageMask();
        while (index < end) {
            int[] rows = graph.rowIndices().pageOf(index);
            double[] weights = graph.weights() == null ? null : graph.weights().pageOf(index);
            int first = (int) (index & mask);
            int last = (int) Math.min(rows.length, first + Math.min(EDGES_AT_ONCE, end - index));
            paced.worked(last - first);
            for (int i = first; i < last; i++) {
                double through = cost + (weights == null ? 1 : weights[i]);
                // a sum above the greatest double is no cost, although it equals that of unreached vertices
                if (through == costs[rows[i]] && through != UNREACHED) {
                    visitor.accept(rows[i]);
                }
            }
            index += last - first;
        }
    }

    /** Whether there is a path to a vertex. */
    public boolean reaches(int vertex) {
        return costs[vertex] != UNREACHED;
    }

    /** The arrays on the heap. */
    public HeapPart[] heapParts() {
        return predecessors == null
                ? new HeapPart[] {HeapPart.of(costs)}
                : new HeapPart[] {HeapPart.of(costs), HeapPart.of(predecessors)};
    }
}
