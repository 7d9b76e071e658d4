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
            distribution.put(NAMES[i], sorted[rank(sorted.length, PER_MILLE[i])]);
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
            distribution.put(NAMES[i], (long) sorted[rank(sorted.length, PER_MILLE[i])]);
        }
        return distribution;
    }

    /** Index of the smallest value that at least perMille / 1000 of all values do not exceed. */
    private static int rank(int count, int perMille) {
        return Math.toIntExact(((long) count * perMille + 999) / 1000) - 1;
    }
}
