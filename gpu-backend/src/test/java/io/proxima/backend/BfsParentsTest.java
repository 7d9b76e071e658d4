// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BfsParentsTest {

    private static final int NONE = BfsParents.NO_PARENT;

    @Provide
    Arbitrary<SmallGraph> smallGraphs() {
        return SmallGraph.arbitrary(120, 400);
    }

    @Property(tries = 400)
    void shouldTakeTheLowestInNeighbourOneLevelNearer(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int threads,
            @ForAll @IntRange(min = -1, max = 4) int maxDepth,
            @ForAll boolean transposed) {
        Csc csc = graph.toEdgeList().toCsc(orientation, 1, Stop.NEVER);
        if (csc.vertexCount() == 0) {
            return;
        }
        if (transposed) {
            csc.transposed(1, Stop.NEVER);
        }
        int[] levels = TextbookBfs.levels(csc, maxDepth, 0);
        int[] expected = new int[levels.length];
        Arrays.fill(expected, NONE);
        for (int vertex = levels.length - 1; vertex >= 0; vertex--) {
            for (long i = csc.columnStart(vertex); i < csc.columnEnd(vertex); i++) {
                int neighbour = csc.rowIndices().get(i);
                if (levels[vertex] >= 0 && levels[neighbour] == levels[vertex] + 1) {
                    expected[neighbour] = vertex;
                }
            }
        }
        assertThat(parents(csc, levels, threads)).isEqualTo(expected);
    }

    /** The five rules of the Graph500 specification, for an input large enough that threads share it. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldPassTheValidationOfGraph500(Orientation orientation) {
        Csc csc = TestGraphs.rmat(14, 16, 11).toCsc(orientation, 2, Stop.NEVER);
        int source = 1;
        int[] levels = TextbookBfs.levels(csc, -1, source);
        int[] pushed = parents(csc, levels, 4);
        csc.transposed(2, Stop.NEVER);
        int[] parents = parents(csc, levels, 4);
        assertThat(parents).isEqualTo(pushed).isEqualTo(parents(csc, levels, 1));
        for (int vertex = 0; vertex < parents.length; vertex++) {
            int parent = parents[vertex];
            // 4: the tree spans the vertices that the source reaches
            assertThat(parent != NONE).isEqualTo(vertex != source && levels[vertex] >= 0);
            if (parent != NONE) {
                // 2: its edges connect levels that differ by one, so that 1: it has no cycle
                assertThat(levels[parent]).isEqualTo(levels[vertex] - 1);
                // 5: its edges are edges of the graph
                assertThat(csc.hasEdge(parent, vertex)).isTrue();
            }
            // 3: no edge of the graph leads more than one level farther
            for (long i = csc.columnStart(vertex); levels[vertex] >= 0 && i < csc.columnEnd(vertex); i++) {
                assertThat(levels[csc.rowIndices().get(i)]).isBetween(0, levels[vertex] + 1);
            }
        }
    }

    @Test
    void shouldEndWhenStopped() {
        for (Orientation orientation : new Orientation[] {Orientation.NATURAL, Orientation.UNDIRECTED}) {
            Csc csc = TestGraphs.star(200_000).toCsc(orientation, 1, Stop.NEVER);
            Levels levels = levels(TextbookBfs.levels(csc, -1, 0));
            // the hub takes longer than all checks between ranges
            int[] checks = {0};
            RunControl stopped = new RunControl(1, () -> ++checks[0] > 2, Progress.NONE);
            assertThatThrownBy(() -> BfsParents.find(csc, levels, stopped)).isInstanceOf(StoppedException.class);
        }
    }

    private static int[] parents(Csc graph, int[] levels, int threads) {
        return BfsParents.find(graph, levels(levels), RunControl.of(threads));
    }

    private static Levels levels(int[] levels) {
        return new Levels(levels, new long[Arrays.stream(levels).max().orElse(0) + 1]);
    }
}
