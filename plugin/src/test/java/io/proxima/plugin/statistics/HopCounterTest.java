// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HopCounterTest {

    @Test
    void shouldBeEmptyWithoutDistances() {
        HopCounter hops = new HopCounter(Stop.NEVER);
        hops.add(-1);
        assertThat(hops.depth()).isZero();
        assertThat(hops.reached()).isZero();
        assertThat(hops.mean()).isZero();
        assertThat(hops.distribution()).isEmpty();
    }

    @Test
    void shouldCountTheDistancesOfALongPath() {
        int length = 3_000_000;
        HopCounter hops = new HopCounter(Stop.NEVER);
        IntStream.range(0, length).forEach(hops::add);
        assertThat(hops.depth()).isEqualTo(length - 1);
        assertThat(hops.mean()).isEqualTo(length / 2.0);
        assertThat(hops.distribution()).hasSize(length).containsOnly(1L);
    }

    @Test
    void shouldEndWhenStopped() {
        HopCounter hops = new HopCounter(() -> true);
        assertThatThrownBy(() -> IntStream.range(0, 1 << 20).forEach(hops::add)).isInstanceOf(StoppedException.class);
    }
}
