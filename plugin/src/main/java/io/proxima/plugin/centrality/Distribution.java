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

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Minimum, mean, maximum and percentiles of a set of numbers: exact, by nearest rank. */
public final class Distribution {

    private static final String[] NAMES = {"p50", "p75", "p90", "p95", "p99", "p999"};
    private static final int[] PER_MILLE = {500, 750, 900, 950, 990, 999};

    private Distribution() {}

    /**
     * The distribution of scores.
     *
     * @param values not changed
     * @return keys min, mean, max, p50, p75, p90, p95, p99, p999; empty for no values
     */
    public static Map<String, Object> of(double[] values) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (values.length == 0) {
            return distribution;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double sum = 0;
        for (double value : sorted) {
            sum += value;
        }
        distribution.put("min", sorted[0]);
        distribution.put("mean", sum / sorted.length);
        distribution.put("max", sorted[sorted.length - 1]);
        for (int i = 0; i < NAMES.length; i++) {
            distribution.put(NAMES[i], sorted[(int) rank(sorted.length, PER_MILLE[i])]);
        }
        return distribution;
    }

    /** The same for whole numbers; only the mean is fractional. */
    public static Map<String, Object> of(int[] values) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (values.length == 0) {
            return distribution;
        }
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        long sum = 0;
        for (int value : sorted) {
            sum += value;
        }
        distribution.put("min", (long) sorted[0]);
        distribution.put("mean", (double) sum / sorted.length);
        distribution.put("max", (long) sorted[sorted.length - 1]);
        for (int i = 0; i < NAMES.length; i++) {
            distribution.put(NAMES[i], (long) sorted[(int) rank(sorted.length, PER_MILLE[i])]);
        }
        return distribution;
    }

    /** The same for whole numbers that were counted. */
    public static Map<String, Object> of(Histogram numbers) {
        long[] figures = {0, -1, -1};
        double[] sum = {0};
        numbers.forEach((number, times) -> {
            figures[0] += times;
            figures[1] = figures[1] < 0 ? number : figures[1];
            figures[2] = number;
            sum[0] += (double) number * times;
        });
        Map<String, Object> distribution = new LinkedHashMap<>();
        long count = figures[0];
        if (count == 0) {
            return distribution;
        }
        distribution.put("min", figures[1]);
        distribution.put("mean", sum[0] / count);
        distribution.put("max", figures[2]);
        long[] passed = {0};
        int[] next = {0};
        numbers.forEach((number, times) -> {
            passed[0] += times;
            while (next[0] < NAMES.length && rank(count, PER_MILLE[next[0]]) < passed[0]) {
                distribution.put(NAMES[next[0]++], (long) number);
            }
        });
        return distribution;
    }

    /** Index of the smallest value that at least perMille / 1000 of all values do not exceed. */
    private static long rank(long count, int perMille) {
        return (count * perMille + 999) / 1000 - 1;
    }
}
