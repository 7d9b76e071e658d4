// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

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
     * were read. NaN, which stands for a missing value, is left out; the result is NaN if all values are missing.
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
                for (int i = start; i < end && !Double.isNaN(values[i]); i++) {
                    sum += values[i];
                }
                yield Double.isNaN(values[start]) ? Double.NaN : sum;
            }
        };
    }
}
