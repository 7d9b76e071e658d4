// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.Arrays;

/**
 * Sorts long arrays so that a stop is heard: by radix from the least significant digit (Knuth, The Art of Computer
 * Programming 3, 5.2.5). Short arrays are sorted by the JDK.
 */
public final class RadixSort {

    /** Arrays up to this length are sorted by the JDK, in at most a few milliseconds. */
    private static final int MAX_SHORT = 1 << 14;

    private static final int DIGIT_BITS = 11;

    /** Keys between two stop checks. */
    private static final int BLOCK = 1 << 16;

    private RadixSort() {}

    /**
     * Sorts {@code keys[0..length)}, which are not negative, by the given bits; keys with equal bits keep their order.
     *
     * @param spare as long as keys
     * @param firstBit the lowest bit to sort by; the bits below ascend already
     * @param endBit the bit after the highest one that may be set
     * @param stop requests the sort to end early
     * @return the array that has the sorted keys: one of the two
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static long[] sort(long[] keys, long[] spare, int length, int firstBit, int endBit, Stop stop) {
        if (length <= MAX_SHORT) {
            Arrays.sort(keys, 0, length);
            return keys;
        }
        long[] from = keys;
        long[] to = spare;
        int[] next = new int[1 << DIGIT_BITS];
        for (int shift = firstBit; shift < endBit; shift += DIGIT_BITS) {
            Arrays.fill(next, 0);
            for (int i = 0; i < length; i++) {
                checkAt(i, stop);
                next[digit(from[i], shift)]++;
            }
            int start = 0;
            for (int digit = 0; digit < next.length; digit++) {
                int count = next[digit];
                next[digit] = start;
                start += count;
            }
            for (int i = 0; i < length; i++) {
                checkAt(i, stop);
                to[next[digit(from[i], shift)]++] = from[i];
            }
            long[] sorted = to;
            to = from;
            from = sorted;
        }
        return from;
    }

    /** Sorts {@code values[start..end)} as {@link Arrays#sort(double[])} does. */
    static void sortDoubles(double[] values, int start, int end, Stop stop) {
        int length = end - start;
        if (length <= MAX_SHORT) {
            Arrays.sort(values, start, end);
            return;
        }
        long[] keys = new long[length];
        for (int i = 0; i < length; i++) {
            long bits = Double.doubleToLongBits(values[start + i]);
            // ascending as unsigned numbers
            keys[i] = bits < 0 ? ~bits : bits | Long.MIN_VALUE;
        }
        long[] sorted = sort(keys, new long[length], length, 0, Long.SIZE, stop);
        for (int i = 0; i < length; i++) {
            long bits = sorted[i];
            values[start + i] = Double.longBitsToDouble(bits < 0 ? bits & Long.MAX_VALUE : ~bits);
        }
    }

    private static void checkAt(int i, Stop stop) {
        if ((i & (BLOCK - 1)) == 0) {
            stop.check();
        }
    }

    private static int digit(long key, int shift) {
        return (int) (key >>> shift) & ((1 << DIGIT_BITS) - 1);
    }
}
