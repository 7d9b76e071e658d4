// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.order.DegreeOrder;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.ReachOrder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * An order of the vertices for searches from all of them: weakly connected components one after the other, the largest
 * first; vertices without a search last. A search therefore stays within a range of slots.
 *
 * <p>Within a component of a shallow graph, vertices are in the {@link ReachOrder}. Consecutive sources then reach a
 * vertex on few levels. The words that most edges refer to are near each other in memory, and a vertex that pulls reads
 * its likeliest parent first. In a deep graph, vertices are ordered in balls, so that consecutive sources are near each
 * other and their frontiers overlap.
 */
public final class SearchOrder {

    /** Vertices of a ball: as many sources as a search may have. */
    private static final int BALL = 64;

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
     * Heap of {@link #of}, including the order. The minimum is that of a graph of few shallow components. The maximum
     * adds the seeds of balls, and the starts of the greatest possible number of components, which have two vertices
     * each.
     */
    public static MemoryTree makingMemory(long vertexCount) {
        long least = (4L * Integer.BYTES + Byte.BYTES) * vertexCount;
        // the start twice while its array grows; rank, first slot, and start in the order
        long ofComponent = 5L * Integer.BYTES;
        long most = least + 2L * Integer.BYTES * vertexCount + ofComponent * (vertexCount / 2);
        long byDegree = Integer.BYTES * vertexCount + DegreeOrder.heapBytes(vertexCount);
        return MemoryTree.between("finding the vertex order", least, Math.max(most, byDegree));
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
     * Finds the order.
     *
     * @param out the edges
     * @param in the same edges reversed; out itself if symmetric
     * @param trees vertices to leave out, placed last as if they had no edges; null for none
     */
    public static SearchOrder of(Csc out, Csc in, HangingTrees trees, Stop stop) {
        return new Finder(out, in, trees, stop).find();
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

    private static final class Finder {
        private final Csc out;
        private final Csc in;
        private final HangingTrees trees;
        private final Stop stop;
        private final PacedStop paced;
        private final int vertexCount;
        private final boolean deep;

        private static final byte UNTOUCHED = 0;
        private static final byte SEED = 1;
        private static final byte PLACED = 2;

        /** Vertices by descending degree, the weak degree: out and in. */
        private final int[] byDegree;

        /** Vertices component by component, in search order, as they are found. */
        private final int[] found;

        /** One of {@link #UNTOUCHED}, {@link #SEED}, {@link #PLACED}. */
        private final byte[] state;

        private int[] starts = new int[16];
        private int components;

        Finder(Csc out, Csc in, HangingTrees trees, Stop stop) {
            this.out = out;
            this.in = in;
            this.trees = trees;
            this.stop = stop;
            paced = new PacedStop(stop);
            vertexCount = out.vertexCount();
            deep = out.depth(stop) == GraphDepth.DEEP;
            byDegree = DegreeOrder.vertices(out, in, 1, stop);
            found = new int[vertexCount];
            state = new byte[vertexCount];
            clearState();
        }

        SearchOrder find() {
            int end = findComponents();
            int[] largestFirst = largestFirst();
            int[] vertices = new int[vertexCount];
            int[] componentStarts = new int[components + 1];
            int[] componentOf = componentsByVertex(end);
            int[] nextSlot = new int[components];
            int slot = 0;
            for (int rank = 0; rank < components; rank++) {
                int component = largestFirst[rank];
                paced.worked(1);
                componentStarts[rank] = slot;
                nextSlot[component] = slot;
                slot += starts[component + 1] - starts[component];
            }
            componentStarts[components] = slot;
            clearState();
            if (deep) {
                for (int component = 0; component < components; component++) {
                    placeInBalls(component, vertices, nextSlot[component]);
                }
            }
            for (int vertex : deep ? byDegree : ReachOrder.vertices(byDegree, in, stop)) {
                paced.worked(1);
                int component = componentOf[vertex];
                if (component < 0) {
                    vertices[slot++] = vertex;
                } else if (!deep) {
                    vertices[nextSlot[component]++] = vertex;
                }
            }
            return new SearchOrder(Permutation.ofVertices(vertices, 1, stop), componentStarts, deep);
        }

        /** Components by descending size, ties as found: a counting sort. */
        private int[] largestFirst() {
            int largest = 0;
            for (int c = 0; c < components; c++) {
                largest = Math.max(largest, starts[c + 1] - starts[c]);
            }
            int[] places = new int[largest + 2];
            for (int c = 0; c < components; c++) {
                places[largest - (starts[c + 1] - starts[c]) + 1]++;
                paced.worked(1);
            }
            for (int smaller = 1; smaller < places.length; smaller++) {
                places[smaller] += places[smaller - 1];
                paced.worked(1);
            }
            int[] largestFirst = new int[components];
            for (int c = 0; c < components; c++) {
                largestFirst[places[largest - (starts[c + 1] - starts[c])]++] = c;
                paced.worked(1);
            }
            return largestFirst;
        }

        private void clearState() {
            for (int vertex = 0; vertex < vertexCount; vertex++) {
                paced.worked(1);
                state[vertex] = trees == null || trees.isKept(vertex) ? UNTOUCHED : PLACED;
            }
        }

        private int findComponents() {
            int end = 0;
            for (int seed : byDegree) {
                paced.worked(1);
                if (state[seed] == PLACED || (out.degree(seed) == 0 && in.degree(seed) == 0)) {
                    continue;
                }
                if (components + 1 == starts.length) {
                    starts = Arrays.copyOf(starts, 2 * components + 2);
                }
                starts[components] = end;
                state[seed] = PLACED;
                found[end++] = seed;
                int head = starts[components];
                while (head < end) {
                    int vertex = found[head++];
                    end = appendUnvisited(out, vertex, end);
                    if (in != out) {
                        end = appendUnvisited(in, vertex, end);
                    }
                }
                if (end - starts[components] == 1) {
                    end--;
                    continue;
                }
                components++;
            }
            starts[components] = end;
            return end;
        }

        private int appendUnvisited(Csc graph, int vertex, int end) {
            paced.worked(1L + graph.degree(vertex));
            IntPages rows = graph.rowIndices();
            int tail = end;
            for (long i = graph.columnStart(vertex), last = graph.columnEnd(vertex); i < last; i++) {
                int neighbour = rows.get(i);
                if (state[neighbour] != PLACED) {
                    state[neighbour] = PLACED;
                    found[tail++] = neighbour;
                }
            }
            return tail;
        }

        private int[] componentsByVertex(int end) {
            int[] componentOf = new int[vertexCount];
            Arrays.fill(componentOf, -1);
            for (int c = 0; c < components; c++) {
                for (int i = starts[c]; i < starts[c + 1] && i < end; i++) {
                    componentOf[found[i]] = c;
                    paced.worked(1);
                }
            }
            return componentOf;
        }

        /** Grows balls of {@link #BALL} vertices, each from the earliest vertex that touches the balls before. */
        private void placeInBalls(int component, int[] vertices, int firstSlot) {
            int start = starts[component];
            int[] seeds = new int[starts[component + 1] - start];
            int head = 0;
            int tail = 0;
            int slot = firstSlot;
            int[] ball = new int[BALL];
            seeds[tail++] = found[starts[component + 1] - 1];
            while (head < tail) {
                paced.worked(1);
                int seed = seeds[head++];
                if (state[seed] == PLACED) {
                    continue;
                }
                int count = 0;
                state[seed] = PLACED;
                ball[count++] = seed;
                for (int b = 0; b < count; b++) {
                    vertices[slot++] = ball[b];
                    for (Csc graph = out; graph != null; graph = graph == in ? null : in) {
                        IntPages rows = graph.rowIndices();
                        paced.worked(1L + graph.degree(ball[b]));
                        for (long i = graph.columnStart(ball[b]), last = graph.columnEnd(ball[b]); i < last; i++) {
                            int neighbour = rows.get(i);
                            if (state[neighbour] == PLACED) {
                                continue;
                            }
                            if (count < BALL) {
                                state[neighbour] = PLACED;
                                ball[count++] = neighbour;
                            } else if (state[neighbour] == UNTOUCHED) {
                                state[neighbour] = SEED;
                                seeds[tail++] = neighbour;
                            }
                        }
                    }
                }
            }
        }
    }
}
