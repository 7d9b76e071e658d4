// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.OnDemand;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * A bijection between the vertices 0 to size - 1 and the slots 0 to size - 1: an order of a graph. {@link #apply}
 * relabels the graph, and {@link #slot} converts the sources of a run.
 *
 * <ul>
 *   <li>slotOfVertex: {@code int[size]}, slot by vertex; host
 *   <li>vertexOfSlot: {@code int[size]}, vertex by slot; host
 * </ul>
 *
 * Immutable and thread-safe. Memory: 8 bytes for each vertex.
 */
public final class Permutation {

    private static final int VERTICES_AT_ONCE = 1 << 16;

    private final int[] slotOfVertex;
    private final int[] vertexOfSlot;
    // guarded by this
    private WeakReference<Relabelling> relabelling = new WeakReference<>(null);

    private Permutation(int[] slotOfVertex, int[] vertexOfSlot) {
        this.slotOfVertex = slotOfVertex;
        this.vertexOfSlot = vertexOfSlot;
    }

    /**
     * Every vertex in the slot of its own number.
     *
     * @param size number of vertices, at least 0
     */
    public static Permutation identity(int size) {
        int[] same = new int[size];
        Arrays.setAll(same, i -> i);
        return new Permutation(same, same);
    }

    /**
     * The permutation that puts {@code vertices[s]} into slot s.
     *
     * @param vertices {@code int[size]}, vertex by slot; taken over, not copied
     * @param concurrency threads that invert it, at least 1
     * @throws IllegalArgumentException naming the first vertex found that is out of range or without a slot
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Permutation ofVertices(int[] vertices, int concurrency, Stop stop) {
        int size = vertices.length;
        int[] slots = new int[size];
        Workers.forRanges(concurrency, size, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int slot = (int) from; slot < to; slot++) {
                int vertex = vertices[slot];
                if (vertex < 0 || vertex >= size) {
                    throw new IllegalArgumentException(
                            "a vertex must be 0 to " + (size - 1) + ": slot=" + slot + ", vertex=" + vertex);
                }
                slots[vertex] = slot;
            }
        });
        // of two slots with one vertex the first is overwritten, and some vertex is in no slot: its entry is still 0
        Workers.forRanges(concurrency, size, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                if (vertices[slots[vertex]] != vertex) {
                    throw new IllegalArgumentException("a vertex must have one slot: vertex=" + vertex);
                }
            }
        });
        return new Permutation(slots, vertices);
    }

    /** Number of vertices, which is the number of slots. */
    public int size() {
        return slotOfVertex.length;
    }

    /** The slot of a vertex. */
    public int slot(int vertex) {
        return slotOfVertex[vertex];
    }

    /** The vertex in a slot. */
    public int vertex(int slot) {
        return vertexOfSlot[slot];
    }

    /** {@code int[size]}, vertex by slot, the array itself: read only. */
    public int[] vertices() {
        return vertexOfSlot;
    }

    /**
     * The graph relabelled: every edge from u to v becomes an edge from slot(u) to slot(v). A graph that is known to be
     * symmetric remains so. Takes up to 4 bytes for each entry while it runs, beside the result.
     *
     * @param graph of {@link #size} vertices; vertex id space
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @return the graph in slot id space
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc apply(Csc graph, int concurrency, Stop stop) {
        if (graph.vertexCount() != size()) {
            throw new IllegalArgumentException("the graph is not of this permutation's size: size="
                    + graph.vertexCount() + ", permutation=" + size());
        }
        return graph.relabelled(vertexOfSlot, slotOfVertex, concurrency, stop);
    }

    /** The relabelling of a graph by {@link #apply}, shared by all that hold it at the same time. */
    public synchronized Relabelling relabelling(Csc graph) {
        Relabelling shared = relabelling.get();
        if (shared == null || shared.graph != graph) {
            shared = new Relabelling(graph);
            relabelling = new WeakReference<>(shared);
        }
        return shared;
    }

    /** A graph that is relabelled once for several devices, which would otherwise have a copy each on the heap. */
    public final class Relabelling {
        private final Csc graph;
        private final OnDemand<Csc> result = new OnDemand<>();

        private Relabelling(Csc graph) {
            this.graph = graph;
        }

        /** The result of {@link #apply}. */
        public Csc graph(int concurrency, Stop stop) {
            return result.get(stop, () -> apply(graph, concurrency, stop));
        }
    }
}
