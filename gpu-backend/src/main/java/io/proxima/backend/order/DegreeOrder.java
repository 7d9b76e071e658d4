// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;

/**
 * Orders by degree, which is the sum of out-degree and in-degree in a directed graph: a stable counting sort, linear in
 * the vertices.
 */
final class DegreeOrder {

    private static final int GRAIN = 1 << 16;

    private DegreeOrder() {}

    /** All vertices by descending degree, ties by vertex. */
    static Permutation descending(Csc graph, int concurrency, Stop stop) {
        Degrees.DegreeOf degreeOf = Degrees.total(graph, concurrency, stop);
        int[] vertices =
                Degrees.count(degreeOf, graph.vertexCount(), concurrency, stop).descending(0, concurrency, stop);
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    /** The vertices of more than the average degree by descending degree, then the others ascending. */
    static Permutation hubsFirst(Csc graph, int concurrency, Stop stop) {
        int n = graph.vertexCount();
        if (n == 0) {
            return Permutation.identity(0);
        }
        Degrees.DegreeOf degreeOf = Degrees.total(graph, concurrency, stop);
        long entries = graph.isSymmetric() ? graph.entryCount() : 2 * graph.entryCount();
        long least = entries / n + 1;
        int[] hubs = Degrees.count(degreeOf, n, concurrency, stop).descending(least, concurrency, stop);
        int[] vertices = new int[n];
        System.arraycopy(hubs, 0, vertices, 0, hubs.length);
        int ranges = (int) (((long) n + GRAIN - 1) / GRAIN);
        int[] starts = new int[ranges + 1];
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            int others = 0;
            for (int vertex = (int) from; vertex < to; vertex++) {
                others += degreeOf.of(vertex) < least ? 1 : 0;
            }
            starts[(int) (from / GRAIN) + 1] = others;
        });
        starts[0] = hubs.length;
        for (int range = 0; range < ranges; range++) {
            starts[range + 1] += starts[range];
        }
        Workers.forRanges(concurrency, n, GRAIN, stop, (worker, from, to) -> {
            int place = starts[(int) (from / GRAIN)];
            for (int vertex = (int) from; vertex < to; vertex++) {
                if (degreeOf.of(vertex) < least) {
                    vertices[place++] = vertex;
                }
            }
        });
        return Permutation.ofVertices(vertices, concurrency, stop);
    }
}
