// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Weighted shortest paths of a backend against a textbook Dijkstra, bit by bit. */
public abstract class ShortestPathsContract {

    /** The backend under test. */
    protected abstract TraversalBackend backend();

    /** Distributions of weights. */
    enum Weights {
        ONES,
        SMALL_INTEGERS,
        GREAT_INTEGERS,
        FLOATS,
        UNIFORM,
        TEN_MAGNITUDES,
        MOSTLY_ZERO,
        ZERO,
        ABSORBED;

        double next(Random random) {
            return switch (this) {
                case ONES -> 1;
                case SMALL_INTEGERS -> 1 + random.nextInt(255);
                case GREAT_INTEGERS -> 1e9 * random.nextInt(9);
                case FLOATS -> random.nextFloat();
                case UNIFORM -> random.nextDouble();
                case TEN_MAGNITUDES -> Math.pow(10, random.nextInt(11) - 5) * random.nextDouble();
                case MOSTLY_ZERO -> random.nextInt(4) == 0 ? random.nextInt(3) : 0;
                case ZERO -> 0;
                case ABSORBED -> random.nextBoolean() ? 1e17 : random.nextInt(3);
            };
        }
    }

    @Property(tries = 1000)
    void shouldEqualDijkstra(
            @ForAll @IntRange(min = 1, max = 200) int vertices,
            @ForAll @IntRange(max = 1500) int edges,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll Weights weights,
            @ForAll @IntRange(max = 12) int scale,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        WeightedEdgeList list = random(random, vertices, edges, orientation, weights);
        double delta = scale == 0 ? LoadedGraph.ANY_DELTA : Math.pow(10, scale - 7);

        checkAgainstDijkstra(list.build(2, Stop.NEVER), random.nextInt(vertices), delta, concurrency);
    }

    /** What lies within the cost of the last target, or the most, is as without an end. */
    @Property(tries = 300)
    void shouldEndAtTheTargetsOrTheMostCost(
            @ForAll @IntRange(min = 2, max = 200) int vertices,
            @ForAll @IntRange(max = 1500) int edges,
            @ForAll long seed,
            @ForAll Weights weights,
            @ForAll @IntRange(max = 3) int targetCount,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        Graphs graphs =
                random(random, vertices, edges, Orientation.NATURAL, weights).build(1, Stop.NEVER);
        int[] targets = random.ints(targetCount, 0, vertices).toArray();
        ShortestPaths all = run(graphs, graphs.weights(), 0, LoadedGraph.ANY_DELTA, concurrency);
        double most = random.nextBoolean() ? ShortestPaths.UNREACHED : all.costs()[random.nextInt(vertices)];

        ShortestPaths found;
        try (LoadedGraph graph = backend().load(graphs.csc())) {
            found = graph.shortestPaths(
                    new int[] {0},
                    graphs.weights(),
                    new SearchEnd(targets, most),
                    LoadedGraph.ANY_DELTA,
                    true,
                    RunContext.of(concurrency));
        }

        double last = targetCount == 0
                ? most
                : Math.min(
                        most,
                        Arrays.stream(targets)
                                .mapToDouble(target -> all.costs()[target])
                                .max()
                                .orElseThrow());
        for (int vertex = 0; vertex < vertices; vertex++) {
            if (all.costs()[vertex] <= last && all.costs()[vertex] <= most) {
                assertThat(found.costs()[vertex]).isEqualTo(all.costs()[vertex]);
                assertThat(found.predecessors()[vertex]).isEqualTo(all.predecessors()[vertex]);
            } else if (all.costs()[vertex] > most) {
                assertThat(found.costs()[vertex]).isEqualTo(ShortestPaths.UNREACHED);
            }
        }
    }

    /** Whether the backend searches from many sources with weights. */
    protected boolean searchesFromMany() {
        return false;
    }

    @Property(tries = 300)
    void shouldSearchFromManySourcesOrRefuse(
            @ForAll @IntRange(min = 1, max = 120) int vertices,
            @ForAll @IntRange(max = 900) int edges,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll Weights weights,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        Graphs graphs = random(random, vertices, edges, orientation, weights).build(1, Stop.NEVER);
        int[] sources = random.ints(1 + random.nextInt(20), 0, vertices).toArray();
        double[] some = TextbookDijkstra.costs(graphs.weights(), sources[0]);
        double most = random.nextBoolean() ? ShortestPaths.UNREACHED : some[random.nextInt(vertices)];
        AtomicInteger taken = new AtomicInteger();
        CostSink check = (worker, index, found, stop) -> {
            double[] expected = TextbookDijkstra.costs(graphs.weights(), sources[index]);
            Arrays.setAll(expected, vertex -> expected[vertex] > most ? ShortestPaths.UNREACHED : expected[vertex]);
            assertThat(found.costs()).isEqualTo(expected);
            double[] ascending = Arrays.stream(expected)
                    .filter(cost -> cost != ShortestPaths.UNREACHED)
                    .sorted()
                    .toArray();
            assertThat(found.order()[0]).isEqualTo(sources[index]);
            assertThat(Arrays.stream(found.order(), 0, found.reached())
                            .mapToDouble(vertex -> expected[vertex])
                            .toArray())
                    .isEqualTo(ascending);
            assertThat(Arrays.stream(found.order(), 0, found.reached())
                            .distinct()
                            .count())
                    .isEqualTo(found.reached());
            assertThat(worker).isBetween(0, concurrency - 1);
            taken.incrementAndGet();
        };

        try (LoadedGraph graph = backend().load(graphs.csc())) {
            if (searchesFromMany()) {
                graph.weightedSearches(sources, graphs.weights(), most, check, RunContext.of(concurrency));
                assertThat(taken).hasValue(sources.length);
            } else {
                assertThatThrownBy(() -> graph.weightedSearches(
                                sources, graphs.weights(), most, check, RunContext.of(concurrency)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("Use backend: 'auto' or 'cpu'");
            }
        }
    }

    @Property(tries = 300)
    void shouldSumTheSameCostsAsOtherBackends(
            @ForAll @IntRange(min = 1, max = 120) int vertices,
            @ForAll @IntRange(max = 900) int edges,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll Weights weights,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        Graphs graphs = random(random, vertices, edges, orientation, weights).build(1, Stop.NEVER);
        int[] sources = random.ints(random.nextInt(200), 0, vertices).toArray();
        boolean positive = weights.compareTo(Weights.SMALL_INTEGERS) <= 0;
        try (LoadedGraph graph = backend().load(graphs.csc())) {
            TextbookChecks.checkCostSums(graphs.weights(), graph, sources, positive, RunContext.of(concurrency));
        }
    }

    private static WeightedEdgeList random(
            Random random, int vertices, int edges, Orientation orientation, Weights weights) {
        WeightedEdgeList list = new WeightedEdgeList(vertices, orientation);
        for (int i = 0; i < edges; i++) {
            // a few vertices have most edges
            int source = (int) (Math.pow(random.nextDouble(), 3) * vertices);
            list.add(source, random.nextInt(vertices), weights.next(random));
        }
        return list;
    }

    @Property(tries = 40)
    void shouldEqualDijkstraWhereBucketsAreSharedByWorkers(
            @ForAll long seed, @ForAll Weights weights, @ForAll @IntRange(max = 8) int scale) {
        Random random = new Random(seed);
        int vertices = 5_000;
        WeightedEdgeList list = new WeightedEdgeList(vertices, Orientation.NATURAL);
        for (int i = 0; i < 40_000; i++) {
            list.add(random.nextInt(vertices), random.nextInt(vertices), weights.next(random));
        }
        double delta = scale == 0 ? LoadedGraph.ANY_DELTA : Math.pow(10, scale - 4);

        checkAgainstDijkstra(list.build(2, Stop.NEVER), 0, delta, 4);
    }

    @Example
    void shouldFollowAChainInBothDirections() {
        int vertices = 100_000;
        WeightedEdgeList forward = new WeightedEdgeList(vertices, Orientation.NATURAL);
        WeightedEdgeList zeros = new WeightedEdgeList(vertices, Orientation.UNDIRECTED);
        for (int vertex = 1; vertex < vertices; vertex++) {
            forward.add(vertex - 1, vertex, 0.1);
            zeros.add(vertex - 1, vertex, 0);
        }

        checkAgainstDijkstra(forward.build(1, Stop.NEVER), 0, LoadedGraph.ANY_DELTA, 2);
        checkAgainstDijkstra(zeros.build(1, Stop.NEVER), vertices / 2, LoadedGraph.ANY_DELTA, 2);
    }

    @Example
    void shouldCrossAStarOfStarsOfEveryMagnitude() {
        int stars = 300;
        WeightedEdgeList list = new WeightedEdgeList(stars * stars + stars + 1, Orientation.UNDIRECTED);
        Random random = new Random(4);
        for (int star = 0; star < stars; star++) {
            list.add(0, 1 + star, Math.pow(10, random.nextInt(19) - 9) * random.nextDouble());
            for (int leaf = 0; leaf < stars; leaf++) {
                list.add(
                        1 + star,
                        1 + stars + star * stars + leaf,
                        Math.pow(10, random.nextInt(19) - 9) * random.nextDouble());
            }
        }

        Graphs graphs = list.build(2, Stop.NEVER);
        checkAgainstDijkstra(graphs, 0, LoadedGraph.ANY_DELTA, 2);
        checkAgainstDijkstra(graphs, 0, 1e-9, 2);
    }

    /** Of relaxations that improve nothing, the sums are the greatest: here they pass what 32 bits hold. */
    @Example
    void shouldAddIntegerWeightsNearTheLimitOf32Bits() {
        // the costs fit 32 bits, but not 4.5e9, the sum of the way back
        checkPathAndCycle(3, 1.5e9);
        for (int vertices : new int[] {2, 3, 4, 5, 17, 60}) {
            for (double sum : new double[] {0xfffffffeL, 0xffffffffL, 0x100000000L, 1.0001 * 0x100000000L}) {
                for (int weights : new int[] {vertices, vertices - 1}) {
                    checkPathAndCycle(vertices, Math.floor(sum / weights));
                    checkPathAndCycle(vertices, Math.ceil(sum / weights));
                }
            }
        }
    }

    private void checkPathAndCycle(int vertices, double weight) {
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
            WeightedEdgeList path = new WeightedEdgeList(vertices, orientation);
            WeightedEdgeList cycle = new WeightedEdgeList(vertices, orientation);
            for (int vertex = 0; vertex < vertices; vertex++) {
                cycle.add(vertex, (vertex + 1) % vertices, weight);
                if (vertex > 0) {
                    path.add(vertex - 1, vertex, weight);
                }
            }
            checkAgainstDijkstra(path.build(1, Stop.NEVER), 0, LoadedGraph.ANY_DELTA, 1);
            checkAgainstDijkstra(cycle.build(1, Stop.NEVER), 0, LoadedGraph.ANY_DELTA, 1);
        }
    }

    @Example
    void shouldEndWithAnyDelta() {
        int side = 60;
        Random random = new Random(9);
        WeightedEdgeList list = new WeightedEdgeList(side * side, Orientation.UNDIRECTED);
        for (int vertex = 0; vertex < side * side; vertex++) {
            list.add(vertex, vertex % side < side - 1 ? vertex + 1 : vertex, random.nextDouble());
            list.add(vertex, (vertex + side) % (side * side), random.nextDouble());
        }
        Graphs graphs = list.build(2, Stop.NEVER);

        for (double delta : new double[] {Double.MIN_VALUE, 1e-300, 1e-9, 1e9, Double.MAX_VALUE}) {
            checkAgainstDijkstra(graphs, 0, delta, 2);
        }
    }

    @Example
    void shouldRefuseCostsAboveTheGreatestDouble() {
        Graphs graphs = new WeightedEdgeList(5, Orientation.NATURAL)
                .add(0, 1, 1e308)
                .add(1, 2, 1e308)
                .add(2, 3, 1)
                .build(1, Stop.NEVER);

        assertThatThrownBy(() -> run(graphs, graphs.weights(), 0, LoadedGraph.ANY_DELTA, 1))
                .isInstanceOfSatisfying(CostOverflowException.class, overflow -> {
                    assertThat(overflow.from()).isEqualTo(1);
                    assertThat(overflow.to()).isEqualTo(2);
                })
                .hasMessageContaining("that to vertex 1 is 1.0E308");
        assertThat(run(graphs, graphs.weights(), 1, LoadedGraph.ANY_DELTA, 1).costs())
                .containsExactly(ShortestPaths.UNREACHED, 0, 1e308, 1e308, ShortestPaths.UNREACHED);
    }

    @Example
    void shouldNotRefuseCostsBehindTheEnd() {
        Graphs graphs = new WeightedEdgeList(4, Orientation.NATURAL)
                .add(0, 1, 1e308)
                .add(1, 2, 1e308)
                .build(1, Stop.NEVER);

        assertThat(costTo(graphs, new SearchEnd(new int[] {1}, ShortestPaths.UNREACHED)))
                .isEqualTo(1e308);
        assertThat(costTo(graphs, new SearchEnd(new int[] {1, 3}, 1e308))).isEqualTo(1e308);
        assertThatThrownBy(() -> costTo(graphs, new SearchEnd(new int[] {1, 3}, ShortestPaths.UNREACHED)))
                .isInstanceOf(CostOverflowException.class);
    }

    /** The cost of the first target. */
    private double costTo(Graphs graphs, SearchEnd end) {
        try (LoadedGraph graph = backend().load(graphs.csc())) {
            return graph.shortestPaths(
                            new int[] {0}, graphs.weights(), end, LoadedGraph.ANY_DELTA, false, RunContext.of(1))
                    .costs()[end.targets()[0]];
        }
    }

    @Example
    void shouldRefuseWeightsThatAreNoLengths() {
        for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            Graphs graphs = new WeightedEdgeList(3, Orientation.NATURAL)
                    .add(0, 1, 5)
                    .add(1, 2, weight)
                    .build(1, Stop.NEVER);

            assertThat(graphs.weights().lengths(2, Stop.NEVER).firstInvalid()).isEqualTo(1);
            assertThat(graphs.weights().columnOf(1)).isEqualTo(1);
            assertThatThrownBy(() -> run(graphs, graphs.weights(), 0, LoadedGraph.ANY_DELTA, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private ShortestPaths run(Graphs graphs, WeightedCsc weights, int source, double delta, int concurrency) {
        try (LoadedGraph graph = backend().load(graphs.csc())) {
            return graph.shortestPaths(source, weights, delta, true, RunContext.of(concurrency));
        }
    }

    private void checkAgainstDijkstra(Graphs graphs, int source, double delta, int concurrency) {
        double[] expected = TextbookDijkstra.costs(graphs.weights(), source);

        ShortestPaths found = run(graphs, graphs.weights(), source, delta, concurrency);

        assertThat(found.costs()).containsExactly(expected);
        checkPredecessors(graphs.weights(), source, expected, found.predecessors());
        if (concurrency > 1) {
            assertThat(run(graphs, graphs.weights(), source, delta, 1).predecessors())
                    .containsExactly(found.predecessors());
        }
    }

    /** Each predecessor is the lowest one from a lower cost, and each path of predecessors ends at the source. */
    private static void checkPredecessors(WeightedCsc graph, int source, double[] costs, int[] predecessors) {
        int n = costs.length;
        int[] lowest = new int[n];
        Arrays.fill(lowest, Integer.MAX_VALUE);
        boolean[] tight = new boolean[n];
        for (int vertex = 0; vertex < n; vertex++) {
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                int row = graph.rowIndices().get(i);
                boolean isTight = costs[vertex] < Double.POSITIVE_INFINITY
                        && costs[vertex] + graph.weights().get(i) == costs[row];
                if (isTight && costs[vertex] < costs[row]) {
                    lowest[row] = Math.min(lowest[row], vertex);
                }
                tight[row] |= isTight && predecessors[row] == vertex;
            }
        }
        int[] steps = new int[n];
        steps[source] = 1;
        for (int vertex = 0; vertex < n; vertex++) {
            if (vertex == source || costs[vertex] == Double.POSITIVE_INFINITY) {
                assertThat(predecessors[vertex]).isEqualTo(ShortestPaths.NONE);
                continue;
            }
            assertThat(tight[vertex]).as("tight edge to %s", vertex).isTrue();
            if (lowest[vertex] < Integer.MAX_VALUE) {
                assertThat(predecessors[vertex]).isEqualTo(lowest[vertex]);
            }
            int length = 0;
            int at = vertex;
            while (steps[at] == 0) {
                at = predecessors[at];
                length++;
                assertThat(length).as("path to %s", vertex).isLessThanOrEqualTo(n);
            }
            for (at = vertex; steps[at] == 0; at = predecessors[at]) {
                steps[at] = 1;
            }
        }
    }
}
