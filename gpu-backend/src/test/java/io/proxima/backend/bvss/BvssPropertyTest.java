// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** CSC to BVSS and back. */
class BvssPropertyTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(300, 600);
    }

    @Property(tries = 500)
    void shouldComeBackFromBvss(
            @ForAll("graphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 9) int pageShift) {
        comesBack("BvssPropertyTest.shouldComeBackFromBvss", graph.toEdgeList(), orientation, concurrency, pageShift);
    }

    @Property(tries = 60)
    void shouldComeBackFromBvssWhenRmat(
            @ForAll @IntRange(max = 11) int scale, @ForAll @IntRange(max = 24) int edgeFactor, @ForAll long seed) {
        EdgeList edges = TestGraphs.rmat(scale, edgeFactor, seed);
        comesBack("BvssPropertyTest.shouldComeBackFromBvssWhenRmat", edges, Orientation.UNDIRECTED, 2, 27);
    }

    @Property(tries = 100)
    void shouldComeBackFromBvssWhateverTheLastSliceSet(
            @ForAll @IntRange(min = 1, max = 2100) int vertexCount, @ForAll long seed) {
        EdgeList edges = TestGraphs.uniform(vertexCount, 3L * vertexCount, seed, true);
        comesBack("BvssPropertyTest.shouldComeBackFromBvssWhateverTheLastSliceSet", edges, Orientation.NATURAL, 2, 27);
    }

    @Test
    void shouldComeBackFromBvssInEveryShape() {
        Graphs.shapes().forEach((name, edges) -> {
            for (Orientation orientation : Orientation.values()) {
                comesBack("BvssPropertyTest.shapes-" + name, edges, orientation, 2, 27);
            }
        });
    }

    private static void comesBack(
            String name, EdgeList edges, Orientation orientation, int concurrency, int pageShift) {
        FailingGraphs.saving(name, edges, () -> {
            Csc graph = edges.toCsc(orientation, concurrency, Stop.NEVER);
            Bvss bvss = BvssBuilder.build(graph, concurrency, Stop.NEVER, Progress.NONE, pageShift);
            bvss.validate();
            assertThat(bvss.entryCount()).isEqualTo(graph.entryCount());
            assertThat(bvss.sliceCount()).isBetween((graph.entryCount() + 7) / 8, graph.entryCount());

            Csc back = BvssReader.toCsc(bvss, concurrency, Stop.NEVER);

            back.validate();
            assertThat(back.columnPointers()).as("column pointers").isEqualTo(graph.columnPointers());
            assertThat(rows(back)).as("row indices").isEqualTo(rows(graph));
        });
    }

    private static int[] rows(Csc graph) {
        int[] rows = new int[Math.toIntExact(graph.entryCount())];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = graph.rowIndices().get(i);
        }
        return rows;
    }
}
