// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DistributionTest {

    @Test
    void shouldTakeNearestRanks() {
        double[] values =
                IntStream.rangeClosed(1, 1000).mapToDouble(i -> 1001 - i).toArray();
        assertThat(Distribution.of(values, Stop.NEVER))
                .isEqualTo(Map.of(
                        "min", 1.0, "mean", 500.5, "max", 1000.0, "p50", 500.0, "p75", 750.0, "p90", 900.0, "p95",
                        950.0, "p99", 990.0, "p999", 999.0));
        assertThat(values[0]).as("the input is not sorted in place").isEqualTo(1000.0);
    }

    /** Selected digit by digit or counted, and so the same as by sorting. */
    @Test
    void shouldBeThatOfTheSortedNumbers() {
        Random random = new Random(7);
        for (int count : new int[] {1, 2, 3, 999, 1000, 1001, 70_000}) {
            double[] doubles = random.doubles(count).map(x -> (x - 0.3) * 1e6).toArray();
            int[] ints = random.ints(count, 0, Integer.MAX_VALUE).toArray();
            Map<String, Object> ofDoubles = Distribution.of(doubles, Stop.NEVER);
            Map<String, Object> ofInts = Distribution.of(ints, Stop.NEVER);
            Arrays.sort(doubles);
            Arrays.sort(ints);
            for (Map.Entry<String, Integer> percentile : Map.of(
                            "p50", 500, "p75", 750, "p90", 900, "p95", 950, "p99", 990, "p999", 999)
                    .entrySet()) {
                int rank = (int) Math.ceil(count * percentile.getValue() / 1000.0) - 1;
                assertThat(ofDoubles).containsEntry(percentile.getKey(), doubles[rank]);
                assertThat(ofInts).containsEntry(percentile.getKey(), (long) ints[rank]);
            }
            assertThat(ofDoubles).containsEntry("min", doubles[0]).containsEntry("max", doubles[count - 1]);
            assertThat(ofInts).containsEntry("min", (long) ints[0]).containsEntry("max", (long) ints[count - 1]);
        }
    }

    @Test
    void shouldDescribeSizesByLowPercentilesToo() {
        int[] sizes = IntStream.rangeClosed(1, 1000).toArray();
        assertThat(Distribution.ofCommunities(sizes, Stop.NEVER))
                .containsOnlyKeys(
                        "min", "mean", "max", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p999")
                .containsEntry("p1", 10L)
                .containsEntry("p5", 50L)
                .containsEntry("p10", 100L)
                .containsEntry("p25", 250L)
                .containsEntry("p50", 500L)
                .containsEntry("p999", 999L);
    }

    @Test
    void shouldNotDependOnTheOrderOfTheNumbers() {
        assertThat(Distribution.of(new double[] {1, 1e100, 1, -1e100}, Stop.NEVER))
                .containsEntry("mean", 0.5);
    }
}
