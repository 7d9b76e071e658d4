// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphProjection;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * Minimum, mean, maximum and percentiles of a set of numbers: exact, by nearest rank. Percentiles are selected digit by
 * digit, in four passes without a copy, so that a kill takes effect soon even among a billion numbers.
 */
public final class Distribution {

    private static final Percentiles UPPER = Percentiles.of(500, 750, 900, 950, 990, 999);
    private static final Percentiles ALL = Percentiles.of(10, 50, 100, 250, 500, 750, 900, 950, 990, 999);
    private static final int DIGIT_BITS = 16;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    private Distribution() {}

    /** Percentiles with their names, as GDS names them. */
    @SuppressWarnings("ArrayRecordComponent") // constants, never compared
    private record Percentiles(String[] names, int[] perMille) {
        static Percentiles of(int... perMille) {
            return new Percentiles(
                    Arrays.stream(perMille)
                            .mapToObj(rank -> "p" + (rank % 10 == 0 ? rank / 10 : rank))
                            .toArray(String[]::new),
                    perMille);
        }

        int count() {
            return names.length;
        }
    }

    /**
     * The distribution of scores.
     *
     * @param values numbers; not changed
     * @param stop ends the work early
     * @return keys min, mean, max, p50, p75, p90, p95, p99, p999; empty for no values
     */
    public static Map<String, Object> of(double[] values, Stop stop) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (values.length == 0) {
            return distribution;
        }
        PacedStop paced = new PacedStop(stop);
        double least = values[0];
        double most = values[0];
        double sum = 0;
        double lost = 0;
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
            // Neumaier's compensated sum, so that the mean does not depend on the order of the nodes
            double next = sum + value;
            lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
            sum = next;
            paced.worked(1);
        }
        distribution.put("min", least);
        distribution.put("mean", (sum + lost) / values.length);
        distribution.put("max", most);
        // the bits of a non-negative double ascend with its value, those of a negative one descend
        long[] found = select(
                values.length,
                i -> {
                    long bits = Double.doubleToLongBits(values[i]);
                    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
                },
                UPPER,
                paced);
        for (int i = 0; i < UPPER.count(); i++) {
            long bits = found[i] < 0 ? found[i] ^ Long.MIN_VALUE : ~found[i];
            distribution.put(UPPER.names[i], Double.longBitsToDouble(bits));
        }
        return distribution;
    }

    /** The distribution of integers; only the mean is fractional. */
    public static Map<String, Object> of(int[] values, Stop stop) {
        return of(values, UPPER, stop);
    }

    /** The distribution of the sizes of communities, with the additional keys p1, p5, p10 and p25, as in GDS. */
    public static Map<String, Object> ofCommunities(int[] sizes, Stop stop) {
        return of(sizes, ALL, stop);
    }

    private static Map<String, Object> of(int[] values, Percentiles percentiles, Stop stop) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (values.length == 0) {
            return distribution;
        }
        PacedStop paced = new PacedStop(stop);
        long least = values[0];
        long most = values[0];
        long sum = 0;
        for (int value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
            sum += value;
            paced.worked(1);
        }
        distribution.put("min", least);
        distribution.put("mean", (double) sum / values.length);
        distribution.put("max", most);
        long[] found = select(values.length, i -> values[i] ^ Long.MIN_VALUE, percentiles, paced);
        for (int i = 0; i < percentiles.count(); i++) {
            distribution.put(percentiles.names[i], found[i] ^ Long.MIN_VALUE);
        }
        return distribution;
    }

    /** The distribution of the out-degrees of a graph, over its nodes. */
    public static Map<String, Object> ofDegrees(GraphProjection graph, int threads, Stop stop) {
        Histogram[] counted = new Histogram[threads];
        Arrays.setAll(counted, worker -> new Histogram());
        graph.degrees(threads, stop, (worker, degree) -> counted[worker].add(degree));
        Histogram degrees = new Histogram();
        Arrays.asList(counted).forEach(degrees::addAll);
        return of(degrees);
    }

    /** The distribution of counted integers. */
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
            while (next[0] < UPPER.count() && rank(count, UPPER.perMille[next[0]]) < passed[0]) {
                distribution.put(UPPER.names[next[0]++], (long) number);
            }
        });
        return distribution;
    }

    /**
     * Selects the percentiles by a radix selection of all ranks together, from the highest digit to the lowest.
     *
     * @param keyAt returns the key of a value; keys ascend with the values as unsigned numbers
     * @return the keys of the percentiles
     */
    private static long[] select(int count, IntToLongFunction keyAt, Percentiles percentiles, PacedStop paced) {
        long[] prefixes = new long[percentiles.count()];
        long[] ranks = new long[percentiles.count()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = rank(count, percentiles.perMille[i]);
        }
        for (int shift = Long.SIZE - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
            long[] distinct = Arrays.stream(prefixes).distinct().toArray();
            int[][] counts = new int[distinct.length][DIGIT_MASK + 1];
            for (int i = 0; i < count; i++) {
                long key = keyAt.applyAsLong(i);
                long prefix = prefix(key, shift);
                for (int p = 0; p < distinct.length; p++) {
                    if (distinct[p] == prefix) {
                        counts[p][(int) (key >>> shift) & DIGIT_MASK]++;
                    }
                }
                paced.worked(1);
            }
            for (int i = 0; i < ranks.length; i++) {
                int[] ofPrefix = counts[Arrays.binarySearch(distinct, prefixes[i])];
                int digit = 0;
                while (ranks[i] >= ofPrefix[digit]) {
                    ranks[i] -= ofPrefix[digit++];
                }
                prefixes[i] = prefixes[i] << DIGIT_BITS | digit;
            }
        }
        return prefixes;
    }

    /** The digits of a key above the one at a shift. */
    private static long prefix(long key, int shift) {
        return shift + DIGIT_BITS == Long.SIZE ? 0 : key >>> (shift + DIGIT_BITS);
    }

    /** Index of the smallest value that is not exceeded by at least perMille / 1000 of all values. */
    private static long rank(long count, int perMille) {
        return (count * perMille + 999) / 1000 - 1;
    }
}
