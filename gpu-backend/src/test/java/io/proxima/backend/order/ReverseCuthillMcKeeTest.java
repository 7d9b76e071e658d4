// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.GraphShape;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReverseCuthillMcKeeTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(100, 200);
    }

    @Property(tries = 500)
    void shouldBeTheTextbooks(@ForAll("graphs") SmallGraph sample, @ForAll Orientation orientation) {
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving("ReverseCuthillMcKeeTest.shouldBeTheTextbooks", edges, () -> {
            Csc graph = edges.toCsc(orientation, 1, Stop.NEVER);
            assertThat(vertices(ReverseCuthillMcKee.of(graph, 2, Stop.NEVER))).isEqualTo(sequential(graph));
        });
    }

    /** Each of several workers has a hub: what they sort its list in must not add up to more than the promise. */
    @Test
    void shouldTakeNoMoreHeapForHubsThanExpected() {
        int n = 200_000;
        int hubs = 8;
        EdgeList edges = new EdgeList(n);
        for (int hub = 0; hub < hubs; hub++) {
            for (int vertex = hubs; vertex < n; vertex++) {
                edges.add(hub * (n / hubs), vertex);
            }
        }
        Csc graph = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Map<Long, Long> first = new ConcurrentHashMap<>();
        Map<Long, Long> last = new ConcurrentHashMap<>();
        Stop looking = () -> {
            long thread = Thread.currentThread().getId();
            long allocated = threads.getThreadAllocatedBytes(thread);
            first.putIfAbsent(thread, allocated);
            last.put(thread, allocated);
            return false;
        };
        looking.requested();

        NeighboursByDegree.of(graph, hubs, looking);

        looking.requested();
        long taken = last.keySet().stream()
                .mapToLong(thread -> last.get(thread) - first.get(thread))
                .sum();
        assertThat(taken).isLessThan(Orders.heapBytes(VertexOrder.RCM, GraphShape.of(graph), hubs));
    }

    static Stream<Arguments> large() {
        return Stream.of(
                Arguments.of("wide levels", TestGraphs.rmat(15, 16, 1).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER)),
                Arguments.of("wide, directed", TestGraphs.rmat(15, 16, 2).toCsc(Orientation.NATURAL, 2, Stop.NEVER)),
                Arguments.of("narrow levels", Meshes.shuffledLattice(300, 0.6, 3)),
                Arguments.of("many components", Meshes.shuffledLattice(300, 0.3, 4)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("large")
    void shouldBeTheTextbooksOnLargerGraphs(String name, Csc graph) {
        assertThat(vertices(ReverseCuthillMcKee.of(graph, 4, Stop.NEVER))).isEqualTo(sequential(graph));
    }

    private static int bandwidth(Permutation order, Csc graph) {
        int bandwidth = 0;
        Csc ordered = order.apply(graph, 1, Stop.NEVER);
        for (int column = 0; column < ordered.vertexCount(); column++) {
            for (long i = ordered.columnStart(column); i < ordered.columnEnd(column); i++) {
                bandwidth = Math.max(bandwidth, Math.abs(ordered.rowIndices().get(i) - column));
            }
        }
        assertThat(ReverseCuthillMcKee.bandwidth(graph, order, 2, Stop.NEVER)).isEqualTo(bandwidth);
        return bandwidth;
    }

    private static int[] vertices(Permutation permutation) {
        return IntStream.range(0, permutation.size()).map(permutation::vertex).toArray();
    }

    /** The definition in the class comment, with a queue and one thread. */
    private static int[] sequential(Csc directed) {
        Csc graph = undirected(directed);
        int n = graph.vertexCount();
        boolean[] done = new boolean[n];
        List<Integer> order = new ArrayList<>();
        for (int lowest = 0; lowest < n; lowest++) {
            if (done[lowest] || graph.degree(lowest) == 0) {
                continue;
            }
            List<List<Integer>> levels = levels(graph, lowest);
            levels = levels(graph, Collections.min(levels.get(levels.size() - 1), byDegree(graph)));
            List<Integer> component = new ArrayList<>();
            levels.forEach(component::addAll);
            component.forEach(vertex -> done[vertex] = true);
            Collections.reverse(component);
            order.addAll(component);
        }
        IntStream.range(0, n).filter(vertex -> !done[vertex]).forEach(order::add);
        int[] vertices = order.stream().mapToInt(Integer::intValue).toArray();
        int[] natural = IntStream.range(0, n).toArray();
        return bandwidth(Permutation.ofVertices(vertices, 1, Stop.NEVER), directed)
                        <= bandwidth(Permutation.identity(n), directed)
                ? vertices
                : natural;
    }

    private static List<List<Integer>> levels(Csc graph, int root) {
        Map<Integer, Boolean> reached = new HashMap<>();
        List<List<Integer>> levels = new ArrayList<>();
        List<Integer> level = List.of(root);
        reached.put(root, true);
        while (!level.isEmpty()) {
            levels.add(level);
            List<Integer> next = new ArrayList<>();
            for (int vertex : level) {
                Integer[] children = IntStream.range(0, graph.degree(vertex))
                        .mapToObj(i -> graph.rowIndices().get(graph.columnStart(vertex) + i))
                        .filter(child -> reached.putIfAbsent(child, true) == null)
                        .toArray(Integer[]::new);
                Arrays.sort(children, byDegree(graph));
                next.addAll(Arrays.asList(children));
            }
            level = next;
        }
        return levels;
    }

    private static Csc undirected(Csc directed) {
        EdgeList edges = new EdgeList(directed.vertexCount());
        for (int column = 0; column < directed.vertexCount(); column++) {
            for (long i = directed.columnStart(column); i < directed.columnEnd(column); i++) {
                edges.add(column, directed.rowIndices().get(i));
            }
        }
        return edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    }

    private static Comparator<Integer> byDegree(Csc graph) {
        return Comparator.<Integer>comparingInt(graph::degree).thenComparing(Comparator.naturalOrder());
    }
}
