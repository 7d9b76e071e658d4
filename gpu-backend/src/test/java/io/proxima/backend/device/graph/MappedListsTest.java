// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TextbookDijkstra;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.Workspace;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs whose lists of neighbours do not fit the device, on fake devices. */
class MappedListsTest extends FakeDeviceTestCase {

    private static final int NODES = 1500;
    private static final long LITTLE = 1L << 20;
    private static final long HOST = 16L << 20;

    // lists of 1.1 MB, twice if directed, and state of some 100 KB
    private final Csc undirected = graph(true);
    private final AtomicLong free = new AtomicLong(2 * HOST);
    private final MappedBudget budget = new MappedBudget(0.5, free::get);
    private final RunContext control = told.control();

    MappedListsTest() {
        super(FakeDevices.policy(RunOptions.AUTO));
        use(LITTLE);
    }

    /** Takes a device with so much memory. */
    private void use(long bytes) {
        use(FakeDriver.hopper(bytes), budget);
    }

    /** Leaves so much free memory that so many bytes can be mapped while none are. */
    private void limit(long bytes) {
        free.set(2 * bytes);
    }

    private static Csc graph(boolean symmetric) {
        return TestGraphs.uniform(NODES, symmetric ? 150_000 : 300_000, 1, !symmetric)
                .toCsc(symmetric ? Orientation.UNDIRECTED : Orientation.NATURAL, 1, Stop.NEVER);
    }

    @AfterEach
    @Override
    protected void shouldLeaveNothingOnTheDevice() {
        super.shouldLeaveNothingOnTheDevice();
        assertThat(budget.usedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSearchOverMappedLists(boolean symmetric) {
        Csc csc = graph(symmetric);
        try (LoadedGraph graph = backend.load(csc)) {
            TextbookChecks.checkLevels(csc, graph, 3, -1, control);
            assertThat(told.kernels).last().asString().contains(" directional: ", "mapped host memory");
            Set<DistanceMeasure> harmonic = Set.of(DistanceMeasure.HARMONIC);
            FakeDevices.assertAsOnCpu(graph.farness(harmonic, control), csc, harmonic);
            long lists = 4L * csc.entryCount() * (symmetric ? 1 : 2);
            assertThat(Residences.mappedBytes(graph))
                    .isBetween(lists, lists + 512)
                    .isEqualTo(driver.device().mappedBytes())
                    .isEqualTo(backends.use().get(0).mappedBytes())
                    .isEqualTo(budget.usedBytes());
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            assertThat(driver.device().mostUsedBytes()).isLessThanOrEqualTo(LITTLE);
        }
        assertThat(driver.device().mappedBytes()).isZero();
    }

    /** To ask the operating system takes as long as a short search. */
    @Test
    void shouldNotAskForTheHostsMemoryIfTheListsFitTheDevice() {
        AtomicLong asked = new AtomicLong();
        use(FakeDriver.hopper(FakeDevices.PLENTY), new MappedBudget(0.5, () -> {
            asked.incrementAndGet();
            return 2 * HOST;
        }));
        try (LoadedGraph graph = backend.load(undirected)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            graph.farness(Set.of(), control);
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void shouldMapTheListsIfTheStateDoesNotFitBesideThem() {
        use(1_700_000);
        try (LoadedGraph graph = backend.load(undirected)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(graph)).isZero();
            driver.device().holdByOthers(380_000);
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), undirected, Set.of());
            assertThat(Residences.mappedBytes(graph)).isPositive();
        }
    }

    @Test
    void shouldPromiseTheLeastOfARunWhoseListsMove() {
        use(1_700_000);
        List<Way> ways = List.of(Way.within(1_400_000));
        DeviceMemory memory = backend.device().memory();
        try (LoadedGraph graph = backend.load(undirected)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(graph)).isZero();
            long resident = Residences.bytes(graph);
            try (HeldGraph held = backend.resident(undirected).acquire(control, 1)) {
                held.promiseLeast(Set.of(Csr.OUT), sizes -> ways);
                assertThat(memory.workspaceBeside(null)).isEqualTo(Workspace.bytesFor(1_400_000));
                assertThat(Residences.bytes(graph)).isEqualTo(resident);
                held.require(Set.of(Csr.OUT), sizes -> ways);
                assertThat(Residences.mappedBytes(graph)).isPositive();
            }
        }
    }

    @Test
    void shouldStayWhereTheyLieUntilTheyAreEvicted() {
        use(FakeDevices.PLENTY);
        try (LoadedGraph graph = backend.load(undirected)) {
            driver.device().holdByOthers(FakeDevices.PLENTY - LITTLE);
            for (int run = 0; run < 2; run++) {
                graph.bfs(3, -1, NO_TARGETS, control);
                assertThat(Residences.mappedBytes(graph)).isPositive();
            }
            driver.device().holdByOthers(0);
            graph.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(graph)).isPositive();
        }
        assertThat(driver.device().mappedBytes()).isZero();
        try (LoadedGraph graph = backend.load(undirected)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(graph)).isZero();
        }
    }

    @Test
    void shouldEvictMappedListsOfIdleGraphs() {
        Csc other = TestGraphs.uniform(NODES, 150_000, 2, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        limit(1_500_000);
        try (LoadedGraph first = backend.load(undirected);
                LoadedGraph second = backend.load(other)) {
            first.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(first)).isPositive();
            second.bfs(3, -1, NO_TARGETS, control);
            assertThat(Residences.mappedBytes(second)).isPositive();
            assertThat(Residences.mappedBytes(first)).isZero();
            assertThat(budget.usedBytes()).isLessThanOrEqualTo(budget.bytes());
        }
    }

    @Test
    void shouldNameBothBudgetsIfNeitherFits() {
        limit(335_544);
        try (LoadedGraph graph = backend.load(undirected)) {
            assertThatThrownBy(() -> graph.farness(Set.of(), control))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContainingAll(
                            "1,048,576 bytes on the device",
                            "335,544 bytes of mapped host memory",
                            "server.proxima.device_memory_share",
                            "server.proxima.mapped_memory_share",
                            "backend: 'cpu'");
            assertThat(Residences.mappedBytes(graph)).isZero();
            limit(0);
            assertThatThrownBy(() -> graph.farness(Set.of(), control))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("1,048,576 bytes on the device")
                    .hasMessageContaining("and 0 bytes of mapped host memory");
        }
    }

    /** Otherwise the lists would move with each kind of run. */
    @Test
    void shouldReadListsWhereTheyLieInRunsOfDifferentKinds() {
        int[] sources = {1, 2, 3};
        try (LoadedGraph graph = backend.load(undirected)) {
            for (int round = 0; round < 3; round++) {
                long uploaded = driver.device().uploadedBytes();
                graph.bfs(3, -1, NO_TARGETS, control);
                graph.farness(sources, Set.of(), control);
                graph.farness(Set.of(), control);
                assertThat(driver.device().uploadedBytes() - uploaded < 4 * undirected.entryCount())
                        .isEqualTo(round > 0);
            }
        }
    }

    /** The lists with weights are larger than those without, and fit the device no more. */
    @Test
    void shouldLeaveTheListsWithoutWeightsWhereTheyLieIfThoseWithWeightsDoNotFit() {
        WeightedEdgeList edges = new WeightedEdgeList(NODES, Orientation.UNDIRECTED);
        Random random = new Random(1);
        for (int i = 0; i < 150_000; i++) {
            edges.add(random.nextInt(NODES), random.nextInt(NODES), random.nextDouble() + 0.1);
        }
        WeightedEdgeList.Graphs graphs = edges.build(1, Stop.NEVER);
        // graphs in a requested order are not prepared for repeated use
        RunContext natural = with("auto");
        use(3_200_000);
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            graph.bfs(3, -1, NO_TARGETS, natural);
            assertThat(graph.shortestPaths(3, graphs.weights(), 0, false, control)
                            .costs())
                    .isEqualTo(TextbookDijkstra.costs(graphs.weights(), 3));
            long weighted = Residences.mappedBytes(graph);
            assertThat(weighted)
                    .isBetween(
                            12 * graphs.weights().entryCount(),
                            13 * graphs.weights().entryCount());
            long uploaded = driver.device().uploadedBytes();
            for (int source = 0; source < 5; source++) {
                graph.bfs(source, -1, NO_TARGETS, natural);
            }
            assertThat(driver.device().uploadedBytes() - uploaded)
                    .as("the lists are read where they lie")
                    .isLessThan(graphs.csc().entryCount());
            assertThat(graph.bfs(3, -1, NO_TARGETS, with("blest-full")).depth()).isPositive();
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), natural), graphs.csc(), Set.of());
            assertThat(Residences.mappedBytes(graph)).isEqualTo(weighted);
        }
    }

    /** Whether the lists are mapped or not, and whether or not another run has pinned the graph, which ends later. */
    @ParameterizedTest
    @CsvSource({"1048576, false", "1500000, false", "1500000, true"})
    void shouldTouchNothingForAKernelThatDoesNotFit(long bytes, boolean besideAnotherRun) {
        use(bytes);
        try (LoadedGraph graph = backend.load(undirected)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            String chosen = told.kernels.get(0);
            long resident = Residences.bytes(graph);
            long mapped = Residences.mappedBytes(graph);
            assertThat(mapped > 0).isEqualTo(bytes == LITTLE);
            long uploaded = driver.device().uploadedBytes();
            HeldGraph other = besideAnotherRun ? backend.resident(undirected).acquire(control, 1) : null;
            assertThatThrownBy(() -> graph.bfs(4, -1, NO_TARGETS, with("blest-full")))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("Leave out 'kernel'");
            if (other != null) {
                other.close();
            }
            assertThat(Residences.bytes(graph)).isEqualTo(resident);
            assertThat(driver.device().uploadedBytes()).isEqualTo(uploaded);
            graph.bfs(4, -1, NO_TARGETS, control);
            assertThat(told.kernels).last().as("what runs have found out").isEqualTo(chosen);
            assertThat(Residences.mappedBytes(graph)).isEqualTo(mapped);
        }
    }

    /** What the run reads is idle, but cannot be evicted for what it builds. */
    @Test
    void shouldTouchNothingIfTheHostHasNoRoomBesideTheListsThatAreMapped() {
        Csc directed = graph(false);
        limit(1_300_000);
        try (LoadedGraph graph = backend.load(directed)) {
            graph.multiSourceBfs(new int[] {3}, -1, batch -> {}, with("blocks"));
            long mapped = Residences.mappedBytes(graph);
            assertThat(mapped).isBetween(4 * directed.entryCount(), 5 * directed.entryCount());
            long uploaded = driver.device().uploadedBytes();
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, with("xbfs")))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("this run: its structures");
            assertThat(Residences.mappedBytes(graph)).isEqualTo(mapped);
            assertThat(driver.device().uploadedBytes()).isEqualTo(uploaded);
        }
    }

    @Test
    void shouldEstimateMappedLists() {
        for (Workload work : List.of(
                new Workload(Operation.BFS, 1, -1),
                new Workload(Operation.MULTI_SOURCE_BFS, 32, -1),
                Workload.farness(Set.of()),
                Workload.farness(40, Set.of()))) {
            MemoryEstimate before = backend.estimate(GraphShape.of(undirected), work, 2);
            assertThat(before.fitsDevice()).as(work.operation().toString()).isTrue();
            assertThat(before.mapped().maxBytes()).isBetween(4 * undirected.entryCount(), 5 * undirected.entryCount());
            try (LoadedGraph graph = backend.load(undirected)) {
                Runs.run(work, undirected, graph, control);
                assertThat(Residences.mappedBytes(graph))
                        .isEqualTo(before.mapped().maxBytes());
                MemoryEstimate after = backend.estimate(undirected, true, work, 2);
                assertThat(after.device().maxBytes())
                        .isLessThanOrEqualTo(before.device().maxBytes());
                driver.device().forgetMostUsed();
                Runs.run(work, undirected, graph, control);
                assertThat(driver.device().mostUsedBytes())
                        .isLessThanOrEqualTo(after.device().maxBytes());
                assertThat(after.fitsDevice()).isTrue();
                assertThat(after.mapped().maxBytes()).isEqualTo(Residences.mappedBytes(graph));
            }
        }
        limit(335_544);
        assertThat(backend.estimate(GraphShape.of(undirected), new Workload(Operation.BFS, 1, -1), 2)
                        .fitsDevice())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocateMapped", "freeMapped", "copyToDevice", "launch"})
    void shouldGiveTheBudgetBackWhenTheDeviceIsLost(String failing) {
        LoadedGraph graph = backend.load(undirected);
        AtomicInteger calls = new AtomicInteger();
        driver.fail(call -> call.equals(failing) && calls.incrementAndGet() == 1 ? 719 : 0);
        try (graph) {
            graph.bfs(3, -1, NO_TARGETS, control);
        } catch (DeviceFailureException e) {
            assertThat(e).hasMessageContaining("has failed");
        }
        assertThat(budget.usedBytes()).isZero();
        try (LoadedGraph again = backends.choose().backend().load(undirected)) {
            assertThat(again.bfs(3, -1, NO_TARGETS, control).depth()).isPositive();
            assertThat(Residences.mappedBytes(again)).isPositive();
        }
    }

    @Test
    void shouldFreeEverythingWhenStoppedAtAnyPoint() {
        int checks = 0;
        boolean done = false;
        while (!done) {
            int last = checks++;
            AtomicInteger asked = new AtomicInteger();
            RunContext stopping = new RunContext(1, () -> asked.incrementAndGet() > last, Progress.NONE);
            try (LoadedGraph graph = backend.load(undirected)) {
                graph.farness(new int[] {1, 2, 3}, Set.of(), stopping);
                done = true;
            } catch (StoppedException e) {
                // stopped while it page-locked, a run leaves the memory and the lease to the thread that allocates
                FakeDeviceTestCase.awaitThat(() -> backend.device().leases().length() == 0);
                assertThat(driver.device().mappedBytes()).isZero();
                assertThat(budget.usedBytes()).isZero();
            }
        }
        assertThat(checks).isGreaterThan(3);
    }

    /** The lists fit no device, or not beside the sums. */
    @ParameterizedTest
    @ValueSource(longs = {LITTLE, 1_340_000})
    void shouldMapOnEachDeviceOfAGroupWithinOneBudget(long bytes) {
        FakeDriver two = FakeDriver.hoppers(2, bytes);
        use(two, FakeDevices.mappingAndSharing(two, FakeDevices.smallBatches(RunOptions.AUTO), budget));
        TraversalBackend group = backends.chooseAll().backend();
        Set<DistanceMeasure> measures = Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);
        try (LoadedGraph graph = group.load(undirected)) {
            FakeDevices.assertAsOnCpu(graph.farness(measures, control), undirected, measures);
            assertThat(Residences.mappedBytes(graph))
                    .isEqualTo(two.device(0).mappedBytes() + two.device(1).mappedBytes())
                    .isEqualTo(budget.usedBytes())
                    .isGreaterThan(2 * 4 * undirected.entryCount());
        }
        // room for one copy only
        limit(1_500_000);
        try (LoadedGraph graph = group.load(undirected)) {
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), undirected, Set.of());
            assertThat(Residences.mappedBytes(graph))
                    .isBetween(4 * undirected.entryCount(), 5 * undirected.entryCount());
        }
    }

    @Test
    void shouldMapOnlyWhatFitsNoDeviceOfAGroup() {
        for (boolean sharing : new boolean[] {false, true}) {
            FakeDriver two = FakeDriver.hoppers(2, FakeDevices.PLENTY);
            LaunchPolicy policy = FakeDevices.smallBatches(RunOptions.AUTO);
            use(
                    two,
                    sharing
                            ? FakeDevices.mappingAndSharing(two, policy, budget)
                            : FakeDevices.mapping(two, policy, budget));
            try (LoadedGraph graph = backends.chooseAll().backend().load(undirected)) {
                graph.bfs(3, -1, NO_TARGETS, control);
                assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
                // too little for the state of closeness beside the lists
                two.device(0).holdByOthers(FakeDevices.PLENTY - Residences.bytes(graph) - 1000);
                Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), control);
                FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), undirected, Set.of());
                assertThat(Residences.mappedBytes(graph)).isZero();
                assertThat(Residences.residentOn(graph)).endsWith("cuda:1");
                two.device(0).holdByOthers(FakeDevices.PLENTY - LITTLE);
                two.device(1).holdByOthers(FakeDevices.PLENTY - LITTLE);
                Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), control);
                FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), undirected, Set.of());
                assertThat(Residences.mappedBytes(graph)).isGreaterThan(4L * undirected.entryCount());
                assertThat(budget.usedBytes()).isEqualTo(Residences.mappedBytes(graph));
            }
        }
        assertThat(told.backends)
                .anyMatch(line -> line.startsWith("cuda:1: The run is repeated on another GPU: "))
                .anyMatch(line -> line.contains(
                        "No GPU has room for the lists of neighbours, which may lie in mapped host memory: "));
    }

    @Test
    void shouldNotMapListsForBetweennessWhichDoesNotReadThem() {
        use(FakeDriver.hoppers(2, LITTLE), budget);
        try (LoadedGraph graph = backends.chooseAll().backend().load(undirected)) {
            assertThatThrownBy(() -> graph.betweenness(null, control)).isInstanceOf(DeviceMemoryException.class);
            assertThat(told.backends)
                    .anyMatch(line -> line.startsWith("cuda:1: The run is repeated on another GPU: "))
                    .noneMatch(line -> line.contains("No GPU has room for the lists"));
        }
    }
}
