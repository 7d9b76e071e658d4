// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.Stop;
import java.util.Arrays;

/**
 * Sorts arrays in linear time, and checks a stop meanwhile: by radix from the least significant digit (Knuth, The Art
 * of Computer Programming 3, 5.2.5). Short arrays are sorted by the JDK.
 */
public final class RadixSort {

    /** Arrays up to this length are sorted by the JDK, which is faster for them. */
    private static final int MAX_SHORT = 1 << 10;

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
            for (int start = 0; start < length; start = end(start, length)) {
                stop.check();
                count(from, start, end(start, length), shift, next);
            }
            beginPlaces(next);
            for (int start = 0; start < length; start = end(start, length)) {
                stop.check();
                scatter(from, start, end(start, length), shift, next, to);
            }
            long[] sorted = to;
            to = from;
            from = sorted;
        }
        return from;
    }

    private static int end(int start, int length) {
        return Math.min(length - start, BLOCK) + start;
    }

    private static void count(long[] keys, int start, int end, int shift, int[] counts) {
        int mask = counts.length - 1;
        for (int i = start; i < end; i++) {
            counts[(int) (keys[i] >>> shift) & mask]++;
        }
    }

    /** Turns counts into the place of the first key of each digit. */
    static void beginPlaces(int[] counts) {
        int start = 0;
        for (int digit = 0; digit < counts.length; digit++) {
            int count = counts[digit];
            counts[digit] = start;
            start += count;
        }
    }

    private static void scatter(long[] keys, int start, int end, int shift, int[] next, long[] sorted) {
        int mask = next.length - 1;
        for (int i = start; i < end; i++) {
            long key = keys[i];
            sorted[next[(int) (key >>> shift) & mask]++] = key;
        }
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
}
