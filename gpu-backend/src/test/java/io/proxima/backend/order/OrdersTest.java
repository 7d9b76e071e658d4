// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.papers.jaccard.JaccardWithWindows;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrdersTest {

    private static final int SMALL_WINDOW = 24;

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(150, 400);
    }

    @Provide
    Arbitrary<VertexOrder> orders() {
        return Arbitraries.of(VertexOrder.class).filter(order -> order != VertexOrder.AUTO);
    }

    @Property(tries = 400)
    void shouldBeABijectionThatKeepsEveryDistance(
            @ForAll("graphs") SmallGraph sample, @ForAll Orientation orientation, @ForAll("orders") VertexOrder order) {
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving("OrdersTest.shouldBeABijectionThatKeepsEveryDistance", edges, () -> {
            Csc graph = edges.toCsc(orientation, 1, Stop.NEVER);

            Permutation permutation = permutation(order, graph, 1);

            assertThat(permutation.size()).isEqualTo(graph.vertexCount());
            Csc ordered = permutation.apply(graph, 2, Stop.NEVER);
            for (int source = 0; source < Math.min(5, graph.vertexCount()); source++) {
                int[] bySlot = TextbookBfs.levels(ordered, -1, permutation.slot(source));
                assertThat(IntStream.range(0, graph.vertexCount())
                                .map(vertex -> bySlot[permutation.slot(vertex)])
                                .toArray())
                        .isEqualTo(TextbookBfs.levels(graph, -1, source));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldNotDependOnTheConcurrency(VertexOrder order) {
        for (Csc graph : new Csc[] {
            TestGraphs.rmat(14, 16, 3).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
            TestGraphs.rmat(13, 8, 4).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
            Meshes.shuffledLattice(300, 0.6, 5),
        }) {
            int[] expected = slots(permutation(order, graph, 1));
            for (int concurrency : new int[] {2, 3, 8}) {
                assertThat(slots(permutation(order, graph, concurrency)))
                        .as("%d threads", concurrency)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldPutHighDegreesFirstAndEqualOnesByTheirFirstNeighbour() {
        EdgeList edges = TestGraphs.of(9, "1>2 1>3 1>4 3>4 5>1 5>2 6>3 7>1 8>0 8>3");
        Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);

        // degrees out and in: 1 5 2 4 2 2 1 1 2; 0, 2 and 4 reach nothing
        assertThat(vertices(permutation(VertexOrder.DEGREE, graph, 1))).containsExactly(1, 3, 5, 8, 2, 4, 7, 6, 0);
    }

    /** Out-degree and in-degree of a vertex can add up to almost 2^32. */
    @Test
    void shouldSortDegreesBeyondThoseOfAnInt() {
        long[] degrees = {5_000, (1L << 32) - 20, 3, 1L << 31, (1L << 31) - 1, 1L << 31};

        Degrees counted = Degrees.count(vertex -> degrees[vertex], degrees.length, 1, Stop.NEVER);
        assertThat(counted.descending(1, Stop.NEVER)).containsExactly(1, 3, 5, 4, 0, 2);
    }

    @Test
    void shouldOrderByTheHubThatASearchReachesThenByTheDistance() {
        // 0 to 2 reach the hub 3, which reaches the hub 8; 9 is alone
        EdgeList edges = TestGraphs.of(10, "0>1 1>3 2>3 3>4 3>5 3>6 6>8 7>8 8>7");
        Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);

        assertThat(vertices(permutation(VertexOrder.REACH, graph, 1))).containsExactly(3, 1, 2, 0, 8, 6, 7, 4, 5, 9);
    }

    /** Each order looks at its stop all the time; PreparationStopTest only sees those that last without it. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AUTO", "NATURAL"})
    void shouldLookAtItsStopToTheEnd(VertexOrder order) {
        Csc graph = TestGraphs.rmat(16, 16, 5).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        AtomicLong looks = new AtomicLong();
        Orders.permutation(order, graph, 2, () -> looks.incrementAndGet() < 0, Progress.NONE);
        long whole = looks.get();
        assertThat(whole).as("looks at the stop").isGreaterThan(5);
        for (long third = 1; third < 3; third++) {
            AtomicLong left = new AtomicLong(whole * third / 3);
            assertThatThrownBy(
                            () -> Orders.permutation(order, graph, 2, () -> left.decrementAndGet() < 0, Progress.NONE))
                    .isInstanceOf(StoppedException.class);
        }
    }

    private static Permutation permutation(VertexOrder order, Csc graph, int concurrency) {
        return order == VertexOrder.JACCARD
                ? JaccardWithWindows.of(graph, SMALL_WINDOW, concurrency, Stop.NEVER, Progress.NONE)
                : Orders.permutation(order, graph, concurrency, Stop.NEVER, Progress.NONE);
    }

    private static int[] slots(Permutation permutation) {
        return IntStream.range(0, permutation.size()).map(permutation::slot).toArray();
    }

    private static int[] vertices(Permutation permutation) {
        return IntStream.range(0, permutation.size()).map(permutation::vertex).toArray();
    }
}
