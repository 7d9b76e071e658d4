// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.CostSums;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches, teams and memory of sums over the costs from many sources. */
class NearFarSumsTest extends FakeDeviceTestCase {

    private static final int VERTICES = 300;
    private static final int[] SOURCES = IntStream.range(0, 13).toArray();

    private final Graphs integers = graphs(1, 2, 3);
    private final Graphs floats = graphs(1, 1.5, 0.25);
    private final Graphs doubles = graphs(1, 0.1, 0.2);

    @Test
    void shouldSumFromMoreSourcesThanALaunchTakes() {
        int[] sources = IntStream.range(0, 2 * PathKernels.SOURCES_OF_A_LAUNCH + 7)
                .map(i -> i % 3)
                .toArray();
        Graphs path = new WeightedEdgeList(3, Orientation.NATURAL)
                .add(0, 1, 0.5)
                .add(1, 2, 0.25)
                .build(1, Stop.NEVER);
        try (LoadedGraph graph = backend.load(path.csc())) {
            CostSums found = graph.costSums(sources, path.weights(), true, RunContext.of(1));
            assertThat(found.sums()).isEqualTo(byThree(sources, 1.25, 0.25, 0));
            assertThat(found.greatest()).isEqualTo(byThree(sources, 0.75, 0.25, 0));
            assertThat(found.reciprocals()).isEqualTo(byThree(sources, 2 + 1 / 0.75, 4, 0));
        }
    }

    private static double[] byThree(int[] sources, double... values) {
        return Arrays.stream(sources).mapToDouble(source -> values[source]).toArray();
    }

    /** Launches of no time have twice the sources of the last one, but not without end. */
    @Test
    void shouldSumFromSoManySourcesThatLaunchesCouldDoubleWithoutEnd() {
        // one multiprocessor, and so one team
        DeviceFacts facts = new DeviceFacts("Fake", 9, 0, 1, true, 227 << 10, FakeDevices.PLENTY);
        use(new FakeDriver(13_000, facts), MappedBudget.none());
        Graphs alone = new WeightedEdgeList(1, Orientation.NATURAL).build(1, Stop.NEVER);
        int[] sources = new int[36 * PathKernels.SOURCES_OF_A_LAUNCH];
        try (LoadedGraph graph = backend.load(alone.csc())) {
            CostSums found = graph.costSums(sources, alone.weights(), false, RunContext.of(1));
            assertThat(found.reach()).containsOnly(0);
        }
        assertThat(launches("near_far_sums_")).isEqualTo(36 + 14);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 150, 210})
    void shouldBoundTheMemoryOfEveryFormOfWeights(int kibibytes) {
        for (Graphs graphs : new Graphs[] {integers, floats, doubles}) {
            for (int sources : new int[] {1, 2, SOURCES.length}) {
                useDevice((long) kibibytes << 10);
                MemoryEstimate estimate = backend.estimate(graphs.csc(), false, work(graphs, sources), 1);
                assertThat(estimate.fitsDevice()).isTrue();
                try (LoadedGraph graph = backend.load(graphs.csc())) {
                    check(graph, graphs.weights(), Arrays.copyOf(SOURCES, sources));
                }
                assertThat(driver.device().mostUsedBytes())
                        .as("%d KiB, %d sources", kibibytes, sources)
                        .isBetween(
                                estimate.device().minBytes(), estimate.device().maxBytes());
            }
        }
    }

    @Test
    void shouldSearchWithFewerTeamsIfOthersHaveTakenTheMemory() {
        try (LoadedGraph graph = backend.load(doubles.csc())) {
            check(graph, doubles.weights(), SOURCES);
            AtomicInteger failures = new AtomicInteger();
            backend.device().workspace().close();
            driver.device()
                    .fail(call -> call.equals("allocate") && failures.incrementAndGet() <= 2
                            ? CudaException.OUT_OF_MEMORY
                            : 0);
            check(graph, doubles.weights(), SOURCES);
            assertThat(failures.get()).isGreaterThan(2);
            backend.device().workspace().close();
            driver.device().fail(call -> call.equals("allocate") ? CudaException.OUT_OF_MEMORY : 0);
            assertThatThrownBy(() -> check(graph, doubles.weights(), SOURCES))
                    .isInstanceOf(DeviceMemoryException.class);
            driver.device().fail(call -> 0);
            check(graph, doubles.weights(), SOURCES);
        }
    }

    @Test
    void shouldResumeWhatHasPaused() {
        driver.device().pauseSearches(3);
        try (LoadedGraph graph = backend.load(floats.csc())) {
            check(graph, floats.weights(), SOURCES);
            check(graph, floats.weights(), Arrays.copyOf(SOURCES, 3));
        }
        assertThat(driver.device().pausedLaunches()).isZero();
    }

    @Test
    void shouldEndIfStoppedBetweenLaunches() {
        Stop stop = () -> launches("near_far_sums_") >= 2;
        try (LoadedGraph graph = backend.load(floats.csc())) {
            RunContext control = new RunContext(1, stop, Progress.NONE);
            assertThatThrownBy(() -> graph.costSums(SOURCES, floats.weights(), false, control))
                    .isInstanceOf(StoppedException.class);
            assertThat(launches("near_far_sums_")).isEqualTo(2);
            check(graph, floats.weights(), SOURCES);
        }
    }

    /** A run over reversed weights has lists of its own, which nobody finds again. */
    @Test
    void shouldKeepListsOnlyIfAnotherRunCanReadThem() {
        try (LoadedGraph graph = backend.load(doubles.csc())) {
            check(graph, doubles.weights(), SOURCES);
            long kept = Residences.bytes(graph);
            assertThat(kept).isPositive();
            for (int run = 0; run < 3; run++) {
                check(graph, doubles.weights().transposed(1, Stop.NEVER), SOURCES);
                assertThat(Residences.bytes(graph)).isEqualTo(kept);
            }
            long uploaded = driver.device().uploadedBytes();
            check(graph, doubles.weights(), new int[] {0});
            assertThat(driver.device().uploadedBytes()).isEqualTo(uploaded);
        }
    }

    /** Each of whom reads lists of their own, which the end of another's run must leave alone. */
    @Test
    void shouldSumForSeveralUsersOfAGraphOnASmallDevice() {
        useDevice(150 << 10);
        try (LoadedGraph graph = backend.load(floats.csc())) {
            Workers.run(3, Stop.NEVER, (worker, stop) -> {
                for (int run = 0; run < 6; run++) {
                    Graphs graphs = worker == 0 ? doubles : floats;
                    check(graph, graphs.weights().transposed(1, stop), SOURCES);
                }
            });
            assertThat(Residences.bytes(graph)).isZero();
        }
    }

    @Test
    void shouldLeaveCostsThatMayOverflowToTheCpu() {
        Graphs graphs = graphs(1, 1e306);
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            assertThatThrownBy(() -> graph.costSums(SOURCES, graphs.weights(), false, RunContext.of(1)))
                    .isInstanceOf(KernelLimitException.class)
                    .hasMessage(
                            "The greatest weight is 1.0E306, so that the cost of a path through 300 nodes may exceed"
                                    + " the greatest FLOAT. Use backend: 'auto' or 'cpu', or project smaller weights.");
        }
    }

    private static void check(LoadedGraph graph, WeightedCsc weights, int[] sources) {
        TextbookChecks.checkCostSums(weights, graph, sources, true, RunContext.of(1));
    }

    private static Workload work(Graphs graphs, int sources) {
        return new Workload(Operation.COST_SUMS, sources, LoadedGraph.NO_MAX_DEPTH)
                .over(graphs.weights().entryCount());
    }

    /** A tree whose edges lead away from its root, so that few of them lead back. */
    private static Graphs graphs(double... weights) {
        WeightedEdgeList edges = new WeightedEdgeList(VERTICES, Orientation.NATURAL);
        for (int vertex = 1; vertex < VERTICES; vertex++) {
            edges.add(vertex / 3, vertex, weights[vertex % weights.length]);
            edges.add(vertex, vertex * 7 % VERTICES, weights[(vertex + 1) % weights.length]);
        }
        return edges.build(1, Stop.NEVER);
    }
}
