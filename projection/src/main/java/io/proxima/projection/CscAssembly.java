// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;

/**
 * Builds a CSC from ranges of columns that are computed independently of each other. Each range fills an array of its
 * own. Once all lengths are known, the arrays are copied into pages of exactly the required size.
 */
final class CscAssembly {

    /** Entries that are copied between two stop checks. */
    private static final int COPY_LENGTH = 1 << 20;

    /** Entries of a range that stay in a core's cache together with their results. */
    private static final int ENTRIES_PER_RANGE = 1 << 15;

    static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    private CscAssembly() {}

    /** Computes the columns of one range. Called by several workers at once, for different ranges. */
    @FunctionalInterface
    interface RangeFiller {
        /**
         * Lists the entries of the columns {@code from} (inclusive) to {@code to} (exclusive).
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param range number of the range
         * @param from the range's first column
         * @param to the column after the range's last
         * @param degrees {@code degrees[column + 1]} receives the number of entries of each column of the range; other
         *     elements must not be touched
         * @param stop to be checked every few milliseconds
         * @return the entries, column by column; each list is ascending, without duplicates and without its column. The
         *     array may be longer than the sum of the degrees
         */
        int[] fill(int worker, int range, int from, int to, long[] degrees, Stop stop);
    }

    /** The smallest shift that results in ranges of about the wanted size, and at most {@code maxRanges} of them. */
    static int rangeShift(int vertexCount, long expectedEntries, int maxRanges) {
        long ranges = Math.max(1, Math.min(maxRanges, expectedEntries / ENTRIES_PER_RANGE));
        int shift = 0;
        while (((vertexCount - 1L) >>> shift) + 1 > ranges) {
            shift++;
        }
        return shift;
    }

    /**
     * Allocates an array for the entries of one range.
     *
     * @throws ProjectionException if the length exceeds that of a Java array
     */
    static int[] allocate(long length, int from, int to) {
        return new int[checkedLength(length, from, to)];
    }

    /**
     * The number of entries of one range as an array length.
     *
     * @throws ProjectionException if the number exceeds the length of a Java array
     */
    static int checkedLength(long length, int from, int to) {
        if (length > MAX_ARRAY_LENGTH) {
            throw new ProjectionException("The vertices " + from + " to " + (to - 1) + " have " + length
                    + " relationships, parallel ones included; at most " + MAX_ARRAY_LENGTH
                    + " are possible. Project fewer relationship types or remove parallel relationships.");
        }
        return (int) length;
    }

    /** The number of ranges of 2^rangeShift columns. */
    static int rangeCount(int vertexCount, int rangeShift) {
        return (int) (((long) vertexCount + (1L << rangeShift) - 1) >>> rangeShift);
    }

    /**
     * Assembles the ranges.
     *
     * @param vertexCount number of columns
     * @param rangeShift a range has 2^rangeShift columns
     * @param pageShift pages of the result hold 2^pageShift entries
     * @param symmetric whether the filler returns a symmetric graph
     */
    static Csc assemble(
            int vertexCount,
            int rangeShift,
            int pageShift,
            boolean symmetric,
            int concurrency,
            Stop stop,
            RangeFiller filler) {
        int[] starts = new int[rangeCount(vertexCount, rangeShift) + 1];
        for (int range = 0; range < starts.length; range++) {
            starts[range] = (int) Math.min(vertexCount, (long) range << rangeShift);
        }
        return assemble(starts, pageShift, symmetric, concurrency, stop, filler);
    }

    /**
     * Assembles ranges of any lengths.
     *
     * @param starts the first column of each range, and the number of columns
     */
    static Csc assemble(
            int[] starts, int pageShift, boolean symmetric, int concurrency, Stop stop, RangeFiller filler) {
        int rangeCount = starts.length - 1;
        int vertexCount = starts[rangeCount];
        long[] columnPointers = new long[vertexCount + 1];
        int[][] entries = new int[rangeCount][];
        long[] rangeStarts = new long[rangeCount + 1];

        Workers.forRanges(concurrency, rangeCount, 1, stop, (worker, index, end) -> {
            int range = (int) index;
            entries[range] = filler.fill(worker, range, starts[range], starts[range + 1], columnPointers, stop);
            long length = 0;
            for (int column = starts[range]; column < starts[range + 1]; column++) {
                length += columnPointers[column + 1];
            }
            rangeStarts[range + 1] = length;
        });
        for (int range = 0; range < rangeCount; range++) {
            rangeStarts[range + 1] += rangeStarts[range];
        }

        IntPages rowIndices = IntPages.allocate(rangeStarts[rangeCount], pageShift);
        Workers.forRanges(concurrency, rangeCount, 1, stop, (worker, index, end) -> {
            int range = (int) index;
            long pointer = rangeStarts[range];
            for (int column = starts[range]; column < starts[range + 1]; column++) {
                pointer += columnPointers[column + 1];
                columnPointers[column + 1] = pointer;
            }
            copy(entries[range], (int) (pointer - rangeStarts[range]), rowIndices, rangeStarts[range], stop);
            entries[range] = null;
        });
        return new Csc(vertexCount, columnPointers, rowIndices, symmetric);
    }

    private static void copy(int[] from, int length, IntPages to, long start, Stop stop) {
        int done = 0;
        while (done < length) {
            stop.check();
            long index = start + done;
            int inPage = (int) (index & to.pageMask());
            int[] page = to.pageOf(index);
            int count = Math.min(Math.min(length - done, page.length - inPage), COPY_LENGTH);
            System.arraycopy(from, done, page, inPage, count);
            done += count;
        }
    }
}
