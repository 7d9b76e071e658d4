// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;

/**
 * The predecessors of a shortest-path tree, from the costs alone, so that they do not depend on the order of the
 * search.
 *
 * <p>An edge is tight if the cost of its target is the cost of its source plus its weight. The predecessor of a vertex
 * is the lowest source of its tight edges from a lower cost. If there is none, because the weights of all tight edges
 * are 0 or too small to change the sum, it is the lowest source among those of equal cost that are the fewest such
 * edges away from a vertex with a predecessor, or from the source of the search. No cycle can arise: along a path of
 * predecessors the cost falls, or the number of these edges does.
 */
public final class Predecessors {

    private static final int VERTICES_AT_ONCE = 1 << 10;

    private final WeightedCsc graph;
    private final double[] costs;
    private final int[] nearest;
    private final int[] predecessors;
    private final RunContext control;

    private Predecessors(WeightedCsc graph, double[] costs, int[] nearest, RunContext control) {
        this.nearest = nearest;
        this.graph = graph;
        this.costs = costs;
        this.predecessors = new int[costs.length];
        this.control = control;
    }

    /**
     * Finds the predecessors.
     *
     * @param sources the sources of the search, ascending; vertex id space
     * @param costs {@code double[vertexCount]}: the cost of the shortest path to each vertex
     * @return {@code int[vertexCount]}: the predecessor, {@link ShortestPaths#NONE} for the sources and unreached
     *     vertices
     */
    public static int[] of(WeightedCsc graph, int[] sources, double[] costs, RunContext control) {
        return of(graph, sources, costs, null, control);
    }

    /**
     * Finds the predecessors in the paths from the nearest sources.
     *
     * @param sources the vertices without predecessor, ascending
     * @param nearest {@code int[vertexCount]}: the nearest source of each vertex, which a predecessor has in common
     *     with it; null for any
     */
    public static int[] of(WeightedCsc graph, int[] sources, double[] costs, int[] nearest, RunContext control) {
        Predecessors found = new Predecessors(graph, costs, nearest, control);
        Arrays.fill(found.predecessors, ShortestPaths.NONE);
        found.followLowerCosts();
        if (found.lacksPredecessors(sources)) {
            found.followEqualCosts(sources);
        }
        return found.predecessors;
    }

    /** Heap of {@link #of} beside the result. */
    public static MemoryTree memory(int vertexCount) {
        // a mark and a place in the queue for each vertex, if edges do not change the cost
        return MemoryTree.between("marks and levels", 0, vertexCount * (1L + Integer.BYTES));
    }

    private void followLowerCosts() {
        Workers.forRanges(control.concurrency(), costs.length, VERTICES_AT_ONCE, control.stop(), (worker, from, to) -> {
            PacedStop paced = new PacedStop(control.stop());
            for (int vertex = (int) from; vertex < to; vertex++) {
                if (costs[vertex] != ShortestPaths.UNREACHED) {
                    followLowerCosts(vertex, paced);
                }
            }
        });
    }

    private void followLowerCosts(int vertex, PacedStop paced) {
        ShortestPaths.forTightEdges(graph, costs, vertex, paced, target -> {
            if (costs[vertex] < costs[target] && haveSource(vertex, target)) {
                AtomicMinimum.lower(predecessors, target, vertex, ShortestPaths.NONE);
            }
        });
    }

    /** Whether two vertices have the same nearest source. */
    private boolean haveSource(int one, int other) {
        return nearest == null || nearest[one] == nearest[other];
    }

    private boolean lacksPredecessors(int[] sources) {
        PacedStop paced = new PacedStop(control.stop());
        for (int vertex = 0; vertex < costs.length; vertex++) {
            paced.worked(1);
            if (isLacking(vertex, sources)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLacking(int vertex, int[] sources) {
        return predecessors[vertex] == ShortestPaths.NONE
                && costs[vertex] != ShortestPaths.UNREACHED
                && Arrays.binarySearch(sources, vertex) < 0;
    }

    /**
     * A breadth-first search over tight edges between equal costs, level by level from all vertices with predecessors.
     */
    private void followEqualCosts(int[] sources) {
        PacedStop paced = new PacedStop(control.stop());
        boolean[] done = new boolean[costs.length];
        int[] queue = new int[costs.length];
        int size = 0;
        for (int vertex = 0; vertex < costs.length; vertex++) {
            paced.worked(1);
            if (costs[vertex] != ShortestPaths.UNREACHED && !isLacking(vertex, sources)) {
                done[vertex] = true;
                queue[size++] = vertex;
            }
        }
        int begin = 0;
        while (begin < size) {
            int end = size;
            for (int i = begin; i < end; i++) {
                int vertex = queue[i];
                for (long index = graph.columnStart(vertex); index < graph.columnEnd(vertex); index++) {
                    paced.worked(1);
                    int row = graph.rowIndices().get(index);
                    if (!done[row]
                            && costs[row] == costs[vertex]
                            && costs[vertex] + graph.weight(index) == costs[row]
                            && haveSource(vertex, row)) {
                        if (predecessors[row] == ShortestPaths.NONE) {
                            queue[size++] = row;
                        }
                        AtomicMinimum.lower(predecessors, row, vertex, ShortestPaths.NONE);
                    }
                }
            }
            for (int i = end; i < size; i++) {
                done[queue[i]] = true;
                paced.worked(1);
            }
            begin = end;
        }
    }
}
