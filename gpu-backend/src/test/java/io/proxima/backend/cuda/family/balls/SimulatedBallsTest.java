// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host side of searches by balls, with simulated kernels; and what it does where memory is short. */
class SimulatedBallsTest extends FakeDeviceTestCase {

    private static final Csc GRID = TestGraphs.grid(20, 200).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    @Test
    void shouldTakeRowsOfAShallowGraph() {
        Csc star = TestGraphs.star(200).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        try (LoadedGraph graph = backend.load(star)) {
            RunContext records = told.control().with(with("ball-records").options());
            graph.bfs(0, -1, NO_TARGETS, records);
            assertThat(told.kernels).singleElement().asString().startsWith("natural balls: ");
            assertThat(launches("balls_measure_warp")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.0001})
    void shouldRefuseRecordsThatExceedTheirShare(double share) {
        limitRecords(share);
        try (LoadedGraph graph = backend.load(GRID)) {
            assertThatThrownBy(() -> graph.bfs(0, -1, NO_TARGETS, with("ball-records")))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContainingAll("ball records", "server.proxima.device_records_share", "kernel: 'balls'");
            TextbookChecks.checkLevels(GRID, graph, 0, -1, with("balls"));
        }
    }

    /** Whose memory is free for a run. */
    @Test
    void shouldEvictAnIdleGraphForRecords() {
        Csc other = TestGraphs.star(175_000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        useDevice(10 << 20);
        try (LoadedGraph idle = backend.load(other);
                LoadedGraph graph = backend.load(GRID)) {
            idle.bfs(0, -1, NO_TARGETS, with("directional"));
            assertThat(backend.device().memory().freeBytes()).isLessThan(1 << 20);
            TextbookChecks.checkLevels(GRID, graph, 0, -1, with("ball-records"));
        }
    }

    /** An eviction takes them; they are made again after twice as many runs, not while a run waits. */
    @Test
    void shouldMakeRecordsAgainInTheBackground() {
        try (LoadedGraph graph = backend.load(GRID)) {
            run(graph, 3);
            DeviceMemory memory = backend.device().memory();
            memory.allocate(null, "something else", memory.freeBytes() + Residences.bytes(graph))
                    .close();
            run(graph, 2);
            Workload search = new Workload(Operation.BFS, 1, -1);
            assertThat(backend.estimate(GRID, false, search, 1).device()).satisfies(device -> {
                assertThat(device.minBytes())
                        .isEqualTo(device.maxBytes())
                        .isGreaterThanOrEqualTo(Residences.bytes(graph));
            });
        }
        assertThat(told.kernels)
                .extracting(line -> line.replaceAll("^\\S+ |:.*", ""))
                .containsExactly("balls", "balls", "ball-records", "balls", "ball-records");
    }

    private void limitRecords(double share) {
        BackendSettings limited = FakeDevices.ALL_MEMORY.withShares(1, share, 0);
        use(driver, FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO, limited)));
    }

    /** Searches, with time for the background after each. */
    private void run(LoadedGraph graph, int times) {
        for (int run = 0; run < times; run++) {
            TextbookChecks.checkLevels(GRID, graph, run, -1, told.control());
            backend.preparer().awaitIdle();
        }
    }

    @Test
    void shouldMakeNoRecordsInTheBackgroundWhereTheyMayTakeNothing() {
        limitRecords(0);
        try (LoadedGraph graph = backend.load(GRID)) {
            run(graph, 3);
            assertThat(told.kernels).allMatch(line -> line.contains(" balls: "));
            assertThat(launches("balls_measure_warp")).isZero();
        }
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
}
