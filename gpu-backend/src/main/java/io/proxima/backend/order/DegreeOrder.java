// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;

/**
 * Orders by degree, which is the sum of out-degree and in-degree in a directed graph: a stable counting sort, linear in
 * the vertices.
 */
final class DegreeOrder {

    private DegreeOrder() {}

    /** All vertices by descending degree, ties by vertex. */
    static Permutation of(Csc graph, int concurrency, Stop stop) {
        Degrees.DegreeOf degreeOf = Degrees.total(graph, concurrency, stop);
        int[] vertices =
                Degrees.count(degreeOf, graph.vertexCount(), concurrency, stop).descending(concurrency, stop);
        return Permutation.ofVertices(vertices, concurrency, stop);
    }
}
