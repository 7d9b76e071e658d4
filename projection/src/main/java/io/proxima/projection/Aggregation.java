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
package io.proxima.projection;

/** How the values of parallel relationships become one value, in the terms of GDS. */
public enum Aggregation {
    /** Parallel relationships are kept. */
    NONE,
    /** The value of one of them: the smallest. */
    SINGLE,
    /** The number of relationships with the property. */
    COUNT,
    /** The smallest value. */
    MIN,
    /** The largest value. */
    MAX,
    /** The sum of the values. */
    SUM;

    /**
     * Aggregates the values of parallel relationships. The result does not depend on the order in which relationships
     * were read. NaN, which stands for a missing value, is left out of all but sums.
     *
     * @param values ascending in {@code values[start..end)}, NaN last; at least one
     */
    double of(double[] values, int start, int end) {
        return switch (this) {
            case NONE -> throw new IllegalStateException("parallel relationships are kept");
            case SINGLE, MIN -> values[start];
            case MAX -> {
                int last = end - 1;
                while (last > start && Double.isNaN(values[last])) {
                    last--;
                }
                yield values[last];
            }
            case COUNT, SUM -> {
                double sum = 0;
                for (int i = start; i < end; i++) {
                    sum += values[i];
                }
                yield sum;
            }
        };
    }
}
