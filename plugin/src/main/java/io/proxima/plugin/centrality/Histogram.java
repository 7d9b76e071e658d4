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
package io.proxima.plugin.centrality;

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
