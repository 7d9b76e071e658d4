// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.bounds.TopCloseness;
import io.proxima.backend.bounds.TopCloseness.Top;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.backend.result.FarnessFromSources;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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

    private static final Set<String> DEEP_GRAPHS = Set.of("path", "cycle", "lollipop");
    private static final Set<String> MANY_SEARCHES =
            Set.of("distances", "sums", "sums of some vertices", "greatest distances", "eccentricities");

    private static final int[] NO_TARGETS = {};
    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;

    /** The backend under test. */
    protected abstract TraversalBackend backend();

    /** Whether graphs may be small, as the backend is simulated, or tested on large ones by another class. */
    protected boolean onlySmall() {
        return false;
    }

    /** Whether a level takes the backend a millisecond, so that only few searches of deep graphs are made. */
    protected boolean isSlow() {
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
        graphs.put("cliques", TestGraphs.disconnected(40, 40, 40));
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
        return Arbitraries.oneOf(SmallGraph.arbitrary(200, 500), SmallGraph.directed(200, 500));
    }

    /** What is checked of a graph; some checks depend on the number of threads. */
    private interface Check {
        void on(Csc csc, LoadedGraph loaded, int concurrency);
    }

    private static final Map<String, Check> CHECKS = new TreeMap<>(Map.of(
            "levels", TraversalBackendContract::checkLevels,
            "distances", TraversalBackendContract::checkDistances,
            "nearest sources", TraversalBackendContract::checkNearest,
            "sums", TraversalBackendContract::checkFarness,
            "sums of some vertices", TraversalBackendContract::checkFarnessOfSome,
            "greatest distances", TraversalBackendContract::checkGreatestDistances,
            "eccentricities", TraversalBackendContract::checkEccentricities,
            "betweenness", TraversalBackendContract::checkBetweenness,
            "components", TraversalBackendContract::checkComponents,
            "paths", TraversalBackendContract::checkPaths));

    static Stream<Arguments> graphsAndChecks() {
        return graphs().flatMap(graph -> CHECKS.keySet().stream().map(check -> Arguments.of(graph, check)));
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("graphsAndChecks")
    void shouldFindWhatATextbookFinds(Map.Entry<String, EdgeList> graph, String check) {
        assumeFalse(isSlow() && DEEP_GRAPHS.contains(graph.getKey()) && MANY_SEARCHES.contains(check));
        inEveryOrientation(graph, (csc, loaded) -> {
            for (int concurrency : onlySmall() ? new int[] {3} : new int[] {1, 3}) {
                check(check, csc, loaded, concurrency);
            }
        });
    }

    private void check(String check, Csc csc, LoadedGraph loaded, int concurrency) {
        if (check.equals("betweenness") && !offers(Operation.BETWEENNESS)) {
            checkRefused(() -> loaded.betweenness(null, RunContext.of(concurrency)));
        } else {
            CHECKS.get(check).on(csc, loaded, concurrency);
        }
    }

    @Property(tries = 300)
    protected void shouldFindWhatATextbookFindsOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 27) int pageShift,
            @ForAll Set<DistanceMeasure> measures) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving(getClass().getSimpleName(), edges, () -> {
            Csc csc = TestGraphs.paged(edges, orientation, pageShift);
            try (LoadedGraph loaded = backend().load(csc)) {
                CHECKS.keySet().forEach(check -> check(check, csc, loaded, concurrency));
                new TextbookFarness(csc).check(loaded.farness(measures, RunContext.of(concurrency)), measures);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldFindWhatATextbookFindsInALargerScaleFreeGraph(Orientation orientation) {
        Csc csc = TestGraphs.rmat(onlySmall() ? 11 : 13, 12, 8).toCsc(orientation, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            TextbookChecks.checkDistances(csc, loaded, sample(csc.vertexCount(), 70), NO_MAX, RunContext.of(2));
            TextbookFarness expected = new TextbookFarness(csc);
            expected.check(loaded, MEASURES, 2);
        }
        Csc wide = TestGraphs.rmat(onlySmall() ? 12 : 15, 16, 5).toCsc(orientation, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(wide)) {
            checkLevels(wide, loaded, 2);
        }
        // of few edges, so of many components
        checkComponentsOf(TestGraphs.rmat(onlySmall() ? 11 : 15, 2, 11), orientation);
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldSumUpVerticesInHangingTrees(Orientation orientation) {
        // so many that leaving them out saves batches of 1,024 sources
        Csc csc = TestGraphs.hangingTrees(1_000, 5_000, 9).toCsc(orientation, 2, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = backend().load(csc)) {
            expected.check(loaded, List.of(Set.of()), 2);
        }
    }

    private static void checkLevels(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        for (int source : sample(csc.vertexCount(), 12)) {
            TextbookChecks.checkLevels(csc, loaded, source, NO_MAX, control);
        }
        for (int source : sample(csc.vertexCount(), 2)) {
            for (int maxDepth : new int[] {0, 1, 2, 3, 5, 1000}) {
                TextbookChecks.checkLevels(csc, loaded, source, maxDepth, control.again());
            }
            TextbookChecks.checkLevels(csc, loaded, source, NO_MAX, control.again());
            TextbookChecks.checkLevels(csc, loaded, source, NO_MAX, control.again(), sample(csc.vertexCount(), 3));
        }
    }

    private static void checkPaths(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        int[] sources = sample(csc.vertexCount(), 3);
        for (int source : sources) {
            for (int target : sample(csc.vertexCount(), 9)) {
                int[] from = {source};
                int[] to = {target};
                TextbookChecks.checkLevelsTo(csc, loaded, from, to, control, NO_MAX, 0, 1, 2, 3, 5, 1000);
            }
            TextbookChecks.checkLevelsTo(csc, loaded, sources, new int[] {source}, control, NO_MAX);
        }
        if (sources.length > 1) {
            int[] from = {sources[0]};
            int[] to = {sources[1], sources[sources.length - 1]};
            TextbookChecks.checkLevelsTo(
                    csc, loaded, from, IntStream.of(to).distinct().toArray(), control, NO_MAX, 2);
            TextbookChecks.checkLevelsTo(csc, loaded, sources, sample(csc.vertexCount(), 7), control, NO_MAX, 1);
        }
        int[][] distances = loaded.distances(sources, sources, NO_MAX, control);
        for (int s = 0; s < sources.length; s++) {
            int[] levels = TextbookBfs.levels(csc, NO_MAX, sources[s]);
            assertThat(distances[s])
                    .isEqualTo(
                            IntStream.of(sources).map(target -> levels[target]).toArray());
        }
    }

    private static void checkDistances(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        int[] sources = sample(csc.vertexCount(), 2 * loaded.multiSourceBatchSize() + 5);
        TextbookChecks.checkDistances(csc, loaded, sources, NO_MAX, control);
        for (int maxDepth : new int[] {0, 1, 4}) {
            TextbookChecks.checkDistances(csc, loaded, sample(csc.vertexCount(), 9), maxDepth, control);
        }
        TextbookChecks.checkDistances(csc, loaded, new int[0], NO_MAX, control);
    }

    private static void checkNearest(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        for (int count : new int[] {1, 2, 10, 40}) {
            TextbookChecks.checkNearest(csc, loaded, sample(csc.vertexCount(), count), NO_MAX, control.again());
        }
        TextbookChecks.checkNearest(csc, loaded, sample(csc.vertexCount(), 5), 2, control);
    }

    private static void checkFarness(Csc csc, LoadedGraph loaded, int concurrency) {
        TextbookFarness expected = new TextbookFarness(csc);
        expected.check(loaded, MEASURES, concurrency);
        checkBest(csc, loaded, concurrency);
    }

    /** The greatest distances are the eccentricities of the transposed graph, if every vertex is a source. */
    private static void checkGreatestDistances(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        int[] all = sample(csc.vertexCount(), csc.vertexCount());
        Set<DistanceMeasure> eccentricity = Set.of(DistanceMeasure.ECCENTRICITY);
        assertThat(loaded.greatestDistances(all, control))
                .isEqualTo(loaded.farness(eccentricity, control).eccentricity());
        int[] few = sample(csc.vertexCount(), 3);
        int[] greatest = new int[csc.vertexCount()];
        for (int source : few) {
            int[] levels = TextbookBfs.levels(csc, -1, source);
            Arrays.setAll(greatest, vertex -> Math.max(greatest[vertex], levels[vertex]));
        }
        assertThat(loaded.greatestDistances(few, control)).isEqualTo(greatest);
    }

    /** Bounds find what searches from all vertices find. */
    private static void checkEccentricities(Csc csc, LoadedGraph loaded, int concurrency) {
        // against the edges of the graph that is loaded
        Csc reversed = csc.transposed(1, Stop.NEVER);
        RunContext control = RunContext.of(concurrency);
        try (LoadedGraph other = new CpuBackend().load(reversed)) {
            LoadedGraph along = csc.isSymmetric() ? loaded : other;
            Eccentricities found =
                    EccentricityBounds.find(reversed, along, loaded, EnumSet.allOf(Wanted.class), () -> {}, control);
            int[] expected = loaded.farness(Set.of(DistanceMeasure.ECCENTRICITY), control)
                    .eccentricity();
            assertThat(found.eccentricities()).isEqualTo(expected);
            assertThat(found.diameter()).isEqualTo(Arrays.stream(expected).max().orElse(0));
        }
    }

    private static void checkFarnessOfSome(Csc csc, LoadedGraph loaded, int concurrency) {
        for (int count : new int[] {1, 70}) {
            int[] sources = sample(csc.vertexCount(), count);
            for (Set<DistanceMeasure> measures : List.of(Set.<DistanceMeasure>of(), ALL_MEASURES)) {
                checkFarnessOfSources(csc, loaded, sources, measures, concurrency);
            }
            checkFarnessFromSources(csc, loaded, sources, concurrency);
        }
    }

    /** The vertices of the best scores are the first of those of all sums. */
    private static void checkBest(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        Farness all = loaded.farness(Set.of(DistanceMeasure.HARMONIC), control);
        for (ClosenessFormula formula : ClosenessFormula.values()) {
            double[] scores = formula.scores(all, vertex -> csc.vertexCount() - 1L, Stop.NEVER);
            Top top = TopCloseness.of(loaded, csc, formula, 7, null, () -> {}, control);
            assertThat(top.vertices())
                    .isEqualTo(IntStream.range(0, scores.length)
                            .boxed()
                            .sorted(Comparator.comparing(vertex -> -scores[vertex]))
                            .limit(7)
                            .mapToInt(vertex -> vertex)
                            .toArray());
            assertThat(top.scores())
                    .isEqualTo(IntStream.of(top.vertices())
                            .mapToDouble(vertex -> scores[vertex])
                            .toArray());
        }
    }

    private static void checkBetweenness(Csc csc, LoadedGraph loaded, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        double[] scores = TextbookChecks.checkBetweenness(csc, loaded, null, control);
        assertThat(loaded.betweenness(null, RunContext.of(4 - concurrency))).isEqualTo(scores);
        TextbookChecks.checkBetweenness(csc, loaded, sample(csc.vertexCount(), 20), control);
    }

    /** With unknown and with known reverse edges. */
    private static void checkComponents(Csc csc, LoadedGraph loaded, int concurrency) {
        TextbookChecks.checkComponents(csc, loaded, RunContext.of(concurrency));
        csc.transposed(1, Stop.NEVER);
        TextbookChecks.checkComponents(csc, loaded, RunContext.of(concurrency));
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256, 65_534, 65_535, 65_536})
    void shouldMeasureDistancesOfEveryWidth(int length) {
        assumeFalse(isSlow() && length > 1000);
        Csc csc = TestGraphs.path(length + 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            TextbookChecks.checkDistances(csc, loaded, new int[] {0, length}, NO_MAX, RunContext.of(2));
        }
    }

    /** What the sources reach is what reaches them in the transposed graph. */
    private static void checkFarnessOfSources(
            Csc csc, LoadedGraph loaded, int[] sources, Set<DistanceMeasure> measures, int concurrency) {
        RunContext control = RunContext.of(concurrency);
        FarnessOfSources sums = new FarnessOfSources(sources.length, csc.vertexCount(), measures, control);
        loaded.multiSourceBfs(sources, NO_MAX, sums, control);
        new TextbookFarness(csc.transposed(1, Stop.NEVER), sources).check(sums.farness(), measures);
        new TextbookFarness(csc, sources).check(loaded.farness(sources, measures, control), measures);
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
        RunContext control = RunContext.of(concurrency);
        for (boolean withHarmonic : new boolean[] {false, true}) {
            FarnessFromSources sums = new FarnessFromSources(vertexCount, withHarmonic, control);
            loaded.multiSourceBfs(sources, NO_MAX, sums, control);
            assertThat(sums.farness().farness()).isEqualTo(farness);
            assertThat(sums.farness().reach()).isEqualTo(reach);
            assertThat(sums.farness().harmonic()).isEqualTo(withHarmonic ? harmonic : null);
        }
    }

    /** F14 of the acceptance facts: sums past 2^31, from 65,537 vertices on. */
    @Test
    void shouldSumPast32Bits() {
        int n = onlySmall() ? 900 : 70_000;
        Csc csc = TestGraphs.path(n).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            Farness farness = loaded.farness(Set.of(), RunContext.of(2));
            for (int k = 0; k < n; k++) {
                long expected = (long) k * (k + 1) / 2 + (long) (n - 1 - k) * (n - k) / 2;
                assertThat(farness.farness()[k]).as("vertex %d", k).isEqualTo(expected);
                assertThat(farness.reach()[k]).as("vertex %d", k).isEqualTo(n - 1);
            }
        }
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
                checkRefused(() -> loaded.betweenness(null, RunContext.of(2)));
                return;
            }
            scores = loaded.betweenness(null, RunContext.of(2));
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
            checkComponents(csc, loaded, 1);
            checkComponents(csc, loaded, 4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 5, Integer.MAX_VALUE})
    void shouldRefuseVerticesOutsideTheGraph(int outside) {
        RunContext control = RunContext.of(1);
        List<Consumer<LoadedGraph>> runs = List.of(
                graph -> graph.bfs(outside, -1, NO_TARGETS, control),
                graph -> graph.bfs(0, -1, new int[] {outside}, control),
                graph -> graph.multiSourceBfs(new int[] {0, outside}, -1, batch -> {}, control),
                graph -> graph.nearestSource(new int[] {outside}, -1, control));
        try (LoadedGraph loaded = backend().load(TestGraphs.path(5).toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
            assertThat(runs).allSatisfy(run -> assertThatThrownBy(() -> run.accept(loaded))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("vertex=" + outside));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndEarlyWhenStopped(int concurrency) {
        List<EdgeList> graphs = onlySmall()
                ? List.of(TestGraphs.rmat(9, 16, 4), TestGraphs.grid(25, 25), TestGraphs.path(900))
                : List.of(TestGraphs.rmat(11, 16, 4), TestGraphs.grid(60, 60), TestGraphs.path(4000));
        for (EdgeList edges : graphs) {
            Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
            csc.transposed(1, Stop.NEVER);
            try (LoadedGraph loaded = backend().load(csc)) {
                workloads(csc.vertexCount(), 70)
                        .forEach(work -> checkStops(concurrency, c -> Runs.run(work, csc, loaded, c)));
                // what stops leave does not disturb the next run
                Runs.check(Operation.FARNESS_OF_SOURCES, csc, loaded, Runs.sources(csc, 5), RunContext.of(concurrency));
            }
        }
    }

    @Test
    void shouldReportAllItsProgress() {
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
            Csc csc = TestGraphs.rmat(onlySmall() ? 10 : 12, 8, 9).toCsc(orientation, 1, Stop.NEVER);
            Map<Operation, Long> volumes = Map.of(
                    Operation.BFS,
                    (long) csc.vertexCount(),
                    Operation.NEAREST_SOURCE,
                    (long) csc.vertexCount(),
                    Operation.MULTI_SOURCE_BFS,
                    130L,
                    Operation.COMPONENTS,
                    csc.entryCount());
            try (LoadedGraph loaded = backend().load(csc)) {
                Stream.concat(workloads(csc.vertexCount(), 130), Stream.of(new Workload(Operation.BFS, 1, 1)))
                        .filter(work -> !work.operation().readsWeights())
                        .forEach(work -> Runs.checkProgress(
                                work.operation(),
                                volumes.get(work.operation()),
                                control -> Runs.run(work, csc, loaded, control)));
            }
        }
    }

    /** Those of the operations that the backend offers. */
    private Stream<Workload> workloads(int vertices, int sources) {
        return Runs.workloads(vertices, sources, MEASURES).filter(work -> offers(work.operation()));
    }

    @Test
    void shouldBeAvailable() {
        BackendInfo info = backend().info();
        assertThat(info.available()).isTrue();
        assertThat(info.reason()).isEmpty();
        assertThat(info.totalBytes()).isPositive();
        assertThat(info.freeBytes()).isBetween(0L, info.totalBytes());
    }

    @Test
    void shouldServeSeveralCallersAtOnce() {
        Csc csc = TestGraphs.rmat(onlySmall() ? 9 : 11, 8, 10).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        TextbookFarness expected = new TextbookFarness(csc);
        try (LoadedGraph loaded = backend().load(csc)) {
            Workers.run(4, Stop.NEVER, (worker, stop) -> {
                for (int round = 0; round < 3; round++) {
                    expected.check(loaded.farness(ALL_MEASURES, RunContext.of(2)), ALL_MEASURES);
                    for (int source : sample(csc.vertexCount(), 5)) {
                        TextbookChecks.checkLevels(csc, loaded, source, NO_MAX, RunContext.of(2));
                    }
                }
            });
        }
    }

    @Test
    void shouldEstimateEveryRunOfAnyShape() {
        for (boolean symmetric : new boolean[] {true, false}) {
            GraphShape small = new GraphShape(10, 20, symmetric);
            GraphShape huge = new GraphShape(Csc.MAX_VERTICES, 1L << 36, symmetric);
            assertThat(workloads(10, 64)).allSatisfy(work -> {
                assertThat(bytes(small, work, 1)).isPositive();
                assertThat(bytes(huge, work, 64)).isGreaterThanOrEqualTo(4L * Csc.MAX_VERTICES);
            });
            assertThat(Runs.OF_DEVICES).filteredOn(run -> !offers(run)).allSatisfy(run -> {
                checkRefused(() -> bytes(small, new Workload(run, 64, NO_MAX), 1));
            });
        }
    }

    private long bytes(GraphShape shape, Workload work, int concurrency) {
        MemoryEstimate estimate = backend().estimate(shape, work, concurrency);
        return estimate.heapBytes() + estimate.deviceBytes();
    }

    /**
     * Runs with a stop that is requested from a number of looks on: a run that looks more often must end so, and every
     * run looks at least once.
     */
    private static void checkStops(int concurrency, Consumer<RunContext> run) {
        AtomicInteger looksOfAll = new AtomicInteger();
        run.accept(new RunContext(
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
                run.accept(new RunContext(concurrency, stop, Progress.NONE));
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
}
