// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.projection.WeightedCsc;

/**
 * The result of a search for the shortest paths from one source, where the cost of a path is the sum of its weights.
 * The arrays belong to the caller.
 */
public final class ShortestPaths {

    /** The cost of an unreached vertex. */
    public static final double UNREACHED = Double.POSITIVE_INFINITY;

    /** The predecessor of the source and of unreached vertices. */
    public static final int NONE = -1;

    private final double[] costs;
    private final int[] predecessors;

    /**
     * Creates the result without copying the arrays.
     *
     * @param costs {@code double[vertexCount]}: the least cost of a path from the source, {@link #UNREACHED} if there
     *     is none; host, vertex id space
     * @param predecessors {@code int[vertexCount]}: the vertex before each vertex on the shortest path to it,
     *     {@link #NONE} if there is none; null if they were not requested
     */
    public ShortestPaths(double[] costs, int[] predecessors) {
        this.costs = costs;
        this.predecessors = predecessors;
    }

    /**
     * Checks the arguments of {@link LoadedGraph#shortestPaths}.
     *
     * @throws IllegalArgumentException if a weight is not finite or negative, or if delta is negative or NaN
     */
    public static void check(WeightedCsc.Lengths lengths, double delta) {
        if (lengths.firstInvalid() != WeightedCsc.NONE || !(delta >= 0)) {
            throw new IllegalArgumentException("weights must be finite and not negative, and delta not negative: entry="
                    + lengths.firstInvalid() + ", delta=" + delta);
        }
    }

    /**
     * Checks that no cost exceeds the greatest double: its vertex would count as unreached.
     *
     * @param costs {@code double[vertexCount]}: the costs that a search has found
     * @throws CostOverflowException if an edge leads from a reached vertex to one that is not
     */
    public static void requireFinite(WeightedCsc graph, WeightedCsc.Lengths lengths, double[] costs, Stop stop) {
        // no path has more edges than there are vertices
        if (Double.isFinite(lengths.greatest() * costs.length)) {
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
                if (costs[to] == UNREACHED) {
                    throw new CostOverflowException(
                            from, to, costs[from], graph.weights().get(entry));
                }
            }
        }
    }

    /** {@code double[vertexCount]}: the cost of each vertex, the array itself. */
    public double[] costs() {
        return costs;
    }

    /** {@code int[vertexCount]}: the predecessor of each vertex, the array itself; null if they were not requested. */
    public int[] predecessors() {
        return predecessors;
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
