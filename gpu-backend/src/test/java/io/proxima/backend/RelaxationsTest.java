// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.MappedBudget;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many edges weighted searches relax with the default delta, whatever the weights: Dijkstra relaxes each once. */
class RelaxationsTest extends FakeDeviceTestCase {

    private static final int SIDE = 250;
    private static final int DENSE = 8_000;
    private static final int MOST = 3;

    /** A {@link io.proxima.concurrent.PacedStop} checks its stop after so many edges. */
    private static final long EDGES_A_CHECK = 1 << 15;

    /** Distributions of weights, whose means say little. */
    enum Weights {
        ONES,
        UNIFORM,
        GREAT_OUTLIER,
        GREATEST_OUTLIER,
        SMALL_OUTLIER,
        DENORMAL_OUTLIER,
        PARETO,
        TEN_MAGNITUDES,
        SIX_HUNDRED_MAGNITUDES,
        MOSTLY_ZERO,
        NEARLY_ALL_ZERO,
        ALL_ZERO,
        DENORMAL,
        DENORMAL_OR_NOT,
        SMALL_OR_GREAT;

        double next(Random random, boolean first) {
            int whole = 1 + random.nextInt(100);
            return switch (this) {
                case ONES -> 1;
                case UNIFORM -> random.nextDouble();
                case GREAT_OUTLIER -> first ? 1e12 : whole;
                case GREATEST_OUTLIER -> first ? 1e300 : whole;
                case SMALL_OUTLIER -> first ? 1e-12 : whole;
                case DENORMAL_OUTLIER -> first ? Double.MIN_VALUE : whole;
                case PARETO -> Math.pow(random.nextDouble(), -2);
                case TEN_MAGNITUDES -> Math.pow(10, 10 * random.nextDouble() - 5);
                case SIX_HUNDRED_MAGNITUDES -> Math.pow(10, 600 * random.nextDouble() - 300);
                case MOSTLY_ZERO -> random.nextInt(4) == 0 ? whole : 0;
                case NEARLY_ALL_ZERO -> random.nextInt(100_000) == 0 ? whole : 0;
                case ALL_ZERO -> 0;
                case DENORMAL -> whole * Double.MIN_VALUE;
                case DENORMAL_OR_NOT -> random.nextInt(5) == 0 ? whole * Double.MIN_VALUE : whole;
                case SMALL_OR_GREAT -> random.nextInt(5) == 0 ? whole : 1e12 * whole;
            };
        }
    }

    /** A device so small that the graphs occupy it: one that is idle widens its buckets. */
    RelaxationsTest() {
        use(
                new FakeDriver(
                        13_000, new DeviceFacts("One multiprocessor", 9, 0, 1, true, 227 << 10, FakeDevices.PLENTY)),
                MappedBudget.none());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRelaxFewEdgesOfAGrid(Weights weights) {
        check(grid(weights));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRelaxFewEdgesOfADenseGraph(Weights weights) {
        check(dense(DENSE, 1, weights));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRelaxFewEdgesOfAGraphWithHubs(Weights weights) {
        check(dense(DENSE, 3, weights));
    }

    /** Leaves, and vertices without edges, make the mean degree small. */
    @ParameterizedTest
    @EnumSource
    void shouldRelaxFewEdgesOfADensePart(Weights weights) {
        check(dense(20 * DENSE, 1, weights));
    }

    private static Graphs dense(int vertices, int skew, Weights weights) {
        Random random = new Random(2);
        WeightedEdgeList list = new WeightedEdgeList(vertices, Orientation.UNDIRECTED);
        for (int edge = 0; edge < 16 * DENSE; edge++) {
            int source = (int) (Math.pow(random.nextDouble(), skew) * DENSE);
            list.add(source, random.nextInt(DENSE), weights.next(random, edge == 0));
        }
        for (int leaf = DENSE; leaf < Math.min(vertices, 3 * DENSE); leaf++) {
            list.add(random.nextInt(DENSE), leaf, weights.next(random, false));
        }
        return list.build(2, Stop.NEVER);
    }

    /** There are more buckets than integers of 64 bits. */
    @ParameterizedTest
    @ValueSource(doubles = {Double.MIN_VALUE, 1e-300, 1e-16})
    void shouldRelaxEdgesOnceInTheNarrowestBuckets(double delta) {
        Graphs graphs = grid(Weights.UNIFORM);
        assertThat(edgesOnTheCpu(graphs, delta))
                .isLessThanOrEqualTo(graphs.csc().entryCount());
    }

    private static Graphs grid(Weights weights) {
        Random random = new Random(1);
        WeightedEdgeList list = new WeightedEdgeList(SIDE * SIDE, Orientation.UNDIRECTED);
        // between opposite corners, and so on no path
        list.add(0, SIDE * SIDE - 1, weights.next(random, true));
        for (int vertex = 0; vertex < SIDE * SIDE; vertex++) {
            if (vertex % SIDE < SIDE - 1) {
                list.add(vertex, vertex + 1, weights.next(random, false));
            }
            if (vertex / SIDE < SIDE - 1) {
                list.add(vertex, vertex + SIDE, weights.next(random, false));
            }
        }
        return list.build(2, Stop.NEVER);
    }

    private void check(Graphs graphs) {
        double[] expected = TextbookDijkstra.costs(graphs.weights(), 0);
        long once = 0;
        for (int vertex = 0; vertex < expected.length; vertex++) {
            once += expected[vertex] == Double.POSITIVE_INFINITY
                    ? 0
                    : graphs.weights().degree(vertex);
        }
        assertThat(edgesOnTheCpu(graphs, LoadedGraph.ANY_DELTA))
                .as("edges on the CPU")
                .isLessThanOrEqualTo(MOST * once);
        assertThat(costs(backend, graphs, LoadedGraph.ANY_DELTA, Stop.NEVER)).isEqualTo(expected);
        assertThat(driver.device().relaxations()).as("edges on a device").isBetween(once, MOST * once);
    }

    private static long edgesOnTheCpu(Graphs graphs, double delta) {
        AtomicLong checks = new AtomicLong();
        Stop counting = () -> {
            checks.addAndGet(relaxes() ? 1 : 0);
            return false;
        };
        assertThat(costs(new CpuBackend(), graphs, delta, counting))
                .isEqualTo(TextbookDijkstra.costs(graphs.weights(), 0));
        assertThat(checks).doesNotHaveValue(0);
        return checks.get() * EDGES_A_CHECK;
    }

    /** Whether the stop is checked because edges were relaxed. */
    private static boolean relaxes() {
        return StackWalker.getInstance().walk(frames -> frames.limit(8)
                .anyMatch(frame -> frame.getClassName().endsWith("$Relaxation")));
    }

    private static double[] costs(TraversalBackend backend, Graphs graphs, double delta, Stop stop) {
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            return graph.shortestPaths(0, graphs.weights(), delta, false, new RunContext(1, stop, Progress.NONE))
                    .costs();
        }
    }
}
