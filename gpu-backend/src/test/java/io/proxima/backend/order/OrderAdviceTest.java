/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.order.GraphClass.DegreeDistribution;
import org.junit.jupiter.api.Test;

class OrderAdviceTest {

    private static final DegreeDistribution LEVEL = new DegreeDistribution(0.01, 0.1, Double.NaN, Double.NaN);
    private static final DegreeDistribution HEAVY = new DegreeDistribution(0.4, 0.8, Double.NaN, Double.NaN);
    private static final GraphClass MESH = new GraphClass(LEVEL, LEVEL);
    private static final GraphClass WEB = new GraphClass(LEVEL, HEAVY);

    private static final long ENTRIES = 100_000_000;

    @Test
    void shouldOrderWhatIsUsedMuchAsThePaperDoes() {
        assertThat(advice(WEB, 1_000_000_000).order()).isEqualTo(VertexOrder.JACCARD);
        assertThat(advice(MESH, 1_000_000_000).order()).isEqualTo(VertexOrder.RCM);
        assertThat(advice(WEB, 1_000_000_000).reason())
                .contains("is scale-free-like", "'jaccard'", "1000000000 searches");
        assertThat(advice(MESH, 1_000_000_000).reason()).contains("not scale-free-like", "'rcm'");
    }

    @Test
    void shouldLeaveAGraphAloneThatIsSearchedOnce() {
        for (GraphClass graphClass : new GraphClass[] {MESH, WEB}) {
            OrderAdvice advice = advice(graphClass, 1);
            assertThat(advice.order()).isEqualTo(VertexOrder.NATURAL);
            assertThat(advice.orderSeconds()).isZero();
            assertThat(advice.reason()).contains("would");
        }
    }

    @Test
    void shouldTakeACheaperOrderBetweenTheTwo() {
        boolean seen = false;
        for (long runs = 1; runs < 1L << 40 && !seen; runs *= 2) {
            seen = advice(WEB, runs).order() == VertexOrder.DEGREE;
        }
        assertThat(seen).isTrue();
    }

    @Test
    void shouldExpectLessTimeOfMoreCoresAndOfSmallerGraphs() {
        for (VertexOrder order : new VertexOrder[] {VertexOrder.DEGREE, VertexOrder.BFS, VertexOrder.JACCARD}) {
            double seconds = OrderAdvice.seconds(order, ENTRIES, 4);
            assertThat(seconds).isPositive().isGreaterThan(OrderAdvice.seconds(order, ENTRIES, 16));
            assertThat(seconds).isGreaterThan(OrderAdvice.seconds(order, ENTRIES / 2, 4));
        }
        assertThat(OrderAdvice.seconds(VertexOrder.NATURAL, ENTRIES, 1)).isZero();
    }

    private static OrderAdvice advice(GraphClass graphClass, long runs) {
        return OrderAdvice.of(graphClass, ENTRIES, runs, 16);
    }
}
