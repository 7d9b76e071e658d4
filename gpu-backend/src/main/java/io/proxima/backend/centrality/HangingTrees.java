// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The trees that hang from an undirected graph, found by removing vertices of degree 1 until none remains (the 2-core
 * is kept, or one vertex of a component that is a tree). Distances through a hanging tree are sums, so that only the
 * kept vertices need to be searched:
 *
 * <ul>
 *   <li>a kept vertex x has a weight, the number of vertices of its trees and itself, and the sum D(x) of its distances
 *       to them. The farness of v is then the sum over all kept x of weight(x) * distance(v, x) + D(x);
 *   <li>let u be a removed vertex with the parent p, W the number of vertices that hang from u, itself included, and N
 *       the number of vertices of the component. Then u is one hop nearer than p to W vertices, and one hop farther
 *       from the others: farness(u) = farness(p) + N - 2 W;
 *   <li>a kept vertex has a height, the depth of its trees, by which it is farther from other kept vertices. The
 *       farthest vertex from a removed vertex is below it, in another branch of its parent, or beyond its parent.
 * </ul>
 *
 * Pairs by distance follow from the weights if only leaves are removed. Harmonic sums do not follow from sums of
 * distances.
 *
 * <p>Known as the compression of degree-1 vertices: A. E. Sariyüce et al., Graph manipulations for fast centrality
 * computation, ACM TKDD 11(3), 2017.
 */
public final class HangingTrees {

    private static final int KEPT = -1;

    /** The kept vertex of a component that is a tree. */
    private static final int ROOT = -2;

    private final int[] parents;
    private final int[] weights;
    private final long[] distanceSums;
    private final int[] takenAway;
    private int takenAwayCount;

    /** By vertex: the depth of the deepest vertex below it. Null if heights are not wanted. */
    private final int[] heights;

    /** By vertex: the height without its highest branch. */
    private final int[] secondHeights;

    private HangingTrees(int vertexCount, boolean withHeights) {
        parents = new int[vertexCount];
        weights = new int[vertexCount];
        distanceSums = new long[vertexCount];
        takenAway = new int[vertexCount];
        heights = withHeights ? new int[vertexCount] : null;
        secondHeights = withHeights ? new int[vertexCount] : null;
        Arrays.fill(parents, KEPT);
        Arrays.fill(weights, 1);
    }

    /** Heap of the arrays. */
    public static MemoryTree memory(long vertexCount, boolean withHeights) {
        return MemoryTree.exactly(
                "hanging trees", ((withHeights ? 5L : 3L) * Integer.BYTES + Long.BYTES) * vertexCount);
    }

    /** Heap of {@link #of} besides the result. */
    public static MemoryTree makingMemory(long vertexCount) {
        return MemoryTree.exactly("degrees", Integer.BYTES * vertexCount);
    }

    /**
     * Finds the trees that hang from a symmetric graph.
     *
     * @param measures what {@link #complete} has to complete beside the sums. For eccentricities, the heights are kept.
     *     For hops, only vertices of degree 1 are removed
     */
    public static HangingTrees of(Csc graph, Set<DistanceMeasure> measures, Stop stop) {
        int vertexCount = graph.vertexCount();
        HangingTrees trees = new HangingTrees(vertexCount, measures.contains(DistanceMeasure.ECCENTRICITY));
        boolean onlyLeaves = measures.contains(DistanceMeasure.HOPS);
        int[] degrees = new int[vertexCount];
        PacedStop paced = new PacedStop(stop);
        int tail = 0;
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            paced.worked(1);
            degrees[vertex] = graph.degree(vertex);
            if (degrees[vertex] == 1) {
                trees.takenAway[tail++] = vertex;
            }
        }
        int kept = 0;
        for (int head = 0; head < tail; head++) {
            int vertex = trees.takenAway[head];
            paced.worked(1L + graph.degree(vertex));
            if (degrees[vertex] == 0) {
                trees.parents[vertex] = ROOT;
                continue;
            }
            trees.takenAway[kept++] = vertex;
            int parent = trees.remainingNeighbour(graph, vertex);
            trees.parents[vertex] = parent;
            trees.weights[parent] += trees.weights[vertex];
            trees.distanceSums[parent] += trees.distanceSums[vertex] + trees.weights[vertex];
            trees.raise(parent, vertex);
            degrees[vertex] = 0;
            if (--degrees[parent] == 1 && !onlyLeaves) {
                trees.takenAway[tail++] = parent;
            }
        }
        trees.takenAwayCount = kept;
        return trees;
    }

    private void raise(int parent, int branch) {
        if (heights != null) {
            int height = heights[branch] + 1;
            secondHeights[parent] = Math.max(secondHeights[parent], Math.min(height, heights[parent]));
            heights[parent] = Math.max(heights[parent], height);
        }
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
        return parents[vertex] < 0;
    }

    /** Whether a vertex is kept as the root of a component that is a tree. It has no kept neighbours. */
    public boolean isRoot(int vertex) {
        return parents[vertex] == ROOT;
    }

    /** The number of vertices that a kept vertex represents: itself and those that hang from it. */
    public int weight(int vertex) {
        return weights[vertex];
    }

    /** The depth of what hangs from a vertex that stays; 0 if nothing does. */
    public int height(int vertex) {
        return heights[vertex];
    }

    /**
     * Completes the sums and eccentricities of all vertices, and the pairs by distance. To be called once.
     *
     * @param found those of the kept vertices by the searches, in which a vertex counts by its weight and height; all
     *     pairs of different kept vertices and of the leaves that hang from them. Those of removed vertices are
     *     overwritten
     * @param componentOf by kept vertex: a vertex of its component, always the same
     */
    public void complete(Farness found, IntUnaryOperator componentOf, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long[] farness = found.farness();
        long[] reach = found.reach();
        addUpByComponent(componentOf, paced);
        for (int vertex = 0; vertex < parents.length; vertex++) {
            paced.worked(1);
            if (isKept(vertex)) {
                farness[vertex] += distanceSums[componentOf.applyAsInt(vertex)];
                reach[vertex] += weights[vertex] - 1L;
            }
        }
        for (int i = takenAwayCount - 1; i >= 0; i--) {
            int vertex = takenAway[i];
            int parent = parents[vertex];
            farness[vertex] = farness[parent] + reach[parent] + 1 - 2L * weights[vertex];
            reach[vertex] = reach[parent];
            paced.worked(1);
        }
        if (heights != null) {
            completeEccentricities(found.eccentricity(), paced);
        }
        if (found.hops() != null) {
            addPairsOfLeaves(found, paced);
        }
    }

    /** Moves the sums of distances of all kept vertices of a component to the one that stands for it. */
    private void addUpByComponent(IntUnaryOperator componentOf, PacedStop paced) {
        for (int i = 0; i < takenAwayCount; i++) {
            distanceSums[takenAway[i]] = 0;
            paced.worked(1);
        }
        for (int vertex = 0; vertex < parents.length; vertex++) {
            paced.worked(1);
            if (isKept(vertex)) {
                int component = componentOf.applyAsInt(vertex);
                if (component != vertex) {
                    distanceSums[component] += distanceSums[vertex];
                }
            }
        }
    }

    /** Adds the pairs of a leaf and its parent, and those of two leaves of the same parent. */
    private void addPairsOfLeaves(Farness found, PacedStop paced) {
        long neighbours = 0;
        long siblings = 0;
        for (int weight : weights) {
            neighbours += 2 * (weight - 1L);
            siblings += (weight - 1L) * (weight - 2L);
            paced.worked(1);
        }
        found.addPairs(1, neighbours);
        found.addPairs(2, siblings);
    }

    private void completeEccentricities(int[] eccentricities, PacedStop paced) {
        for (int i = takenAwayCount - 1; i >= 0; i--) {
            int vertex = takenAway[i];
            int parent = parents[vertex];
            boolean highest = heights[vertex] + 1 == heights[parent];
            int otherBranch = highest ? secondHeights[parent] : heights[parent];
            eccentricities[vertex] = 1 + Math.max(eccentricities[parent], otherBranch);
            paced.worked(1);
        }
        for (int vertex = 0; vertex < eccentricities.length; vertex++) {
            eccentricities[vertex] = Math.max(eccentricities[vertex], heights[vertex]);
            paced.worked(1);
        }
    }
}
