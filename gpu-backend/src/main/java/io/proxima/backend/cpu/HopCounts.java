// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import java.util.Arrays;

/** Ordered pairs by distance, in an array that grows with the distance: {@code counts[d]} pairs at distance d. */
final class HopCounts {

    private long[] counts = {};

    /** Adds pairs at a distance. */
    void add(int distance, long pairs) {
        counts = withRoom(counts, distance);
        counts[distance] += pairs;
    }

    /** Adds other counts: entry d those at distance d. */
    void addAll(long[] others) {
        counts = withRoom(counts, others.length - 1);
        for (int distance = 0; distance < others.length; distance++) {
            counts[distance] += others[distance];
        }
    }

    /** The counts; there may be zeros at the end. Not to be changed. */
    long[] counts() {
        return counts;
    }

    /** The counts up to the greatest distance that has pairs, as an array of its own. */
    long[] trimmed() {
        int length = counts.length;
        while (length > 0 && counts[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(counts, length);
    }

    /** The array, or a longer copy with an entry for the distance. */
    static long[] withRoom(long[] counts, int distance) {
        return distance < counts.length ? counts : Arrays.copyOf(counts, Math.max(distance + 1, 2 * counts.length));
    }
}
