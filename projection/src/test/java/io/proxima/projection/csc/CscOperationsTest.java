// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphEntries;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.UnionDegrees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CscOperationsTest {

    private static final int VERTICES = 700_000;

    @Test
    void shouldCountAsTheUnionHasThemAndKeepNothing() {
        GraphProjection graph = graph();
        long before = graph.bytes();
        int[] times = new int[VERTICES];
        graph.degrees(3, Stop.NEVER, (worker, degree) -> {
            synchronized (times) {
                times[degree]++;
            }
        });
        assertThat(graph.bytes()).isEqualTo(before);

        Csc union = graph.csc(1, Stop.NEVER);
        assertThat(graph.bytes()).isGreaterThan(before);
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            times[union.degree(vertex)]--;
        }
        assertThat(times).containsOnly(0);
    }

    @Test
    void shouldCountTheEdgesOfASingleTypeAndOfNone() {
        GraphProjection graph = graph();
        GraphProjection one =
                graph.part(graph.labels(), List.of("A"), Stop.NEVER).make(1, Stop.NEVER);
        long[] edges = {0};
        one.degrees(1, Stop.NEVER, (worker, degree) -> edges[0] += degree);
        assertThat(edges[0]).isEqualTo(one.relationshipCount());
        graph.part(graph.labels(), List.of(), Stop.NEVER)
                .make(1, Stop.NEVER)
                .degrees(1, Stop.NEVER, (worker, degree) -> assertThat(degree).isZero());
    }

    @Test
    void shouldReplaceThePairOfFarVertices() {
        EdgeList edges = TestGraphs.path(20_000);
        int[][] before = GraphEntries.rows(edges, Orientation.UNDIRECTED);
        Csc pair = new EdgeList(2).add(0, 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        CscPatch patch = new CscPatch(edges.vertexCount(), null, new int[] {10, edges.vertexCount() - 2}, pair);
        Csc more = patched(patch, edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER), pair);
        edges.add(10, edges.vertexCount() - 2);
        assertThat(GraphEntries.rows(more)).isDeepEqualTo(GraphEntries.rows(edges, Orientation.UNDIRECTED));

        Csc less = patched(patch, more, new EdgeList(2).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER));
        assertThat(GraphEntries.rows(less)).isDeepEqualTo(before);
    }

    private static Csc patched(CscPatch patch, Csc graph, Csc fresh) {
        Csc patched = patch.apply(
                        new CscBuilder.Built(graph, List.of()), new CscBuilder.Built(fresh, List.of()), 2, Stop.NEVER)
                .graph();
        patched.validate(1, Stop.NEVER);
        return patched;
    }

    @Test
    void shouldHearTheStopWithinAHub() {
        int[] asked = {0};
        Stop stop = () -> ++asked[0] > 2;
        assertThatThrownBy(() -> graph().degrees(1, stop, (worker, degree) -> {}))
                .isInstanceOf(StoppedException.class);
    }

    @Test
    void shouldHearTheStopWhileManyGraphsAreJoined() {
        List<Csc> graphs = new ArrayList<>();
        for (int graph = 0; graph < 3_000; graph++) {
            graphs.add(new EdgeList(2_000)
                    .add(graph % 2_000, (graph + 1) % 2_000)
                    .toCsc(Orientation.NATURAL, 1, Stop.NEVER));
        }
        // a look for each 2^15 columns of a graph
        int wanted = (3_000 * 2_000) >> 16;
        AtomicInteger asked = new AtomicInteger();
        Stop stop = () -> asked.incrementAndGet() < 0;
        UnionDegrees.count(graphs, 1, stop, (worker, degree) -> {});
        assertThat(asked.getAndSet(0)).isGreaterThan(wanted);
        CscOperations.union(graphs, 1, stop);
        assertThat(asked.getAndSet(0)).isGreaterThan(wanted);
        List<WeightedCsc> weighted = graphs.stream()
                .map(graph -> new WeightedCsc(
                        graph,
                        DoublePages.allocate(
                                graph.entryCount(), graph.rowIndices().pageShift())))
                .toList();
        WeightedCsc.union(weighted, 1, stop);
        // counting, joining
        assertThat(asked.get()).isGreaterThan(2 * wanted);
    }

    /** A hub of three types that share some of its edges, and some vertices at random. */
    private static GraphProjection graph() {
        EdgeList a = new EdgeList(VERTICES);
        EdgeList b = new EdgeList(VERTICES);
        EdgeList c = new EdgeList(VERTICES);
        for (int to = 1; to < VERTICES; to++) {
            a.add(0, to);
            if (to % 2 == 0) {
                b.add(0, to);
            }
            if (to % 3 == 0) {
                c.add(0, to);
            }
        }
        Random random = new Random(3);
        for (int edge = 0; edge < 50_000; edge++) {
            List.of(a, b, c).get(edge % 3).add(1 + random.nextInt(100), random.nextInt(1_000));
        }
        Map<String, Csc> types = Map.of(
                "A", a.toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                "B", b.toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                "C", c.toCsc(Orientation.NATURAL, 2, Stop.NEVER));
        return new GraphProjection(
                IdMap.consecutive(0, VERTICES),
                Collections.singletonMap("N", null),
                types,
                Map.of("A", Map.of(), "B", Map.of(), "C", Map.of()));
    }
}
