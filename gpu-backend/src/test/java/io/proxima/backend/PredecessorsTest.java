// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import org.junit.jupiter.api.Test;

class PredecessorsTest {

    @Test
    void shouldFindNoneForVerticesWhoseCostExceedsTheGreatestDouble() {
        WeightedCsc graph = new WeightedEdgeList(4, Orientation.NATURAL)
                .add(0, 1, 1e308)
                .add(1, 2, 1e308)
                .add(2, 3, 1)
                .build(1, Stop.NEVER)
                .weights();
        double[] costs = {0, 1e308, ShortestPaths.UNREACHED, ShortestPaths.UNREACHED};

        assertThat(Predecessors.of(graph, new int[] {0}, costs, RunContext.of(1)))
                .containsExactly(ShortestPaths.NONE, 0, ShortestPaths.NONE, ShortestPaths.NONE);
    }
}
