// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host side of searches by balls, with simulated kernels; and what it does where memory is short. */
class SimulatedBallsTest {

    private static final int[] NO_TARGETS = {};
    private static final RunControl ROWS = control(Kernel.of("balls"));
    private static final RunControl RECORDS = control(Kernel.of("ball-records"));
    private static final RunControl AUTO = RunControl.of(1);

    private FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private CudaBackends backends = FakeDevices.backends(driver);

    private DeviceBackend backend() {
        return (DeviceBackend) backends.choose().backend();
    }

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    @Test
    void shouldTakeRowsOfAShallowGraph() {
        try (LoadedGraph graph = backend().load(csc(TestGraphs.star(200)))) {
            assertThat(names(graph, RECORDS)).containsExactly("balls");
            assertThat(measures()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.0001})
    void shouldRefuseRecordsThatExceedTheirShare(double share) {
        backends.limitRecords(share);
        try (LoadedGraph graph = backend().load(lattice())) {
            assertThatThrownBy(() -> graph.bfs(0, -1, NO_TARGETS, RECORDS))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContainingAll("ball records", "server.proxima.device_records_share", "kernel: 'balls'");
            assertThat(names(graph, ROWS)).containsExactly("balls");
        }
    }

    @Test
    void shouldTakeRecordsOnceTheyAreMadeInTheBackground() {
        Csc csc = csc(TestGraphs.grid(20, 200));
        automatic();
        try (LoadedGraph graph = backend().load(csc)) {
            assertThat(names(graph, AUTO)).containsExactly("balls");
            assertThat(names(graph, AUTO)).containsExactly("balls");
            FakeDevices.preparer(backend()).awaitIdle();
            assertThat(names(graph, AUTO)).containsExactly("ball-records");
            assertThat(graph.bfs(7, -1, NO_TARGETS, AUTO).levels()).isEqualTo(TextbookBfs.levels(csc, -1, 7));
            FakeDevices.preparer(backend()).awaitIdle();
            DeviceMemory memory = backend().device().memory();
            memory.allocate("something else", memory.freeBytes() + graph.bytes())
                    .close();
            assertThat(names(graph, AUTO)).as("not made while a run waits").containsExactly("balls");
            // made again after twice as many runs
            for (int run = 6; run <= 8; run++) {
                graph.bfs(run, -1, NO_TARGETS, AUTO);
            }
            FakeDevices.preparer(backend()).awaitIdle();
            assertThat(names(graph, AUTO)).containsExactly("ball-records");
            MemoryEstimate estimate = backend().estimate(csc, false, new Workload(Operation.BFS, 1, -1), 1);
            assertThat(estimate.device().minBytes())
                    .isEqualTo(estimate.device().maxBytes())
                    .isGreaterThanOrEqualTo(graph.bytes());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldMakeNoRecordsInTheBackgroundWhereTheyMayTakeNothing() {
        automatic();
        backends.close();
        backends.limitRecords(0);
        backend();
        try (LoadedGraph graph = backend().load(csc(TestGraphs.grid(20, 200)))) {
            for (int run = 0; run < 3; run++) {
                assertThat(names(graph, AUTO)).containsExactly("balls");
                FakeDevices.preparer(backend()).awaitIdle();
            }
            assertThat(measures()).isZero();
        }
    }

    private void automatic() {
        backends.close();
        driver = FakeDriver.hopper(FakeDevices.PLENTY);
        backends = FakeDevices.automatic(driver);
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "4, 2", "5, 3", "8, 3", "9, 4", "16, 4", "17, 5", "32, 5", "200, 5"})
    void shouldMakeRowsAsLongAsMostLists(int degree, int bits) {
        int n = 300;
        EdgeList edges = new EdgeList(n);
        for (int v = 0; v < n; v++) {
            for (int i = 1; i <= degree; i++) {
                edges.add(v, (v + i) % n);
            }
        }
        // three of 300 may be longer
        for (int v = 0; v < 3; v++) {
            for (int i = degree + 1; i < 250; i++) {
                edges.add(v, (v + i) % n);
            }
        }
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThat(PaddedNeighbours.rowBits(csc, 1, Stop.NEVER)).isEqualTo(bits);
    }

    @Test
    void shouldChooseTheRadiusByMemoryAndLength() {
        int n = 1000;
        long[] totals = {2_000, 4_000, 8_000, 16_000, 16_000, 40_000};
        assertThat(BallRecords.radius(totals, n, Long.MAX_VALUE)).isEqualTo(4);
        long three = BallRecords.layout(n, 8_000).bytes();
        assertThat(BallRecords.radius(totals, n, three)).isEqualTo(3);
        assertThat(BallRecords.radius(totals, n, three - 1)).isEqualTo(2);
        assertThat(BallRecords.radius(totals, n, 10)).isZero();
        // places are 32 bits
        assertThat(BallRecords.radius(new long[] {1L << 31, 1L << 32}, Csc.MAX_VERTICES, Long.MAX_VALUE))
                .isEqualTo(1);
        // nothing lies farther than one hop
        assertThat(BallRecords.radius(new long[] {2_000, 2_000, 2_000}, n, Long.MAX_VALUE))
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveGraphsToOthersWhoseHubsItCannotCount() {
        assertThat(BallsBfsKernel.canSearch((1L << 33) - 1)).isTrue();
        assertThat(BallsBfsKernel.canSearch(1L << 33)).isFalse();
    }

    /** What runs a search, told to its observer. */
    static List<String> names(LoadedGraph loaded, RunControl control) {
        List<String> names = new ArrayList<>();
        RunObserver observer = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {
                // known
            }

            @Override
            public void runsWith(String order, String kernel, String reason) {
                names.add(kernel);
            }
        };
        RunControl observed = new RunControl(1, Stop.NEVER, Progress.NONE, observer, control.options());
        loaded.bfs(0, -1, NO_TARGETS, observed);
        return names;
    }

    private long measures() {
        return driver.device().launches().stream()
                .filter("balls_measure_warp"::equals)
                .count();
    }

    private static RunControl control(Kernel kernel) {
        return RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, kernel));
    }

    private static Csc lattice() {
        return csc(TestGraphs.grid(40, 40));
    }

    private static Csc csc(EdgeList edges) {
        return edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    }
}
