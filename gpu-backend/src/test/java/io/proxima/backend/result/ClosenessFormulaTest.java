// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Farness;
import io.proxima.concurrent.Stop;
import org.junit.jupiter.api.Test;

class ClosenessFormulaTest {

    /** The second of two components, of 3 and 2 vertices, and a vertex that nothing reaches. */
    private static final Farness SUMS = new Farness(
            new long[] {2, 3, 3, 1, 0}, new long[] {2, 2, 2, 1, 0}, new double[] {2.0, 1.5, 1.5, 1.0, 0.0}, null, null);

    @Test
    void shouldDivideReachByFarness() {
        assertThat(ClosenessFormula.DEFAULT.scores(SUMS, vertex -> 4, Stop.NEVER))
                .containsExactly(1.0, 2.0 / 3, 2.0 / 3, 1.0, 0.0);
    }

    @Test
    void shouldScaleByTheShareReached() {
        assertThat(ClosenessFormula.WASSERMAN_FAUST.scores(SUMS, vertex -> 4, Stop.NEVER))
                .containsExactly(0.5, 2.0 / 3 * 0.5, 2.0 / 3 * 0.5, 0.25, 0.0);
    }

    @Test
    void shouldAverageReciprocals() {
        assertThat(ClosenessFormula.HARMONIC.scores(SUMS, vertex -> 4, Stop.NEVER))
                .containsExactly(0.5, 0.375, 0.375, 0.25, 0.0);
    }

    @Test
    void shouldScoreASingleVertexZero() {
        Farness single = new Farness(new long[1], new long[1], new double[1], null, null);
        for (ClosenessFormula formula : ClosenessFormula.values()) {
            assertThat(formula.scores(single, vertex -> 0, Stop.NEVER)).containsExactly(0.0);
        }
    }

    @Test
    void shouldKeepSumsBeyond32Bits() {
        long n = 70_000;
        Farness end = new Farness(new long[] {n * (n - 1) / 2}, new long[] {n - 1}, null, null, null);
        assertThat(ClosenessFormula.DEFAULT.score(end, 0, 70_000)).isEqualTo(2.0 / n);
    }
}
