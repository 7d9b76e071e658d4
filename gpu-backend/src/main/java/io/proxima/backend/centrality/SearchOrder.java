// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.GraphShape;
import io.proxima.backend.order.Afforest;
import io.proxima.backend.order.DegreeOrder;
import io.proxima.backend.order.NestedBalls;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.ReachOrder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * An order of the vertices for searches from all of them: weakly connected components one after the other, the largest
 * first; vertices without a search last. A search therefore stays within a range of slots.
 *
 * <p>Within a component of a shallow graph, vertices are in the {@link ReachOrder}. Consecutive sources then reach a
 * vertex on few levels. The words that most edges refer to are near each other in memory, and a vertex that pulls reads
 * its likeliest parent first. In a deep graph, this order is one of breadth-first levels, which {@link NestedBalls}
 * turns into balls: consecutive sources are near each other, and their frontiers overlap.
 */
public final class SearchOrder {

    /** Vertices of a ball: as many sources as a search may have. */
    private static final int BALL = 64;

    /** Vertices of a ball of balls. It keeps consecutive balls near each other, which helps in directed graphs. */
    private static final int LARGE = 1 << 11;

    private static final int NONE = -1;

    private static final int RELABEL_GRAIN = 1 << 10;

    private final Permutation permutation;
    private final int[] componentStarts;
    private final boolean deep;

    private SearchOrder(Permutation permutation, int[] componentStarts, boolean deep) {
        this.permutation = permutation;
        this.componentStarts = componentStarts;
        this.deep = deep;
    }

    /** Vertices to slots. */
    public Permutation permutation() {
        return permutation;
    }

    /** Number of components of two or more vertices. */
    public int componentCount() {
        return componentStarts.length - 1;
    }

    /** First slot of a component; {@code componentStart(componentCount())} is the slot after the last. */
    public int componentStart(int component) {
        return componentStarts[component];
    }

    /**
     * The vertex that stands for a vertex's component.
     *
     * @return the vertex of the component's first slot, or the vertex itself if it takes no part in the searches
     */
    public int componentOf(int vertex) {
        int slot = permutation.slot(vertex);
        if (slot >= slotCount()) {
            return vertex;
        }
        int found = Arrays.binarySearch(componentStarts, slot);
        return permutation.vertex(componentStarts[found < 0 ? -found - 2 : found]);
    }

    /** Vertices of the largest component, 0 if there is none of two or more. */
    public int largestComponent() {
        return componentCount() == 0 ? 0 : componentStarts[1];
    }

    /** Whether the graph is deep. */
    public boolean isDeep() {
        return deep;
    }

    /** Heap of the order; it grows with the number of components. */
    public static MemoryTree memory(long vertexCount) {
        return MemoryTree.between(
                "vertex order",
                2 * Integer.BYTES * vertexCount,
                2 * Integer.BYTES * vertexCount + Integer.BYTES * (vertexCount / 2));
    }

    /**
     * Heap of {@link #of}, including the order. The minimum is that of the order by reach. The maximum is that of the
     * order by degree or of the balls of a deep graph; sorting the greatest possible number of components takes less.
     */
    public static MemoryTree makingMemory(GraphShape graph, int concurrency) {
        long ints = (long) Integer.BYTES * graph.vertexCount();
        long byDegree = ints + DegreeOrder.heapBytes(graph.vertexCount());
        // the order by reach, the order by component, and the starts of components of two vertices
        long inBalls =
                3 * ints + ints / 2 + NestedBalls.mostBytes(graph.vertexCount(), graph.entryCount(), concurrency);
        return MemoryTree.between(
                "finding the vertex order",
                ints + ReachOrder.heapBytes(graph.vertexCount()),
                Math.max(byDegree, inBalls));
    }

    /** Heap of the result of {@link #apply}; smaller if fewer vertices take part. */
    public static MemoryTree orderedMemory(GraphShape graph) {
        return MemoryTree.between("ordered graph", 0, Csc.bytes(graph.vertexCount(), graph.entryCount()));
    }

    /**
     * Heap of the step that orders a graph and, if it is directed, its reversed graph, at its peak.
     *
     * @param trees heap of the hanging trees that the run keeps meanwhile
     */
    public static MemoryTree applyingMemory(GraphShape graph, MemoryTree trees, int concurrency) {
        boolean symmetric = graph.symmetric();
        long ordering = CscBuilder.memory(
                        graph.vertexCount(),
                        symmetric ? Orientation.UNDIRECTED : Orientation.NATURAL,
                        concurrency,
                        symmetric ? graph.entryCount() / 2 : graph.entryCount(),
                        0)
                .built()
                .maxBytes();
        return MemoryTree.together(
                "order graph",
                trees,
                memory(graph.vertexCount()),
                symmetric ? MemoryTree.NONE : orderedMemory(graph),
                MemoryTree.between("ordering", 0, ordering));
    }

    /**
     * Finds the order, which depends on neither the concurrency nor the run.
     *
     * @param out the edges
     * @param in the same edges reversed; out itself if symmetric
     * @param trees vertices to leave out, placed last as if they had no edges; null for none
     */
    public static SearchOrder of(Csc out, Csc in, HangingTrees trees, int concurrency, Stop stop) {
        int[] byReach = ReachOrder.vertices(DegreeOrder.vertices(out, in, concurrency, stop), in, stop);
        int[] vertices = new int[byReach.length];
        int[] componentStarts =
                placeByComponent(byReach, Afforest.of(out, concurrency, stop, Progress.NONE), trees, vertices, stop);
        Permutation order = Permutation.ofVertices(vertices, concurrency, stop);
        boolean deep = out.depth(stop) == GraphDepth.DEEP;
        if (deep) {
            int slotCount = componentStarts[componentStarts.length - 1];
            int[] slotAt = NestedBalls.of(out, order, slotCount, LARGE, BALL, concurrency, stop);
            int[] inBalls = byReach;
            PacedStop paced = new PacedStop(stop);
            for (int slot = 0; slot < inBalls.length; slot++) {
                paced.worked(1);
                inBalls[slot] = vertices[slot < slotCount ? slotAt[slot] : slot];
            }
            order = Permutation.ofVertices(inBalls, concurrency, stop);
        }
        return new SearchOrder(order, componentStarts, deep);
    }

    /**
     * Places component after component, each in the given order.
     *
     * @param componentOf by vertex: the lowest vertex of its component
     * @param vertices receives the vertices by slot
     * @return the first slot of each component of two or more vertices, and the slot after the last
     */
    private static int[] placeByComponent(
            int[] order, int[] componentOf, HangingTrees trees, int[] vertices, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        // by lowest vertex: the size of the component, later its next slot
        int[] next = new int[order.length];
        int components = 0;
        for (int vertex : order) {
            paced.worked(1);
            if (isKept(vertex, trees) && ++next[componentOf[vertex]] == 2) {
                components++;
            }
        }
        long[] largestFirst = new long[components];
        int found = 0;
        for (int lowest = 0; lowest < next.length; lowest++) {
            paced.worked(1);
            if (next[lowest] > 1) {
                largestFirst[found++] = (long) (Integer.MAX_VALUE - next[lowest]) << Integer.SIZE | lowest;
            } else {
                next[lowest] = NONE;
            }
        }
        largestFirst = RadixSort.sort(largestFirst, new long[found], found, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        int[] starts = new int[components + 1];
        for (int rank = 0; rank < components; rank++) {
            paced.worked(1);
            int lowest = (int) largestFirst[rank];
            starts[rank + 1] = starts[rank] + next[lowest];
            next[lowest] = starts[rank];
        }
        int unsearched = starts[components];
        for (int vertex : order) {
            paced.worked(1);
            int component = componentOf[vertex];
            boolean searched = isKept(vertex, trees) && next[component] != NONE;
            vertices[searched ? next[component]++ : unsearched++] = vertex;
        }
        return starts;
    }

    private static boolean isKept(int vertex, HangingTrees trees) {
        return trees == null || trees.isKept(vertex);
    }

    /** Number of slots that take part: those of the components. */
    public int slotCount() {
        return componentStarts[componentCount()];
    }

    /**
     * The subgraph of the slots that are searched.
     *
     * @param graph vertex id space
     * @return slot id space, {@link #slotCount()} vertices
     */
    public Csc apply(Csc graph, int concurrency, Stop stop) {
        int slotCount = slotCount();
        boolean symmetric = graph.isSymmetric();
        CscBuilder builder = new CscBuilder(
                slotCount, symmetric ? Orientation.UNDIRECTED : Orientation.NATURAL, concurrency, graph.entryCount());
        Workers.forRanges(concurrency, slotCount, RELABEL_GRAIN, stop, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            IntPages rows = graph.rowIndices();
            PacedStop paced = new PacedStop(stop);
            for (int slot = (int) from; slot < to; slot++) {
                int vertex = permutation.vertex(slot);
                paced.worked(graph.degree(vertex));
                for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
                    int other = permutation.slot(rows.get(i));
                    // a symmetric builder adds the reverse itself
                    if (other < slotCount && (!symmetric || other > slot)) {
                        edges.add(slot, other);
                    }
                }
            }
        });
        return builder.build(concurrency, stop);
    }

    /** The values of the vertices in the slots that take part: {@code int[slotCount()]}. */
    public int[] bySlot(IntUnaryOperator byVertex, Stop stop) {
        int[] values = new int[slotCount()];
        PacedStop paced = new PacedStop(stop);
        for (int slot = 0; slot < values.length; slot++) {
            values[slot] = byVertex.applyAsInt(permutation.vertex(slot));
            paced.worked(1);
        }
        return values;
    }
}
