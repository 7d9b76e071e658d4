// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.fake.RandomFaults;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.GroupGraph;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several devices: where runs go, what devices share, and what is left of a run if one of them fails. */
class GroupTest extends FakeDeviceTestCase {

    private static final int LAUNCH_FAILED = 719;
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);
    private static final Set<DistanceMeasure> SHARED = EnumSet.complementOf(EnumSet.of(DistanceMeasure.HARMONIC));
    private static final RunOptions BLEST = new RunOptions(VertexOrder.DEGREE, Kernel.of("blest-full"));

    GroupTest() {
        super(FakeDevices.policy());
    }

    private TraversalBackend group(int devices, RunOptions defaults) {
        FakeDriver several = FakeDriver.hoppers(devices, FakeDevices.PLENTY);
        use(several, FakeDevices.sharing(several, FakeDevices.smallBatches(defaults)));
        return backends.chooseAll().backend();
    }

    /** Devices that share nothing, as on short runs. */
    private TraversalBackend apart(int devices) {
        use(FakeDriver.hoppers(devices, FakeDevices.PLENTY), MappedBudget.none());
        return backends.chooseAll().backend();
    }

    private RunContext control() {
        return told.control();
    }

    private static Csc scaleFree(Orientation orientation) {
        return TestGraphs.rmat(9, 8, 5).toCsc(orientation, 1, Stop.NEVER);
    }

    private long launchesOn(int device, String prefix) {
        return driver.device(device).launches().stream()
                .filter(entry -> entry.startsWith(prefix))
                .count();
    }

    /** Sums of all vertices, which each device adds up, and sums by source, of which each device has its own. */
    @ParameterizedTest
    @CsvSource({"blest-full, 2", "blest-full, 8", "blocks, 3"})
    void shouldSumOnAllDevices(String kernel, int devices) {
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
            Csc csc = scaleFree(orientation);
            TraversalBackend group = group(devices, new RunOptions(VertexOrder.DEGREE, Kernel.of(kernel)));
            // any of them ends last
            CountDownLatch all = new CountDownLatch(devices);
            for (int i = 0; i < devices; i++) {
                AtomicInteger own = new AtomicInteger();
                driver.device(i).onLaunch(entry -> {
                    if (entry.startsWith("msbfs_b") && own.getAndIncrement() == 0) {
                        all.countDown();
                        await(all);
                    }
                });
            }
            try (LoadedGraph graph = group.load(csc)) {
                if (kernel.equals("blocks")) {
                    FakeDevices.assertAsOnCpu(graph.farness(vertices(csc), ALL, control()), csc, ALL);
                } else {
                    FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
                }
                assertThat(graph.residences()).hasSize(devices);
            }
        }
        assertThat(told.backends)
                .anyMatch(line -> line.matches("cuda:0, cuda:1(, cuda:\\d)*: The run is long enough.*"));
    }

    @Test
    void shouldReportTheProgressOfAllDevices() {
        Csc csc = scaleFree(Orientation.NATURAL);
        try (LoadedGraph graph = group(3, BLEST).load(csc)) {
            Runs.checkProgress(Operation.FARNESS, null, control -> graph.farness(SHARED, control));
            Runs.checkProgress(
                    Operation.FARNESS_OF_SOURCES, null, control -> graph.farness(vertices(csc), ALL, control));
            assertThat(graph.residences()).hasSize(3);
        }
    }

    private static int[] vertices(Csc csc) {
        return IntStream.range(0, csc.vertexCount()).toArray();
    }

    @Test
    void shouldEndWhatHasBegunOnAFullHeap() {
        group(2, BLEST);
        List<DeviceBackend> devices = IntStream.range(0, 2)
                .mapToObj(device ->
                        (DeviceBackend) backends.choose("cuda:" + device).backend())
                .toList();
        BooleanSupplier promised =
                () -> devices.stream().anyMatch(each -> !each.device().memory().isPromisedOnly(null));
        Supplier<List<DeviceBackend>> full = () -> {
            if (promised.getAsBoolean()) {
                throw new OutOfMemoryError("simulated");
            }
            return devices;
        };
        try (LoadedGraph graph = new GroupGraph(full, scaleFree(Orientation.NATURAL), 0)) {
            assertThatThrownBy(() -> graph.farness(SHARED, control())).isInstanceOf(OutOfMemoryError.class);
            assertThat(promised.getAsBoolean()).isFalse();
        }
    }

    @Test
    void shouldGiveMoreToFasterDevices() {
        Csc csc = scaleFree(Orientation.UNDIRECTED);
        TraversalBackend group = group(2, BLEST);
        // the fast device could end the run before the slow one begins
        CountDownLatch begun = new CountDownLatch(1);
        driver.device(0).onLaunch(entry -> {
            if (entry.startsWith("msbfs_bvss")) {
                begun.countDown();
                // slow, whatever else this host does; in vain when no ranges are left
                for (int i = 0; i < 300 && launchesOn(1, "msbfs_bvss") < 3 * launchesOn(0, "msbfs_bvss"); i++) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        });
        driver.device(1).onLaunch(entry -> {
            if (entry.startsWith("msbfs_bvss")) {
                await(begun);
            }
        });
        try (LoadedGraph graph = group.load(csc)) {
            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
        }
        assertThat(launchesOn(0, "msbfs_bvss")).isPositive().isLessThan(launchesOn(1, "msbfs_bvss"));
    }

    @Test
    void shouldShareDeepGraphsByTilesButNotTheirHarmonicSums() {
        Csc csc = TestGraphs.grid(60, 40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        TraversalBackend group = group(2, new RunOptions(VertexOrder.RCM, Kernel.of("neighbour-tiles")));
        try (LoadedGraph graph = group.load(csc)) {
            FakeDevices.assertAsOnCpu(graph.farness(ALL, control()), csc, ALL);
            assertThat(launchesOn(1, "msbfs_tiles_k")).isZero();
            assertThat(told.backends).containsExactly("cuda:0: It is the least busy of 2 GPUs.");

            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
        }
        assertThat(launchesOn(0, "msbfs_tiles_k")).isPositive();
        assertThat(launchesOn(1, "msbfs_tiles_k")).isPositive();
    }

    @Test
    void shouldNumberSourcesAlikeAfterADeviceHasExchangedItsOrder() {
        Csc csc = TestGraphs.grid(31, 23).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        TraversalBackend group = group(3, RunOptions.AUTO);
        VertexOrder[] orders = {VertexOrder.RCM, VertexOrder.DEGREE, VertexOrder.NATURAL, VertexOrder.JACCARD};
        try (LoadedGraph graph = group.load(csc)) {
            for (int round = 0; round < 8; round++) {
                TraversalBackend one = backends.choose("cuda:" + round % 3).backend();
                RunContext other = control().with(new RunOptions(orders[round % orders.length], Kernel.AUTO));
                try (LoadedGraph pinned = one.load(csc)) {
                    pinned.bfs(round, -1, NO_TARGETS, other);
                    FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"NATURAL, 719", "UNDIRECTED, 719", "UNDIRECTED, 2"})
    void shouldRepeatTheSourcesOfADeviceThatFailsAnywhere(Orientation orientation, int code) {
        Csc csc = TestGraphs.grid(17, 11).toCsc(orientation, 1, Stop.NEVER);
        int calls = callsOfARun(csc, Integer.MAX_VALUE, code);
        // about as many points as keep the test short
        for (int n = 1; n <= calls; n += 1 + calls / 40) {
            callsOfARun(csc, n, code);
        }
        assertThat(told.backends)
                .anyMatch(line -> line.startsWith("cuda:0, cuda:2: Other GPUs repeat what cuda:1"))
                .anyMatch(line -> line.contains(
                        code == CudaException.OUT_OF_MEMORY ? "Device cuda:1 has too little" : "CUDA_ERROR_719"));
    }

    /** Returns how many calls of the driver a run makes on one of the devices, the n-th of which fails. */
    private int callsOfARun(Csc csc, int n, int code) {
        AtomicInteger calls = new AtomicInteger();
        TraversalBackend group = group(3, BLEST);
        String failing = code == CudaException.OUT_OF_MEMORY ? "allocate" : "";
        driver.device(1).fail(call -> call.startsWith(failing) && calls.incrementAndGet() == n ? code : 0);
        runAll(group, csc);
        driver.device(1).fail(CheckedDriver.Faults.NONE);
        return calls.get();
    }

    private void runAll(TraversalBackend group, Csc csc) {
        try (LoadedGraph graph = group.load(csc)) {
            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
            // rows in the order of all vertices are sums of all vertices
            FakeDevices.assertAsOnCpu(graph.farness(vertices(csc), ALL, control()), csc, ALL);
            TextbookChecks.checkDistances(csc, graph, vertices(csc), -1, control());
            Runs.check(Operation.BFS, csc, graph, new int[] {0, 1, 2, 3, 4, 5}, control());
        }
    }

    @Test
    void shouldFailWithTheLastDevice() {
        Csc csc = scaleFree(Orientation.UNDIRECTED);
        TraversalBackend group = group(2, BLEST);
        try (LoadedGraph graph = group.load(csc)) {
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), control());
            driver.fail(call -> call.equals("launch") ? LAUNCH_FAILED : 0);
            assertThatThrownBy(() -> graph.farness(SHARED, control())).isInstanceOf(DeviceFailureException.class);
            assertThatThrownBy(() -> graph.bfs(0, -1, NO_TARGETS, control()))
                    .isInstanceOf(DeviceFailureException.class);
            assertThat(group.info().available()).isFalse();
            driver.fail(CheckedDriver.Faults.NONE);
            // the next call opens them again
            assertThat(backends.chooseAll().backend()).isSameAs(group);
            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
            assertThat(graph.residences()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "0, false", "1, false"})
    void shouldReportTooLittleMemoryIfTheOtherDeviceIsLost(int lost, boolean resident) {
        Csc csc = scaleFree(Orientation.UNDIRECTED);
        for (Consumer<LoadedGraph> run : List.<Consumer<LoadedGraph>>of(
                graph -> graph.farness(SHARED, control()), graph -> graph.farness(vertices(csc), ALL, control()))) {
            try (LoadedGraph graph = group(2, BLEST).load(csc)) {
                if (resident) {
                    run.accept(graph);
                }
                driver.device(lost).fail(call -> call.equals("launch") ? LAUNCH_FAILED : 0);
                driver.device(1 - lost).fail(call -> call.equals("launch") ? CudaException.OUT_OF_MEMORY : 0);
                assertThatThrownBy(() -> run.accept(graph)).isInstanceOf(DeviceMemoryException.class);
            }
        }
    }

    @Test
    void shouldPutGraphsOnTheDeviceWithTheMostFreeMemory() {
        TraversalBackend group = apart(2);
        try (LoadedGraph first = group.load(scaleFree(Orientation.NATURAL));
                LoadedGraph second = group.load(scaleFree(Orientation.UNDIRECTED))) {
            assertThat(Residences.residentOn(first)).isEqualTo("cpu");
            first.bfs(0, -1, NO_TARGETS, control());
            second.bfs(0, -1, NO_TARGETS, control());
            first.bfs(1, -1, NO_TARGETS, control());
            assertThat(Residences.residentOn(first)).isEqualTo("cuda:0");
            assertThat(Residences.residentOn(second)).isEqualTo("cuda:1");
        }
        assertThat(told.backends)
                .containsExactly(
                        "cuda:0: It is the least busy of 2 GPUs.",
                        "cuda:1: It is the least busy of 2 GPUs.",
                        "cuda:0: It is the least busy of 2 GPUs.");
    }

    @Test
    void shouldCopyAGraphToALessBusyDeviceThatHasRoom() {
        TraversalBackend group = apart(2);
        Device busy = ((DeviceBackend) backends.choose("cuda:0").backend()).device();
        Device other = ((DeviceBackend) backends.choose("cuda:1").backend()).device();
        try (LoadedGraph graph = group.load(scaleFree(Orientation.UNDIRECTED))) {
            graph.bfs(0, -1, NO_TARGETS, control());
            Thread waiting = new Thread(() -> graph.bfs(1, -1, NO_TARGETS, control()));
            try (DeviceLease rest = other.lease(Stop.NEVER);
                    DeviceArray full =
                            rest.allocate(null, "the rest", other.memory().freeBytes())) {
                assertThat(full).isNotNull();
                try (DeviceLease lease = busy.lease(Stop.NEVER)) {
                    assertThat(lease).isNotNull();
                    waiting.start();
                    awaitThat(() -> busy.leases().length() == 2);
                }
                awaitThat(() -> !waiting.isAlive());
                assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            }
            try (DeviceLease lease = busy.lease(Stop.NEVER)) {
                assertThat(lease).isNotNull();
                graph.bfs(1, -1, NO_TARGETS, control());
            }
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0, cuda:1");
        }
    }

    @Test
    void shouldRunOnTheDeviceThatHasReservedMemoryForIt() {
        TraversalBackend group = apart(2);
        Device busy = ((DeviceBackend) backends.choose("cuda:0").backend()).device();
        Workload work = new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH);
        try (LoadedGraph graph = group.load(scaleFree(Orientation.UNDIRECTED));
                LoadedGraph reserved = graph.reserve(work, 1, control())) {
            busy.leases().beginRun();
            reserved.bfs(0, -1, NO_TARGETS, control());
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            graph.bfs(0, -1, NO_TARGETS, control());
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0, cuda:1");
            busy.leases().endRun();
            driver.device(0).fail(call -> call.equals("launch") ? LAUNCH_FAILED : 0);
            reserved.bfs(1, -1, NO_TARGETS, control());
        }
        assertThat(told.backends).element(2).asString().startsWith("cuda:0");
        assertThat(told.backends).last().asString().startsWith("cuda:1: The run is repeated on another GPU: ");
    }

    @Test
    void shouldShareARunOfAGraphThatOneDeviceHasEvicted() {
        Csc csc = scaleFree(Orientation.UNDIRECTED);
        TraversalBackend group = group(2, BLEST);
        Device second = ((DeviceBackend) backends.choose("cuda:1").backend()).device();
        try (LoadedGraph graph = group.load(csc)) {
            graph.farness(SHARED, control());
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0, cuda:1");
            try (DeviceLease lease = second.lease(Stop.NEVER)) {
                lease.allocate(null, "the rest", second.memory().availableBytes())
                        .close();
            }
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0, cuda:1");
        }
    }

    @Test
    void shouldPutARunBesideOneThatWorksOnTheHost() {
        TraversalBackend group = apart(2);
        try (LoadedGraph graph = group.load(scaleFree(Orientation.UNDIRECTED))) {
            graph.bfs(0, -1, NO_TARGETS, control());
            Progress nested = new Progress() {
                @Override
                public void beginTask(Task task, long volume) {
                    // the first run does not have the lease here
                    graph.bfs(1, -1, NO_TARGETS, control());
                }

                @Override
                public void advance(long volume) {}
            };
            graph.bfs(0, -1, NO_TARGETS, new RunContext(2, Stop.NEVER, nested));
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0, cuda:1");
            told.backends.clear();
            graph.bfs(0, -1, NO_TARGETS, new RunContext(2, Stop.NEVER, nested));
            assertThat(told.backends).containsExactly("cuda:1: It is the least busy of 2 GPUs.");
        }
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            DeviceBackend device =
                    (DeviceBackend) backends.choose("cuda:" + ordinal).backend();
            assertThat(device.device().leases().load()).isZero();
        }
    }

    /**
     * Two of three devices fail, so that one remains; or all, and memory is short. Then each user is refused now and
     * then.
     */
    @ParameterizedTest
    @CsvSource({"2, 2147483647, 0", "3, 200, 54"})
    void shouldServeUsersWhileDevicesFail(int losses, int shortMemory, int mostRefused) {
        List<Csc> graphs = List.of(scaleFree(Orientation.NATURAL), scaleFree(Orientation.UNDIRECTED));
        AtomicInteger refused = new AtomicInteger();
        for (int seed = 1; seed <= 12; seed++) {
            TraversalBackend group = group(3, BLEST);
            driver.fail(RandomFaults.withLosses(losses, RandomFaults.of(seed, shortMemory, RandomFaults.NEVER, 1500)));
            Workers.run(3, Stop.NEVER, (worker, stop) -> {
                Csc csc = graphs.get(worker % 2);
                try (LoadedGraph graph = group.load(csc)) {
                    for (int round = 0; round < 3; round++) {
                        try {
                            FakeDevices.assertAsOnCpu(graph.farness(SHARED, control()), csc, SHARED);
                            TextbookChecks.checkDistances(
                                    csc, graph, IntStream.range(0, 100).toArray(), -1, control());
                            TextbookChecks.checkLevels(csc, graph, 5, -1, control());
                        } catch (DeviceFailureException | DeviceMemoryException e) {
                            // all devices had failed
                            backends.chooseAll();
                            refused.incrementAndGet();
                        }
                    }
                }
            });
            driver.fail(CheckedDriver.Faults.NONE);
        }
        assertThat(refused).as("of 108 rounds").hasValueLessThanOrEqualTo(mostRefused);
    }

    @Test
    void shouldEstimateTheHeapOfMergedSums() {
        Csc csc = scaleFree(Orientation.UNDIRECTED);
        TraversalBackend group = group(2, BLEST);
        for (Workload work : List.of(
                Workload.farness(Set.of()),
                Workload.farness(SHARED),
                Workload.farness(csc.vertexCount(), ALL),
                Workload.farness(csc.vertexCount() / 2, SHARED).beside(Workload.farness(SHARED)))) {
            MemoryEstimate one = backends.choose().backend().estimate(csc, false, work, 2);
            MemoryEstimate several = group.estimate(csc, false, work, 2);
            long sums = work.runs().stream()
                    .mapToLong(run -> run.result(csc.vertexCount()).maxBytes())
                    .max()
                    .orElseThrow();
            assertThat(several.heapBytes()).isEqualTo(one.heapBytes() + sums);
            assertThat(several.deviceBytes()).isEqualTo(2 * one.deviceBytes());
            assertThat(several.device().maxBytes()).isEqualTo(2 * one.device().maxBytes());
            assertThat(several.availableDeviceBytes()).isEqualTo(2 * one.availableDeviceBytes());
            assertThat(several.fitsDevice()).isTrue();
        }
        for (Workload alone : List.of(
                Workload.farness(ALL),
                new Workload(Operation.MULTI_SOURCE_BFS, 300, 3),
                new Workload(Operation.BFS, 1, -1))) {
            assertThat(group.estimate(csc, false, alone, 2))
                    .isEqualTo(backends.choose().backend().estimate(csc, false, alone, 2));
        }
    }

    @Test
    void shouldShareOnlyLongRuns() {
        TraversalBackend group = apart(2);
        EdgeList edges = TestGraphs.rmat(9, 8, 5);
        try (LoadedGraph graph = group.load(edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER))) {
            graph.farness(Set.of(), control());
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
        }
        GraphShape kron20 = new GraphShape(1 << 20, 1L << 25, true);
        assertThat(shares(kron20, Operation.FARNESS, Set.of(), 1)).isTrue();
        assertThat(shares(kron20, Operation.FARNESS, ALL, 1)).isFalse();
        assertThat(shares(kron20, Operation.FARNESS_OF_SOURCES, ALL, 1 << 20)).isTrue();
        assertThat(shares(kron20, Operation.FARNESS_OF_SOURCES, ALL, 256)).isFalse();
        assertThat(shares(kron20, Operation.MULTI_SOURCE_BFS, Set.of(), 1 << 30))
                .isFalse();
        assertThat(shares(kron20, Operation.BFS, Set.of(), 1)).isFalse();
    }

    private static boolean shares(GraphShape graph, Operation run, Set<DistanceMeasure> measures, long sources) {
        return GroupGraph.shares(graph, run, measures, sources, LaunchPolicy.LEAST_SHARED_SUMS);
    }
}
