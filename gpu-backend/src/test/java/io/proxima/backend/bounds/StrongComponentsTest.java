// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.GraphShape;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TextbookBfs;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StrongComponentsTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.directed(40, 90);
    }

    @Property(tries = 1000)
    void shouldEqualSearchesFromAllVertices(
            @ForAll("graphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving(
                "StrongComponentsTest.shouldEqualSearchesFromAllVertices",
                edges,
                () -> check(edges.toCsc(orientation, 1, Stop.NEVER), concurrency));
    }

    private static void check(Csc csc, int concurrency) {
        int n = csc.vertexCount();
        int[][] levels = new int[n][];
        Arrays.setAll(levels, source -> TextbookBfs.levels(csc, -1, source));
        StrongComponents components = StrongComponents.of(csc, concurrency, Stop.NEVER);
        int[] along = components.reached(true, concurrency, Stop.NEVER);
        int[] against = components.reached(false, concurrency, Stop.NEVER);
        assertThat(along).hasSize(components.count());
        assertThat(against).hasSize(components.count());
        for (int u = 0; u < n; u++) {
            int reached = 0;
            int reaching = 0;
            int mutual = 0;
            for (int v = 0; v < n; v++) {
                boolean there = levels[u][v] >= 0;
                boolean back = levels[v][u] >= 0;
                reached += there ? 1 : 0;
                reaching += back ? 1 : 0;
                mutual += there && back ? 1 : 0;
                assertThat(components.of(u) == components.of(v)).isEqualTo(there && back);
                if (there) {
                    assertThat(components.of(v)).isLessThanOrEqualTo(components.of(u));
                }
            }
            assertThat(along[components.of(u)]).as("reached from %d", u).isEqualTo(reached);
            assertThat(against[components.of(u)]).as("that reach %d", u).isEqualTo(reaching);
            assertThat(components.size(components.of(u))).isEqualTo(mutual);
        }
    }

    /** Components of one and of many vertices in several slices; threads and directions agree. */
    @Test
    void shouldCountOverSeveralSlices() {
        int n = 3000;
        EdgeList edges = new EdgeList(n);
        for (int vertex = 0; vertex < n - 1; vertex++) {
            edges.add(vertex, vertex + 1);
            if (vertex % 100 < 3) {
                edges.add(vertex + 1, vertex);
            }
        }
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        for (int concurrency : new int[] {1, 4}) {
            StrongComponents components = StrongComponents.of(csc, concurrency, Stop.NEVER);
            assertThat(components.count()).isEqualTo(n - n / 100 * 3);
            int[] along = components.reached(true, concurrency, Stop.NEVER);
            int[] against = components.reached(false, concurrency, Stop.NEVER);
            for (int vertex = 0; vertex < n; vertex++) {
                int ofHundred = vertex % 100;
                int first = ofHundred < 4 ? vertex - ofHundred : vertex;
                int last = ofHundred < 4 ? first + 3 : vertex;
                assertThat(along[components.of(vertex)]).isEqualTo(n - first);
                assertThat(against[components.of(vertex)]).isEqualTo(last + 1);
            }
        }
    }

    @Test
    void shouldSearchADeepGraphWithoutRecursion() {
        EdgeList path = TestGraphs.path(1 << 20);
        StrongComponents one = StrongComponents.of(path.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER), 1, Stop.NEVER);
        assertThat(one.count()).isEqualTo(1);
        assertThat(one.size(0)).isEqualTo(1 << 20);
        assertThat(StrongComponents.of(path.toCsc(Orientation.NATURAL, 1, Stop.NEVER), 1, Stop.NEVER)
                        .count())
                .isEqualTo(1 << 20);
    }

    @Test
    void shouldHearAStop() {
        Csc csc = TestGraphs.rmat(14, 8, 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThatThrownBy(() -> StrongComponents.of(csc, 2, () -> true)).isInstanceOf(StoppedException.class);
        StrongComponents components = StrongComponents.of(csc, 2, Stop.NEVER);
        for (boolean along : new boolean[] {true, false}) {
            assertThatThrownBy(() -> components.reached(along, 2, () -> true)).isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldEstimateItsHeap() {
        // the components and the path; or a sweep of each thread, of which more than slices do nothing
        GraphShape graph = new GraphShape(100_000, 500_000, false);
        MemoryTree directed = StrongComponents.memory(graph, 4);
        assertThat(directed.minBytes()).isEqualTo(1_300_000);
        long sweep = 100_000L * (8 * Long.BYTES + Integer.BYTES);
        assertThat(directed.maxBytes()).isBetween(4 * sweep, 5 * sweep);
        assertThat(StrongComponents.memory(graph, 400).maxBytes()).isBetween(196 * sweep, 197 * sweep);
        // no edge of a symmetric graph leads out of a component
        assertThat(StrongComponents.memory(new GraphShape(1000, 5000, true), 8).maxBytes())
                .isLessThan(40_000);
    }
}
