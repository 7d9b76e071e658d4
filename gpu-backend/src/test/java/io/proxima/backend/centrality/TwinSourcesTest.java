// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TwinSourcesTest {

    /** Of a complete bipartite graph and a complete graph, connected by one edge, few vertices are sources. */
    @Test
    void shouldSearchOnceForTwins() {
        int side = 20;
        EdgeList edges = new EdgeList(3 * side);
        for (int u = 0; u < side; u++) {
            for (int v = 0; v < side; v++) {
                edges.add(u, side + v);
                edges.add(2 * side + u, 2 * side + v);
            }
        }
        edges.add(0, 2 * side);
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] weights = new int[3 * side];
        Arrays.fill(weights, 1);
        weights[1] = 2;
        int[] multiplicities = weights.clone();
        TwinSources.merge(csc, weights, multiplicities, Stop.NEVER);
        int[] expected = new int[3 * side];
        expected[0] = 1;
        expected[1] = 2;
        expected[2] = side - 2;
        expected[side] = side;
        expected[2 * side] = 1;
        expected[2 * side + 1] = side - 1;
        assertThat(multiplicities).isEqualTo(expected);
    }
}
