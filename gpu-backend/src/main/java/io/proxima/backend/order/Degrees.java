// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * The degrees of all vertices, counted range by range: what a stable parallel counting sort and a histogram both need.
 * Degrees from {@link #SMALL} on are few (at most entries / SMALL) and are kept one by one.
 */
final class Degrees {

    private static final int SMALL = 1 << 12;

    /** Of a key; 33 bits are left for a negated degree, which can pass 2^31 as the sum of two. */
    private static final int VERTEX_BITS = 31;

    private static final int MOST_RANGES = 64;
    private static final int LEAST_RANGE = 1 << 14;

    private final IntToLongFunction degreeOf;
    private final int vertexCount;
    private final int rangeLength;

    /** By range, then degree below SMALL: number of vertices. */
    private final int[][] small;

    /** By range: the vertices of degree SMALL and more, ascending. */
    private final int[][] large;

    private Degrees(IntToLongFunction degreeOf, int vertexCount) {
        this.degreeOf = degreeOf;
        this.vertexCount = vertexCount;
        rangeLength = rangeLength(vertexCount);
        int ranges = ranges(vertexCount);
        small = new int[ranges][];
        large = new int[ranges][];
    }

    private static int rangeLength(long vertexCount) {
        return Math.max(LEAST_RANGE, (int) ((vertexCount + MOST_RANGES - 1) / MOST_RANGES));
    }

    private static int ranges(long vertexCount) {
        int length = rangeLength(vertexCount);
        return (int) ((vertexCount + length - 1) / length);
    }

    /** Bytes of the histograms of {@link #count} and {@link #descending}. */
    static long tableBytes(long vertexCount) {
        return 2L * ranges(vertexCount) * SMALL * Integer.BYTES;
    }

    /** Out-degree and in-degree added up; the degree itself if the graph is symmetric. */
    static IntToLongFunction total(Csc graph, Csc reversed) {
        return reversed == graph ? graph::degree : vertex -> (long) graph.degree(vertex) + reversed.degree(vertex);
    }

    /** Counts the vertices of each degree. */
    static Degrees count(IntToLongFunction degreeOf, int vertexCount, int concurrency, Stop stop) {
        Degrees degrees = new Degrees(degreeOf, vertexCount);
        Workers.forRanges(
                concurrency,
                vertexCount,
                degrees.rangeLength,
                stop,
                (worker, from, to) -> degrees.countRange((int) (from / degrees.rangeLength), (int) from, (int) to));
        return degrees;
    }

    private void countRange(int range, int from, int to) {
        int[] counts = new int[SMALL];
        int[] many = new int[16];
        int length = 0;
        for (int vertex = from; vertex < to; vertex++) {
            long degree = degreeOf.applyAsLong(vertex);
            if (degree < SMALL) {
                counts[(int) degree]++;
            } else {
                if (length == many.length) {
                    many = Arrays.copyOf(many, 2 * length);
                }
                many[length++] = vertex;
            }
        }
        small[range] = counts;
        large[range] = Arrays.copyOf(many, length);
    }

    /** Receives one degree and the number of vertices that have it. */
    @FunctionalInterface
    interface CountSink {
        void accept(long degree, int vertices);
    }

    /** Hands out every degree that occurs, descending. */
    void forEachDescending(CountSink sink) {
        long[] many = largeDescending();
        int i = 0;
        while (i < many.length) {
            int first = i;
            long degree = degreeOf.applyAsLong(vertexOf(many[i]));
            while (i < many.length && degreeOf.applyAsLong(vertexOf(many[i])) == degree) {
                i++;
            }
            sink.accept(degree, i - first);
        }
        for (int degree = SMALL - 1; degree >= 0; degree--) {
            int vertices = 0;
            for (int[] counts : small) {
                vertices += counts[degree];
            }
            if (vertices > 0) {
                sink.accept(degree, vertices);
            }
        }
    }

    /** All vertices by descending degree, ties by vertex. */
    int[] descending(int concurrency, Stop stop) {
        long[] many = largeDescending();
        int[][] places = new int[small.length][];
        for (int range = 0; range < small.length; range++) {
            places[range] = new int[SMALL];
        }
        int next = many.length;
        for (int degree = SMALL - 1; degree >= 0; degree--) {
            for (int range = 0; range < small.length; range++) {
                places[range][degree] = next;
                next += small[range][degree];
            }
        }
        int[] vertices = new int[vertexCount];
        for (int i = 0; i < many.length; i++) {
            vertices[i] = vertexOf(many[i]);
        }
        Workers.forRanges(concurrency, vertexCount, rangeLength, stop, (worker, from, to) -> {
            int[] place = places[(int) (from / rangeLength)];
            for (int vertex = (int) from; vertex < to; vertex++) {
                long degree = degreeOf.applyAsLong(vertex);
                if (degree < SMALL) {
                    vertices[place[(int) degree]++] = vertex;
                }
            }
        });
        return vertices;
    }

    /** Keys of the vertices of degree SMALL and more, by descending degree, ties by vertex. */
    private long[] largeDescending() {
        long[] keys = Arrays.stream(large)
                .flatMapToInt(Arrays::stream)
                .mapToLong(vertex -> -degreeOf.applyAsLong(vertex) << VERTEX_BITS | vertex)
                .toArray();
        Arrays.sort(keys);
        return keys;
    }

    private static int vertexOf(long key) {
        return (int) key & Integer.MAX_VALUE;
    }
}
