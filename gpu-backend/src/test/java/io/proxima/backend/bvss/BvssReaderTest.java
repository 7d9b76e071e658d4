// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Orientation;
import org.junit.jupiter.api.Test;

class BvssReaderTest {

    private final Bvss bvss = Graphs.bvss(Graphs.csc(Graphs.workedExample(), Orientation.NATURAL));
    private final BvssReader reader = new BvssReader(bvss);

    @Test
    void shouldHaveNothingBeforeItIsOpened() {
        assertThat(reader.next()).isFalse();
    }

    @Test
    void shouldEndWithTheSlicesAndStayThere() {
        reader.open(1);

        assertThat(reader.firstColumn()).isEqualTo(16);
        assertThat(reader.next()).isTrue();
        assertThat(reader.row()).isZero();
        assertThat(reader.mask()).isEqualTo(0x09);
        assertThat(reader.next()).isTrue();
        assertThat(reader.row()).isEqualTo(18);
        assertThat(reader.mask()).isEqualTo(0x0a);
        assertThat(reader.slice()).isEqualTo(1);
        for (int again = 0; again < 200; again++) {
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void shouldBeginAnewWhenOpenedAgain() {
        reader.open(1);
        reader.next();
        reader.open(0);

        assertThat(reader.next()).isTrue();
        assertThat(reader.slice()).isZero();
        assertThat(reader.row()).isEqualTo(3);
        assertThat(reader.mask()).isEqualTo(0x43);
        assertThat(reader.firstColumn()).isZero();
    }

    @Test
    void shouldStopOnTheWayBackToCsc() {
        assertThatThrownBy(() -> BvssReader.toCsc(bvss, 2, () -> true)).isInstanceOf(StoppedException.class);
    }
}
