// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;

/**
 * Sorts the entries of columns by {@link RadixSort}. Long columns without values are sorted by marking a bitmap of all
 * vertices, which takes less memory. Not thread-safe: each worker has its own.
 */
final class ColumnSorter {

    /** Heap of an entry with a value while its column is sorted: two keys and a value, and two keys of the value. */
    static final long BYTES_PER_ENTRY = 5 * Long.BYTES;

    private static final int MIN_BITMAP_LENGTH = 64;

    private static final int VERTICES_PER_BITMAP_ENTRY_SHIFT = 9;

    /** Larger arrays are not allocated in advance. */
    private static final int MAX_SPARE_LENGTH = 1 << 16;

    private final int vertexCount;
    private final int rowBits;
    private final Stop stop;
    private final PacedStop paced;

    /** The row of each entry in the upper, its place before sorting in the lower 32 bits. */
    private long[] keys = new long[16];

    private long[] spare = new long[16];
    private double[] unsorted = new double[0];

    /** The marked rows. Invariant "clear bitmap": all bits are zero between calls. */
    private long[] bitmap;

    ColumnSorter(int vertexCount, Stop stop) {
        this.vertexCount = vertexCount;
        this.rowBits = CscAssembly.bits(vertexCount);
        this.stop = stop;
        this.paced = new PacedStop(stop);
    }

    /**
     * Sorts {@code rows[start..end)} and writes it without duplicates to {@code rows[target..)}; target is at most
     * start.
     *
     * @return the end of what was written
     */
    int sortUnique(int[] rows, int start, int end, int target) {
        int length = end - start;
        paced.worked(1L + length);
        if (!ascends(rows, start, end)) {
            if (length > Math.max(MIN_BITMAP_LENGTH, vertexCount >>> VERTICES_PER_BITMAP_ENTRY_SHIFT)) {
                return sortByBitmap(rows, start, end, target);
            }
            Arrays.sort(rows, start, end);
        }
        int write = target;
        for (int read = start; read < end; read++) {
            int row = rows[read];
            if (write == target || rows[write - 1] != row) {
                rows[write++] = row;
            }
        }
        return write;
    }

    private int sortByBitmap(int[] rows, int start, int end, int target) {
        stop.check();
        if (bitmap == null) {
            bitmap = VertexBits.allocate(vertexCount);
        }
        for (int i = start; i < end; i++) {
            paced.worked(1);
            VertexBits.set(bitmap, rows[i]);
        }
        int write = target;
        for (int word = 0; word < bitmap.length; word++) {
            for (long bits = bitmap[word]; bits != 0; bits &= bits - 1) {
                paced.worked(1);
                rows[write++] = (word << 6) + Long.numberOfTrailingZeros(bits);
            }
            bitmap[word] = 0;
        }
        return write;
    }

    /**
     * Sorts {@code rows[start..end)}, and each kind of values with them. The values of entries with equal rows ascend;
     * each kind is sorted on its own.
     *
     * @return whether rows are equal
     */
    boolean sort(int[] rows, double[][] values, int start, int end) {
        int length = end - start;
        paced.worked(1L + length);
        if (ascends(rows, start, end)) {
            return false;
        }
        if (keys.length < length) {
            int capacity = Math.max(length, Math.min(2 * length, MAX_SPARE_LENGTH));
            keys = new long[capacity];
            spare = new long[capacity];
        }
        for (int i = 0; i < length; i++) {
            keys[i] = (long) rows[start + i] << Integer.SIZE | i;
        }
        long[] sorted = RadixSort.sort(keys, spare, length, Integer.SIZE, Integer.SIZE + rowBits, stop);
        boolean equal = false;
        for (int i = 0; i < length; i++) {
            paced.worked(1);
            rows[start + i] = (int) (sorted[i] >>> Integer.SIZE);
            equal |= i > 0 && rows[start + i] == rows[start + i - 1];
        }
        for (double[] ofKind : values) {
            sort(ofKind, sorted, start, length);
            for (int i = start; i < end && equal; i = endOfRow(rows, i, end)) {
                RadixSort.sortDoubles(ofKind, i, endOfRow(rows, i, end), stop);
            }
        }
        return equal;
    }

    private void sort(double[] values, long[] sorted, int start, int length) {
        if (unsorted.length < length) {
            unsorted = new double[keys.length];
        }
        System.arraycopy(values, start, unsorted, 0, length);
        for (int i = 0; i < length; i++) {
            paced.worked(1);
            values[start + i] = unsorted[(int) sorted[i]];
        }
    }

    /** The index after the last of the entries that have the row of the entry {@code first}. */
    static int endOfRow(int[] rows, int first, int end) {
        int i = first + 1;
        while (i < end && rows[i] == rows[first]) {
            i++;
        }
        return i;
    }

    private static boolean ascends(int[] rows, int start, int end) {
        for (int i = start + 1; i < end; i++) {
            if (rows[i - 1] >= rows[i]) {
                return false;
            }
        }
        return true;
    }
}
