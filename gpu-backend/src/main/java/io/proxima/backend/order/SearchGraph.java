// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import io.proxima.projection.RadixSort;

/**
 * The symmetric structure of a graph, laid out for searches: u and v are neighbours if there is an edge either way. Vertices
 * are renumbered as nodes so that neighbours lie near each other. Each list ascends by degree, ties by
 * vertex. The numbering of the nodes differs from run to run; the vertices that a list names, and their order, do not.
 */
final class SearchGraph {

    private static final int COLUMNS_AT_ONCE = 1 << 10;

    private final int[] vertexOfNode;
    private final int[] nodeOfVertex;
    private final long[] pointers;
    private final IntPages neighbours;

    private SearchGraph(int[] vertexOfNode, int[] nodeOfVertex, long[] pointers, IntPages neighbours) {
        this.vertexOfNode = vertexOfNode;
        this.nodeOfVertex = nodeOfVertex;
        this.pointers = pointers;
        this.neighbours = neighbours;
    }

    /** Lays a graph out. */
    static SearchGraph of(Csc graph, int concurrency, Stop stop) {
        Csc reversed = graph.transposed(concurrency, stop);
        int n = graph.vertexCount();
        Permutation layout = BallLayout.of(graph, reversed, concurrency, stop);
        int[] degrees = new int[n];
        Workers.forRanges(concurrency, n, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                degrees[vertex] = graph == reversed ? graph.degree(vertex) : unionSize(graph, reversed, vertex);
            }
        });
        int[] vertexOfNode = new int[n];
        int[] nodeOfVertex = new int[n];
        long[] pointers = new long[n + 1];
        PacedStop paced = new PacedStop(stop);
        for (int node = 0; node < n; node++) {
            paced.worked(3);
            int vertex = layout.vertex(node);
            vertexOfNode[node] = vertex;
            nodeOfVertex[vertex] = node;
            pointers[node + 1] = pointers[node] + degrees[vertex];
        }
        IntPages neighbours = IntPages.allocate(pointers[n], IntPages.DEFAULT_PAGE_SHIFT);
        Workers.forRanges(concurrency, n, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop pacedWorker = new PacedStop(stop);
            long[] keys = new long[64];
            long[] spare = new long[64];
            for (int node = (int) from; node < to; node++) {
                int vertex = vertexOfNode[node];
                int count = degrees[vertex];
                if (count > keys.length) {
                    keys = new long[(int) Math.min(Math.max(count, 2L * keys.length), Csc.MAX_VERTICES)];
                    spare = new long[keys.length];
                }
                pacedWorker.worked(count);
                listNeighbours(graph, reversed, vertex, keys);
                long[] sorted = sortedByDegree(keys, spare, count, degrees, stop);
                long at = pointers[node];
                for (int i = 0; i < count; i++) {
                    neighbours.set(at + i, nodeOfVertex[(int) sorted[i]]);
                }
            }
        });
        return new SearchGraph(vertexOfNode, nodeOfVertex, pointers, neighbours);
    }

    private static int unionSize(Csc graph, Csc reversed, int vertex) {
        long out = graph.columnStart(vertex);
        long outEnd = graph.columnEnd(vertex);
        long in = reversed.columnStart(vertex);
        long inEnd = reversed.columnEnd(vertex);
        int size = 0;
        while (out < outEnd && in < inEnd) {
            int a = graph.rowIndices().get(out);
            int b = reversed.rowIndices().get(in);
            out += a <= b ? 1 : 0;
            in += b <= a ? 1 : 0;
            size++;
        }
        return size + (int) (outEnd - out) + (int) (inEnd - in);
    }

    /** Writes the vertices that a vertex has an edge from or to, ascending. */
    private static void listNeighbours(Csc graph, Csc reversed, int vertex, long[] list) {
        IntPages targets = graph.rowIndices();
        IntPages sources = reversed.rowIndices();
        long out = graph.columnStart(vertex);
        long outEnd = graph.columnEnd(vertex);
        long in = graph == reversed ? 0 : reversed.columnStart(vertex);
        long inEnd = graph == reversed ? 0 : reversed.columnEnd(vertex);
        int next = 0;
        while (out < outEnd && in < inEnd) {
            int a = targets.get(out);
            int b = sources.get(in);
            list[next++] = Math.min(a, b);
            out += a <= b ? 1 : 0;
            in += b <= a ? 1 : 0;
        }
        while (out < outEnd) {
            list[next++] = targets.get(out++);
        }
        while (in < inEnd) {
            list[next++] = sources.get(in++);
        }
    }

    /** The list by ascending degree, ties by vertex, with the degrees in the high halves; in one of the two arrays. */
    private static long[] sortedByDegree(long[] list, long[] spare, int count, int[] degrees, Stop stop) {
        for (int i = 0; i < count; i++) {
            list[i] |= (long) degrees[(int) list[i]] << Integer.SIZE;
        }
        if (count > 16) {
            return RadixSort.sort(list, spare, count, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        }
        for (int i = 1; i < count; i++) {
            long key = list[i];
            int place = i;
            while (place > 0 && list[place - 1] > key) {
                list[place] = list[place - 1];
                place--;
            }
            list[place] = key;
        }
        return list;
    }

    int nodeCount() {
        return vertexOfNode.length;
    }

    /** The vertex that a node stands for. */
    int vertex(int node) {
        return vertexOfNode[node];
    }

    /** The node that stands for a vertex. */
    int node(int vertex) {
        return nodeOfVertex[vertex];
    }

    /** Number of neighbours. */
    int degree(int node) {
        return (int) (pointers[node + 1] - pointers[node]);
    }

    /** Index into {@link #neighbours} of a node's first neighbour; that of the next node is after its last. */
    long start(int node) {
        return pointers[node];
    }

    IntPages neighbours() {
        return neighbours;
    }

    /** The neighbours of all nodes. */
    Afforest.Lists lists() {
        return new Afforest.Lists(pointers, neighbours);
    }

    /** Twice the edges. */
    long entryCount() {
        return pointers[pointers.length - 1];
    }
}
