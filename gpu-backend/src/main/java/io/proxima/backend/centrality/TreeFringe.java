// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * The trees that hang from an undirected graph, found by removing vertices of degree 1 until none remains (the 2-core is
 * kept, or one vertex of a component that is a tree). Distances through a hanging tree are sums, so that only the kept
 * vertices need to be searched:
 *
 * <ul>
 *   <li>a kept vertex x has a weight, the number of vertices of its trees and itself, and the sum D(x) of its distances to
 *       them. The farness of v is then the sum over all kept x of weight(x) * distance(v, x) + D(x);
 *   <li>let u be a removed vertex with the parent p, W the number of vertices that hang from u, itself included, and N the
 *       number of vertices of the component. Then u is one hop nearer than p to W vertices, and one hop farther from the
 *       others: farness(u) = farness(p) + N - 2 W.
 * </ul>
 *
 * Known as the compression of degree-1 vertices: A. E. Sariyüce et al., Graph manipulations for fast centrality
 * computation, ACM TKDD 11(3), 2017; here without the harmonic sum, which is not a sum of distances.
 */
public final class TreeFringe {

    private static final int KEPT = -1;

    private final int[] parents;
    private final int[] weights;
    private final long[] distanceSums;
    private final int[] takenAway;
    private int takenAwayCount;

    private TreeFringe(int vertexCount) {
        parents = new int[vertexCount];
        weights = new int[vertexCount];
        distanceSums = new long[vertexCount];
        takenAway = new int[vertexCount];
        Arrays.fill(parents, KEPT);
        Arrays.fill(weights, 1);
    }

    /** Heap of the arrays. */
    public static MemoryTree memory(long vertexCount) {
        return MemoryTree.exactly("hanging trees", (3L * Integer.BYTES + Long.BYTES) * vertexCount);
    }

    /** Heap of {@link #of} besides the result. */
    public static MemoryTree makingMemory(long vertexCount) {
        return MemoryTree.exactly("degrees", Integer.BYTES * vertexCount);
    }

    /** Finds the trees that hang from a symmetric graph. */
    public static TreeFringe of(Csc graph, Stop stop) {
        int vertexCount = graph.vertexCount();
        TreeFringe fringe = new TreeFringe(vertexCount);
        int[] degrees = new int[vertexCount];
        PacedStop paced = new PacedStop(stop);
        int tail = 0;
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            paced.worked(1);
            degrees[vertex] = graph.degree(vertex);
            if (degrees[vertex] == 1) {
                fringe.takenAway[tail++] = vertex;
            }
        }
        int kept = 0;
        for (int head = 0; head < tail; head++) {
            int vertex = fringe.takenAway[head];
            paced.worked(1L + graph.degree(vertex));
            if (degrees[vertex] == 0) {
                // the last vertex of a tree is kept as its root
                continue;
            }
            fringe.takenAway[kept++] = vertex;
            int parent = fringe.remainingNeighbour(graph, vertex);
            fringe.parents[vertex] = parent;
            fringe.weights[parent] += fringe.weights[vertex];
            fringe.distanceSums[parent] += fringe.distanceSums[vertex] + fringe.weights[vertex];
            degrees[vertex] = 0;
            if (--degrees[parent] == 1) {
                fringe.takenAway[tail++] = parent;
            }
        }
        fringe.takenAwayCount = kept;
        return fringe;
    }

    private int remainingNeighbour(Csc graph, int vertex) {
        IntPages rows = graph.rowIndices();
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            if (parents[neighbour] == KEPT) {
                return neighbour;
            }
        }
        throw new IllegalStateException("a vertex of remaining degree 1 has no remaining neighbour: vertex=" + vertex);
    }

    /** Number of vertices of the graph. */
    public int vertexCount() {
        return parents.length;
    }

    /** Number of removed vertices. */
    public int takenAwayCount() {
        return takenAwayCount;
    }

    /** The i-th removed vertex. The vertices that hang from it precede it. */
    public int takenAway(int i) {
        return takenAway[i];
    }

    /** The vertex from which a removed vertex hangs. */
    public int parent(int vertex) {
        return parents[vertex];
    }

    /** Whether a vertex is kept. */
    public boolean isKept(int vertex) {
        return parents[vertex] == KEPT;
    }

    /** The number of vertices that a kept vertex represents: itself and those that hang from it. */
    public int weight(int vertex) {
        return weights[vertex];
    }

    /** Sum of the distances from a kept vertex to those that hang from it. */
    public long distanceSum(int vertex) {
        return distanceSums[vertex];
    }

    /**
     * Completes the sums of the removed vertices from those of the kept vertices.
     *
     * @param farness {@code long[vertexCount]}, complete for the kept vertices
     * @param reach {@code long[vertexCount]}, complete for the kept vertices
     */
    public void complete(long[] farness, long[] reach, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int i = takenAwayCount - 1; i >= 0; i--) {
            int vertex = takenAway[i];
            int parent = parents[vertex];
            farness[vertex] = farness[parent] + reach[parent] + 1 - 2L * weights[vertex];
            reach[vertex] = reach[parent];
            paced.worked(1);
        }
    }
}
