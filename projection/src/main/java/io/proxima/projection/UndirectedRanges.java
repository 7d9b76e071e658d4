// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The second half of an undirected build: creates both entries of each edge. An edge belongs to the range of its
 * smaller vertex. The sorted edges of a range are stored twice: as they are, which is the upper part of each of its
 * columns (rows above the column), and reversed, by the range of the larger vertex, in the same order. The lower part
 * of a column is then assembled from the ranges up to its own, one after another. It is therefore sorted, and no two
 * threads write to the same array. Edges are ints as in {@link EdgeSorter}.
 *
 * <p>Memory: 8 bytes for each edge without duplicates, and 2 bytes for each pair of ranges.
 */
final class UndirectedRanges {

    /** Edges between two stop checks. */
    private static final int BLOCK = 1 << 16;

    /** Pieces, most of them short, between two stop checks. */
    private static final int PIECES_MASK = (1 << 6) - 1;

    private final int rowBits;
    private final int rangeShift;
    private final int rangeCount;

    /** For each range its edges. */
    private final int[][] upper;

    /** For each range its edges reversed, by the range to which they then belong. */
    private final int[][] lower;

    /**
     * For each range r and each i, the position in {@code lower[r]} of the edges for range r + i; the last element is
     * the length.
     */
    private final int[][] lowerStarts;

    private final AtomicInteger unfinished;

    UndirectedRanges(int rowBits, int rangeShift, int rangeCount) {
        this.rowBits = rowBits;
        this.rangeShift = rangeShift;
        this.rangeCount = rangeCount;
        this.upper = new int[rangeCount][];
        this.lower = new int[rangeCount][];
        this.lowerStarts = new int[rangeCount][];
        this.unfinished = new AtomicInteger(rangeCount);
    }

    /** Adds the edges of a range. Called by several workers at once, for different ranges. */
    void put(int range, int[] sorted, int length, Stop stop) {
        int[] next = new int[rangeCount - range + 1];
        for (long start = 0; start < length; start += BLOCK) {
            stop.check();
            countRanges(sorted, (int) start, (int) Math.min(length, start + BLOCK), range, next);
        }
        int[] starts = new int[next.length];
        for (int i = 1; i < next.length; i++) {
            starts[i] = starts[i - 1] + next[i - 1];
        }
        System.arraycopy(starts, 0, next, 0, next.length);
        int[] reversed = new int[length];
        for (long start = 0; start < length; start += BLOCK) {
            stop.check();
            reverse(sorted, (int) start, (int) Math.min(length, start + BLOCK), range, next, reversed);
        }
        upper[range] = Arrays.copyOf(sorted, length);
        lower[range] = reversed;
        lowerStarts[range] = starts;
    }

    private void countRanges(int[] edges, int start, int end, int range, int[] counts) {
        int rowMask = (1 << rowBits) - 1;
        for (int i = start; i < end; i++) {
            counts[((edges[i] & rowMask) >>> rangeShift) - range]++;
        }
    }

    private void reverse(int[] edges, int start, int end, int range, int[] next, int[] reversed) {
        int rowMask = (1 << rowBits) - 1;
        int columnMask = (1 << rangeShift) - 1;
        int from = range << rangeShift;
        for (int i = start; i < end; i++) {
            int edge = edges[i];
            int row = edge & rowMask;
            reversed[next[(row >>> rangeShift) - range]++] = (row & columnMask) << rowBits | from + (edge >>> rowBits);
        }
    }

    /**
     * Fills a range as {@link CscAssembly.Filler}; called once for each range, after all have been added. After the last
     * call no memory is held.
     */
    void fill(CscAssembly.Range to, long[] degrees, Stop stop) {
        int range = to.from >>> rangeShift;
        int[] upperEdges = upper[range];
        int[] next = new int[1 << rangeShift];
        long[] length = {upperEdges.length};
        forLower(range, stop, (edges, start, end) -> {
            length[0] += end - start;
            countColumns(edges, start, end, next);
        });
        to.allocate(length[0], 0);
        placeUpper(upperEdges, next, to, degrees);
        forLower(range, stop, (edges, start, end) -> placeLower(edges, start, end, next, to.rows));
        upper[range] = null;
        if (unfinished.decrementAndGet() == 0) {
            Arrays.fill(lower, null);
            Arrays.fill(lowerStarts, null);
        }
    }

    /** Divides the edges reversed for a range into blocks, those of smaller vertices first. */
    private void forLower(int range, Stop stop, CscBuilder.ChunkTask task) {
        for (int other = 0; other <= range; other++) {
            if ((other & PIECES_MASK) == 0) {
                stop.check();
            }
            int start = lowerStarts[other][range - other];
            int end = lowerStarts[other][range - other + 1];
            for (; end - start > BLOCK; start += BLOCK) {
                stop.check();
                task.run(lower[other], start, start + BLOCK);
            }
            task.run(lower[other], start, end);
        }
    }

    private void countColumns(int[] edges, int start, int end, int[] counts) {
        for (int i = start; i < end; i++) {
            counts[edges[i] >>> rowBits]++;
        }
    }

    /**
     * Leaves room for the lower part before each column's upper part, and sets {@code next} to the start of that room.
     */
    private void placeUpper(int[] edges, int[] next, CscAssembly.Range to, long[] degrees) {
        int rowMask = (1 << rowBits) - 1;
        int read = 0;
        for (int column = to.from; column < to.to; column++) {
            int position = column - to.from;
            int start = to.length;
            to.length += next[position];
            next[position] = start;
            while (read < edges.length && edges[read] >>> rowBits == position) {
                to.rows[to.length++] = edges[read++] & rowMask;
            }
            to.endColumn(column, degrees);
        }
    }

    private void placeLower(int[] edges, int start, int end, int[] next, int[] rows) {
        int rowMask = (1 << rowBits) - 1;
        for (int i = start; i < end; i++) {
            int edge = edges[i];
            rows[next[edge >>> rowBits]++] = edge & rowMask;
        }
    }
}
