// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.order.Afforest;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SearchOrderTest {

    private static final int BALL = 64;

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(60, 60);
    }

    @Property(tries = 300)
    void shouldPlaceComponentsOneAfterTheOther(@ForAll("graphs") SmallGraph graph, @ForAll Orientation orientation) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving("SearchOrderTest.shouldPlaceComponentsOneAfterTheOther", edges, () -> {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            check(csc, null);
            if (csc.isSymmetric()) {
                check(csc, HangingTrees.of(csc, Set.of(), Stop.NEVER));
            }
        });
    }

    /** Two grids of several ranges of balls, a path, and a tree that hangs from a grid. */
    @Test
    void shouldPlaceAComponentOfADeepGraphInBalls() {
        int side = 300;
        int first = side * side;
        int second = first + 100 * 100;
        EdgeList edges = new EdgeList(second + 100);
        addGrid(edges, 0, side);
        addGrid(edges, first, 100);
        for (int vertex = second; vertex < second + 99; vertex++) {
            edges.add(vertex, vertex + (vertex == second + 49 ? -second : 1));
        }
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        SearchOrder order = check(csc, HangingTrees.of(csc, Set.of(), Stop.NEVER));
        assertThat(order.isDeep()).isTrue();
        assertThat(order.componentCount()).isEqualTo(2);
        assertThat(order.largestComponent()).isEqualTo(first);
        long out = 0;
        for (int slot = 0; slot < first; slot++) {
            int vertex = order.permutation().vertex(slot);
            for (long i = csc.columnStart(vertex); i < csc.columnEnd(vertex); i++) {
                int other = order.permutation().slot(csc.rowIndices().get(i));
                out += other / BALL == slot / BALL ? 0 : 1;
            }
        }
        // of the 256 links of a square of 64 some 32 lead out
        assertThat((double) out / csc.entryCount()).isLessThan(0.25);
    }

    private static void addGrid(EdgeList edges, int first, int side) {
        EdgeList grid = TestGraphs.grid(side, side);
        for (long edge = 0; edge < grid.edgeCount(); edge++) {
            edges.add(first + grid.source(edge), first + grid.target(edge));
        }
    }

    private static SearchOrder check(Csc csc, HangingTrees trees) {
        SearchOrder order = SearchOrder.of(csc, csc.transposed(1, Stop.NEVER), trees, 1, Stop.NEVER);
        assertThat(SearchOrder.of(csc, csc.transposed(1, Stop.NEVER), trees, 4, Stop.NEVER)
                        .permutation()
                        .vertices())
                .isEqualTo(order.permutation().vertices());
        int[] lowest = Afforest.of(csc, 1, Stop.NEVER, Progress.NONE);
        Set<Integer> found = new HashSet<>();
        int size = csc.vertexCount();
        for (int component = 0; component < order.componentCount(); component++) {
            int start = order.componentStart(component);
            int end = order.componentStart(component + 1);
            assertThat(end - start).isBetween(2, size);
            size = end - start;
            int ofFirst = lowest[order.permutation().vertex(start)];
            assertThat(found.add(ofFirst)).isTrue();
            for (int slot = start; slot < end; slot++) {
                int vertex = order.permutation().vertex(slot);
                assertThat(lowest[vertex]).isEqualTo(ofFirst);
                assertThat(trees == null || trees.isKept(vertex)).isTrue();
            }
        }
        // what is left has no other vertex to search
        for (int slot = order.slotCount(); slot < csc.vertexCount(); slot++) {
            int vertex = order.permutation().vertex(slot);
            assertThat((trees != null && !trees.isKept(vertex)) || !found.contains(lowest[vertex]))
                    .isTrue();
        }
        return order;
    }
}
