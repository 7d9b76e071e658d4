// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import org.junit.jupiter.api.Test;

class ExpansionTest {

    @Test
    void shouldFindMeshesDeep() {
        assertThat(isDeep(TestGraphs.grid(100, 100), Orientation.UNDIRECTED)).isTrue();
        assertThat(isDeep(TestGraphs.grid(10, 1000), Orientation.UNDIRECTED)).isTrue();
        assertThat(isDeep(TestGraphs.grid(100, 100), Orientation.NATURAL)).isTrue();
        assertThat(isDeep(TestGraphs.cycle(1000), Orientation.NATURAL)).isTrue();
    }

    @Test
    void shouldFindGraphsOfSmallDiameterShallow() {
        assertThat(isDeep(TestGraphs.rmat(12, 8, 1), Orientation.UNDIRECTED)).isFalse();
        assertThat(isDeep(TestGraphs.rmat(12, 8, 1), Orientation.NATURAL)).isFalse();
        assertThat(isDeep(TestGraphs.uniform(10_000, 40_000, 1, false), Orientation.UNDIRECTED))
                .isFalse();
        assertThat(isDeep(TestGraphs.star(1000), Orientation.UNDIRECTED)).isFalse();
    }

    @Test
    void shouldNotFindDeepWhatReachesLittle() {
        assertThat(isDeep(TestGraphs.empty(), Orientation.UNDIRECTED)).isFalse();
        assertThat(isDeep(TestGraphs.singleVertex(), Orientation.NATURAL)).isFalse();
        assertThat(isDeep(TestGraphs.disconnected(50), Orientation.UNDIRECTED)).isFalse();
    }

    private static boolean isDeep(EdgeList edges, Orientation orientation) {
        return Expansion.isDeep(edges.toCsc(orientation, 1, Stop.NEVER), Stop.NEVER);
    }
}
