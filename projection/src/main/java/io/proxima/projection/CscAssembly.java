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
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;

/**
 * Makes a CSC of ranges of columns that are worked out independently of each other: each range into an array of its own,
 * then, once all lengths are known, copied into pages of exactly the size needed.
 */
final class CscAssembly {

    /** Entries that are copied between two looks at the stop. */
    private static final int COPY_LENGTH = 1 << 20;

    /** Entries of a range that stay in a core's cache together with what is made of them. */
    private static final int ENTRIES_PER_RANGE = 1 << 15;

    private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    private CscAssembly() {}

    /** Works out the columns of one range. Called by several workers at once, for different ranges. */
    @FunctionalInterface
    interface RangeFiller {
        /**
         * Lists the entries of the columns {@code from} (inclusive) to {@code to} (exclusive).
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param range number of the range
         * @param from the range's first column
         * @param to the column after the range's last
         * @param degrees {@code degrees[column + 1]} takes the number of entries of each column of the range; nothing else
         *     of it may be touched
         * @param stop to be looked at every few milliseconds
         * @return the entries, column by column, each list ascending and without repeats and without its column; the array
         *     may be longer than the degrees say
         */
        int[] fill(int worker, int range, int from, int to, long[] degrees, Stop stop);
    }

    /** The smallest shift that makes ranges of about the wanted size and no more than {@code maxRanges} of them. */
    static int rangeShift(int vertexCount, long expectedEntries, int maxRanges) {
        long ranges = Math.max(1, Math.min(maxRanges, expectedEntries / ENTRIES_PER_RANGE));
        int shift = 0;
        while (((vertexCount - 1L) >>> shift) + 1 > ranges) {
            shift++;
        }
        return shift;
    }

    /**
     * An array for the entries of one range.
     *
     * @throws ProjectionException if no array can be as long
     */
    static int[] allocate(long length, int from, int to) {
        return new int[checkedLength(length, from, to)];
    }

    /**
     * The number of entries of one range as the length of an array.
     *
     * @throws ProjectionException if no array can be as long
     */
    static int checkedLength(long length, int from, int to) {
        if (length > MAX_ARRAY_LENGTH) {
            throw new ProjectionException("The vertices " + from + " to " + (to - 1) + " have " + length
                    + " relationships, parallel ones included; at most " + MAX_ARRAY_LENGTH
                    + " are possible. Project fewer relationship types or remove parallel relationships.");
        }
        return (int) length;
    }

    /** How many ranges of 2^rangeShift columns there are. */
    static int rangeCount(int vertexCount, int rangeShift) {
        return (int) (((long) vertexCount + (1L << rangeShift) - 1) >>> rangeShift);
    }

    /**
     * Puts the ranges together.
     *
     * @param vertexCount number of columns
     * @param rangeShift a range has 2^rangeShift columns
     * @param pageShift pages of the result hold 2^pageShift entries
     * @param symmetric whether what the filler gives is symmetric
     */
    static Csc assemble(
            int vertexCount,
            int rangeShift,
            int pageShift,
            boolean symmetric,
            int concurrency,
            Stop stop,
            RangeFiller filler) {
        int rangeCount = rangeCount(vertexCount, rangeShift);
        long[] columnPointers = new long[vertexCount + 1];
        int[][] entries = new int[rangeCount][];
        long[] rangeStarts = new long[rangeCount + 1];

        Workers.forRanges(concurrency, rangeCount, 1, stop, (worker, index, end) -> {
            int range = (int) index;
            int from = range << rangeShift;
            int to = (int) Math.min(vertexCount, (index + 1) << rangeShift);
            entries[range] = filler.fill(worker, range, from, to, columnPointers, stop);
            long length = 0;
            for (int column = from; column < to; column++) {
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
            int to = (int) Math.min(vertexCount, (index + 1) << rangeShift);
            for (int column = range << rangeShift; column < to; column++) {
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
