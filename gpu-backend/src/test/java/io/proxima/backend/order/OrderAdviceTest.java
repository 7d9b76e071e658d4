// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.order.GraphClass.DegreeDistribution;
import org.junit.jupiter.api.Test;

class OrderAdviceTest {

    private static final DegreeDistribution LEVEL = new DegreeDistribution(0.01, 0.1, Double.NaN, Double.NaN);
    private static final DegreeDistribution HEAVY = new DegreeDistribution(0.4, 0.8, Double.NaN, Double.NaN);
    private static final GraphClass MESH = new GraphClass(LEVEL, LEVEL);
    private static final GraphClass WEB = new GraphClass(LEVEL, HEAVY);

    private static final int VERTICES = 1 << 22;
    private static final long ENTRIES = 100_000_000;

    @Test
    void shouldOrderWhatIsUsedMuchAsThePaperDoes() {
        assertThat(advice(WEB, 10_000_000).order()).isEqualTo(VertexOrder.JACCARD);
        assertThat(advice(MESH, 10_000_000).order()).isEqualTo(VertexOrder.RCM);
        assertThat(advice(WEB, 10_000_000).reason())
                .contains("is scale-free-like", "'jaccard'", "number of searches is 10000000;");
        assertThat(advice(MESH, 10_000_000).reason()).contains("not scale-free-like", "'rcm'");
    }

    @Test
    void shouldLeaveAGraphAloneThatIsSearchedOnce() {
        for (GraphClass graphClass : new GraphClass[] {MESH, WEB}) {
            OrderAdvice advice = advice(graphClass, 1);
            assertThat(advice.order()).isEqualTo(VertexOrder.NATURAL);
            assertThat(advice.orderSeconds()).isZero();
            assertThat(advice.reason()).contains("number of searches is 1;");
        }
    }

    @Test
    void shouldOrderExactlyFromTheRunsOnThatRepayIt() {
        double seconds = OrderAdvice.seconds(VertexOrder.RCM, VERTICES, ENTRIES, 16);
        long repaid = (long) Math.ceil(seconds / (0.1 * ENTRIES / 1e9));

        assertThat(advice(MESH, repaid + 1).order()).isEqualTo(VertexOrder.RCM);
        assertThat(advice(MESH, repaid + 1).orderSeconds()).isEqualTo(seconds);
        assertThat(advice(MESH, repaid - 1).order()).isEqualTo(VertexOrder.NATURAL);
    }

    @Test
    void shouldTakeTheCheapOrderUntilTheBetterOneSavesMore() {
        assertThat(advice(WEB, 10_000).order()).isEqualTo(VertexOrder.DEGREE);
        double more = OrderAdvice.seconds(VertexOrder.JACCARD, VERTICES, ENTRIES, 16)
                - OrderAdvice.seconds(VertexOrder.DEGREE, VERTICES, ENTRIES, 16);
        long repaid = (long) Math.ceil(more / ((0.0005 - 0.0004) * ENTRIES / 1e9));
        assertThat(advice(WEB, repaid - 1).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(advice(WEB, repaid + 1).order()).isEqualTo(VertexOrder.JACCARD);
    }

    @Test
    void shouldTakeNeighboursInCommonForSliceSetsOnly() {
        for (long runs : new long[] {10_000, 10_000_000}) {
            assertThat(OrderAdvice.of(WEB, VERTICES, ENTRIES, runs, false, 16).order())
                    .isEqualTo(VertexOrder.DEGREE);
            assertThat(OrderAdvice.of(MESH, VERTICES, ENTRIES, 10_000_000, false, 16)
                            .order())
                    .isEqualTo(VertexOrder.RCM);
        }
    }

    @Test
    void shouldCountOnNoMoreCoresThanThereAreWindows() {
        double one = OrderAdvice.seconds(VertexOrder.JACCARD, 1 << 15, ENTRIES, 1);
        assertThat(OrderAdvice.seconds(VertexOrder.JACCARD, 1 << 15, ENTRIES, 16))
                .isGreaterThan(0.9 * one);
        assertThat(OrderAdvice.seconds(VertexOrder.JACCARD, VERTICES, ENTRIES, 16))
                .isLessThan(0.1 * one);
        assertThat(OrderAdvice.seconds(VertexOrder.NATURAL, VERTICES, ENTRIES, 1))
                .isZero();
        assertThatThrownBy(() -> OrderAdvice.seconds(VertexOrder.AUTO, VERTICES, ENTRIES, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static OrderAdvice advice(GraphClass graphClass, long runs) {
        return OrderAdvice.of(graphClass, VERTICES, ENTRIES, runs, true, 16);
    }
}
