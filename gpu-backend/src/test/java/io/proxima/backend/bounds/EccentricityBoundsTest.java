// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendTask;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
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
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EccentricityBoundsTest {

    private static final int MOST_VERTICES = 24;
    private static final CpuBackend CPU = new CpuBackend();

    /** What searches from all vertices find. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Expected(int[] eccentricities, int diameter, int radius) {
        static Expected of(Csc csc) {
            int[] eccentricities = new int[csc.vertexCount()];
            int mostReached = 0;
            int diameter = 0;
            int radius = 0;
            for (int vertex = 0; vertex < eccentricities.length; vertex++) {
                int[] levels = TextbookBfs.levels(csc, -1, vertex);
                int reached = 0;
                for (int level : levels) {
                    reached += level >= 0 ? 1 : 0;
                    eccentricities[vertex] = Math.max(eccentricities[vertex], level);
                }
                diameter = Math.max(diameter, eccentricities[vertex]);
                if (reached > mostReached || (reached == mostReached && eccentricities[vertex] < radius)) {
                    radius = eccentricities[vertex];
                }
                mostReached = Math.max(mostReached, reached);
            }
            return new Expected(eccentricities, diameter, radius);
        }

        void check(Eccentricities found, Set<Wanted> wanted) {
            assertThat(found.eccentricities()).isEqualTo(wanted.contains(Wanted.ALL) ? eccentricities : null);
            if (wanted.contains(Wanted.ALL) || wanted.contains(Wanted.DIAMETER)) {
                assertThat(found.diameter()).as("diameter").isEqualTo(diameter);
            }
            if (wanted.contains(Wanted.RADIUS)) {
                assertThat(found.radius()).as("radius").isEqualTo(radius);
            }
        }
    }

    private static Eccentricities find(Csc csc, Set<Wanted> wanted, int singles, int batch, RunContext control) {
        try (LoadedGraph along = CPU.load(csc);
                LoadedGraph against = CPU.load(csc.transposed(1, Stop.NEVER))) {
            LoadedGraph back = csc.isSymmetric() ? along : against;
            return new EccentricityBounds(csc, along, back, wanted, singles, batch, () -> {}, control).run();
        }
    }

    private static <E extends Enum<E>> E any(Random random, Class<E> type) {
        List<E> all = List.copyOf(EnumSet.allOf(type));
        return all.get(random.nextInt(all.size()));
    }

    /** Components, tails, trees, cliques, lattices, and directed graphs of many strongly connected components. */
    @Property(tries = 50_000)
    void shouldFindWhatSearchesFromAllVerticesFind(@ForAll long seed) {
        Random random = new Random(seed);
        EdgeList edges = graph(random);
        Orientation orientation = any(random, Orientation.class);
        Set<Wanted> wanted = EnumSet.of(any(random, Wanted.class));
        if (random.nextBoolean()) {
            wanted.add(Wanted.RADIUS);
        }
        int batch = 1 + random.nextInt(4);
        // without single searches, every vertex is searched unless half of them are settled
        int singles = random.nextInt(4) == 0 ? 0 : 1 << random.nextInt(6);
        FailingGraphs.saving("EccentricityBoundsTest", edges, () -> {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            LoadedGraph along = new TextbookGraph(csc);
            Csc reversed = csc.transposed(1, Stop.NEVER);
            LoadedGraph against = csc.isSymmetric() ? along : new TextbookGraph(reversed);
            Eccentricities found = new EccentricityBounds(
                            csc, along, against, wanted, singles, batch, () -> {}, RunContext.of(1))
                    .run();
            Expected.of(csc).check(found, wanted);
        });
    }

    private static EdgeList graph(Random random) {
        int n = 1 + random.nextInt(MOST_VERTICES);
        EdgeList edges = new EdgeList(n);
        for (int first = 0, next; first < n; first = next) {
            next = Math.min(n, first + 1 + random.nextInt(n));
            block(edges, first, next, random);
            for (int link = random.nextInt(3); first > 0 && link > 0; link--) {
                edges.add(first + random.nextInt(next - first), random.nextInt(first));
            }
        }
        return edges;
    }

    /** A path, tree, cycle, clique, lattice or random graph of some vertices, whose links have random directions. */
    private static void block(EdgeList edges, int first, int end, Random random) {
        int kind = random.nextInt(6);
        int side = 1 + random.nextInt(4);
        for (int vertex = first; vertex < end; vertex++) {
            int before = first + Math.max(0, vertex - first - 1);
            switch (kind) {
                case 0 -> link(edges, vertex, before, random);
                case 1 -> link(edges, vertex, first + random.nextInt(vertex - first + 1), random);
                case 2 -> edges.add(vertex, vertex + 1 < end ? vertex + 1 : first);
                case 3 -> {
                    for (int other = first; other < vertex; other++) {
                        link(edges, vertex, other, random);
                    }
                }
                case 4 -> {
                    link(edges, vertex, (vertex - first) % side == 0 ? vertex : before, random);
                    link(edges, vertex, Math.max(first, vertex - side), random);
                }
                default -> link(edges, vertex, first + random.nextInt(end - first), random);
            }
        }
    }

    private static void link(EdgeList edges, int one, int other, Random random) {
        int kind = random.nextInt(4);
        if (kind != 0) {
            edges.add(one, other);
        }
        if (kind < 2) {
            edges.add(other, one);
        }
    }

    /**
     * A cycle with a chord, whose distances there and back differ: {@code ecc(v) <= d(z,v) + ecc(z)} and {@code ecc(v)
     * >= ecc(z) - d(v,z)} are both wrong.
     */
    @Test
    void shouldBoundByDistancesInTheRightDirection() {
        EdgeList edges = TestGraphs.of(12, "0>1 1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>9 9>10 10>11 11>0 0>6 6>0 3>0");
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        for (Wanted each : Wanted.values()) {
            Set<Wanted> wanted = Set.of(each);
            Expected.of(csc).check(find(csc, wanted, EccentricityBounds.SINGLES, 1, RunContext.of(1)), wanted);
        }
    }

    /** A vertex that reaches the source, but is not reached from it, reaches what the source does not. */
    @Test
    void shouldBoundFromAboveOnlyWithinAStrongComponent() {
        // a cycle, and a path that begins before it and leads past it
        EdgeList edges = TestGraphs.of(12, "0>1 1>2 2>3 3>0 4>0 4>5 5>6 6>7 7>8 8>9 9>10 10>11");
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Set<Wanted> wanted = EnumSet.allOf(Wanted.class);
        Expected.of(csc).check(find(csc, wanted, EccentricityBounds.SINGLES, 1, RunContext.of(1)), wanted);
    }

    /** Graphs of several thousand vertices take batches and several threads. */
    @ParameterizedTest
    @EnumSource(Orientation.class)
    void shouldFindWhatSearchesFromAllVerticesFindInLargerGraphs(Orientation orientation) {
        List<EdgeList> graphs = List.of(
                TestGraphs.rmat(11, 6, 7),
                TestGraphs.grid(40, 30),
                TestGraphs.binaryTree(2000),
                TestGraphs.uniform(1500, 4000, 9, true),
                TestGraphs.starOfStars(30, 30),
                TestGraphs.lollipop(100, 400),
                TestGraphs.disconnected(300));
        for (EdgeList edges : graphs) {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            Expected expected = Expected.of(csc);
            for (Set<Wanted> wanted : List.of(
                    EnumSet.allOf(Wanted.class), Set.of(Wanted.DIAMETER), Set.of(Wanted.RADIUS), Set.of(Wanted.ALL))) {
                for (int concurrency : new int[] {1, 3}) {
                    expected.check(
                            find(
                                    csc,
                                    wanted,
                                    EccentricityBounds.SINGLES,
                                    EccentricityBounds.BATCH,
                                    RunContext.of(concurrency)),
                            wanted);
                }
            }
        }
    }

    /** The progress counts down to nothing, whatever way the run takes. */
    @Test
    void shouldReportTheWholeVolume() {
        for (EdgeList edges :
                List.of(TestGraphs.rmat(12, 16, 3), TestGraphs.path(500), TestGraphs.starOfStars(50, 50))) {
            Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
            AtomicLong volume = new AtomicLong();
            AtomicLong done = new AtomicLong();
            Progress progress = new Progress() {
                @Override
                public void beginTask(Task task, long expected) {
                    assertThat(task).isEqualTo(BackendTask.BOUNDS);
                    volume.set(expected);
                }

                @Override
                public void advance(long units) {
                    assertThat(units).isPositive();
                    done.addAndGet(units);
                }
            };
            find(csc, Set.of(Wanted.ALL), 32, 64, new RunContext(2, Stop.NEVER, progress));
            assertThat(done.get()).isEqualTo(volume.get());
        }
    }

    @Test
    void shouldSearchEveryVertexWhereBoundsDoNotPay() {
        Csc csc = TestGraphs.uniform(4000, 32_000, 5, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Eccentricities found = find(csc, Set.of(Wanted.ALL), 32, 64, RunContext.of(2));
        assertThat(found.searches()).isBetween(4000L, 4000L + EccentricityBounds.SINGLES);
    }

    /** A strong component has a hub of its own, whether its vertices come before or after those of a larger one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNeedFewSearchesOfEachOfTwoStrongComponents(boolean largerFirst) {
        int rim = 6000;
        Csc scaleFree = TestGraphs.rmat(12, 8, 3).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int n = scaleFree.vertexCount();
        int hub = largerFirst ? 0 : n;
        int before = largerFirst ? rim : 0;
        EdgeList edges = new EdgeList(n + rim);
        for (int vertex = hub + 1; vertex < hub + rim; vertex++) {
            edges.add(hub, vertex).add(vertex, hub).add(vertex, vertex + 1 < hub + rim ? vertex + 1 : hub + 1);
        }
        for (int vertex = 0; vertex < n; vertex++) {
            for (long e = scaleFree.columnStart(vertex); e < scaleFree.columnEnd(vertex); e++) {
                edges.add(before + vertex, before + scaleFree.rowIndices().get(e));
            }
        }
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Eccentricities found = find(csc, Set.of(Wanted.ALL), 32, 64, RunContext.of(2));
        assertThat(found.searches()).isLessThan(EccentricityBounds.BATCH);
    }

    @Test
    void shouldEndWhenStopped() {
        Csc csc = TestGraphs.grid(60, 60).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        AtomicInteger checks = new AtomicInteger();
        RunContext counted = new RunContext(
                2,
                () -> {
                    checks.incrementAndGet();
                    return false;
                },
                Progress.NONE);
        find(csc, Set.of(Wanted.ALL), 32, 64, counted);
        for (int share = 0; share < 8; share++) {
            AtomicInteger left = new AtomicInteger(checks.get() * share / 8);
            RunContext stopped = new RunContext(2, () -> left.decrementAndGet() < 0, Progress.NONE);
            assertThatThrownBy(() -> find(csc, Set.of(Wanted.ALL), 32, 64, stopped))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldFindNothingWithoutVertices() {
        Csc csc = TestGraphs.empty().toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Eccentricities found = find(csc, EnumSet.allOf(Wanted.class), 32, 64, RunContext.of(1));
        assertThat(found.eccentricities()).isEmpty();
        assertThat(Arrays.asList(found.diameter(), found.radius())).containsOnly(0);
        assertThat(found.searches()).isZero();
    }
}
