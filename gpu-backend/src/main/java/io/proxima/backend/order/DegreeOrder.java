// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;

/**
 * Orders by degree, which is the sum of out-degree and in-degree in a directed graph: a stable counting sort, linear in
 * the vertices.
 */
public final class DegreeOrder {

    private DegreeOrder() {}

    /** Heap of {@link #vertices} besides the result. */
    public static long tableBytes(long vertexCount) {
        return Degrees.tableBytes(vertexCount);
    }

    /** All vertices by descending degree, ties by vertex. */
    static Permutation of(Csc graph, int concurrency, Stop stop) {
        int[] vertices = vertices(graph, graph.transposed(concurrency, stop), concurrency, stop);
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    /**
     * All vertices by descending degree, ties by vertex.
     *
     * @param reversed the same edges reversed; graph itself if symmetric
     * @return {@code int[vertexCount]}
     */
    public static int[] vertices(Csc graph, Csc reversed, int concurrency, Stop stop) {
        return Degrees.count(Degrees.total(graph, reversed), graph.vertexCount(), concurrency, stop)
                .descending(concurrency, stop);
    }
}
