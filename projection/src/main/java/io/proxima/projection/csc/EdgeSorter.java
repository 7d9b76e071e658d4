// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.Stop;
import java.util.Arrays;

/**
 * Sorts the edges of a range of columns by column and row and removes duplicates. An edge is an unsigned int: the lower
 * rowBits bits hold the row, the upper bits the position of the column within the range. Not thread-safe: each worker
 * has its own.
 *
 * <p>Method: radix sort from the least significant digit (Knuth, The Art of Computer Programming 3, 5.2.5), in at most
 * three passes. All digits are counted in one pass, so the edges are read at most four times, without comparisons.
 *
 * <p>Memory: two {@code int[longest range]}, kept from range to range, and 12 KiB to 24 KiB of counts.
 */
final class EdgeSorter {

    private static final int MAX_DIGIT_BITS = 11;

    /** Edges between two stop checks. */
    private static final int BLOCK = 1 << 16;

    /** Longer arrays are not kept for the next range, because few ranges are as long. */
    private static final int MAX_KEPT_LENGTH = 1 << 20;

    private final int passes;
    private final int digitBits;

    /** For each pass and digit its count, then the position of its next edge. */
    private final int[][] places;

    private int[] edges = new int[0];
    private int[] spare = new int[0];
    private int length;

    EdgeSorter(int rowBits, int columnBits) {
        this.passes = (rowBits + columnBits - 1) / MAX_DIGIT_BITS + 1;
        this.digitBits = (rowBits + columnBits - 1) / passes + 1;
        this.places = new int[passes][1 << digitBits];
    }

    /** Begins a range with the given number of edges, each of which is then counted and scattered once. */
    void begin(int rangeLength) {
        length = rangeLength;
        if (edges.length < length) {
            int capacity = Math.max(length, Math.min(2 * edges.length, MAX_KEPT_LENGTH));
            edges = new int[capacity];
            spare = new int[capacity];
        }
        for (int[] counts : places) {
            Arrays.fill(counts, 0);
        }
    }

    /** Counts the digits of the edges {@code some[start..end)}. */
    void count(int[] some, int start, int end) {
        for (int pass = 0; pass < passes; pass++) {
            count(some, start, end, pass * digitBits, places[pass]);
        }
    }

    /** Ends the counting. */
    void beginScatter() {
        for (int[] counts : places) {
            RadixSort.beginPlaces(counts);
        }
    }

    /** Adds the edges {@code some[start..end)}. */
    void scatter(int[] some, int start, int end) {
        scatter(some, start, end, 0, places[0], edges);
    }

    /**
     * Sorts the edges and removes duplicates; to be called once, after all edges have been added.
     *
     * @return number of remaining edges
     */
    int sortUnique(Stop stop) {
        for (int pass = 1; pass < passes; pass++) {
            for (long start = 0; start < length; start += BLOCK) {
                stop.check();
                scatter(
                        edges,
                        (int) start,
                        (int) Math.min(length, start + BLOCK),
                        pass * digitBits,
                        places[pass],
                        spare);
            }
            int[] sorted = spare;
            spare = edges;
            edges = sorted;
        }
        int kept = 0;
        for (long start = 0; start < length; start += BLOCK) {
            stop.check();
            kept = unique(edges, (int) start, (int) Math.min(length, start + BLOCK), spare, kept);
        }
        return kept;
    }

    /** The array that begins with the sorted edges; it belongs to the sorter until {@link #end}. */
    int[] sorted() {
        return spare;
    }

    /** Ends the range. */
    void end() {
        if (edges.length > MAX_KEPT_LENGTH) {
            edges = new int[0];
            spare = edges;
        }
    }

    private static void count(int[] some, int start, int end, int shift, int[] counts) {
        int mask = counts.length - 1;
        for (int i = start; i < end; i++) {
            counts[some[i] >>> shift & mask]++;
        }
    }

    private static void scatter(int[] some, int start, int end, int shift, int[] next, int[] sorted) {
        int mask = next.length - 1;
        for (int i = start; i < end; i++) {
            int edge = some[i];
            sorted[next[edge >>> shift & mask]++] = edge;
        }
    }

    private static int unique(int[] sorted, int start, int end, int[] kept, int keptCount) {
        int write = keptCount;
        int previous = start == 0 ? ~sorted[0] : sorted[start - 1];
        for (int i = start; i < end; i++) {
            int edge = sorted[i];
            if (edge != previous) {
                kept[write++] = edge;
                previous = edge;
            }
        }
        return write;
    }
}
