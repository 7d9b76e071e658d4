// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightedCscTest {

    @ParameterizedTest
    @CsvSource({"3, true, true", "0.5, false, true", "0.1, false, false", "16777217, true, false", "0, true, true"})
    void shouldTellWhichNumbersItsWeightsAre(double weight, boolean integers, boolean floats) {
        WeightedCsc graph = new WeightedEdgeList(10_000, Orientation.NATURAL)
                .add(0, 1, 2)
                .add(9_999, 3, weight)
                .build(1, Stop.NEVER)
                .weights();

        WeightedCsc.Lengths lengths = graph.lengths(2, Stop.NEVER);

        assertThat(lengths.integers()).isEqualTo(integers);
        assertThat(lengths.floats()).isEqualTo(floats);
        assertThat(lengths.firstInvalid()).isEqualTo(WeightedCsc.NONE);
        assertThat(lengths.mean()).isEqualTo((2 + weight) / 2);
    }
}
