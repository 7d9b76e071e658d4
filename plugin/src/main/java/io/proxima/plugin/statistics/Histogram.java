// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts how often non-negative integers occur. Takes 32 KiB, and more only for numbers from 4096 on. Not thread-safe.
 */
final class Histogram {

    private static final int SMALL = 1 << 12;

    private final long[] small = new long[SMALL];
    private final TreeMap<Integer, Long> large = new TreeMap<>();

    void add(int number) {
        if (number < SMALL) {
            small[number]++;
        } else {
            large.merge(number, 1L, Long::sum);
        }
    }

    void addAll(Histogram other) {
        for (int number = 0; number < SMALL; number++) {
            small[number] += other.small[number];
        }
        other.large.forEach((number, times) -> large.merge(number, times, Long::sum));
    }

    /** The numbers that occur, with their counts. */
    SortedMap<Integer, Long> counts() {
        TreeMap<Integer, Long> counts = new TreeMap<>(large);
        for (int number = 0; number < SMALL; number++) {
            if (small[number] > 0) {
                counts.put(number, small[number]);
            }
        }
        return counts;
    }
}
