// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.Arrays;

/** Sorts lists of vertices and removes duplicates. Not thread-safe: each worker has its own. */
final class ColumnSorter {

    /** Lists up to this length are sorted by insertion. */
    private static final int INSERTION_SORT_LENGTH = 16;

    /**
     * Lists longer than this and than a 512th of the vertices are sorted by marking a bitmap of all vertices. This
     * takes linear time, and no single step delays a stop.
     */
    private static final int BITMAP_SORT_LENGTH = 64;

    private static final int VERTICES_PER_BITMAP_ENTRY_SHIFT = 9;

    private static final int STOP_MASK = (1 << 12) - 1;

    private final int vertexCount;
    private final int bitmapSortLength;
    private long[] bitmap;
    private int lists;

    ColumnSorter(int vertexCount) {
        this.vertexCount = vertexCount;
        this.bitmapSortLength = Math.max(BITMAP_SORT_LENGTH, vertexCount >>> VERTICES_PER_BITMAP_ENTRY_SHIFT);
    }

    /**
     * Sorts {@code rows[start..end)} and writes it without duplicates to {@code rows[target..)}; target is at most
     * start.
     *
     * @return number of entries written
     */
    int sortUnique(int[] rows, int start, int end, int target, Stop stop) {
        int length = end - start;
        if ((++lists & STOP_MASK) == 0 || length > bitmapSortLength) {
            stop.check();
        }
        if (!ascends(rows, start, end)) {
            if (length > bitmapSortLength) {
                return bitmapSortUnique(rows, start, end, target);
            }
            if (length <= INSERTION_SORT_LENGTH) {
                insertionSort(rows, start, end);
            } else {
                Arrays.sort(rows, start, end);
            }
        }
        int write = target;
        for (int read = start; read < end; read++) {
            int row = rows[read];
            if (write == target || rows[write - 1] != row) {
                rows[write++] = row;
            }
        }
        return write - target;
    }

    private static boolean ascends(int[] rows, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            if (rows[i - 1] > rows[i]) {
                return false;
            }
        }
        return true;
    }

    private static void insertionSort(int[] rows, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            int row = rows[i];
            int place = i;
            while (place > start && rows[place - 1] > row) {
                rows[place] = rows[place - 1];
                place--;
            }
            rows[place] = row;
        }
    }

    /** Sorts by a bitmap. Invariant "clear bitmap": all bits are zero between calls. */
    private int bitmapSortUnique(int[] rows, int start, int end, int target) {
        if (bitmap == null) {
            bitmap = new long[(int) (((long) vertexCount + 63) >>> 6)];
        }
        for (int i = start; i < end; i++) {
            bitmap[rows[i] >>> 6] |= 1L << rows[i];
        }
        int write = target;
        for (int word = 0; word < bitmap.length; word++) {
            long bits = bitmap[word];
            if (bits != 0) {
                bitmap[word] = 0;
                int base = word << 6;
                do {
                    rows[write++] = base + Long.numberOfTrailingZeros(bits);
                    bits &= bits - 1;
                } while (bits != 0);
            }
        }
        return write - target;
    }
}
