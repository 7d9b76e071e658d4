// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.BorrowedGraph;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TextbookDijkstra;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.CudaKernels;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AutoBackendTest extends FakeDeviceTestCase {

    private final CpuBackend cpu = new CpuBackend();
    private final RunContext control = told.control();
    private final Csc csc = TestGraphs.uniform(700, 4000, 1, true).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    AutoBackendTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldSelectWhatIsAskedFor() {
        assertThat(select(Wanted.CPU).backend()).isSameAs(cpu);
        assertThat(select(Wanted.CUDA).backend().info().name()).isEqualTo("cuda:0");
        Selection auto = select(Wanted.AUTO);
        assertThat(auto.backend().info().name()).isEqualTo("auto");
        assertThat(auto.backend().info().device()).isEqualTo("Fake H200");
        assertThat(auto.reason()).contains("cuda:0");
    }

    @Test
    void shouldSelectSeveralDevicesByName() {
        FakeDriver several = FakeDriver.hoppers(3, FakeDevices.PLENTY);
        try (CudaBackends devices = FakeDevices.backends(several)) {
            TraversalBackends all = new TraversalBackends(Map.of(Wanted.CUDA, devices), cpu);
            Selection named = all.selectDevices(List.of("cuda:2", "cuda:0"));
            assertThat(named.reason()).isEqualTo("The configuration selects cuda:2, cuda:0.");
            assertThat(named.backend().info().totalBytes()).isEqualTo(2 * FakeDevices.PLENTY);
            try (LoadedGraph first = named.backend().load(csc);
                    LoadedGraph second =
                            named.backend().load(TestGraphs.path(2000).toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
                first.bfs(0, -1, NO_TARGETS, control);
                second.bfs(0, -1, NO_TARGETS, control);
                assertThat(Residences.residentOn(first)).isEqualTo("cuda:0");
                assertThat(Residences.residentOn(second)).isEqualTo("cuda:2");
            }
            assertThatThrownBy(() -> all.selectDevices(List.of("cuda:0", "cuda:3")))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith(
                            "The backend cuda:0, cuda:3 cannot run. cuda:3: There is no device 'cuda:3'.");
        }
    }

    @Test
    void shouldLeaveSmallGraphsToTheCpu() {
        Csc small = TestGraphs.path(10).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph graph = select(Wanted.AUTO).backend().load(small)) {
            Runs.prepare(graph, control);
            assertThat(graph.bfs(0, -1, NO_TARGETS, control).depth()).isEqualTo(9);
            graph.farness(Set.of(DistanceMeasure.HARMONIC), control);
            assertThat(Residences.residentOn(graph)).isEqualTo("cpu");
        }
        assertThat(told.backends)
                .hasSize(2)
                .allMatch(line -> line.startsWith("cpu: The run would not benefit from cuda:0: 10"));
        assertThat(driver.device().usedBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveTinyGraphsAndTheComponentsOfAbsentOnesToTheCpu(Operation operation) {
        assertThat(operation.pays(new GraphShape(5, 10, true), true)).isFalse();
        GraphShape large = new GraphShape(1 << 20, 1L << 24, true);
        boolean onDevices = Runs.OF_DEVICES.contains(operation);
        assertThat(operation.pays(large, true)).isEqualTo(onDevices);
        assertThat(operation.pays(large, false)).isEqualTo(onDevices && operation != Operation.COMPONENTS);
    }

    @Test
    void shouldEndOnTheCpuWhicheverAllocationFails() {
        int[] sources = IntStream.range(0, 600).toArray();
        for (int n = 0; n < 5; n++) {
            int fitting = n;
            try (LoadedGraph graph = onEither().load(csc)) {
                for (Operation operation : Runs.OF_DEVICES) {
                    AtomicInteger allocations = new AtomicInteger();
                    driver.device()
                            .fail(call -> call.equals("allocate") && allocations.getAndIncrement() >= fitting
                                    ? CudaException.OUT_OF_MEMORY
                                    : 0);
                    int count = operation == Operation.BFS || operation == Operation.SHORTEST_PATHS ? 1 : 600;
                    Runs.check(operation, csc, graph, Arrays.copyOf(sources, count), control);
                }
            }
            assertThat(driver.device().usedBytes()).isZero();
        }
        assertThat(told.backends)
                .anyMatch(line -> line.startsWith("cpu: The run falls back to the CPU: Device cuda:0"));
    }

    @Test
    void shouldGoOnWithTheSourcesThatAreLeft() {
        int[] sources = IntStream.range(0, 600).toArray();
        int[] launches = {0};
        try (LoadedGraph graph = onEither().load(csc)) {
            Runs.prepare(graph, control);
            driver.device().onLaunch(entry -> {
                if (++launches[0] == 2) {
                    driver.device().failLaunch(719);
                }
            });
            TextbookChecks.checkDistances(csc, graph, sources, -1, control);
        }
        assertThat(launches[0]).isEqualTo(2);
        assertThat(told.backends).last().asString().contains("CUDA_ERROR_719");
    }

    @Test
    void shouldNotFallBackForAFailureOfTheSink() {
        use(FakeDriver.hoppers(2, FakeDevices.PLENTY), MappedBudget.none());
        AutoBackend either = new AutoBackend(backends.chooseAll().backend(), cpu, (shape, run, resident) -> true);
        try (LoadedGraph graph = either.load(csc)) {
            assertThatThrownBy(() -> graph.multiSourceBfs(
                            new int[] {0, 1},
                            -1,
                            batch -> {
                                throw new DeviceMemoryException("the sink's own");
                            },
                            control))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessage("the sink's own");
        }
        assertThat(told.backends)
                .as("the choice of 'auto', and that among the devices")
                .hasSize(2);
    }

    @Test
    void shouldEndOnTheCpuWhenAllDevicesAreLost() {
        use(FakeDriver.hoppers(2, FakeDevices.PLENTY), MappedBudget.none());
        assertThat(select(Wanted.AUTO).backend().info().device()).isEqualTo("Fake H200, Fake H200");
        AutoBackend either = new AutoBackend(select(Wanted.CUDA).backend(), cpu, (shape, run, resident) -> true);
        try (LoadedGraph graph = either.load(csc)) {
            TextbookChecks.checkLevels(csc, graph, 7, -1, control);
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            driver.refuse("allocate");
            int[] sources = IntStream.range(0, 600).toArray();
            TextbookChecks.checkDistances(csc, graph, sources, -1, control);
        }
        assertThat(told.backends)
                .anyMatch(line -> line.startsWith("cuda: A device is available"))
                .anyMatch(line -> line.startsWith("cuda:0: It is the least busy of 2 GPUs."))
                .anyMatch(line -> line.startsWith("cuda:1: The run is repeated on another GPU: Device cuda:0 has too"))
                .last()
                .asString()
                .startsWith("cpu: The run falls back to the CPU: Device cuda:1 has too little memory");
    }

    @Test
    void shouldRunOnTheCpuWhatTheKernelsOfADeviceCannotCount() {
        Kernel narrow = new Kernel("narrow", Operation.SHORTEST_PATHS);
        PathKernels kernels = (PathKernels) Proxy.newProxyInstance(
                PathKernels.class.getClassLoader(),
                new Class<?>[] {PathKernels.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> narrow.keyword();
                    case "canSearch" -> false;
                    default -> throw new AssertionError(method);
                });
        KernelFamily family = KernelFamily.of(narrow, (device, kernel, operation) -> kernels);
        KernelFamilies families = new KernelFamilies(List.of(family), CudaKernels.TABLE);
        use(driver, FakeDevices.backends(families, driver, FakeDevices.policy(RunOptions.AUTO)));
        WeightedCsc weights = WeightedCsc.ofOnes(csc);
        try (LoadedGraph graph = onEither().load(csc)) {
            assertThat(graph.shortestPaths(0, weights, LoadedGraph.ANY_DELTA, false, control)
                            .costs())
                    .isEqualTo(TextbookDijkstra.costs(weights, 0));
            assertThat(Residences.bytes(graph)).isZero();
        }
        assertThat(told.backends)
                .last()
                .isEqualTo(String.format(
                        Locale.ROOT,
                        "cpu: The run falls back to the CPU: The graph has 700 nodes and %,d relationships, parallel"
                                + " ones included, which are too many relationships for kernel 'narrow' and so many"
                                + " nodes. Use backend: 'auto' or 'cpu'.",
                        csc.entryCount()));
    }

    @Test
    void shouldFindComponentsOnTheDeviceOnlyIfTheGraphIsThere() {
        var auto = new AutoBackend(backend, cpu, (shape, run, resident) -> resident || run != Operation.COMPONENTS);
        try (LoadedGraph graph = auto.load(csc)) {
            Runs.prepare(graph, new Workload(Operation.COMPONENTS, 1, LoadedGraph.NO_MAX_DEPTH), control);
            int[] onCpu = graph.components(control);
            assertThat(driver.device().uploadedBytes()).isZero();
            Runs.prepare(graph, new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH), control);
            assertThat(driver.device().usedBytes()).isPositive();
            assertThat(graph.components(control)).isEqualTo(onCpu);
            assertThat(driver.device().launches()).contains("components_afforest_grid");
        }
    }

    @Test
    void shouldScoreBetweennessOnTheDeviceAndLeaveNothingThere() {
        try (LoadedGraph graph = onEither().load(csc)) {
            Runs.prepare(
                    graph, new Workload(Operation.BETWEENNESS, csc.vertexCount(), LoadedGraph.NO_MAX_DEPTH), control);
            List<String> launched = new ArrayList<>();
            driver.device().onLaunch(launched::add);
            TextbookChecks.checkBetweenness(csc, graph, null, control);
            assertThat(launched).contains("betweenness_plain_grid");
            assertThat(Residences.residentOn(graph)).isEqualTo("cpu");
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldMapListsThatDoNotFitBeforeItFallsBackToTheCpu() {
        Csc dense = TestGraphs.uniform(1500, 150_000, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        FakeDriver little = FakeDriver.hopper(1 << 20);
        MappedBudget budget = new MappedBudget(0.5, () -> 16L << 20);
        use(little, FakeDevices.mapping(little, FakeDevices.policy(RunOptions.AUTO), budget));
        for (String expected : List.of(
                "cuda:0: ", "cpu: The run falls back to the CPU: Device cuda:0 has too little memory for the graph")) {
            try (LoadedGraph graph = onEither().load(dense)) {
                FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), dense, Set.of());
                assertThat(told.backends).last().asString().startsWith(expected);
                assertThat(Residences.mappedBytes(graph) > 0).isEqualTo(expected.startsWith("cuda"));
            }
            little.refuse("allocateMapped");
        }
        assertThat(told.backends).last().asString().contains("mapped host memory");
    }

    @Test
    void shouldSearchTwoGraphsOnTheCpuUnlessTheDeviceHasRoomForBoth() {
        Workload work = Workload.farness(Set.of());
        searchBoth(work, "cuda:0: ");
        useDevice(1000);
        // it has room for half as much again as one graph takes
        useDevice(onEither().estimate(csc, false, work, 2).deviceBytes() * 3 / 2);
        assertThat(onEither().estimate(csc, false, work, 2).fitsDevice()).isTrue();
        assertThat(onEither().estimate(csc, false, work.inBoth(true), 2).fitsDevice())
                .isFalse();
        searchBoth(work, "cpu: The run falls back to the CPU: Device cuda:0 has too little memory for this");
        assertThat(driver.device().uploadedBytes()).isZero();
    }

    /** One was loaded before all devices of a driver failed, or before they were opened again. */
    @Test
    void shouldSearchTwoGraphsOnTheCpuIfTheyAreOnDevicesOfSeveralDrivers() {
        FakeDriver several = FakeDriver.hoppers(2, FakeDevices.PLENTY);
        try (CudaBackends devices = FakeDevices.sharing(several, FakeDevices.policy())) {
            TraversalBackend group = onEither(devices.chooseAll().backend());
            Workload work = Workload.farness(Set.of());
            String reason = "cpu: The run falls back to the CPU: The graph was loaded on GPUs of another driver";
            searchBoth(group, onEither(), work, reason);
            searchBoth(onEither(), group, work, reason);
        }
    }

    private void searchBoth(Workload work, String on) {
        searchBoth(onEither(), onEither(), work, on);
    }

    private void searchBoth(TraversalBackend backendAlong, TraversalBackend backendAgainst, Workload work, String on) {
        told.backends.clear();
        Csc reversed = csc.transposed(1, Stop.NEVER);
        try (LoadedGraph along = backendAlong.load(csc);
                LoadedGraph against = backendAgainst.load(reversed)) {
            List<LoadedGraph> both = along.reserveWith(List.of(against), work, csc.vertexCount(), control);
            FakeDevices.assertAsOnCpu(both.get(0).farness(Set.of(), control), csc, Set.of());
            FakeDevices.assertAsOnCpu(both.get(1).farness(Set.of(), control), reversed, Set.of());
            both.forEach(LoadedGraph::close);
        }
        assertThat(told.backends).hasSize(2).allMatch(line -> line.startsWith(on));
    }

    /** A graph whose reservations can be read only once the heap has been full once. */
    private static LoadedGraph fullOnce(LoadedGraph graph) {
        AtomicBoolean full = new AtomicBoolean(true);
        return new BorrowedGraph(graph) {
            @Override
            public List<LoadedGraph> reserveWith(
                    List<LoadedGraph> others, Workload work, long searches, RunContext control) {
                List<LoadedGraph> views = graph.reserveWith(others, work, searches, control);
                return new AbstractList<>() {
                    @Override
                    public LoadedGraph get(int index) {
                        if (full.getAndSet(false)) {
                            throw new OutOfMemoryError("simulated");
                        }
                        return views.get(index);
                    }

                    @Override
                    public int size() {
                        return views.size();
                    }
                };
            }
        };
    }

    @Test
    void shouldLeaveNothingReservedOnAFullHeap() {
        GraphShape shape = GraphShape.of(csc);
        try (LoadedGraph device = backend.load(csc);
                LoadedGraph graph = new AutoGraph(
                        "cuda:0", fullOnce(device), cpu.load(csc), shape, (its, operation, resident) -> true)) {
            Workload work = Workload.farness(Set.of());
            assertThatThrownBy(() -> graph.reserve(work, csc.vertexCount(), control))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(backend.device().memory().isPromisedOnly(null)).isTrue();
        }
    }

    @Test
    void shouldEstimateTheHeapOfEitherAndTheDeviceWhereItPays() {
        GraphShape shape = GraphShape.of(csc);
        for (Operation operation : Runs.OF_DEVICES) {
            var work = new Workload(operation, 3, LoadedGraph.NO_MAX_DEPTH);
            var estimate = onEither().estimate(shape, work, 2);
            var onDevice = backend.estimate(shape, work, 2);
            var onCpu = cpu.estimate(shape, work, 2);
            assertThat(estimate.device()).isEqualTo(onDevice.device());
            assertThat(estimate.fitsDevice()).isTrue();
            assertThat(onCpu.fitsDevice()).isFalse();
            assertThat(estimate.heapBytes()).isEqualTo(Math.max(onCpu.heapBytes(), onDevice.heapBytes()));

            if (operation == Operation.BETWEENNESS) {
                // nothing of it is resident
                continue;
            }
            try (LoadedGraph graph = onEither().load(csc)) {
                Runs.prepare(graph, new Workload(operation, 3, LoadedGraph.NO_MAX_DEPTH), control);
                var resident = onEither().estimate(csc, false, work, 2);
                assertThat(resident.device())
                        .isEqualTo(backend.estimate(csc, false, work, 2).device());
            }
        }
    }

    private Selection select(Wanted wanted) {
        return new TraversalBackends(Map.of(Wanted.CUDA, backends), cpu).select(wanted);
    }

    /** As 'auto' selects, but every graph is large enough. */
    private TraversalBackend onEither() {
        return onEither(backend);
    }

    private TraversalBackend onEither(TraversalBackend device) {
        return new AutoBackend(device, cpu, (shape, run, resident) -> true);
    }
}
