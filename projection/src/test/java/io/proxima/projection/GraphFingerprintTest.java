// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GraphFingerprintTest {

    @Test
    void shouldBeTheSameForEveryConcurrencyAndEveryPaging() {
        EdgeList edges = TestGraphs.rmat(15, 16, 1);
        Csc graph = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        GraphFingerprint one = GraphFingerprint.of(graph, 1, Stop.NEVER);

        assertThat(GraphFingerprint.of(graph, 5, Stop.NEVER)).isEqualTo(one);
        assertThat(GraphFingerprint.of(TestGraphs.paged(edges, Orientation.UNDIRECTED, 10), 3, Stop.NEVER))
                .isEqualTo(one);
    }

    @Test
    void shouldDifferForEveryEdgeThatIsMissing() {
        Set<GraphFingerprint> found = new HashSet<>();
        for (int missing = -1; missing < 300; missing++) {
            EdgeList edges = new EdgeList(301);
            for (int i = 0; i < 300; i++) {
                if (i != missing) {
                    edges.add(i, i + 1);
                }
            }
            found.add(GraphFingerprint.of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER), 1, Stop.NEVER));
        }
        assertThat(found).hasSize(301);
    }

    @Test
    void shouldTellGraphsApartThatHaveTheSameRowsInOtherColumns() {
        Set<GraphFingerprint> found = new HashSet<>();
        for (int column = 0; column < 100; column++) {
            found.add(of(new EdgeList(101).add(column, 100)));
        }
        for (int vertices = 0; vertices < 50; vertices++) {
            found.add(of(new EdgeList(vertices)));
        }
        assertThat(found).hasSize(150);
    }

    private static GraphFingerprint of(EdgeList edges) {
        return GraphFingerprint.of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER), 1, Stop.NEVER);
    }

    @Test
    void shouldTellEqualRelationshipsOfOtherNodesApart() {
        int nodes = 1 << 15;
        GraphFingerprint edges = new GraphFingerprint(1, 2);
        Set<GraphFingerprint> found = new HashSet<>();
        found.add(edges);
        for (long shift : new long[] {0, 1, 1L << 32, 1L << 40}) {
            IdMap ids =
                    IdMap.of(LongStream.range(0, nodes).map(id -> id + shift).toArray());
            found.add(edges.withNodes(ids, 1, Stop.NEVER));
            assertThat(edges.withNodes(ids, 5, Stop.NEVER)).isEqualTo(edges.withNodes(ids, 1, Stop.NEVER));
        }
        // one node in the middle is another
        found.add(edges.withNodes(
                IdMap.of(LongStream.range(0, nodes)
                        .map(id -> id < nodes / 2 ? id : id + 1)
                        .toArray()),
                1,
                Stop.NEVER));
        found.add(new GraphFingerprint(2, 1).withNodes(IdMap.of(new long[0]), 1, Stop.NEVER));
        found.add(edges.withNodes(IdMap.of(new long[0]), 1, Stop.NEVER));
        assertThat(found).hasSize(8);
    }

    @Test
    void shouldPrintAllItsBits() {
        assertThat(new GraphFingerprint(0x1L, -1L)).hasToString("0000000000000001ffffffffffffffff");
    }
}
