// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import java.util.Map;
import java.util.TreeMap;

/** Counts how often integers occur. Takes 32 KiB, and more only for numbers from 4096 on. Not thread-safe. */
public final class Histogram {

    private static final int SMALL = 1 << 12;

    private final long[] small = new long[SMALL];
    private final TreeMap<Integer, Long> large = new TreeMap<>();

    /** Creates an empty histogram. */
    public Histogram() {}

    /** Counts a non-negative number. */
    public void add(int number) {
        if (number < SMALL) {
            small[number]++;
        } else {
            large.merge(number, 1L, Long::sum);
        }
    }

    /** Adds the counts of another histogram. */
    public void addAll(Histogram other) {
        for (int number = 0; number < SMALL; number++) {
            small[number] += other.small[number];
        }
        other.large.forEach((number, times) -> large.merge(number, times, Long::sum));
    }

    /** Passes each number that occurs, ascending, with its count. */
    void forEach(Each each) {
        for (int number = 0; number < SMALL; number++) {
            if (small[number] > 0) {
                each.accept(number, small[number]);
            }
        }
        for (Map.Entry<Integer, Long> entry : large.entrySet()) {
            each.accept(entry.getKey(), entry.getValue());
        }
    }

    @FunctionalInterface
    interface Each {
        void accept(int number, long times);
    }
}
