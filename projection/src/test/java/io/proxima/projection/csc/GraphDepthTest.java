// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import static io.proxima.projection.csc.GraphDepth.DEEP;
import static io.proxima.projection.csc.GraphDepth.SHALLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GraphDepthTest {

    @Test
    void shouldFindMeshesDeep() {
        assertThat(depth(TestGraphs.grid(100, 100), Orientation.UNDIRECTED)).isEqualTo(DEEP);
        assertThat(depth(TestGraphs.grid(10, 1000), Orientation.UNDIRECTED)).isEqualTo(DEEP);
        assertThat(depth(TestGraphs.grid(100, 100), Orientation.NATURAL)).isEqualTo(DEEP);
        assertThat(depth(TestGraphs.cycle(1000), Orientation.NATURAL)).isEqualTo(DEEP);
    }

    @Test
    void shouldFindGraphsOfSmallDiameterShallow() {
        assertThat(depth(TestGraphs.rmat(12, 8, 1), Orientation.UNDIRECTED)).isEqualTo(SHALLOW);
        assertThat(depth(TestGraphs.rmat(12, 8, 1), Orientation.NATURAL)).isEqualTo(SHALLOW);
        assertThat(depth(TestGraphs.uniform(10_000, 40_000, 1, false), Orientation.UNDIRECTED))
                .isEqualTo(SHALLOW);
        assertThat(depth(TestGraphs.star(1000), Orientation.UNDIRECTED)).isEqualTo(SHALLOW);
    }

    @Test
    void shouldFindGraphsShallowThatHaveLongTails() {
        EdgeList edges = TestGraphs.rmat(12, 8, 1);
        int n = edges.vertexCount();
        EdgeList tailed = new EdgeList(n + 1000);
        for (long i = 0; i < edges.edgeCount(); i++) {
            tailed.add(edges.source(i), edges.target(i));
        }
        IntStream.range(n, n + 1000).forEach(vertex -> tailed.add(vertex - 1, vertex));

        assertThat(depth(tailed, Orientation.UNDIRECTED)).isEqualTo(SHALLOW);
    }

    @Test
    void shouldNotFindDeepWhatReachesLittle() {
        assertThat(depth(TestGraphs.empty(), Orientation.UNDIRECTED)).isEqualTo(SHALLOW);
        assertThat(depth(TestGraphs.singleVertex(), Orientation.NATURAL)).isEqualTo(SHALLOW);
        assertThat(depth(TestGraphs.disconnected(50), Orientation.UNDIRECTED)).isEqualTo(SHALLOW);
    }

    @Test
    void shouldKeepTheDepthButNothingOfAStoppedSearch() {
        Csc graph = TestGraphs.grid(300, 300).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

        assertThatThrownBy(() -> TestGraphs.uniform(1 << 20, 0, 1, false)
                        .toCsc(Orientation.NATURAL, 1, Stop.NEVER)
                        .depth(() -> true))
                .isInstanceOf(StoppedException.class);

        assertThat(graph.depth(Stop.NEVER)).isEqualTo(DEEP);
        assertThat(graph.depth(() -> true)).as("known").isEqualTo(DEEP);
    }

    private static GraphDepth depth(EdgeList edges, Orientation orientation) {
        return edges.toCsc(orientation, 1, Stop.NEVER).depth(Stop.NEVER);
    }
}
