// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.WeightedEdgeList;
import org.junit.jupiter.api.Test;
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
        assertThat(lengths.light()).isIn(2.0, weight);
    }

    @Test
    void shouldFindTheLightWeightsWhateverASingleOneIs() {
        for (double outlier : new double[] {Double.MIN_VALUE, 50, Double.MAX_VALUE}) {
            WeightedEdgeList edges = new WeightedEdgeList(500, Orientation.NATURAL).add(0, 1, outlier);
            for (int edge = 1; edge < 50_000; edge++) {
                // half of the edges join vertices
                edges.add(edge % 500, (edge / 2 + 1) % 500, edge % 2 == 0 ? 0 : 1 + edge / 2 % 1000);
            }
            WeightedCsc.Lengths lengths = edges.build(1, Stop.NEVER).weights().lengths(2, Stop.NEVER);
            assertThat(lengths.degree()).isBetween(190.0, 210.0);
            assertThat(lengths.light()).isBetween(1.0, 10.0);
        }
    }

    @Test
    void shouldCallNoWeightLightWhereNoneIsPositive() {
        WeightedCsc.Lengths lengths = new WeightedEdgeList(2, Orientation.NATURAL)
                .add(0, 1, 0)
                .build(1, Stop.NEVER)
                .weights()
                .lengths(1, Stop.NEVER);
        assertThat(lengths.light()).isZero();
        assertThat(lengths.degree()).isEqualTo(Double.POSITIVE_INFINITY);
    }
}
