// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The format carries a breadth-first search: the paper's algorithm, run on it as it stands, finds the textbook's levels. */
class BvssTraversalTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(200, 400);
    }

    @Test
    void shouldFindTheLevelsOfTheWorkedExample() {
        Bvss bvss = Graphs.bvss(Graphs.csc(Graphs.workedExample(), Orientation.NATURAL));

        int[] levels = ReferenceBfs.overBvss(bvss, 19);

        int never = ReferenceBfs.UNREACHED;
        assertThat(levels)
                .containsExactly(
                        1, never, never, 2, never, never, never, never, never, never, never, never, never, never, never,
                        never, never, 2, 1, 0);
    }

    @Test
    void shouldPullEverySliceAtTheLaneThatOwnsIt() {
        Random random = new Random(7);
        Bvss bvss = Graphs.bvss(Graphs.csc(Graphs.withSlices(300), Orientation.NATURAL));
        for (int vss = 0; vss < bvss.virtualSliceSetCount(); vss++) {
            int alpha = random.nextInt(256);
            int[][] popcounts = SimulatedWarp.pull(bvss, vss, alpha);
            for (int slice = 0; slice < BvssLayout.VSS_SLICES; slice++) {
                assertThat(popcounts[BvssLayout.lane(slice)][slice % 4])
                        .as("vss=%s, slice=%s, alpha=%s", vss, slice, alpha)
                        .isEqualTo(Integer.bitCount(bvss.mask(vss, slice) & alpha));
            }
        }
    }

    @Property(tries = 300)
    void shouldFindTheLevelsOfTheTextbook(
            @ForAll("graphs") SmallGraph sample,
            @ForAll Orientation orientation,
            @ForAll @IntRange(max = 199) int anySource) {
        Assume.that(sample.vertexCount() > 0);
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving("BvssTraversalTest.shouldFindTheLevelsOfTheTextbook", edges, () -> {
            Csc graph = Graphs.csc(edges, orientation);
            int source = anySource % graph.vertexCount();
            assertThat(ReferenceBfs.overBvss(Graphs.bvss(graph), source))
                    .isEqualTo(ReferenceBfs.overCsc(graph, source));
        });
    }

    @Property(tries = 300)
    void shouldFindTheSameLevelsInAnyOrder(@ForAll("graphs") SmallGraph sample, @ForAll long seed) {
        Assume.that(sample.vertexCount() > 0);
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving("BvssTraversalTest.shouldFindTheSameLevelsInAnyOrder", edges, () -> {
            Csc graph = Graphs.csc(edges, Orientation.NATURAL);
            int source = new Random(seed).nextInt(graph.vertexCount());
            assertThat(levelsThroughOrder(graph, source, seed)).isEqualTo(ReferenceBfs.overCsc(graph, source));
        });
    }

    @Test
    void shouldFindTheLevelsOfEveryShapeInAnyOrder() {
        Graphs.shapes()
                .forEach((name, edges) -> FailingGraphs.saving("BvssTraversalTest.shapes-" + name, edges, () -> {
                    for (Orientation orientation : Orientation.values()) {
                        Csc graph = Graphs.csc(edges, orientation);
                        for (int source = 0; source < graph.vertexCount(); source += 1 + graph.vertexCount() / 3) {
                            int[] expected = ReferenceBfs.overCsc(graph, source);
                            assertThat(ReferenceBfs.overBvss(Graphs.bvss(graph), source))
                                    .as("%s %s from %s", name, orientation, source)
                                    .isEqualTo(expected);
                            assertThat(levelsThroughOrder(graph, source, source))
                                    .as("%s %s from %s in another order", name, orientation, source)
                                    .isEqualTo(expected);
                        }
                    }
                }));
    }

    private static int[] levelsThroughOrder(Csc graph, int source, long seed) {
        List<Integer> slots = IntStream.range(0, graph.vertexCount()).boxed().collect(Collectors.toList());
        Collections.shuffle(slots, new Random(seed));
        Permutation order =
                Permutation.ofSlots(slots.stream().mapToInt(Integer::intValue).toArray(), Stop.NEVER);
        Bvss bvss = Graphs.bvss(order.apply(graph, 2, Stop.NEVER));
        bvss.validate();
        return order.toVertexOrder(ReferenceBfs.overBvss(bvss, order.slot(source)));
    }
}
