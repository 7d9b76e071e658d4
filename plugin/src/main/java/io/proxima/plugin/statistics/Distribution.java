// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphProjection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.IntToDoubleFunction;

/**
 * Minimum, mean, maximum and percentiles of a set of numbers: exact, by nearest rank. Percentiles are keyed as in GDS.
 * Degrees are counted. Percentiles of other numbers are selected digit by digit, in four passes without a copy, so that
 * a kill takes effect soon even among a billion numbers.
 */
public final class Distribution {

    // in thousandths
    private static final List<Integer> UPPER = List.of(500, 750, 900, 950, 990, 999);
    private static final List<Integer> ALL = List.of(10, 50, 100, 250, 500, 750, 900, 950, 990, 999);

    private static final int DIGIT_BITS = 16;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    private Distribution() {}

    /**
     * The distribution of scores.
     *
     * @param values numbers; not changed
     * @param stop ends the work early
     * @return keys min, mean, max, p50, p75, p90, p95, p99, p999; empty for no values
     */
    public static Map<String, Object> of(double[] values, Stop stop) {
        return of(values.length, i -> values[i], UPPER, value -> value, stop);
    }

    /** The distribution of non-negative integers; only the mean is fractional. */
    public static Map<String, Object> of(int[] values, Stop stop) {
        return of(values.length, i -> values[i], UPPER, value -> (long) value, stop);
    }

    /** The distribution of the sizes of communities, with the additional keys p1, p5, p10 and p25, as in GDS. */
    public static Map<String, Object> ofCommunities(int[] sizes, Stop stop) {
        return of(sizes.length, i -> sizes[i], ALL, size -> (long) size, stop);
    }

    /**
     * The distribution of numbers.
     *
     * @param form converts a number to its column, except for the mean
     */
    private static Map<String, Object> of(
            int count, IntToDoubleFunction values, List<Integer> percentiles, DoubleFunction<Object> form, Stop stop) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (count == 0) {
            return distribution;
        }
        PacedStop paced = new PacedStop(stop);
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double sum = 0;
        double lost = 0;
        for (int i = 0; i < count; i++) {
            double value = values.applyAsDouble(i);
            least = Math.min(least, value);
            most = Math.max(most, value);
            // Neumaier's compensated sum: that of integers is exact, and a mean does not depend on the order of the
            // nodes
            double next = sum + value;
            lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
            sum = next;
            paced.worked(1);
        }
        distribution.put("min", form.apply(least));
        distribution.put("mean", (Double.isInfinite(sum) ? sum : sum + lost) / count);
        distribution.put("max", form.apply(most));
        double[] found = select(count, values, percentiles, paced);
        for (int i = 0; i < found.length; i++) {
            distribution.put(name(percentiles.get(i)), form.apply(found[i]));
        }
        return distribution;
    }

    /** The distribution of the out-degrees of a graph, over its nodes. */
    public static Map<String, Object> ofDegrees(GraphProjection graph, int threads, Stop stop) {
        List<Map<Integer, long[]>> counted = new ArrayList<>();
        for (int worker = 0; worker < threads; worker++) {
            counted.add(new HashMap<>());
        }
        graph.degrees(threads, stop, (worker, degree) -> counted.get(worker)
                .computeIfAbsent(degree, unused -> new long[1])[0]++);
        SortedMap<Integer, Long> counts = new TreeMap<>();
        counted.forEach(ofWorker -> ofWorker.forEach((degree, times) -> counts.merge(degree, times[0], Long::sum)));
        return of(counts);
    }

    private static Map<String, Object> of(SortedMap<Integer, Long> counts) {
        Map<String, Object> distribution = new LinkedHashMap<>();
        if (counts.isEmpty()) {
            return distribution;
        }
        long count = 0;
        long sum = 0;
        for (Map.Entry<Integer, Long> number : counts.entrySet()) {
            count += number.getValue();
            sum += number.getKey() * number.getValue();
        }
        distribution.put("min", (long) counts.firstKey());
        distribution.put("mean", (double) sum / count);
        distribution.put("max", (long) counts.lastKey());
        long passed = 0;
        int next = 0;
        for (Map.Entry<Integer, Long> number : counts.entrySet()) {
            passed += number.getValue();
            while (next < UPPER.size() && rank(count, UPPER.get(next)) < passed) {
                distribution.put(name(UPPER.get(next++)), (long) number.getKey());
            }
        }
        return distribution;
    }

    private static String name(int perMille) {
        return "p" + (perMille % 10 == 0 ? perMille / 10 : perMille);
    }

    /**
     * Selects percentiles by a radix selection of all ranks together, from the highest digit of their keys to the
     * lowest.
     */
    private static double[] select(int count, IntToDoubleFunction values, List<Integer> percentiles, PacedStop paced) {
        long[] prefixes = new long[percentiles.size()];
        long[] ranks = percentiles.stream()
                .mapToLong(perMille -> rank(count, perMille))
                .toArray();
        for (int shift = Long.SIZE - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
            long[] distinct = Arrays.stream(prefixes).distinct().toArray();
            int[][] counts = new int[distinct.length][DIGIT_MASK + 1];
            for (int i = 0; i < count; i++) {
                long key = key(values.applyAsDouble(i));
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
        return Arrays.stream(prefixes).mapToDouble(Distribution::value).toArray();
    }

    /** The keys of numbers ascend with them as unsigned integers: the bits of negative numbers descend. */
    private static long key(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    private static double value(long key) {
        return Double.longBitsToDouble(key < 0 ? key ^ Long.MIN_VALUE : ~key);
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
