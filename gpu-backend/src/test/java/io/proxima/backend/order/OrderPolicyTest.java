// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.GraphShape;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderPolicyTest {

    private static final Csc WEB = TestGraphs.rmat(14, 16, 3).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
    private static final Csc MESH = TestGraphs.grid(300, 300).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
    private static final Csc EVEN =
            TestGraphs.uniform(10_000, 80_000, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    private static final long REPAID = OrderPolicy.SEARCHES_THAT_REPAY;
    private static final long JACCARD_REPAID = OrderPolicy.SEARCHES_THAT_REPAY_JACCARD;

    @Test
    void shouldOrderAGraphThatIsUsedRepeatedlyByItsDepth() {
        assertThat(repeated(WEB, false)).isEqualTo(VertexOrder.DEGREE);
        assertThat(repeated(MESH, false)).isEqualTo(VertexOrder.RCM);
        assertThat(repeated(EVEN, false)).isEqualTo(VertexOrder.DEGREE);
    }

    @Test
    void shouldOrderForSliceSetsAsThePaperDoes() {
        assertThat(repeated(WEB, true)).isEqualTo(VertexOrder.JACCARD);
        assertThat(repeated(MESH, true)).isEqualTo(VertexOrder.RCM);
        assertThat(repeated(EVEN, true)).isEqualTo(VertexOrder.RCM);
    }

    @Test
    void shouldOrderAGraphWithHubsByDegreeForItsFirstSearch() {
        OrderPolicy first = first(WEB, 1, false);
        assertThat(first.order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(first.reason()).contains("has hubs");
        assertThat(first(EVEN, 1, false).order()).isEqualTo(VertexOrder.NATURAL);
        for (long searches = 1; searches <= 1 << 20; searches *= 4) {
            assertThat(first(WEB, searches, false).order())
                    .as("%d searches", searches)
                    .isEqualTo(VertexOrder.DEGREE);
        }
    }

    @Test
    void shouldOrderADeepGraphWithHubsAsAnyDeepGraph() {
        EdgeList path = TestGraphs.path(1 << 17);
        for (int leaf = 0; leaf < 100; leaf++) {
            path.add(1 << 16, leaf * 1000);
        }
        Csc deep = path.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        assertThat(OrderPolicy.hasHubs(deep, 2, Stop.NEVER)).isTrue();
        assertThat(first(deep, 1, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(first(deep, REPAID, false).order()).isEqualTo(VertexOrder.RCM);
        assertThat(repeated(deep, true)).isEqualTo(VertexOrder.RCM);
    }

    @Test
    void shouldFindHubsInEitherDirection() {
        assertThat(hasHubs(TestGraphs.rmat(12, 16, 1), Orientation.UNDIRECTED)).isTrue();
        for (Orientation orientation : Orientation.values()) {
            // of 19 vertices, the mean is 1.9 undirected and 0.95 directed
            assertThat(hasHubs(TestGraphs.star(19), orientation)).isEqualTo(orientation != Orientation.UNDIRECTED);
            assertThat(hasHubs(TestGraphs.star(20), orientation)).isTrue();
            for (EdgeList even : List.of(TestGraphs.path(500), TestGraphs.clique(100), TestGraphs.empty())) {
                assertThat(hasHubs(even, orientation)).isFalse();
            }
        }
    }

    private static boolean hasHubs(EdgeList edges, Orientation orientation) {
        Csc graph = edges.toCsc(orientation, 1, Stop.NEVER);
        boolean found = OrderPolicy.hasHubs(graph, 1, Stop.NEVER);
        assertThat(OrderPolicy.hasHubs(graph, 4, Stop.NEVER)).isEqualTo(found);
        return found;
    }

    @Test
    void shouldOrderBeforeTheFirstRunWhatItsSearchesRepay() {
        assertThat(first(MESH, 1, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(first(MESH, REPAID - 1, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(first(MESH, REPAID, false).order()).isEqualTo(VertexOrder.RCM);
        assertThat(first(WEB, REPAID - 1, true).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(first(WEB, REPAID, true).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(first(WEB, JACCARD_REPAID - 1, true).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(first(WEB, JACCARD_REPAID, true).order()).isEqualTo(VertexOrder.JACCARD);
    }

    @Test
    void shouldLeaveSmallGraphsAsProjected() {
        Csc small = TestGraphs.rmat(10, 16, 3).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(first(small, JACCARD_REPAID, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(repeated(small, false)).isEqualTo(VertexOrder.DEGREE);
    }

    @Test
    void shouldNotTransposeADirectedGraphForOneSearch() {
        Csc directed = TestGraphs.rmat(14, 16, 3).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        assertThat(first(directed, 1, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(directed.hasTransposed()).isFalse();
        directed.transposed(2, Stop.NEVER);
        assertThat(first(directed, 1, false).order()).isEqualTo(VertexOrder.DEGREE);
    }

    @Test
    void shouldOrderADirectedGraphByReachForManySearches() {
        Csc directed = TestGraphs.rmat(14, 16, 3).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        // both make the reversed graph
        assertThat(List.of(VertexOrder.DEGREE, VertexOrder.REACH))
                .allSatisfy(order -> assertThat(heapBytes(order, directed, true, false))
                        .isGreaterThanOrEqualTo(Csc.transposingMemory(directed.vertexCount(), directed.entryCount(), 2)
                                .maxBytes()));
        long repaid = OrderPolicy.SEARCHES_THAT_REPAY_REACH;
        assertThat(first(directed, repaid - 1, false).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(first(directed, repaid, false).order()).isEqualTo(VertexOrder.REACH);
        assertThat(first(directed, repaid, true).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(repeated(directed, false)).isEqualTo(VertexOrder.REACH);
        Csc path = TestGraphs.path(1 << 18).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        assertThat(first(path, repaid, false).order()).isEqualTo(VertexOrder.RCM);
    }

    /** What an estimate is told must hold for every graph and run. */
    @Test
    void shouldOrderOnlyWhatItSaysItMayOrder() {
        for (Csc graph : new Csc[] {WEB, MESH, EVEN}) {
            for (long searches : new long[] {1, REPAID, JACCARD_REPAID}) {
                for (boolean overSliceSets : new boolean[] {false, true}) {
                    VertexOrder order = first(graph, searches, overSliceSets).order();
                    boolean may = OrderPolicy.mayOrderFirst(GraphShape.of(graph), searches > 1, overSliceSets);
                    assertThat(order == VertexOrder.NATURAL || may).isTrue();
                    assertThat(heapBytes(order, graph, searches > 1, overSliceSets))
                            .isLessThanOrEqualTo(heapBytes(VertexOrder.AUTO, graph, searches > 1, overSliceSets));
                }
            }
        }
    }

    private static long heapBytes(VertexOrder order, Csc graph, boolean manySearches, boolean overSliceSets) {
        return OrderPolicy.heapBytes(order, GraphShape.of(graph), manySearches, overSliceSets, 2);
    }

    private static OrderPolicy first(Csc graph, long searches, boolean overSliceSets) {
        return OrderPolicy.first(graph, VertexOrder.AUTO, searches, overSliceSets, 2, Stop.NEVER);
    }

    private static VertexOrder repeated(Csc graph, boolean overSliceSets) {
        return OrderPolicy.repeated(graph, overSliceSets, 2, Stop.NEVER).order();
    }
}
