// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Farness;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistanceStatisticsTest {

    @Test
    void shouldSumDistancesPast63Bits() {
        assertThat(mean(Long.MAX_VALUE, 1)).isEqualTo(0x1p62);
        assertThat(mean(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(0x1p63);
        assertThat(mean(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE))
                .isEqualTo(0x1p63);
        assertThat(mean(0xffff_ffffL, 0xffff_ffffL, 0x1_0000_0000L)).isEqualTo(0xffff_ffffL + 1 / 3.0);
    }

    /** One pair a vertex, so that the mean is that of the numbers. */
    private static double mean(long... farness) {
        long[] reach = new long[farness.length];
        Arrays.fill(reach, 1);
        return (double) DistanceStatistics.of(new Farness(farness, reach, null, null, null), 0, Stop.NEVER)
                .get("meanDistance");
    }

    @Test
    void shouldTakeTheRadiusOfTheNodesThatReachTheMost() {
        Farness sums =
                new Farness(new long[] {0, 4, 3, 5}, new long[] {0, 2, 2, 2}, null, new int[] {0, 3, 2, 4}, null);
        assertThat(DistanceStatistics.radius(sums, Stop.NEVER)).isEqualTo(2);
    }

    @Test
    void shouldHearItsStop() {
        int vertices = 1 << 20;
        Farness sums = new Farness(new long[vertices], new long[vertices], null, new int[vertices], new long[vertices]);
        assertThatThrownBy(() -> DistanceStatistics.of(sums, 0, () -> true)).isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> DistanceStatistics.radius(sums, () -> true)).isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> ClosenessFormula.DEFAULT.scores(sums, vertex -> 1, () -> true))
                .isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> Distribution.of(new double[vertices], () -> true))
                .isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> Distribution.of(new int[vertices], () -> true)).isInstanceOf(StoppedException.class);
    }
}
