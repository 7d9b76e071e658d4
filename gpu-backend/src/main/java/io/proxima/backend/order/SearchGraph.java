/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.order;

import io.proxima.backend.components.Afforest;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * The symmetric structure of a graph, laid out for searches: u and v are neighbours if there is an edge either way. Vertices
 * are renumbered as nodes so that neighbours lie near each other, and each list is in the order in which a search is to
 * take it. The numbering of the nodes differs from run to run; the vertices that a list names, and their order, do not.
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

    /**
     * Lays a graph out.
     *
     * @param byDegree whether lists ascend by degree, ties by vertex; else by vertex
     */
    static SearchGraph of(Csc graph, boolean byDegree, int concurrency, Stop stop) {
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
        for (int node = 0; node < n; node++) {
            int vertex = layout.vertex(node);
            vertexOfNode[node] = vertex;
            nodeOfVertex[vertex] = node;
            pointers[node + 1] = pointers[node] + degrees[vertex];
        }
        IntPages neighbours = IntPages.allocate(pointers[n], IntPages.DEFAULT_PAGE_SHIFT);
        Workers.forRanges(concurrency, n, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            long[] keys = new long[64];
            for (int node = (int) from; node < to; node++) {
                int vertex = vertexOfNode[node];
                long most = (long) graph.degree(vertex) + (graph == reversed ? 0 : reversed.degree(vertex));
                if (most > keys.length) {
                    keys = new long[Math.toIntExact(Math.max(most, 2L * keys.length))];
                    stop.check();
                }
                int count = addKeys(graph, vertex, byDegree ? degrees : null, keys, 0);
                if (graph != reversed) {
                    count = addKeys(reversed, vertex, byDegree ? degrees : null, keys, count);
                }
                sort(keys, count);
                long at = pointers[node];
                for (int i = 0; i < count; i++) {
                    if (i == 0 || keys[i] != keys[i - 1]) {
                        neighbours.set(at++, nodeOfVertex[(int) keys[i]]);
                    }
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

    private static int addKeys(Csc graph, int vertex, int[] degrees, long[] keys, int count) {
        IntPages rows = graph.rowIndices();
        int next = count;
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            keys[next++] = degrees == null ? neighbour : (long) degrees[neighbour] << 32 | neighbour;
        }
        return next;
    }

    private static void sort(long[] keys, int count) {
        if (count > 16) {
            Arrays.sort(keys, 0, count);
            return;
        }
        for (int i = 1; i < count; i++) {
            long key = keys[i];
            int place = i;
            while (place > 0 && keys[place - 1] > key) {
                keys[place] = keys[place - 1];
                place--;
            }
            keys[place] = key;
        }
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
