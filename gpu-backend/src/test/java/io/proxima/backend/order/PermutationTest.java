// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PermutationTest {

    private static final Permutation ROTATION = Permutation.ofVertices(new int[] {3, 0, 1, 2}, 1, Stop.NEVER);

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(120, 300);
    }

    @Test
    void shouldRelabelAGraphOnceForAllThatHoldTheRelabelling() {
        Csc graph = TestGraphs.cycle(4).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Permutation.Relabelling one = ROTATION.relabelling(graph);
        Permutation.Relabelling other = ROTATION.relabelling(graph);
        assertThatThrownBy(() -> one.graph(1, () -> true)).isInstanceOf(StoppedException.class);
        Csc relabelled = other.graph(1, Stop.NEVER);
        assertThat(one.graph(1, Stop.NEVER)).isSameAs(relabelled);
        assertThat(relabelled.columnPointers())
                .isEqualTo(ROTATION.apply(graph, 1, Stop.NEVER).columnPointers());

        Csc reversed = TestGraphs.path(4).toCsc(Orientation.REVERSE, 1, Stop.NEVER);
        assertThat(ROTATION.relabelling(reversed).graph(1, Stop.NEVER).entryCount())
                .as("of this graph, not of the other")
                .isEqualTo(3);
    }

    @Property(tries = 300)
    void shouldMoveEveryEdge(
            @ForAll("graphs") SmallGraph sample,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll long seed) {
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving("PermutationTest.shouldMoveEveryEdge", edges, () -> {
            Csc graph = edges.toCsc(orientation, 1, Stop.NEVER);
            Permutation permutation = random(graph.vertexCount(), seed);

            Csc moved = permutation.apply(graph, concurrency, Stop.NEVER);

            assertThat(moved.isSymmetric()).isEqualTo(graph.isSymmetric());
            assertThat(moved.entryCount()).isEqualTo(graph.entryCount());
            for (int column = 0; column < graph.vertexCount(); column++) {
                IntStream neighbours = Arrays.stream(rows(graph, column)).map(permutation::slot);
                assertThat(rows(moved, permutation.slot(column)))
                        .containsExactly(neighbours.sorted().toArray());
            }
        });
    }

    @Test
    void shouldRefuseWhatIsNoBijection() {
        assertThatThrownBy(() -> Permutation.ofVertices(new int[] {0, 2, 0}, 1, Stop.NEVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a vertex must have one slot: vertex=1");
        assertThatThrownBy(() -> Permutation.ofVertices(new int[] {0, 3, 1}, 1, Stop.NEVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a vertex must be 0 to 2: slot=1, vertex=3");
        assertThatThrownBy(() -> Permutation.ofVertices(new int[] {-1}, 1, Stop.NEVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("vertex=-1");
    }

    private static Permutation random(int size, long seed) {
        List<Integer> vertices = IntStream.range(0, size).boxed().collect(Collectors.toList());
        Collections.shuffle(vertices, new Random(seed));
        return Permutation.ofVertices(
                vertices.stream().mapToInt(Integer::intValue).toArray(), 1, Stop.NEVER);
    }

    private static int[] rows(Csc graph, int column) {
        int[] rows = new int[graph.degree(column)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = graph.rowIndices().get(graph.columnStart(column) + i);
        }
        return rows;
    }
}
