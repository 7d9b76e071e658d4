// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.WeightedCsc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link TraversalBackend} owes its callers. A backend's test extends this class; the oracle is
 * {@link TextbookBfs}, and results must be equal, not near.
 */
public abstract class TraversalBackendContract {

    private static final Set<DistanceMeasure> ALL_MEASURES = EnumSet.allOf(DistanceMeasure.class);
    private static final Set<DistanceMeasure> ECCENTRICITY_AND_HOPS =
            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);
    private static final List<Set<DistanceMeasure>> MEASURES = List.of(Set.of(), ECCENTRICITY_AND_HOPS, ALL_MEASURES);

    private static final int[] NO_TARGETS = {};

    /** The backend under test. */
    protected abstract TraversalBackend backend();

    /** Whether graphs may be small, as the backend is simulated, or tested on large ones by another class. */
    protected boolean onlySmall() {
        return false;
    }

    /** Whether the backend has kernels for an operation. What it does not offer, it refuses. */
    protected boolean offers(Operation operation) {
        return true;
    }

    private static void checkRefused(Runnable run) {
        assertThatThrownBy(run::run).isInstanceOf(KernelLimitException.class);
    }

    /** Graphs on which every pair of vertices is checked. */
    public static Stream<Map.Entry<String, EdgeList>> graphs() {
        Map<String, EdgeList> graphs = new LinkedHashMap<>();
        graphs.put("empty", TestGraphs.empty());
        graphs.put("single vertex", TestGraphs.singleVertex());
        graphs.put("two vertices without an edge", new EdgeList(2));
        graphs.put("one edge", TestGraphs.path(2));
        graphs.put("path", TestGraphs.path(700));
        graphs.put("cycle", TestGraphs.cycle(600));
        graphs.put("star", TestGraphs.star(1500));
        graphs.put("star of stars", TestGraphs.starOfStars(20, 40));
        graphs.put("clique", TestGraphs.clique(130));
        graphs.put("grid", TestGraphs.grid(31, 23));
        graphs.put("binary tree", TestGraphs.binaryTree(1023));
        graphs.put("lollipop", TestGraphs.lollipop(40, 300));
        graphs.put("many components", TestGraphs.disconnected(180));
        graphs.put("uniform", TestGraphs.uniform(900, 4000, 1, false));
        graphs.put("sparse uniform", TestGraphs.uniform(1200, 900, 2, true));
        graphs.put("mostly isolated", TestGraphs.uniform(1000, 40, 3, true));
        graphs.put("R-MAT", TestGraphs.rmat(10, 8, 3));
        for (int vertexCount : new int[] {7, 8, 9, 31, 32, 33, 1023, 1024, 1025}) {
            graphs.put(
                    "uniform of " + vertexCount, TestGraphs.uniform(vertexCount, 3L * vertexCount, vertexCount, true));
        }
        return graphs.entrySet().stream();
    }

    @Provide
    Arbitrary<SmallGraph> smallGraphs() {
        return SmallGraph.arbitrary(200, 500);
    }

    // single source

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldFindTheLevelsOfATextbook(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, (csc, loaded) -> {
            for (int source : sample(csc.vertexCount(), 12)) {
                for (int concurrency : new int[] {1, 2, 4}) {
                    Levels found = loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunControl.of(concurrency));
                    checkLevels(found, TextbookBfs.levels(csc, -1, source));
                }
            }
        });
    }

    @Test
    void shouldFindTheLevelsOfALargerScaleFreeGraph() {
        EdgeList edges = TestGraphs.rmat(onlySmall() ? 12 : 15, 16, 5);
        for (Orientation orientation : Orientation.values()) {
            Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);
            try (LoadedGraph loaded = backend().load(csc)) {
                for (int source : sample(csc.vertexCount(), 8)) {
                    Levels found = loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunControl.of(2));
                    checkLevels(found, TextbookBfs.levels(csc, -1, source));
                }
            }
        }
    }

    @Test
    void shouldNotGoDeeperThanMaxDepth() {
        onEveryGraph((csc, loaded) -> {
            for (int maxDepth : new int[] {0, 1, 2, 3, 5, 1000}) {
                for (int source : sample(csc.vertexCount(), 4)) {
                    Levels found = loaded.bfs(source, maxDepth, NO_TARGETS, RunControl.of(2));
                    checkLevels(found, TextbookBfs.levels(csc, maxDepth, source));
                }
            }
        });
    }

    @Test
    void shouldEndWithTheLevelOfTheFirstTarget() {
        onEveryGraph((csc, loaded) -> {
            for (int source : sample(csc.vertexCount(), 4)) {
                int[] targets = sample(csc.vertexCount(), 3);
                int[] all = TextbookBfs.levels(csc, -1, source);
                int nearest = Arrays.stream(targets)
                        .map(target -> all[target])
                        .filter(level -> level >= 0)
                        .min()
                        .orElse(-1);
                Levels found = loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, targets, RunControl.of(2));
                checkLevels(found, TextbookBfs.levels(csc, nearest, source));
            }
        });
    }

    @Property(tries = 300)
    void shouldFindTheLevelsOfATextbookOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 27) int pageShift) {
        onRandomGraph("shouldFindTheLevelsOfATextbook", graph, orientation, pageShift, (csc, loaded) -> {
            for (int source : sample(csc.vertexCount(), 3)) {
                Levels found = loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunControl.of(concurrency));
                checkLevels(found, TextbookBfs.levels(csc, -1, source));
            }
        });
    }

    // many sources

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldFindTheDistancesFromManySources(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, (csc, loaded) -> {
            int[] sources = sample(csc.vertexCount(), 2 * loaded.multiSourceBatchSize() + 5);
            for (int concurrency : new int[] {1, 3}) {
                checkDistances(csc, loaded, sources, LoadedGraph.NO_MAX_DEPTH, concurrency);
            }
        });
    }

    @Test
    void shouldNotMeasureFartherThanMaxDepth() {
        onEveryGraph((csc, loaded) -> {
            for (int maxDepth : new int[] {0, 1, 4}) {
                checkDistances(csc, loaded, sample(csc.vertexCount(), 9), maxDepth, 2);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256, 300, 65_534, 65_535, 65_536, 70_000})
    void shouldMeasureDistancesOfEveryWidth(int length) {
        Csc csc = TestGraphs.path(length + 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            List<int[]> ends = new ArrayList<>();
            loaded.multiSourceBfs(
                    new int[] {0, length},
                    LoadedGraph.NO_MAX_DEPTH,
                    batch -> ends.add(new int[] {
                        batch.depth(),
                        batch.distance(0, length),
                        batch.distance(0, 200),
                        batch.distance(1, length),
                        batch.distance(1, 0)
                    }),
                    RunControl.of(2));
            assertThat(ends).hasSize(1);
            assertThat(ends.get(0)).containsExactly(length, length, 200, 0, LoadedGraph.UNREACHED);
        }
    }

    @Test
    void shouldHandOverNothingWithoutSources() {
        onEveryGraph((csc, loaded) -> loaded.multiSourceBfs(
                new int[0],
                LoadedGraph.NO_MAX_DEPTH,
                batch -> {
                    throw new AssertionError("a batch of " + batch.sourceCount());
                },
                RunControl.of(2)));
    }

    @Test
    void shouldFindTheDistancesOfALargerScaleFreeGraph() {
        EdgeList edges = TestGraphs.rmat(onlySmall() ? 11 : 14, 16, 6);
        for (Orientation orientation : Orientation.values()) {
            Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);
            try (LoadedGraph loaded = backend().load(csc)) {
                checkDistances(csc, loaded, sample(csc.vertexCount(), 70), LoadedGraph.NO_MAX_DEPTH, 2);
            }
        }
    }

    @Property(tries = 200)
    void shouldFindTheDistancesOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 27) int pageShift) {
        onRandomGraph("shouldFindTheDistances", graph, orientation, pageShift, (csc, loaded) -> {
            int[] sources = sample(csc.vertexCount(), 100);
            checkDistances(csc, loaded, sources, LoadedGraph.NO_MAX_DEPTH, concurrency);
        });
    }

    // nearest source

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldFindTheNearestSource(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, (csc, loaded) -> {
            for (int count : new int[] {1, 2, 10}) {
                for (int concurrency : new int[] {1, 4}) {
                    checkNearest(csc, loaded, sample(csc.vertexCount(), count), LoadedGraph.NO_MAX_DEPTH, concurrency);
                }
            }
            checkNearest(csc, loaded, sample(csc.vertexCount(), 5), 2, 2);
        });
    }

    @Property(tries = 200)
    void shouldFindTheNearestSourceOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(min = 1, max = 40) int sources) {
        onRandomGraph("shouldFindTheNearestSource", graph, orientation, 4, (csc, loaded) -> {
            int[] chosen = sample(csc.vertexCount(), sources);
            checkNearest(csc, loaded, chosen, LoadedGraph.NO_MAX_DEPTH, concurrency);
        });
    }

    // farness

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldSumTheDistancesOfAllPairs(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, (csc, loaded) -> {
            TextbookFarness expected = new TextbookFarness(csc);
            for (int concurrency : new int[] {1, 3}) {
                for (Set<DistanceMeasure> measures : MEASURES) {
                    expected.check(loaded.farness(measures, RunControl.of(concurrency)), measures);
                }
            }
        });
    }

    @Property(tries = 300)
    void shouldSumTheDistancesOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll Set<DistanceMeasure> measures,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        onRandomGraph("shouldSumTheDistances", graph, orientation, 5, (csc, loaded) -> new TextbookFarness(csc)
                .check(loaded.farness(measures, RunControl.of(concurrency)), measures));
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldSumTheDistancesOfALargerScaleFreeGraph(Orientation orientation) {
        Csc csc = TestGraphs.rmat(onlySmall() ? 11 : 13, 12, 8).toCsc(orientation, 2, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = backend().load(csc)) {
            for (Set<DistanceMeasure> measures : List.of(ECCENTRICITY_AND_HOPS, ALL_MEASURES)) {
                expected.check(loaded.farness(measures, RunControl.of(2)), measures);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldSumTheDistancesOfSomeVertices(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, (csc, loaded) -> {
            for (int concurrency : new int[] {1, 3}) {
                for (int count : new int[] {1, 70}) {
                    int[] sources = sample(csc.vertexCount(), count);
                    checkFarnessOfSources(csc, loaded, sources, ALL_MEASURES, concurrency);
                    checkFarnessFromSources(csc, loaded, sources, concurrency);
                }
            }
        });
    }

    /** A search from every vertex that counts at its source finds what searches that count where they arrive find. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldSumTheDistancesOfChosenVerticesAsOfAll(Orientation orientation) {
        Csc csc = TestGraphs.rmat(onlySmall() ? 11 : 13, 6, 8).toCsc(orientation, 2, Stop.NEVER);
        int[] vertices = sample(csc.vertexCount(), csc.vertexCount());
        try (LoadedGraph loaded = backend().load(csc)) {
            Farness all = loaded.farness(ALL_MEASURES, RunControl.of(2));
            for (int concurrency : new int[] {1, 4}) {
                Farness chosen = loaded.farness(vertices, ALL_MEASURES, RunControl.of(concurrency));
                for (int i = 0; i < vertices.length; i++) {
                    int vertex = vertices[i];
                    assertThat(chosen.farness()[i]).as("farness of %d", vertex).isEqualTo(all.farness()[vertex]);
                    assertThat(chosen.reach()[i]).as("reach of %d", vertex).isEqualTo(all.reach()[vertex]);
                    assertThat(chosen.harmonic()[i])
                            .as("harmonic of %d", vertex)
                            .isEqualTo(all.harmonic()[vertex]);
                    assertThat(chosen.eccentricity()[i])
                            .as("eccentricity of %d", vertex)
                            .isEqualTo(all.eccentricity()[vertex]);
                }
                assertThat(chosen.hops()).isEqualTo(all.hops());
            }
        }
    }

    @Property(tries = 200)
    void shouldSumTheDistancesOfSomeVerticesOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll Set<DistanceMeasure> measures,
            @ForAll @IntRange(min = 1, max = 100) int sourceCount,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        onRandomGraph("shouldSumTheDistancesOfSomeVertices", graph, orientation, 5, (csc, loaded) -> {
            int[] sources = sample(csc.vertexCount(), sourceCount);
            checkFarnessOfSources(csc, loaded, sources, measures, concurrency);
            checkFarnessFromSources(csc, loaded, sources, concurrency);
        });
    }

    /** What the sources reach is what reaches them in the transposed graph. */
    private static void checkFarnessOfSources(
            Csc csc, LoadedGraph loaded, int[] sources, Set<DistanceMeasure> measures, int concurrency) {
        RunControl control = RunControl.of(concurrency);
        FarnessOfSources sums = new FarnessOfSources(sources.length, csc.vertexCount(), measures, control);
        loaded.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, sums, control);
        new TextbookFarness(csc.transposed(1, Stop.NEVER), sources).checkInOrder(sums.farness(), measures);
        new TextbookFarness(csc, sources).checkInOrder(loaded.farness(sources, measures, control), measures);
    }

    private static void checkFarnessFromSources(Csc csc, LoadedGraph loaded, int[] sources, int concurrency) {
        int vertexCount = csc.vertexCount();
        long[] farness = new long[vertexCount];
        long[] reach = new long[vertexCount];
        double[] harmonic = new double[vertexCount];
        for (int source : sources) {
            int[] levels = TextbookBfs.levels(csc, -1, source);
            for (int vertex = 0; vertex < vertexCount; vertex++) {
                if (levels[vertex] > 0) {
                    farness[vertex] += levels[vertex];
                    reach[vertex]++;
                    harmonic[vertex] += 1.0 / levels[vertex];
                }
            }
        }
        RunControl control = RunControl.of(concurrency);
        for (boolean withHarmonic : new boolean[] {false, true}) {
            FarnessFromSources sums = new FarnessFromSources(vertexCount, withHarmonic, control);
            loaded.multiSourceBfs(sources, LoadedGraph.NO_MAX_DEPTH, sums, control);
            assertThat(sums.farness().farness()).isEqualTo(farness);
            assertThat(sums.farness().reach()).isEqualTo(reach);
            assertThat(sums.farness().harmonic()).isEqualTo(withHarmonic ? harmonic : null);
        }
    }

    /** F14 of the acceptance facts: sums past 2^31, from 65,537 vertices on. */
    @Test
    void shouldSumPast32Bits() {
        checkPath(onlySmall() ? 900 : 70_000, Set.of());
    }

    @Test
    void shouldMeasureALongPath() {
        checkPath(onlySmall() ? 700 : 3000, ECCENTRICITY_AND_HOPS);
    }

    private void checkPath(int n, Set<DistanceMeasure> measures) {
        Csc csc = TestGraphs.path(n).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            Farness farness = loaded.farness(measures, RunControl.of(2));
            for (int k = 0; k < n; k++) {
                long expected = (long) k * (k + 1) / 2 + (long) (n - 1 - k) * (n - k) / 2;
                assertThat(farness.farness()[k]).as("vertex %d", k).isEqualTo(expected);
                assertThat(farness.reach()[k]).as("vertex %d", k).isEqualTo(n - 1);
                if (!measures.isEmpty()) {
                    assertThat(farness.eccentricity()[k]).as("vertex %d", k).isEqualTo(Math.max(k, n - 1 - k));
                    assertThat(farness.hops()[k]).as("pairs at distance %d", k).isEqualTo(k == 0 ? n : 2L * (n - k));
                }
            }
        }
    }

    /** As F14, where no hanging tree can be left out. */
    @Test
    void shouldSumPast32BitsAlongASearch() {
        int n = 70_000;
        Csc csc = TestGraphs.path(n).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        int[] sampled = {0, 1, 65_535, 65_536, n - 1};
        try (LoadedGraph loaded = backend().load(csc)) {
            Levels levels = loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunControl.of(2));
            long sum = Arrays.stream(levels.levels()).asLongStream().sum();
            assertThat(sum).isEqualTo(2_449_965_000L);
            for (int vertex : sampled) {
                assertThat(levels.levels()[vertex]).isEqualTo(vertex);
            }
        }
    }

    // betweenness

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldScoreBetweennessAsATextbook(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, this::checkBetweenness);
    }

    @Property(tries = 300)
    void shouldScoreBetweennessOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(max = 27) int pageShift) {
        onRandomGraph("shouldScoreBetweenness", graph, orientation, pageShift, this::checkBetweenness);
    }

    private void checkBetweenness(Csc csc, LoadedGraph loaded) {
        if (!offers(Operation.BETWEENNESS)) {
            checkRefused(() -> loaded.betweenness(null, RunControl.of(1)));
            return;
        }
        double[] scores = loaded.betweenness(null, RunControl.of(1));
        checkScores(scores, TextbookBrandes.scores(csc));
        assertThat(loaded.betweenness(null, RunControl.of(3))).isEqualTo(scores);
        int[] sources = sample(csc.vertexCount(), 20);
        double[] sampled = loaded.betweenness(sources, RunControl.of(2));
        checkScores(sampled, TextbookBrandes.scores(csc, sources));
        assertThat(loaded.betweenness(sources, RunControl.of(1))).isEqualTo(sampled);
    }

    /** A chain of diamonds has 2 to the power of its length shortest paths. */
    @ParameterizedTest
    @ValueSource(ints = {50, 990, 1100})
    void shouldScoreBetweennessWithMorePathsThanANumberHolds(int diamonds) {
        EdgeList edges = new EdgeList(3 * diamonds + 1);
        for (int i = 0; i < 3 * diamonds; i += 3) {
            edges.add(i, i + 1).add(i, i + 2).add(i + 1, i + 3).add(i + 2, i + 3);
        }
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        double[] scores;
        try (LoadedGraph loaded = backend().load(csc)) {
            if (!offers(Operation.BETWEENNESS)) {
                checkRefused(() -> loaded.betweenness(null, RunControl.of(2)));
                return;
            }
            scores = loaded.betweenness(null, RunControl.of(2));
        }
        for (int i = 0; i <= diamonds; i++) {
            // all pairs of a vertex before the cut and one after it
            double before = 3.0 * i;
            double after = 3.0 * (diamonds - i);
            assertThat(scores[3 * i]).isEqualTo(before * after, within(1e-6 * before * after));
            if (i < diamonds) {
                // half of the paths from and past this side, all paths to and from itself
                assertThat(scores[3 * i + 1])
                        .isEqualTo((before + 1) * (after - 2) / 2, within(1e-6 * before * after + 1e-9));
            }
        }
    }

    private static void checkScores(double[] found, double[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int vertex = 0; vertex < expected.length; vertex++) {
            assertThat(found[vertex])
                    .as("betweenness of vertex %d", vertex)
                    .isEqualTo(expected[vertex], within(1e-9 * expected[vertex]));
        }
    }

    // components

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldFindTheComponentsOfATextbook(Map.Entry<String, EdgeList> graph) {
        inEveryOrientation(graph, TraversalBackendContract::checkComponents);
    }

    @Property(tries = 300)
    void shouldFindTheComponentsOfRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(max = 27) int pageShift) {
        onRandomGraph(
                "shouldFindTheComponents", graph, orientation, pageShift, TraversalBackendContract::checkComponents);
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldFindTheComponentsOfALargerScaleFreeGraph(Orientation orientation) {
        checkComponentsOf(TestGraphs.rmat(onlySmall() ? 11 : 15, 2, 11), orientation);
    }

    /** The first neighbours, which are linked before the largest component is skipped, lie inside of it. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldFollowEdgesOutOfTheLargestComponent(Orientation orientation) {
        int inside = 1000;
        int outside = 300;
        EdgeList edges = new EdgeList(inside + outside);
        for (int vertex = 0; vertex < inside; vertex++) {
            for (int step = 1; step <= 4; step++) {
                edges.add(vertex, (vertex + step) % inside);
            }
        }
        for (int vertex = 0; vertex < outside; vertex += 2) {
            edges.add(vertex, inside + vertex);
        }
        checkComponentsOf(edges, orientation);
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldLinkLongChains(Orientation orientation) {
        int n = onlySmall() ? 2000 : 200_000;
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        Collections.shuffle(shuffled, new Random(1));
        checkComponentsOf(TestGraphs.path(n), orientation);
        checkComponentsOf(chain(n, i -> n - 1 - i), orientation);
        checkComponentsOf(chain(n, shuffled::get), orientation);
        // each link hangs the root of the previous ones under a new one, so paths must be halved
        checkComponentsOf(chain(n, i -> i % 2 == 0 ? n / 2 + i / 2 : n / 2 - 1 - i / 2), orientation);
    }

    private static EdgeList chain(int n, IntUnaryOperator vertexAt) {
        EdgeList edges = new EdgeList(n);
        for (int i = 1; i < n; i++) {
            edges.add(vertexAt.applyAsInt(i - 1), vertexAt.applyAsInt(i));
        }
        return edges;
    }

    private void checkComponentsOf(EdgeList edges, Orientation orientation) {
        Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            checkComponents(csc, loaded);
        }
    }

    // behaviour

    @Test
    void shouldRefuseVerticesOutsideTheGraph() {
        try (LoadedGraph loaded = backend().load(TestGraphs.path(5).toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
            RunControl control = RunControl.of(1);
            for (int outside : new int[] {-1, 5, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> loaded.bfs(outside, -1, NO_TARGETS, control))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("vertex=" + outside);
                assertThatThrownBy(() -> loaded.bfs(0, -1, new int[] {outside}, control))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> loaded.multiSourceBfs(new int[] {0, outside}, -1, batch -> {}, control))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> loaded.nearestSource(new int[] {outside}, -1, control))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndEarlyWhenStopped(int concurrency) {
        List<EdgeList> graphs = onlySmall()
                ? List.of(TestGraphs.rmat(9, 16, 4), TestGraphs.grid(25, 25), TestGraphs.path(900))
                : List.of(TestGraphs.rmat(12, 16, 4), TestGraphs.grid(90, 90), TestGraphs.path(9000));
        for (EdgeList edges : graphs) {
            Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
            csc.transposed(1, Stop.NEVER);
            try (LoadedGraph loaded = backend().load(csc)) {
                int[] sources = sample(csc.vertexCount(), 70);
                checkStops(concurrency, c -> loaded.bfs(0, -1, NO_TARGETS, c));
                checkStops(concurrency, c -> loaded.multiSourceBfs(sources, -1, batch -> {}, c));
                checkStops(concurrency, c -> loaded.nearestSource(sources, -1, c));
                checkStops(concurrency, loaded::components);
                if (offers(Operation.SHORTEST_PATHS)) {
                    WeightedCsc ones = WeightedCsc.ofOnes(csc);
                    checkStops(concurrency, c -> loaded.shortestPaths(0, ones, LoadedGraph.ANY_DELTA, true, c));
                }
                if (offers(Operation.BETWEENNESS)) {
                    checkStops(concurrency, c -> loaded.betweenness(null, c));
                }
                for (Set<DistanceMeasure> measures : MEASURES) {
                    checkStops(concurrency, c -> loaded.farness(measures, c));
                    checkStops(concurrency, c -> loaded.farness(sources, measures, c));
                }
                new TextbookFarness(csc, sample(csc.vertexCount(), 5))
                        .check(loaded.farness(Set.of(), RunControl.of(concurrency)), Set.of());
            }
        }
    }

    @Test
    void shouldReportAllItsProgress() {
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
            Csc csc = TestGraphs.rmat(onlySmall() ? 10 : 12, 8, 9).toCsc(orientation, 1, Stop.NEVER);
            long vertices = csc.vertexCount();
            try (LoadedGraph loaded = backend().load(csc)) {
                int[] sources = sample(csc.vertexCount(), 130);
                checkProgress(Operation.BFS, vertices, c -> loaded.bfs(sources[0], -1, NO_TARGETS, c));
                checkProgress(Operation.BFS, vertices, c -> loaded.bfs(sources[0], 1, NO_TARGETS, c));
                checkProgress(Operation.MULTI_SOURCE_BFS, 130, c -> loaded.multiSourceBfs(sources, -1, batch -> {}, c));
                checkProgress(Operation.NEAREST_SOURCE, vertices, c -> loaded.nearestSource(sources, -1, c));
                checkProgress(Operation.COMPONENTS, csc.entryCount(), loaded::components);
                if (offers(Operation.BETWEENNESS)) {
                    checkProgress(Operation.BETWEENNESS, null, c -> loaded.betweenness(null, c));
                }
                for (Set<DistanceMeasure> measures : MEASURES) {
                    checkProgress(Operation.FARNESS, null, c -> loaded.farness(measures, c));
                    checkProgress(Operation.FARNESS_OF_SOURCES, null, c -> loaded.farness(sources, measures, c));
                }
            }
        }
    }

    /** The last tasks of a run are those that are expected of it, and each has advanced by its volume. */
    private static void checkProgress(Operation operation, Number volume, Consumer<RunControl> call) {
        RecordingProgress progress = new RecordingProgress();
        call.accept(new RunControl(2, Stop.NEVER, progress));
        List<Task> expected = operation.tasks();
        List<Task> own = progress.tasks.stream()
                .map(Begun::task)
                .filter(task -> expected.stream().anyMatch(task::isSameKind))
                .toList();
        assertThat(own.get(own.size() - 1)).isEqualTo(expected.get(expected.size() - 1));
        for (Begun begun : progress.tasks) {
            // where nobody knows the volume it is 0
            if (begun.volume > 0) {
                assertThat(begun.done).as("progress of %s", begun.task).hasValue(begun.volume);
            }
            if (volume != null && expected.contains(begun.task)) {
                assertThat(begun.volume).as("volume of %s", begun.task).isEqualTo(volume.longValue());
            }
        }
        List<Task> always = expected.stream()
                .filter(task -> !task.isSameKind(BackendTask.ORDER_VERTICES))
                .toList();
        assertThat(own).containsSequence(always);
    }

    @Test
    void shouldServeSeveralCallersAtOnce() {
        Csc csc = TestGraphs.rmat(11, 8, 10).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            Farness expected = loaded.farness(ALL_MEASURES, RunControl.of(1));
            Workers.run(4, Stop.NEVER, (worker, stop) -> {
                for (int round = 0; round < 3; round++) {
                    Farness found = loaded.farness(ALL_MEASURES, RunControl.of(2));
                    assertThat(found.farness()).isEqualTo(expected.farness());
                    assertThat(found.harmonic()).isEqualTo(expected.harmonic());
                    assertThat(found.eccentricity()).isEqualTo(expected.eccentricity());
                    assertThat(found.hops()).isEqualTo(expected.hops());
                    for (int source : sample(csc.vertexCount(), 5)) {
                        Levels levels = loaded.bfs(source, -1, NO_TARGETS, RunControl.of(2));
                        checkLevels(levels, TextbookBfs.levels(csc, -1, source));
                    }
                }
            });
        }
    }

    @Test
    void shouldEstimateEveryRunOfAnyShape() {
        for (TraversalBackend.Operation operation : TraversalBackend.Operation.values()) {
            for (boolean symmetric : new boolean[] {true, false}) {
                var work = operation == TraversalBackend.Operation.FARNESS
                        ? TraversalBackend.Workload.farness(ALL_MEASURES)
                        : new TraversalBackend.Workload(operation, 64, LoadedGraph.NO_MAX_DEPTH);
                if (!offers(operation)) {
                    checkRefused(() ->
                            backend().estimate(new TraversalBackend.GraphShape(10, 20, symmetric), work, 1));
                    continue;
                }
                var small = backend().estimate(new TraversalBackend.GraphShape(10, 20, symmetric), work, 1);
                var huge = backend()
                        .estimate(new TraversalBackend.GraphShape(Csc.MAX_VERTICES, 1L << 36, symmetric), work, 64);
                assertThat(small.heapBytes() + small.deviceBytes()).isPositive();
                assertThat(huge.heapBytes() + huge.deviceBytes()).isGreaterThanOrEqualTo(4L * Csc.MAX_VERTICES);
            }
        }
    }

    // checks

    private static void checkLevels(Levels found, int[] expected) {
        assertThat(found.levels()).isEqualTo(expected);
        int depth = Arrays.stream(expected).max().orElse(0);
        long[] sizes = new long[depth + 1];
        for (int level : expected) {
            if (level >= 0) {
                sizes[level]++;
            }
        }
        assertThat(found.frontierSizes()).isEqualTo(sizes);
        assertThat(found.depth()).isEqualTo(depth);
        assertThat(found.reached()).isEqualTo(Arrays.stream(sizes).sum());
    }

    private static void checkDistances(Csc csc, LoadedGraph loaded, int[] sources, int maxDepth, int concurrency) {
        int[] next = {0};
        loaded.multiSourceBfs(
                sources,
                maxDepth,
                batch -> {
                    assertThat(batch.firstSource()).isEqualTo(next[0]);
                    assertThat(batch.sourceCount()).isBetween(1, loaded.multiSourceBatchSize());
                    int deepest = 0;
                    for (int s = 0; s < batch.sourceCount(); s++) {
                        int source = s;
                        int[] expected = TextbookBfs.levels(csc, maxDepth, sources[batch.firstSource() + s]);
                        int[] found = IntStream.range(0, csc.vertexCount())
                                .map(vertex -> batch.distance(source, vertex))
                                .toArray();
                        assertThat(found).isEqualTo(expected);
                        deepest =
                                Math.max(deepest, Arrays.stream(expected).max().orElse(0));
                    }
                    assertThat(batch.depth()).isEqualTo(deepest);
                    next[0] += batch.sourceCount();
                },
                RunControl.of(concurrency));
        assertThat(next[0]).isEqualTo(sources.length);
    }

    private static void checkNearest(Csc csc, LoadedGraph loaded, int[] sources, int maxDepth, int concurrency) {
        int n = csc.vertexCount();
        int[] distances = new int[n];
        int[] nearest = new int[n];
        Arrays.fill(distances, LoadedGraph.UNREACHED);
        Arrays.fill(nearest, -1);
        for (int s = 0; s < sources.length; s++) {
            int[] levels = TextbookBfs.levels(csc, maxDepth, sources[s]);
            for (int v = 0; v < n; v++) {
                if (levels[v] >= 0 && (distances[v] < 0 || levels[v] < distances[v])) {
                    distances[v] = levels[v];
                    nearest[v] = s;
                }
            }
        }
        NearestSources found = loaded.nearestSource(sources, maxDepth, RunControl.of(concurrency));
        assertThat(found.distances()).isEqualTo(distances);
        assertThat(found.sources()).isEqualTo(nearest);
    }

    /** Checks the components with unknown and with known reverse edges, by any number of threads. */
    private static void checkComponents(Csc csc, LoadedGraph loaded) {
        int[] expected = TextbookComponents.of(csc);
        for (int concurrency : new int[] {1, 2, 4}) {
            assertThat(loaded.components(RunControl.of(concurrency))).isEqualTo(expected);
        }
        csc.transposed(1, Stop.NEVER);
        for (int concurrency : new int[] {1, 3}) {
            assertThat(loaded.components(RunControl.of(concurrency))).isEqualTo(expected);
        }
    }

    /**
     * Runs with a stop that is requested from a number of looks on: a run that looks more often must end so, and every run
     * looks at least once.
     */
    private static void checkStops(int concurrency, Consumer<RunControl> run) {
        AtomicInteger looksOfAll = new AtomicInteger();
        run.accept(new RunControl(
                concurrency,
                () -> {
                    looksOfAll.incrementAndGet();
                    return false;
                },
                Progress.NONE));
        assertThat(looksOfAll.get()).as("looks at the stop").isPositive();
        for (int polls : new int[] {0, 1, 2, 3, 10, 50}) {
            AtomicInteger looks = new AtomicInteger();
            Stop stop = () -> looks.incrementAndGet() > polls;
            boolean stopped = false;
            try {
                run.accept(new RunControl(concurrency, stop, Progress.NONE));
            } catch (StoppedException e) {
                stopped = true;
            }
            // how often a run looks while it waits for a device differs from time to time
            boolean mustStop = polls == 0 || looks.get() > polls;
            assertThat(stopped)
                    .as("stopped after %d of %d looks, %d when nobody stops it", polls, looks.get(), looksOfAll.get())
                    .isEqualTo(mustStop);
        }
    }

    // graphs

    private void onEveryGraph(BiConsumer<Csc, LoadedGraph> check) {
        graphs().forEach(graph -> inEveryOrientation(graph, check));
    }

    private void inEveryOrientation(Map.Entry<String, EdgeList> graph, BiConsumer<Csc, LoadedGraph> check) {
        for (Orientation orientation : Orientation.values()) {
            Csc csc = graph.getValue().toCsc(orientation, 1, Stop.NEVER);
            assertThatCode(() -> FailingGraphs.saving(graph.getKey().replace(' ', '-'), graph.getValue(), () -> {
                        try (LoadedGraph loaded = backend().load(csc)) {
                            assertThat(loaded.vertexCount()).isEqualTo(csc.vertexCount());
                            check.accept(csc, loaded);
                        }
                    }))
                    .as("%s %s", graph.getKey(), orientation)
                    .doesNotThrowAnyException();
        }
    }

    private void onRandomGraph(
            String name, SmallGraph graph, Orientation orientation, int pageShift, BiConsumer<Csc, LoadedGraph> check) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving(getClass().getSimpleName() + "." + name, edges, () -> {
            Csc csc = TestGraphs.paged(edges, orientation, pageShift);
            try (LoadedGraph loaded = backend().load(csc)) {
                check.accept(csc, loaded);
            }
        });
    }

    /** Up to {@code count} different vertices, always the same for the same arguments. */
    private static int[] sample(int vertexCount, int count) {
        if (vertexCount <= count) {
            return IntStream.range(0, vertexCount).toArray();
        }
        return new Random(31L * vertexCount + count)
                .ints(0, vertexCount)
                .distinct()
                .limit(count)
                .toArray();
    }

    private record Begun(Task task, long volume, AtomicLong done) {}

    private static final class RecordingProgress implements Progress {
        private final List<Begun> tasks = new ArrayList<>();

        @Override
        public synchronized void beginTask(Task task, long volume) {
            tasks.add(new Begun(task, volume, new AtomicLong()));
        }

        @Override
        public synchronized void advance(long volume) {
            tasks.get(tasks.size() - 1).done.addAndGet(volume);
        }
    }
}
