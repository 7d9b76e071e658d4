// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TextbookDijkstra;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShortestPathDagTest {

    /**
     * All simple paths of the least cost, where every weight is positive, in the order of their vertices from the end.
     */
    private static List<List<Integer>> cheapest(WeightedCsc graph, double[] costs, int target) {
        List<List<Integer>> paths = new ArrayList<>();
        walk(graph, costs, new ArrayList<>(List.of(0)), 0, target, paths);
        Comparator<List<Integer>> fromTheEnd = (one, other) -> {
            for (int i = 1; i <= Math.min(one.size(), other.size()); i++) {
                int order = Integer.compare(one.get(one.size() - i), other.get(other.size() - i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(one.size(), other.size());
        };
        return paths.stream().distinct().sorted(fromTheEnd).toList();
    }

    private static void walk(
            WeightedCsc graph, double[] costs, List<Integer> path, double cost, int target, List<List<Integer>> found) {
        int last = path.get(path.size() - 1);
        if (last == target) {
            found.add(List.copyOf(path));
            return;
        }
        for (long entry = graph.columnStart(last); entry < graph.columnEnd(last); entry++) {
            int next = graph.rowIndices().get(entry);
            double through =
                    cost + (graph.weights() == null ? 1 : graph.weights().get(entry));
            if (through == costs[next] && through <= costs[target]) {
                path.add(next);
                walk(graph, costs, path, through, target, found);
                path.remove(path.size() - 1);
            }
        }
    }

    @Property(tries = 300)
    void shouldFindAllPathsInOrder(
            @ForAll @IntRange(min = 1, max = 12) int vertices,
            @ForAll @IntRange(max = 60) int edges,
            @ForAll long seed,
            @ForAll boolean weighted,
            @ForAll Orientation orientation) {
        Random random = new Random(seed);
        WeightedEdgeList list = new WeightedEdgeList(vertices, orientation);
        for (int i = 0; i < edges; i++) {
            list.add(random.nextInt(vertices), random.nextInt(vertices), 1 + random.nextInt(weighted ? 4 : 1));
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        Csc reversed = graphs.csc().transposed(1, Stop.NEVER);
        double[] costs = TextbookDijkstra.costs(graphs.weights(), 0);
        ShortestPathDag dag;
        try (LoadedGraph graph = new CpuBackend().load(graphs.csc())) {
            int[] levels = graph.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], RunContext.of(1))
                    .levels();
            ShortestPaths found =
                    graph.shortestPaths(0, graphs.weights(), LoadedGraph.ANY_DELTA, true, RunContext.of(1));
            dag = weighted
                    ? ShortestPathDag.ofCosts(
                            reversed, graphs.weights(), v -> found.costs()[v], new int[] {0}, Stop.NEVER)
                    : ShortestPathDag.ofLevels(reversed, vertex -> levels[vertex], Stop.NEVER);
        }

        for (int target = 0; target < vertices; target++) {
            assertThat(dag.cost(target)).isEqualTo(costs[target]);
            assertThat(dag.reaches(target)).isEqualTo(costs[target] != ShortestPaths.UNREACHED);
            if (dag.reaches(target)) {
                List<List<Integer>> expected = cheapest(graphs.weights(), costs, target);
                ShortestPathDag.Paths paths = dag.paths(target);
                for (List<Integer> path : expected) {
                    assertThat(paths.next())
                            .containsExactly(
                                    path.stream().mapToInt(Integer::intValue).toArray());
                }
                assertThat(paths.next()).isNull();
                assertThat(dag.count(target)).isEqualTo(expected.size());
            }
        }
    }

    /** The nearest of several sources, as from a vertex before all of them. */
    @Property(tries = 200)
    void shouldSearchFromSeveralSources(
            @ForAll @IntRange(min = 1, max = 50) int vertices,
            @ForAll @IntRange(max = 200) int edges,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int threads) {
        Random random = new Random(seed);
        int[] sources = random.ints(3, 0, vertices).sorted().distinct().toArray();
        WeightedEdgeList list = new WeightedEdgeList(vertices, Orientation.NATURAL);
        WeightedEdgeList withRoot = new WeightedEdgeList(vertices + 1, Orientation.NATURAL);
        for (int source : sources) {
            withRoot.add(vertices, source, 0);
        }
        for (int i = 0; i < edges; i++) {
            int from = random.nextInt(vertices);
            int to = random.nextInt(vertices);
            double weight = random.nextInt(4);
            list.add(from, to, weight);
            withRoot.add(from, to, weight);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        double[] expected = TextbookDijkstra.costs(withRoot.build(1, Stop.NEVER).weights(), vertices);
        try (LoadedGraph graph = new CpuBackend().load(graphs.csc())) {
            ShortestPaths found = graph.shortestPaths(
                    sources, graphs.weights(), SearchEnd.NEVER, LoadedGraph.ANY_DELTA, true, RunContext.of(threads));
            for (int vertex = 0; vertex < vertices; vertex++) {
                assertThat(found.costs()[vertex]).isEqualTo(expected[vertex]);
            }
            for (int source : sources) {
                assertThat(found.predecessors()[source]).isEqualTo(ShortestPaths.NONE);
            }
            ShortestPathDag dag = ShortestPathDag.ofCosts(
                    graphs.csc().transposed(1, Stop.NEVER),
                    graphs.weights(),
                    v -> found.costs()[v],
                    sources,
                    Stop.NEVER);
            for (int vertex = 0; vertex < vertices; vertex++) {
                if (dag.reaches(vertex)) {
                    int[] path = dag.paths(vertex).next();
                    assertThat(sources).contains(path[0]);
                    for (int step = 1; step < path.length; step++) {
                        assertThat(found.predecessors()[path[step]]).isEqualTo(path[step - 1]);
                    }
                    assertThat(dag.count(vertex)).isPositive();
                }
            }
        }
    }

    /** Weights that round differently in the two directions, that cost nothing, and that tie. */
    @Property(tries = 500)
    void shouldFindTheSamePathsFromBothEnds(
            @ForAll @IntRange(min = 1, max = 40) int vertices,
            @ForAll @IntRange(max = 160) int edges,
            @ForAll long seed,
            @ForAll @IntRange(max = 2) int kind,
            @ForAll boolean bounded,
            @ForAll Orientation orientation) {
        Random random = new Random(seed);
        WeightedEdgeList list = new WeightedEdgeList(vertices, orientation);
        for (int i = 0; i < edges; i++) {
            double weight = kind == 0 ? random.nextInt(3) : kind == 1 ? random.nextInt(4) / 10.0 : random.nextDouble();
            list.add(random.nextInt(vertices), random.nextInt(vertices), weight);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        Csc reversed = graphs.csc().transposed(1, Stop.NEVER);
        double maxCost = bounded ? random.nextDouble() : Double.POSITIVE_INFINITY;
        int[] source = {random.nextInt(vertices)};
        try (LoadedGraph graph = new CpuBackend().load(graphs.csc())) {
            ShortestPaths all =
                    graph.shortestPaths(source[0], graphs.weights(), LoadedGraph.ANY_DELTA, false, RunContext.of(1));
            ShortestPathDag expected =
                    ShortestPathDag.ofCosts(reversed, graphs.weights(), v -> all.costs()[v], source, Stop.NEVER);
            for (int target = 0; target < vertices; target++) {
                IntToDoubleFunction costs =
                        graph.costsTo(source[0], target, graphs.weights(), maxCost, RunContext.of(1));
                for (int vertex = 0; vertex < vertices; vertex++) {
                    assertThat(costs.applyAsDouble(vertex)).isIn(all.costs()[vertex], ShortestPaths.UNREACHED);
                }
                ShortestPathDag dag = ShortestPathDag.ofCosts(reversed, graphs.weights(), costs, source, Stop.NEVER);
                assertThat(dag.reaches(target)).isEqualTo(expected.reaches(target) && expected.cost(target) <= maxCost);
                if (dag.reaches(target)) {
                    assertThat(dag.count(target)).isEqualTo(expected.count(target));
                    ShortestPathDag.Paths paths = dag.paths(target);
                    ShortestPathDag.Paths expectedPaths = expected.paths(target);
                    for (int i = 0; i < 50; i++) {
                        assertThat(paths.next()).isEqualTo(expectedPaths.next());
                    }
                }
            }
        }
    }

    /** The search from both ends gives up, or one of its sides ends. */
    @Test
    void shouldFindAPathBetweenDistantVertices() {
        int length = 40_000;
        WeightedEdgeList list = new WeightedEdgeList(length + 1, Orientation.NATURAL);
        for (int vertex = 1; vertex < length; vertex++) {
            list.add(vertex - 1, vertex, 0.1);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        double expected = TextbookDijkstra.costs(graphs.weights(), 0)[length - 1];
        try (LoadedGraph graph = new CpuBackend().load(graphs.csc())) {
            for (int target : new int[] {length - 1, length}) {
                IntToDoubleFunction costs =
                        graph.costsTo(0, target, graphs.weights(), Double.POSITIVE_INFINITY, RunContext.of(2));
                assertThat(costs.applyAsDouble(target))
                        .isEqualTo(target == length ? ShortestPaths.UNREACHED : expected);
            }
            IntToDoubleFunction back =
                    graph.costsTo(length - 1, 0, graphs.weights(), Double.POSITIVE_INFINITY, RunContext.of(2));
            assertThat(back.applyAsDouble(0)).isEqualTo(ShortestPaths.UNREACHED);
        }
    }

    @Test
    void shouldCountMorePathsThanItCouldList() {
        int diamonds = 1100;
        EdgeList edges = new EdgeList(3 * diamonds + 1);
        for (int i = 0; i < diamonds; i++) {
            edges.add(3 * i, 3 * i + 1)
                    .add(3 * i, 3 * i + 2)
                    .add(3 * i + 1, 3 * i + 3)
                    .add(3 * i + 2, 3 * i + 3);
        }
        Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph loaded = new CpuBackend().load(graph)) {
            IntUnaryOperator levels = loaded.levelsTo(
                    new int[] {0}, new int[] {3 * diamonds}, LoadedGraph.NO_MAX_DEPTH, RunContext.of(1));
            ShortestPathDag dag = ShortestPathDag.ofLevels(graph.transposed(1, Stop.NEVER), levels, Stop.NEVER);
            assertThat(dag.count(3 * 60)).isEqualTo(0x1p60);
            assertThat(dag.count(3 * 1000)).isEqualTo(0x1p1000);
            assertThat(dag.count(3 * diamonds)).isInfinite();
            ShortestPathDag.Paths paths = dag.paths(3 * diamonds);
            assertThat(paths.next()).hasSize(2 * diamonds + 1);
            assertThat(paths.next()).hasSize(2 * diamonds + 1);
        }
    }

    /** In linear time: a look back for each vertex would take minutes. */
    @Test
    void shouldFollowALongWayThatCostsNothing() {
        int length = 300_000;
        WeightedEdgeList list = new WeightedEdgeList(length, Orientation.NATURAL);
        for (int vertex = 1; vertex < length; vertex++) {
            list.add(vertex - 1, vertex, 0);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        ShortestPathDag dag = ShortestPathDag.ofCosts(
                graphs.csc().transposed(1, Stop.NEVER), graphs.weights(), vertex -> 0, new int[] {0}, Stop.NEVER);
        // and not again for the way to a vertex behind
        assertThat(dag.paths(length / 2).next()).hasSize(length / 2 + 1);
        assertThat(dag.paths(length - 1).next()).hasSize(length);
        assertThat(dag.count(length - 1)).isEqualTo(1);
    }

    /** A vertex whose steps are known is followed once, not for each vertex that it leads to. */
    @Test
    void shouldFollowVerticesOfKnownStepsOnce() {
        int between = 20_000;
        WeightedEdgeList list = new WeightedEdgeList(between + 2, Orientation.NATURAL);
        for (int vertex = 1; vertex <= between; vertex++) {
            list.add(0, vertex, 0).add(vertex, between + 1, 0);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        AtomicInteger looks = new AtomicInteger();
        ShortestPathDag dag = ShortestPathDag.ofCosts(
                graphs.csc().transposed(1, Stop.NEVER),
                graphs.weights(),
                vertex -> 0,
                new int[] {0},
                () -> looks.incrementAndGet() < 0);
        assertThat(dag.paths(1).next()).containsExactly(0, 1);
        assertThat(dag.paths(between + 1).next()).containsExactly(0, 1, between + 1);
        assertThat(dag.count(between + 1)).isEqualTo(between);
        assertThat(looks).hasValueLessThan(100);
    }
}
