// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Levels;
import io.proxima.backend.RunContext;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TextbookBfs;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BfsParentsTest {

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
        check(csc, TextbookBfs.levels(csc, maxDepth, 0), threads);
    }

    /** Large enough that threads share it; with unknown and with known reverse edges. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldTakeTheSameInALargeGraph(Orientation orientation) {
        Csc csc = TestGraphs.rmat(14, 16, 11).toCsc(orientation, 2, Stop.NEVER);
        int[] levels = TextbookBfs.levels(csc, -1, 1);
        check(csc, levels, 4);
        csc.transposed(2, Stop.NEVER);
        check(csc, levels, 4);
    }

    private static void check(Csc csc, int[] levels, int threads) {
        int[] expected = new int[levels.length];
        Arrays.fill(expected, BfsParents.NO_PARENT);
        for (int vertex = levels.length - 1; vertex >= 0; vertex--) {
            for (long i = csc.columnStart(vertex); i < csc.columnEnd(vertex); i++) {
                int neighbour = csc.rowIndices().get(i);
                if (levels[vertex] >= 0 && levels[neighbour] == levels[vertex] + 1) {
                    expected[neighbour] = vertex;
                }
            }
        }
        assertThat(BfsParents.find(csc, vertex -> levels[vertex], null, RunContext.of(threads)))
                .isEqualTo(expected);
    }

    @Test
    void shouldEndWhenStopped() {
        for (Orientation orientation : new Orientation[] {Orientation.NATURAL, Orientation.UNDIRECTED}) {
            Csc csc = TestGraphs.star(200_000).toCsc(orientation, 1, Stop.NEVER);
            Levels levels = levels(TextbookBfs.levels(csc, -1, 0));
            // the hub takes longer than all checks between ranges
            int[] checks = {0};
            RunContext stopped = new RunContext(1, () -> ++checks[0] > 2, Progress.NONE);
            assertThatThrownBy(() -> BfsParents.find(csc, levels::level, null, stopped))
                    .isInstanceOf(StoppedException.class);
        }
    }

    private static Levels levels(int[] levels) {
        return new Levels(levels, new long[Arrays.stream(levels).max().orElse(0) + 1]);
    }
}
