// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.bounds.TopCloseness.Top;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.RecordingProgress.Begun;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopClosenessTest {

    private static final List<Orientation> ORIENTATIONS = List.copyOf(EnumSet.allOf(Orientation.class));
    private static final List<ClosenessFormula> FORMULAS = List.copyOf(EnumSet.allOf(ClosenessFormula.class));

    /** Graphs of a try: fifty thousand in all. */
    private static final int GRAPHS_AT_ONCE = 200;

    private static final int MOST_VERTICES = 30;

    @Property(tries = 250)
    void shouldEqualSearchesFromAllVertices(@ForAll long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < GRAPHS_AT_ONCE; i++) {
            EdgeList edges = randomGraph(random);
            Orientation orientation = ORIENTATIONS.get(random.nextInt(ORIENTATIONS.size()));
            ClosenessFormula formula = FORMULAS.get(random.nextInt(FORMULAS.size()));
            int n = edges.vertexCount();
            int[] ks = {1, 2, 1 + random.nextInt(Math.max(1, n)), Math.max(1, n), n + 3};
            int k = ks[random.nextInt(ks.length)];
            int width = 1 + random.nextInt(3);
            int[] chosen = random.nextInt(4) > 0
                    ? null
                    : IntStream.range(0, n)
                            .filter(vertex -> random.nextBoolean())
                            .toArray();
            FailingGraphs.saving("TopClosenessTest.shouldEqualSearchesFromAllVertices", edges, () -> {
                Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
                Top top = TopCloseness.of(
                        new CpuBackend().load(csc), csc, formula, k, chosen, width, () -> {}, RunContext.of(1));
                check(top, scores(csc, formula), k, chosen);
            });
        }
    }

    /**
     * Components, trees, cliques, paths and cycles, joined by a few edges: many ties, and many orders of components.
     */
    private static EdgeList randomGraph(Random random) {
        int n = random.nextInt(MOST_VERTICES + 1);
        EdgeList edges = new EdgeList(n);
        int extra = n == 0 ? 0 : random.nextInt(n + 1) * random.nextInt(3);
        for (int first = 0; first < n; ) {
            int end = Math.min(n, first + 1 + random.nextInt(12));
            int kind = random.nextInt(5);
            for (int vertex = first + 1; vertex < end; vertex++) {
                int before = kind == 0 ? first + random.nextInt(vertex - first) : vertex - 1;
                switch (kind) {
                    case 0, 1 -> edges.add(before, vertex);
                    case 2 -> edges.add(first, vertex);
                    case 3 -> {
                        for (int other = first; other < vertex; other++) {
                            edges.add(other, vertex);
                            edges.add(vertex, other);
                        }
                    }
                    default -> {
                        edges.add(before, vertex);
                        if (vertex == end - 1) {
                            edges.add(vertex, first);
                        }
                    }
                }
            }
            first = end;
        }
        for (int i = 0; i < extra; i++) {
            edges.add(random.nextInt(n), random.nextInt(n));
        }
        return edges;
    }

    /** The scores of all vertices, from searches over sets of vertices as bits. */
    private static double[] scores(Csc csc, ClosenessFormula formula) {
        int n = csc.vertexCount();
        int[] before = new int[n];
        for (int vertex = 0; vertex < n; vertex++) {
            for (long i = csc.columnStart(vertex); i < csc.columnEnd(vertex); i++) {
                before[csc.rowIndices().get(i)] |= 1 << vertex;
            }
        }
        double[] scores = new double[n];
        for (int vertex = 0; vertex < n; vertex++) {
            int seen = 1 << vertex;
            int frontier = seen;
            long farness = 0;
            double harmonic = 0;
            for (int level = 1; frontier != 0; level++) {
                int next = 0;
                for (int rest = frontier; rest != 0; rest &= rest - 1) {
                    next |= before[Integer.numberOfTrailingZeros(rest)];
                }
                frontier = next & ~seen;
                seen |= next;
                farness += (long) level * Integer.bitCount(frontier);
                harmonic = Farness.addHarmonic(harmonic, Integer.bitCount(frontier), level);
            }
            scores[vertex] = formula.score((double) farness, Integer.bitCount(seen) - 1L, harmonic, n - 1L);
        }
        return scores;
    }

    /** The k best are the first of all, by descending score and ascending vertex; the scores are equal to the bit. */
    private static void check(Top top, double[] scores, int k, int[] chosen) {
        int[] expected = (chosen == null ? IntStream.range(0, scores.length) : Arrays.stream(chosen))
                .boxed()
                .sorted((one, other) -> scores[one] == scores[other]
                        ? Integer.compare(one, other)
                        : Double.compare(scores[other], scores[one]))
                .limit(k)
                .mapToInt(vertex -> vertex)
                .toArray();
        assertThat(top.vertices()).isEqualTo(expected);
        assertThat(top.scores())
                .isEqualTo(Arrays.stream(expected)
                        .mapToDouble(vertex -> scores[vertex])
                        .toArray());
    }

    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldEqualSearchesFromAllVerticesOfAScaleFreeGraph(Orientation orientation) {
        Csc csc = TestGraphs.rmat(12, 6, 4).toCsc(orientation, 2, Stop.NEVER);
        LoadedGraph graph = new CpuBackend().load(csc);
        for (ClosenessFormula formula : ClosenessFormula.values()) {
            double[] scores = formula.scores(
                    graph.farness(Set.of(DistanceMeasure.HARMONIC), RunContext.of(2)),
                    v -> csc.vertexCount() - 1L,
                    Stop.NEVER);
            for (int k : new int[] {1, 10, 100, 1000, 4000}) {
                Top one = TopCloseness.of(graph, csc, formula, k, null, () -> {}, RunContext.of(1));
                check(one, scores, k, null);
                Top three = TopCloseness.of(graph, csc, formula, k, null, () -> {}, RunContext.of(3));
                check(three, scores, k, null);
                assertThat(three.searches()).isEqualTo(one.searches());
                assertThat(three.edges()).isEqualTo(one.edges());
            }
        }
    }

    /** Work, in searches and in edges: all searches would be 65,536, and 64 of them together visit each edge twice. */
    @Test
    void shouldNeedFewSearchesOfAScaleFreeGraph() {
        Csc csc = TestGraphs.rmat(16, 16, 1).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        LoadedGraph graph = new CpuBackend().load(csc);
        double all = (double) csc.vertexCount() / TopCloseness.WIDTH * 2 * csc.entryCount();
        int[] ks = {1, 10, 100};
        double[] shares = {0.0015, 0.0015, 0.0045};
        long[] searches = {96, 96, 205};
        for (int i = 0; i < ks.length; i++) {
            Top top = TopCloseness.of(
                    graph, csc, ClosenessFormula.WASSERMAN_FAUST, ks[i], null, () -> {}, RunContext.of(2));
            assertThat(top.searches()).isLessThanOrEqualTo(searches[i]);
            double batches = Math.ceil((double) top.searches() / TopCloseness.WIDTH);
            double work = top.edges() + batches * 2 * csc.entryCount();
            assertThat(work / all).as("share of k = %d", ks[i]).isLessThan(shares[i]);
        }
    }

    /** No bound tells vertices apart that are about equally central: all are searched from, after a few. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void shouldSearchFromAllVerticesIfBoundsDoNotHelp(double rewired) {
        int n = 5000;
        Csc csc = ring(n, 5, rewired).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        for (int[] chosen : new int[][] {null, IntStream.range(1000, n).toArray()}) {
            RecordingProgress progress = new RecordingProgress();
            AtomicInteger tasksBefore = new AtomicInteger();
            Top top = TopCloseness.of(
                    new CpuBackend().load(csc),
                    csc,
                    ClosenessFormula.WASSERMAN_FAUST,
                    3,
                    chosen,
                    () -> tasksBefore.set(progress.tasks().size()),
                    new RunContext(2, Stop.NEVER, progress));
            int left = chosen == null ? n : chosen.length;
            assertThat(top.searches()).isBetween((long) left, left + 2L * TopCloseness.WIDTH);
            assertThat(tasksBefore).hasValue(1);
            Begun last = progress.tasks().get(progress.tasks().size() - 1);
            assertThat(last.task().name())
                    .isEqualTo((chosen == null ? "Farness" : "Farness of chosen nodes") + " (" + left + " searches)");
            assertThat(last.volume()).isEqualTo(left);
            assertThat(last.done()).hasValue(left);
        }
    }

    /** A ring in which each vertex is linked to the next ones: a small world if some of the edges are rewired. */
    private static EdgeList ring(int n, int next, double rewired) {
        Random random = new Random(1);
        EdgeList edges = new EdgeList(n);
        for (int vertex = 0; vertex < n; vertex++) {
            for (int step = 1; step <= next; step++) {
                edges.add(vertex, random.nextDouble() < rewired ? random.nextInt(n) : (vertex + step) % n);
            }
        }
        return edges;
    }

    /** The searches that hanging trees spare are no part of the number. */
    @Test
    void shouldShowTheNumberOfSearchesThatAreMade() {
        Csc csc = TestGraphs.path(5000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        RecordingProgress progress = new RecordingProgress();
        TopCloseness.of(
                new CpuBackend().load(csc),
                csc,
                ClosenessFormula.WASSERMAN_FAUST,
                3,
                null,
                () -> {},
                new RunContext(2, Stop.NEVER, progress));
        Begun last = progress.tasks().get(progress.tasks().size() - 1);
        assertThat(last.volume()).isLessThan(100);
        assertThat(last.task()).isEqualTo(BackendTask.FARNESS.with("(" + last.volume() + " searches)"));
    }

    /** The best score of the default formula is that of a vertex whose neighbours are all that reach it. */
    @Test
    void shouldFindClosenessOneWithoutASearch() {
        Csc csc = TestGraphs.disconnected(1000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Top top = TopCloseness.of(
                new CpuBackend().load(csc), csc, ClosenessFormula.DEFAULT, 5, null, () -> {}, RunContext.of(2));
        assertThat(top.scores()).containsOnly(1);
        assertThat(top.vertices()).isSorted().hasSize(5);
        assertThat(top.searches()).isZero();
    }

    @Test
    void shouldCountNeedlessSearchesAsProgress() {
        Csc csc = TestGraphs.rmat(12, 6, 4).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        RecordingProgress progress = new RecordingProgress();
        TopCloseness.of(
                new CpuBackend().load(csc),
                csc,
                ClosenessFormula.HARMONIC,
                10,
                null,
                () -> {},
                new RunContext(2, Stop.NEVER, progress));
        assertThat(progress.tasks()).hasSize(1);
        assertThat(progress.tasks().get(0).task()).isEqualTo(BackendTask.FARNESS_OF_SOURCES);
        assertThat(progress.tasks().get(0).volume()).isEqualTo(csc.vertexCount());
        assertThat(progress.tasks().get(0).done()).hasValue(csc.vertexCount());
    }

    /** At whichever check the stop is requested, the run ends, and no sooner than that. */
    @Test
    void shouldHearAStop() {
        Csc csc = TestGraphs.rmat(13, 8, 4).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        LoadedGraph graph = new CpuBackend().load(csc);
        int[] checks = {0};
        Stop counting = () -> {
            checks[0]++;
            return false;
        };
        csc.transposed(1, Stop.NEVER);
        run(graph, csc, counting);
        int all = checks[0];
        assertThat(all).isGreaterThan(20);
        for (int after = 0; after < all; after += 1 + all / 20) {
            int last = after;
            checks[0] = 0;
            assertThatThrownBy(() -> run(graph, csc, () -> checks[0]++ >= last)).isInstanceOf(StoppedException.class);
        }
    }

    private static void run(LoadedGraph graph, Csc csc, Stop stop) {
        TopCloseness.of(
                graph,
                csc,
                ClosenessFormula.WASSERMAN_FAUST,
                50,
                null,
                () -> {},
                new RunContext(1, stop, new RecordingProgress()));
    }

    @Test
    void shouldEstimateItsHeap() {
        int n = 100_000;
        // reach, bound and whether it is settled; and the state of two threads
        assertThat(TopCloseness.heldMemory(n, 10).minBytes()).isEqualTo(13L * n + 80);
        assertThat(TopCloseness.memory(new GraphShape(n, 10L * n, true), 10, 2).maxBytes())
                .isBetween(85L * n, 86L * n);
    }
}
