// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NestedBallsTest {

    private static final int LARGE = 128;
    private static final int SMALL = 32;

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(400, 900);
    }

    @Property(tries = 200)
    void shouldPlaceEverySlotOnce(@ForAll("graphs") SmallGraph graph, @ForAll Orientation orientation) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving("NestedBallsTest.shouldPlaceEverySlotOnce", edges, () -> {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            int[] slotAt = NestedBalls.of(csc, null, csc.vertexCount(), LARGE, SMALL, 1, Stop.NEVER);
            Arrays.sort(slotAt);
            assertThat(slotAt).isEqualTo(IntStream.range(0, csc.vertexCount()).toArray());
        });
    }

    /** A grid of several ranges, with any number of threads. */
    @Test
    void shouldPutNeighboursOfAGridTogether() {
        int width = 400;
        Csc csc = TestGraphs.grid(width, width).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        int n = csc.vertexCount();
        int[] slotAt = NestedBalls.of(csc, null, csc.vertexCount(), LARGE, SMALL, 1, Stop.NEVER);
        assertThat(NestedBalls.of(csc, null, n, LARGE, SMALL, 4, Stop.NEVER)).isEqualTo(slotAt);
        int[] positionOf = new int[n];
        for (int position = 0; position < n; position++) {
            positionOf[slotAt[position]] = position;
        }
        // of the 128 links of a square of 32 some 23 lead out, of those of a row 66
        assertThat(linksOut(csc, positionOf, SMALL)).isLessThan(0.33);
        assertThat(linksOut(csc, positionOf, LARGE)).isLessThan(0.16);
        assertThat(linksOut(csc, IntStream.range(0, n).toArray(), SMALL)).isGreaterThan(0.5);
    }

    private static double linksOut(Csc csc, int[] positionOf, int size) {
        long out = 0;
        for (int v = 0; v < csc.vertexCount(); v++) {
            for (long i = csc.columnStart(v); i < csc.columnEnd(v); i++) {
                out += positionOf[csc.rowIndices().get(i)] / size == positionOf[v] / size ? 0 : 1;
            }
        }
        return (double) out / csc.entryCount();
    }

    @Test
    void shouldFollowTheSlotsOfAnOrder() {
        int width = 60;
        Csc grid = TestGraphs.grid(width, width).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int n = grid.vertexCount();
        int[] shuffled =
                IntStream.range(0, n).map(v -> (int) (v * 1_000_003L % n)).toArray();
        Permutation order = Permutation.ofVertices(shuffled, 1, Stop.NEVER);
        int[] positionOf = new int[n];
        int[] slotAt = NestedBalls.of(grid, order, n, LARGE, SMALL, 1, Stop.NEVER);
        for (int position = 0; position < n; position++) {
            positionOf[order.vertex(slotAt[position])] = position;
        }
        assertThat(linksOut(grid, positionOf, SMALL)).isLessThan(0.35);
    }
}
