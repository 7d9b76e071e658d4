// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;

/**
 * Orders the vertices of a shallow graph for searches from all of them. The first group reaches the vertex of the
 * highest degree, the second the vertex of the highest degree among the others, and so on. A group is ordered by the
 * distance to that vertex, then by descending degree. Consecutive sources of a directed graph then reach the same part
 * of it.
 */
public final class ReachOrder {

    private ReachOrder() {}

    /** The order of a graph, for searches along its edges. */
    static Permutation of(Csc graph, int concurrency, Stop stop) {
        Csc reversed = graph.transposed(concurrency, stop);
        int[] byDegree = DegreeOrder.vertices(graph, reversed, concurrency, stop);
        return Permutation.ofVertices(vertices(byDegree, reversed, stop), concurrency, stop);
    }

    /**
     * The vertices in this order.
     *
     * @param byDegree {@code int[vertexCount]}: the vertices by descending degree
     * @param reversed the edges of the searches, reversed
     * @return {@code int[vertexCount]}
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] vertices(int[] byDegree, Csc reversed, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        IntPages rows = reversed.rowIndices();
        int[] found = new int[byDegree.length];
        boolean[] isFound = new boolean[byDegree.length];
        int[] levelOf = new int[byDegree.length];
        int[] levelStarts = new int[byDegree.length + 1];
        int levels = 0;
        int end = 0;
        for (int hub : byDegree) {
            paced.worked(1);
            if (isFound[hub]) {
                continue;
            }
            isFound[hub] = true;
            int next = end;
            found[end++] = hub;
            while (next < end) {
                int levelEnd = end;
                for (; next < levelEnd; next++) {
                    int vertex = found[next];
                    levelOf[vertex] = levels;
                    paced.worked(1L + reversed.degree(vertex));
                    for (long i = reversed.columnStart(vertex), last = reversed.columnEnd(vertex); i < last; i++) {
                        int neighbour = rows.get(i);
                        if (!isFound[neighbour]) {
                            isFound[neighbour] = true;
                            found[end++] = neighbour;
                        }
                    }
                }
                levelStarts[++levels] = levelEnd;
            }
        }
        // a counting sort by level, which keeps the order by degree
        for (int vertex : byDegree) {
            paced.worked(1);
            found[levelStarts[levelOf[vertex]]++] = vertex;
        }
        return found;
    }

    /** Heap of {@link #vertices}, including the result. */
    public static long heapBytes(long vertexCount) {
        return (3L * Integer.BYTES + 1) * vertexCount;
    }
}
