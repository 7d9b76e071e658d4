// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.backend.CostOverflowException;
import io.proxima.backend.CostSink;
import io.proxima.backend.CostSums;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TextbookDijkstra;
import io.proxima.backend.centrality.CostBetweenness;
import io.proxima.backend.result.CostsFromSources;
import io.proxima.backend.result.NearestByCost;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What is summed over the costs of weighted searches, against definitions and bit by bit for every concurrency. */
class WeightedSearchesTest {

    private static final double ANY = ShortestPaths.UNREACHED;

    private static LoadedGraph load(Graphs graphs) {
        return new CpuBackend().load(graphs.csc());
    }

    private static <S extends CostSink> S search(Graphs graphs, int[] sources, S sink, int concurrency) {
        try (LoadedGraph graph = load(graphs)) {
            graph.weightedSearches(sources, graphs.weights(), ANY, sink, RunContext.of(concurrency));
        }
        return sink;
    }

    private static double[] betweenness(Graphs graphs, Orientation orientation, int[] sources, int concurrency) {
        try (LoadedGraph graph = load(graphs)) {
            return CostBetweenness.run(
                    graph,
                    graphs.weights(),
                    orientation == Orientation.UNDIRECTED,
                    sources,
                    RunContext.of(concurrency));
        }
    }

    private static Graphs random(Random random, int vertices, int edges, Orientation orientation, double... weights) {
        WeightedEdgeList list = new WeightedEdgeList(vertices, orientation);
        for (int i = 0; i < edges; i++) {
            double weight = weights.length == 0 ? random.nextDouble() : weights[random.nextInt(weights.length)];
            list.add(random.nextInt(vertices), random.nextInt(vertices), weight);
        }
        return list.build(1, Stop.NEVER);
    }

    private static int[] all(Graphs graphs) {
        return IntStream.range(0, graphs.csc().vertexCount()).toArray();
    }

    /** All paths on which each part from the source is a cheapest one, one after another. */
    private static final class Enumeration {
        private final WeightedCsc graph;
        private final double[] costs;
        private final int[] fewest;
        private final List<int[]> paths = new ArrayList<>();

        Enumeration(WeightedCsc graph, int source) {
            this.graph = graph;
            costs = TextbookDijkstra.costs(graph, source);
            fewest = new int[costs.length];
            Arrays.fill(fewest, Integer.MAX_VALUE);
            // the first time finds the fewest edges in a row that do not change the cost, the second the paths
            walk(new int[] {source}, 0, 0, false);
            walk(new int[] {source}, 0, 0, true);
        }

        private void walk(int[] path, double cost, int flat, boolean counts) {
            int at = path[path.length - 1];
            if (counts && flat > fewest[at]) {
                return;
            }
            fewest[at] = Math.min(fewest[at], flat);
            if (counts) {
                paths.add(path);
            }
            double[] weights = new double[costs.length];
            Arrays.fill(weights, Double.NaN);
            for (long i = graph.columnEnd(at) - 1; i >= graph.columnStart(at); i--) {
                weights[graph.rowIndices().get(i)] = graph.weights().get(i);
            }
            for (int target = 0; target < weights.length; target++) {
                int next = target;
                if (cost + weights[target] == costs[target]
                        && IntStream.of(path).noneMatch(before -> before == next)) {
                    int[] longer = Arrays.copyOf(path, path.length + 1);
                    longer[path.length] = target;
                    walk(longer, costs[target], costs[target] == cost ? flat + 1 : 0, counts);
                }
            }
        }

        void addTo(double[] scores) {
            double[] ends = new double[scores.length];
            paths.forEach(path -> ends[path[path.length - 1]]++);
            for (int[] path : paths) {
                for (int i = 1; i < path.length - 1; i++) {
                    scores[path[i]] += 1 / ends[path[path.length - 1]];
                }
            }
        }
    }

    @Property(tries = 300)
    void shouldShareTheCheapestPaths(
            @ForAll @IntRange(min = 1, max = 8) int vertices,
            @ForAll @IntRange(max = 20) int edges,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll @IntRange(max = 2) int kind) {
        Random random = new Random(seed);
        double[] weights = List.of(
                        new double[] {0, -0.0, 1, 2, 1e17},
                        new double[] {1, 2, 3, 0.1, 0.2, 0.3},
                        new double[] {1, 2, 3, 9})
                .get(kind);
        Graphs graphs = random(random, vertices, edges, orientation, weights);
        double[] expected = new double[vertices];
        for (int source = 0; source < vertices; source++) {
            new Enumeration(graphs.weights(), source).addTo(expected);
        }

        double[] found = betweenness(graphs, orientation, all(graphs), 2);

        assertThat(found).containsExactly(expected, within(1e-9));
    }

    /** Trees, chains, rings and detours are left out of the searches of an undirected graph, not of a directed one. */
    @Property(tries = 200)
    void shouldFindTheSameInTheCoreAsInTheWholeGraph(
            @ForAll @IntRange(min = 4, max = 300) int vertices,
            @ForAll @IntRange(max = 300) int more,
            @ForAll @IntRange(max = 2) int kind,
            @ForAll long seed) {
        Random random = new Random(seed);
        WeightedEdgeList list = new WeightedEdgeList(vertices, Orientation.UNDIRECTED);
        IntToDoubleFunction weight =
                edge -> kind == 0 ? 1 + random.nextInt(4) : kind == 1 ? 1 << random.nextInt(9) : random.nextDouble();
        // a ring, then edges that are near each other, or of one vertex
        int ring = random.nextInt(vertices);
        for (int vertex = 0; vertex < ring; vertex++) {
            list.add(vertex, (vertex + 1) % ring, weight.applyAsDouble(vertex));
        }
        int reach = 1 + random.nextInt(vertices);
        for (int edge = 0; edge < vertices * more / 200; edge++) {
            int from = random.nextInt(vertices);
            int to = random.nextInt(5) == 0 ? 0 : Math.min(vertices - 1, from + random.nextInt(reach));
            list.add(from, to, weight.applyAsDouble(edge));
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        int[] sources = random.ints(1 + vertices / (1 + random.nextInt(4)), 0, vertices)
                .distinct()
                .toArray();

        double[] found = betweenness(graphs, Orientation.UNDIRECTED, sources, 2);

        assertThat(found).containsExactly(betweenness(graphs, Orientation.NATURAL, sources, 1), within(1e-7));
    }

    @Property(tries = 60)
    void shouldFindTheSameForEveryConcurrency(
            @ForAll long seed, @ForAll Orientation orientation, @ForAll boolean integers) {
        Random random = new Random(seed);
        double[] weights = integers ? new double[] {1, 2, 3, 10, 20} : new double[0];
        Graphs graphs = random(random, 150, integers ? 200 : 400, orientation, weights);
        int[] sources = random.ints(100, 0, 150).distinct().toArray();
        CostSums sums = search(graphs, sources, new CostSums(sources.length, true), 1);
        CostsFromSources from = search(graphs, sources, new CostsFromSources(150, false), 1);
        double[] scores = betweenness(graphs, orientation, sources, 1);
        for (int concurrency = 2; concurrency < 6; concurrency++) {
            CostSums again = search(graphs, sources, new CostSums(sources.length, true), concurrency);
            assertThat(again.sums()).isEqualTo(sums.sums());
            assertThat(again.reciprocals()).isEqualTo(sums.reciprocals());
            assertThat(again.greatest()).isEqualTo(sums.greatest());
            CostsFromSources fromAgain = search(graphs, sources, new CostsFromSources(150, false), concurrency);
            assertThat(IntStream.range(0, 150).mapToDouble(fromAgain::sum).toArray())
                    .isEqualTo(IntStream.range(0, 150).mapToDouble(from::sum).toArray());
            assertThat(betweenness(graphs, orientation, sources, concurrency)).isEqualTo(scores);
        }
    }

    @Property(tries = 60)
    void shouldSumWithoutRounding(@ForAll long seed) {
        Random random = new Random(seed);
        Graphs graphs = random(random, 40, 200, Orientation.NATURAL, 1e-9, 0.1, 3, 1e9);
        int[] sources = all(graphs);
        CostSums sums = search(graphs, sources, new CostSums(sources.length, true), 2);
        CostsFromSources from = search(graphs, sources, new CostsFromSources(40, false), 2);
        BigDecimal[] exactFrom = new BigDecimal[40];
        Arrays.fill(exactFrom, BigDecimal.ZERO);
        for (int source : sources) {
            BigDecimal exact = BigDecimal.ZERO;
            double[] costs = TextbookDijkstra.costs(graphs.weights(), source);
            double greatest = 0;
            int reach = 0;
            for (int vertex = 0; vertex < 40; vertex++) {
                if (vertex != source && costs[vertex] != ANY) {
                    exact = exact.add(new BigDecimal(costs[vertex]));
                    exactFrom[vertex] = exactFrom[vertex].add(new BigDecimal(costs[vertex]));
                    greatest = Math.max(greatest, costs[vertex]);
                    reach++;
                }
            }
            assertThat(sums.sums()[source]).isCloseTo(exact.doubleValue(), within(Math.ulp(exact.doubleValue())));
            assertThat(sums.greatest()[source]).isEqualTo(greatest);
            assertThat(sums.reach()[source]).isEqualTo(reach);
        }
        for (int vertex = 0; vertex < 40; vertex++) {
            double exact = exactFrom[vertex].doubleValue();
            assertThat(from.sum(vertex)).isCloseTo(exact, within(Math.ulp(exact)));
        }
    }

    @Example
    void shouldEqualHopsWhereWeightsAreOne() {
        Graphs graphs = random(new Random(3), 300, 700, Orientation.NATURAL, 1);
        Graphs reversed = new Graphs(
                graphs.csc().transposed(1, Stop.NEVER), graphs.weights().transposed(1, Stop.NEVER));
        CostSums sums = search(reversed, all(graphs), new CostSums(300, true), 2);
        try (LoadedGraph graph = load(graphs)) {
            Farness hops = graph.farness(Set.of(DistanceMeasure.values()), RunContext.of(2));
            assertThat(sums.sums())
                    .containsExactly(
                            Arrays.stream(hops.farness()).asDoubleStream().toArray());
            assertThat(sums.reciprocals()).containsExactly(hops.harmonic(), within(1e-9));
            assertThat(sums.greatest())
                    .containsExactly(
                            Arrays.stream(hops.eccentricity()).asDoubleStream().toArray());
            assertThat(betweenness(graphs, Orientation.NATURAL, all(graphs), 2))
                    .containsExactly(graph.betweenness(null, RunContext.of(2)), within(1e-6));
        }
    }

    /** More paths than a double holds. */
    @Example
    void shouldCountAnyNumberOfPaths() {
        int diamonds = 1200;
        WeightedEdgeList list = new WeightedEdgeList(3 * diamonds + 1, Orientation.UNDIRECTED);
        for (int d = 0; d < diamonds; d++) {
            list.add(3 * d, 3 * d + 1, 2).add(3 * d, 3 * d + 2, 1);
            list.add(3 * d + 1, 3 * d + 3, 1).add(3 * d + 2, 3 * d + 3, 2);
        }
        Graphs graphs = list.build(1, Stop.NEVER);
        int[] sources = {0, 1, 1800, 3600};
        double[] found = betweenness(graphs, Orientation.UNDIRECTED, sources, 2);
        try (LoadedGraph graph = load(graphs)) {
            assertThat(found).containsExactly(graph.betweenness(sources, RunContext.of(2)), within(1e-6));
        }
    }

    @Example
    void shouldRefuseCostsAboveTheGreatestDouble() {
        Graphs graphs = new WeightedEdgeList(4, Orientation.NATURAL)
                .add(0, 1, 1e308)
                .add(1, 2, 1e308)
                .build(1, Stop.NEVER);
        assertThatThrownBy(() -> betweenness(graphs, Orientation.NATURAL, new int[] {0}, 1))
                .isInstanceOf(CostOverflowException.class);
        assertThatThrownBy(() -> search(graphs, new int[] {1, 0}, new CostSums(2, false), 2))
                .isInstanceOfSatisfying(CostOverflowException.class, overflow -> {
                    assertThat(overflow.from()).isEqualTo(1);
                    assertThat(overflow.to()).isEqualTo(2);
                });
        AtomicInteger reached = new AtomicInteger();
        try (LoadedGraph graph = load(graphs)) {
            graph.weightedSearches(
                    new int[] {0},
                    graphs.weights(),
                    1e308,
                    (worker, index, found, stop) -> reached.set(found.reached()),
                    RunContext.of(1));
        }
        assertThat(reached).hasValue(2);
        CostSums sums = search(graphs, new int[] {1}, new CostSums(1, false), 1);
        assertThat(sums.sums()).containsExactly(1e308);
    }

    @Example
    void shouldRefuseWeightsThatAreNoLengths() {
        for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            Graphs graphs = new WeightedEdgeList(2, Orientation.NATURAL)
                    .add(0, 1, weight)
                    .build(1, Stop.NEVER);
            assertThatThrownBy(() -> search(graphs, new int[] {0}, new CostSums(1, false), 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Example
    void shouldEndWhenItIsStoppedWhileOthersWaitForTheirTurn() {
        Graphs graphs = random(new Random(1), 2000, 6000, Orientation.UNDIRECTED);
        AtomicInteger looks = new AtomicInteger();
        RunContext control = new RunContext(4, () -> looks.incrementAndGet() > 40, Progress.NONE);
        try (LoadedGraph graph = load(graphs)) {
            assertThatThrownBy(() -> graph.weightedSearches(
                            all(graphs), graphs.weights(), ANY, new CostsFromSources(2000, false), control))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Property(tries = 200)
    void shouldFindTheEarliestOfTheNearestSources(
            @ForAll @IntRange(min = 1, max = 60) int vertices,
            @ForAll @IntRange(max = 200) int edges,
            @ForAll long seed,
            @ForAll boolean zeros) {
        Random random = new Random(seed);
        Graphs graphs = random(
                random, vertices, edges, Orientation.NATURAL, zeros ? new double[] {0, 1} : new double[] {1, 2, 4});
        int[] sources = random.ints(100, 0, vertices).distinct().toArray();
        double[] costs;
        try (LoadedGraph graph = load(graphs)) {
            costs = graph.shortestPaths(
                            IntStream.of(sources).sorted().toArray(),
                            graphs.weights(),
                            SearchEnd.NEVER,
                            LoadedGraph.ANY_DELTA,
                            false,
                            RunContext.of(2))
                    .costs();
        }
        double[][] each = IntStream.of(sources)
                .mapToObj(source -> TextbookDijkstra.costs(graphs.weights(), source))
                .toArray(double[][]::new);
        int[] nearest = NearestByCost.sources(graphs.weights(), sources, costs, RunContext.of(2));
        int[] ties = NearestByCost.ties(graphs.weights(), sources, costs, RunContext.of(2));
        for (int vertex = 0; vertex < vertices; vertex++) {
            int at = vertex;
            int[] equal = IntStream.range(0, sources.length)
                    .filter(source -> each[source][at] == costs[at] && costs[at] != ANY)
                    .toArray();
            assertThat(ties[vertex]).isEqualTo(equal.length);
            assertThat(nearest[vertex]).isEqualTo(equal.length == 0 ? LoadedGraph.UNREACHED : equal[0]);
        }
    }

    /** 0.1 + 0.2 is more than 0.3, but adding 1 makes them equal. */
    @Example
    void shouldCompareSourcesWhereTheirPathsMeet() {
        WeightedCsc weights = new WeightedEdgeList(5, Orientation.NATURAL)
                .add(0, 2, 0.1)
                .add(2, 3, 0.2)
                .add(1, 3, 0.3)
                .add(3, 4, 1)
                .build(1, Stop.NEVER)
                .weights();
        assertThat(TextbookDijkstra.costs(weights, 0)[4]).isEqualTo(TextbookDijkstra.costs(weights, 1)[4]);
        double[] costs = {0, 0, 0.1, 0.3, 1.3};
        int[] sources = {0, 1};
        assertThat(NearestByCost.sources(weights, sources, costs, RunContext.of(1)))
                .containsExactly(0, 1, 0, 1, 1);
        assertThat(NearestByCost.ties(weights, sources, costs, RunContext.of(1)))
                .containsExactly(1, 1, 1, 1, 1);
    }

    /** Each vertex lowers the cost of all that follow: far more costs are found than vertices may wait. */
    @Example
    void shouldFindCostsThatAreLoweredAgainAndAgain() {
        int n = 200;
        for (double drop : new double[] {0, 1, 0.37, 1e-6, 1e9}) {
            WeightedEdgeList list = new WeightedEdgeList(n, Orientation.NATURAL);
            for (int from = 0; from < n; from++) {
                for (int to = from + 1; to < n; to++) {
                    list.add(from, to, to - from + (to - from - 1) * drop);
                }
            }
            Graphs graphs = list.build(1, Stop.NEVER);
            int[] sources = {0, 150, 3};
            try (LoadedGraph graph = load(graphs)) {
                graph.weightedSearches(
                        sources,
                        graphs.weights(),
                        ANY,
                        (worker, index, found, stop) -> {
                            assertThat(found.costs())
                                    .as("%s", drop)
                                    .isEqualTo(TextbookDijkstra.costs(graphs.weights(), sources[index]));
                            assertThat(found.reached()).isEqualTo(n - sources[index]);
                            assertThat(found.order())
                                    .startsWith(
                                            IntStream.range(sources[index], n).toArray());
                        },
                        RunContext.of(1));
            }
        }
    }

    @Example
    void shouldSumCostsAboveTheGreatestDoubleToInfinity() {
        Graphs graphs = new WeightedEdgeList(4, Orientation.NATURAL)
                .add(0, 1, 1e308)
                .add(0, 2, 1e308)
                .add(0, 3, 1e308)
                .build(1, Stop.NEVER);
        assertThat(search(graphs, new int[] {0}, new CostSums(1, false), 1).mean(Stop.NEVER))
                .isInfinite();
    }
}
