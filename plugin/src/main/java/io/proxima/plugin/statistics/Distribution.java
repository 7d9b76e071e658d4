// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphProjection;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.IntToLongFunction;

/**
 * Minimum, mean, maximum and percentiles of a set of numbers: exact, by nearest rank. Percentiles are keyed as in GDS.
 * Integers are counted. Percentiles of other numbers are selected digit by digit, in four passes without a copy, so that a
 * kill takes effect soon even among a billion numbers.
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
        for (int i = 0; i < found.length; i++) {
            long bits = found[i] < 0 ? found[i] ^ Long.MIN_VALUE : ~found[i];
            distribution.put(name(UPPER.get(i)), Double.longBitsToDouble(bits));
        }
        return distribution;
    }

    /** The distribution of non-negative integers; only the mean is fractional. */
    public static Map<String, Object> of(int[] values, Stop stop) {
        return of(values, UPPER, stop);
    }

    /** The distribution of the sizes of communities, with the additional keys p1, p5, p10 and p25, as in GDS. */
    public static Map<String, Object> ofCommunities(int[] sizes, Stop stop) {
        return of(sizes, ALL, stop);
    }

    private static Map<String, Object> of(int[] values, List<Integer> percentiles, Stop stop) {
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
        long[] found = select(values.length, i -> values[i], percentiles, paced);
        for (int i = 0; i < found.length; i++) {
            distribution.put(name(percentiles.get(i)), found[i]);
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

    private static Map<String, Object> of(Histogram numbers) {
        SortedMap<Integer, Long> counts = numbers.counts();
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
     * Selects percentiles by a radix selection of all ranks together, from the highest digit to the lowest.
     *
     * @param keyAt returns the key of a value; keys ascend with the values as unsigned numbers
     * @return the keys of the percentiles
     */
    private static long[] select(int count, IntToLongFunction keyAt, List<Integer> percentiles, PacedStop paced) {
        long[] prefixes = new long[percentiles.size()];
        long[] ranks = percentiles.stream()
                .mapToLong(perMille -> rank(count, perMille))
                .toArray();
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
