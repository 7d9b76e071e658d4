// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.RadixSort;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Orders by degree, which is the sum of out-degree and in-degree in a directed graph. Vertices of the same low degree
 * are ordered by their first out-neighbour: most vertices of a scale-free graph have few neighbours, and consecutive
 * sources then share the hub through which they reach the others. Linear in vertices and entries.
 */
public final class DegreeOrder {

    /** Degrees from here on are ordered by vertex. The others have few entries and nearly all of the effect. */
    private static final int FEW = 16;

    private static final int VERTICES_AT_ONCE = 1 << 14;

    private DegreeOrder() {}

    /** Heap of {@link #vertices} besides the result: at most that of a graph whose vertices all have one low degree. */
    public static long heapBytes(long vertexCount) {
        return Degrees.tableBytes(vertexCount) + 2 * (Integer.BYTES + Long.BYTES) * vertexCount;
    }

    static Permutation of(Csc graph, int concurrency, Stop stop) {
        int[] vertices = vertices(graph, graph.transposed(concurrency, stop), concurrency, stop);
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    /**
     * All vertices by descending degree. Those of the same degree below {@link #FEW} are ordered by the out-neighbour
     * that comes first if ties are by vertex; other ties are by vertex.
     *
     * @param reversed the same edges reversed; graph itself if symmetric
     * @return {@code int[vertexCount]}
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] vertices(Csc graph, Csc reversed, int concurrency, Stop stop) {
        int n = graph.vertexCount();
        IntToLongFunction degreeOf = Degrees.total(graph, reversed);
        Degrees degrees = Degrees.count(degreeOf, n, concurrency, stop);
        int[] vertices = degrees.descending(concurrency, stop);
        int[] counts = new int[FEW];
        degrees.forEachDescending((degree, count) -> {
            if (degree < FEW) {
                counts[(int) degree] = count;
            }
        });
        int[] firsts = firstNeighbours(graph, degreeOf, vertices, concurrency, stop);
        // the lowest degrees, which have the most vertices, first
        Workers.forRanges(concurrency, FEW - 1, 1, stop, (worker, below, degree) -> {
            int to = n - Arrays.stream(counts, 0, (int) degree).sum();
            sort(vertices, firsts, to - counts[(int) degree], to, stop);
        });
        return vertices;
    }

    /** By vertex of low degree: the place of the out-neighbour that comes first; {@code vertexCount} if it has none. */
    private static int[] firstNeighbours(
            Csc graph, IntToLongFunction degreeOf, int[] vertices, int concurrency, Stop stop) {
        int n = vertices.length;
        int[] places = new int[n];
        Workers.forRanges(concurrency, n, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int place = (int) from; place < to; place++) {
                places[vertices[place]] = place;
            }
        });
        IntPages rows = graph.rowIndices();
        int[] firsts = new int[n];
        Workers.forRanges(concurrency, n, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                if (degreeOf.applyAsLong(vertex) < FEW) {
                    int first = n;
                    for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
                        first = Math.min(first, places[rows.get(i)]);
                    }
                    firsts[vertex] = first;
                }
            }
        });
        return firsts;
    }

    private static void sort(int[] vertices, int[] firsts, int from, int to, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long[] keys = new long[to - from];
        for (int i = 0; i < keys.length; i++) {
            paced.worked(1);
            keys[i] = (long) firsts[vertices[from + i]] << Integer.SIZE | vertices[from + i];
        }
        int endBit = 2 * Integer.SIZE - Integer.numberOfLeadingZeros(vertices.length);
        keys = RadixSort.sort(keys, new long[keys.length], keys.length, Integer.SIZE, endBit, stop);
        for (int i = 0; i < keys.length; i++) {
            paced.worked(1);
            vertices[from + i] = (int) keys[i];
        }
    }
}
