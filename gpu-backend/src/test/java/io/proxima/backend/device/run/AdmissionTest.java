// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.ToldRuns;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.bounds.TopCloseness;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.FirstMappedBudget;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.Promise;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random runs on devices of random sizes: a run that is refused has evicted, copied and built nothing, and a run that
 * was admitted is not refused for memory that its plan names.
 */
class AdmissionTest {

    private static final String REFUSED = "this run: its structures and its workspace take up to";

    /** Whether records fit their share is known only once the lists are built. */
    private static final Kernel OF_DATA = Kernel.of("ball-records");

    private static final int MOST_VERTICES_OF_MANY_SEARCHES = 600;

    private static final LaunchPolicy POLICY = new LaunchPolicy(
            FakeDevices.ALL_MEMORY, 4096, 256, 4, Integer.MAX_VALUE, LaunchPolicy.LEAST_SHARED_SUMS, RunOptions.AUTO);

    /** What one caller asks for. */
    private record Call(Csc csc, Workload work) {

        static Call random(Random random) {
            Orientation orientation = List.of(Orientation.values()).get(random.nextInt(Orientation.values().length));
            Operation operation = Runs.OF_DEVICES.get(random.nextInt(Runs.OF_DEVICES.size()));
            // large enough to tell sizes of one byte a node from rounded ones
            int most = operation.isSingleSearch() && random.nextBoolean() ? 12_000 : MOST_VERTICES_OF_MANY_SEARCHES;
            Csc csc = graph(random, most).toCsc(orientation, 1, Stop.NEVER);
            List<Kernel> kernels = new ArrayList<>(Kernel.of(operation));
            kernels.remove(OF_DATA);
            RunOptions options = new RunOptions(
                    List.of(VertexOrder.values()).get(random.nextInt(VertexOrder.values().length)),
                    random.nextBoolean() ? Kernel.AUTO : kernels.get(random.nextInt(kernels.size())));
            int n = csc.vertexCount();
            int sources = operation == Operation.BETWEENNESS && random.nextBoolean()
                    ? n
                    : 1 + random.nextInt(Math.min(n, 300));
            Set<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
            for (DistanceMeasure measure : DistanceMeasure.values()) {
                if (random.nextBoolean()) {
                    measures.add(measure);
                }
            }
            Workload work =
                    switch (operation) {
                        case FARNESS -> Workload.farness(measures);
                        case FARNESS_OF_SOURCES -> Workload.farness(sources, measures);
                        default ->
                            new Workload(operation, sources, random.nextBoolean() ? 3 : LoadedGraph.NO_MAX_DEPTH);
                    };
            boolean stops = operation == Operation.BFS && random.nextBoolean();
            return new Call(csc, (stops ? work.stoppingAt(1 + random.nextInt(n)) : work).with(options));
        }

        /** A call that reserves memory before it runs; others read a graph of their own. */
        static Call reserving(Random random) {
            Call call = random(random);
            while (!call.work.operation().readsLoadedGraph()) {
                call = random(random);
            }
            return call.besideOthers(random);
        }

        /** The same, and at times runs of other kinds. */
        private Call besideOthers(Random random) {
            List<Workload> others = new ArrayList<>();
            while (random.nextBoolean()) {
                Operation operation = Runs.OF_DEVICES.get(random.nextInt(Runs.OF_DEVICES.size()));
                boolean isSmall = csc.vertexCount() <= MOST_VERTICES_OF_MANY_SEARCHES;
                if (operation.readsLoadedGraph() && (isSmall || operation.isSingleSearch())) {
                    int sources = 1 + random.nextInt(Math.min(csc.vertexCount(), 300));
                    others.add(new Workload(operation, sources, LoadedGraph.NO_MAX_DEPTH));
                }
            }
            Workload all = work.beside(others.toArray(Workload[]::new));
            return new Call(csc, all.with(work.options()));
        }

        /** A run of a kind that the call has not reserved memory for. */
        Call another(Random random) {
            Operation operation = Runs.OF_DEVICES.get(random.nextInt(Runs.OF_DEVICES.size()));
            while (!operation.isSingleSearch() && csc.vertexCount() > MOST_VERTICES_OF_MANY_SEARCHES) {
                operation = Runs.OF_DEVICES.get(random.nextInt(Runs.OF_DEVICES.size()));
            }
            return new Call(csc, new Workload(operation, csc.vertexCount(), LoadedGraph.NO_MAX_DEPTH));
        }

        private static EdgeList graph(Random random, int most) {
            int n = 2 + random.nextInt(most);
            return switch (random.nextInt(6)) {
                case 0 -> TestGraphs.path(n);
                case 1 -> TestGraphs.star(n);
                case 2 -> TestGraphs.grid(1 + n / 20, 20);
                case 3 -> TestGraphs.lollipop(5 + random.nextInt(30), n);
                case 4 -> TestGraphs.rmat(3 + random.nextInt(6), 8, random.nextLong());
                default -> TestGraphs.uniform(n, 1 + random.nextInt(4 * n), random.nextLong(), random.nextBoolean());
            };
        }

        /** One of the runs, or a part of it from fewer sources or with fewer measures. */
        Call part(Random random) {
            Workload run = work.runs().get(random.nextInt(work.runs().size()));
            int sources = run.operation() == Operation.FARNESS ? 0 : 1 + random.nextInt(run.sources());
            Workload fewer = new Workload(
                    run.operation(),
                    random.nextBoolean() ? sources : run.sources(),
                    run.targets(),
                    run.maxDepth(),
                    run.measures().stream()
                            .filter(measure -> random.nextBoolean())
                            .collect(Collectors.toSet()),
                    run.weights(),
                    run.inBoth(),
                    run.options(),
                    run.kept(),
                    run.afterwards(),
                    List.of());
            return new Call(csc, fewer);
        }

        RunContext control() {
            return RunContext.of(1).with(work.options());
        }

        void run(LoadedGraph graph) {
            work.runs().forEach(run -> Runs.run(run, csc, graph, control().with(run.options())));
        }

        LoadedGraph reserve(LoadedGraph graph) {
            return graph.reserve(work, work.searches(csc.vertexCount()), control());
        }

        /** The most that the run takes where memory is not short. */
        long mostBytes() {
            FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
            try (CudaBackends backends = FakeDevices.backends(driver, POLICY);
                    LoadedGraph graph = backends.choose().backend().load(csc);
                    LoadedGraph reserved = reserve(graph)) {
                run(reserved);
            }
            return driver.device().mostUsedBytes();
        }
    }

    @Property(tries = 200)
    void shouldRefuseARunBeforeItDoesAnythingOrNotAtAll(@ForAll long seed) {
        Random random = new Random(seed);
        Call call = random.nextBoolean() ? Call.random(random) : Call.reserving(random);
        Csc idle = TestGraphs.rmat(6, 4, 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        long bytes = 1 + (long) (call.mostBytes() * 1.2 * random.nextDouble());
        FakeDriver driver = FakeDriver.hopper(bytes);
        try (CudaBackends backends = FakeDevices.backends(driver, POLICY)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph other = backend.load(idle);
                    LoadedGraph graph = backend.load(call.csc)) {
                Throwable full =
                        catchThrowable(() -> other.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], RunContext.of(1)));
                assertThat(full == null || full instanceof DeviceMemoryException)
                        .isTrue();
                boolean fits = backend.estimate(call.csc, false, call.work, 1).fitsDevice();
                long resident = Residences.bytes(other);
                long used = driver.device().usedBytes();
                long uploaded = driver.device().uploadedBytes();
                driver.device().forgetMostUsed();
                Throwable refused = catchThrowable(() -> Runs.prepare(graph, call.work, call.control()));
                if (refused == null && random.nextBoolean()) {
                    boolean places = driver.device().uploadedBytes() > uploaded;
                    refused = catchThrowable(() -> call.run(graph));
                    assertThat(places && refused != null)
                            .as("%s: prepared, then %s", call, refused)
                            .isFalse();
                } else if (refused == null) {
                    return;
                }
                if (refused != null) {
                    assertThat(refused)
                            .isInstanceOf(DeviceMemoryException.class)
                            .hasMessageContaining(REFUSED);
                    // which part of the graph consists of hanging trees is known only once they are cut
                    boolean known = call.work.operation() != Operation.BETWEENNESS;
                    assertThat(fits && known).as("%s: %s", call, refused).isFalse();
                    assertThat(Residences.bytes(other)).as("%s evicts", call).isEqualTo(resident);
                    assertThat(driver.device().uploadedBytes())
                            .as("%s copies", call)
                            .isEqualTo(uploaded);
                    assertThat(driver.device().mostUsedBytes())
                            .as("%s builds", call)
                            .isEqualTo(used);
                }
            }
        }
    }

    /** The two take turns, each in several runs, and one may run while the other has begun. */
    @Property(tries = 100)
    void shouldRunWhatItHasReservedUntilItsCallEnds(@ForAll long seed) {
        runsWhatItHasReserved(seed, 1);
    }

    /** Who share what they can. */
    @Property(tries = 60)
    void shouldRunWhatItHasReservedOnSeveralDevicesUntilItsCallEnds(@ForAll long seed) {
        runsWhatItHasReserved(seed, 2);
    }

    private static void runsWhatItHasReserved(long seed, int devices) {
        Random random = new Random(seed);
        List<Call> calls = List.of(Call.reserving(random), Call.reserving(random));
        long most = calls.stream().mapToLong(Call::mostBytes).max().orElseThrow();
        FakeDriver driver = FakeDriver.hoppers(devices, 1 + (long) (most * (0.5 + 1.5 * random.nextDouble())));
        try (CudaBackends backends = FakeDevices.sharing(driver, POLICY)) {
            TraversalBackend backend = backends.chooseAll().backend();
            try (LoadedGraph one = backend.load(calls.get(0).csc);
                    LoadedGraph other = backend.load(calls.get(1).csc)) {
                List<LoadedGraph> graphs = List.of(one, other);
                LoadedGraph[] reserved = new LoadedGraph[2];
                for (int step = 0; step < 12; step++) {
                    int at = random.nextInt(2);
                    Call call = calls.get(at);
                    if (reserved[at] == null) {
                        reserved[at] = reserveOrRefuse(call, graphs, at, driver);
                    } else if (random.nextInt(3) > 0) {
                        LoadedGraph beside = random.nextBoolean() ? reserved[1 - at] : null;
                        long promised = promised(backend);
                        runBeside(
                                call.part(random),
                                reserved[at],
                                calls.get(1 - at).part(random),
                                beside);
                        assertThat(promised(backend)).as("%s", call).isGreaterThanOrEqualTo(promised);
                    } else if (random.nextBoolean()) {
                        long promised = promised(backend);
                        Call another = call.another(random);
                        LoadedGraph graph = reserved[at];
                        Throwable refused = catchThrowable(() -> another.run(graph));
                        assertThat(refused == null || refused instanceof DeviceMemoryException)
                                .as("%s within %s: %s", another, call, refused)
                                .isTrue();
                        assertThat(promised(backend)).as("%s", call).isEqualTo(promised);
                    } else {
                        reserved[at].close();
                        reserved[at] = null;
                    }
                }
                Closing.all(Stream.of(reserved).filter(Objects::nonNull).iterator(), LoadedGraph::close);
                assertThat(promised(backend)).isZero();
            }
        }
        assertThat(sum(driver, FakeDevice::usedBytes)).isZero();
    }

    /** The memory that runs were promised, workspaces included, on all devices. */
    private static long promised(TraversalBackend backend) {
        return devices(backend).stream()
                .map(device -> device.device().memory())
                .mapToLong(memory -> memory.promisedBeside(null) + memory.workspaceBeside(null))
                .sum();
    }

    private static List<DeviceBackend> devices(TraversalBackend backend) {
        return backend instanceof DeviceGroup group ? group.usable().get() : List.of((DeviceBackend) backend);
    }

    private static long sum(FakeDriver driver, ToLongFunction<FakeDevice> of) {
        return IntStream.range(0, driver.openedCount())
                .mapToObj(driver::device)
                .mapToLong(of)
                .sum();
    }

    /** As a call in both directions does, while others take what is left. */
    @Property(tries = 60)
    void shouldReserveTwoGraphsOrNone(@ForAll long seed) {
        reservesTwoGraphsOrNone(seed, 1);
    }

    /** On one of which both fit, or on which they share what they can. */
    @Property(tries = 30)
    void shouldReserveTwoGraphsOrNoneOnSeveralDevices(@ForAll long seed) {
        reservesTwoGraphsOrNone(seed, 2);
    }

    private static void reservesTwoGraphsOrNone(long seed, int devices) {
        Random random = new Random(seed);
        Call call = Call.reserving(random);
        while (call.csc.transposed(1, Stop.NEVER) == call.csc) {
            call = Call.reserving(random);
        }
        Call one = call;
        Call other = new Call(one.csc.transposed(1, Stop.NEVER), one.work);
        long most = one.mostBytes() + other.mostBytes();
        FakeDriver driver = FakeDriver.hoppers(devices, 1 + (long) (most * (0.1 + random.nextDouble())));
        MappedBudget mapped = random.nextBoolean() ? MappedBudget.none() : ofHost(random.nextInt(60_000), false);
        try (CudaBackends backends = FakeDevices.mappingAndSharing(driver, POLICY, mapped)) {
            TraversalBackend backend = backends.chooseAll().backend();
            try (LoadedGraph along = backend.load(one.csc);
                    LoadedGraph against = backend.load(other.csc)) {
                if (random.nextBoolean()) {
                    close(reserveOrRefuse(one, List.of(along, against), 0, driver));
                }
                if (random.nextBoolean()) {
                    close(reserveOrRefuse(other, List.of(along, against), 1, driver));
                }
                MemoryEstimate estimate = backend.estimate(one.csc, false, one.work.inBoth(true), 1);
                List<LoadedGraph> both = reserveOrRefuse(
                        one,
                        List.of(along, against),
                        driver,
                        (searches, control) -> along.reserveWith(List.of(against), one.work, searches, control));
                if (both != null) {
                    keepsBoth(one, both.get(0), other, both.get(1), backend);
                }
                assertThat(estimate.fitsDevice() && both == null)
                        .as("%s: %s", one, estimate.device().render())
                        .isFalse();
                assertThat(promised(backend)).isZero();
            }
        }
        assertThat(sum(driver, FakeDevice::usedBytes)).isZero();
        assertThat(mapped.promisedBytes()).isZero();
    }

    private static void keepsBoth(
            Call one, LoadedGraph first, Call other, LoadedGraph second, TraversalBackend backend) {
        try {
            withNothingLeft(backend, () -> {
                for (int turn = 0; turn < 2; turn++) {
                    one.run(first);
                    other.run(second);
                }
            });
        } finally {
            Closing.all(List.of(first, second).iterator(), LoadedGraph::close);
        }
    }

    /** Does work while another run has been promised all memory that nobody else was. */
    private static void withNothingLeft(TraversalBackend backend, Runnable work) {
        List<Promise> rest = new ArrayList<>();
        for (DeviceBackend on : devices(backend)) {
            DeviceMemory memory = on.device().memory();
            long left = Placed.roomFor(on.device(), Contents.none(false)) - memory.workspaceBeside(null);
            rest.add(memory.promise(Math.max(0, left), 0, 0));
        }
        List<Long> left = rest.stream().map(Promise::open).toList();
        try {
            work.run();
            assertThat(rest.stream().map(Promise::open)).isEqualTo(left);
        } finally {
            Closing.all(rest.iterator(), Promise::close);
        }
    }

    /** Whatever kinds of runs they make. */
    @Property(tries = 60)
    void shouldFindBoundsInTheMemoryThatTheirCallHasReserved(@ForAll long seed) {
        Random random = new Random(seed);
        Csc csc = Call.graph(random, MOST_VERTICES_OF_MANY_SEARCHES)
                .toCsc(random.nextBoolean() ? Orientation.UNDIRECTED : Orientation.NATURAL, 1, Stop.NEVER);
        Csc reversed = csc.transposed(1, Stop.NEVER);
        int n = csc.vertexCount();
        int k = 1 + random.nextInt(n);
        Workload best = Workload.farness(TopCloseness.mostSources(n), Set.of()).beside(Workload.farness(Set.of()));
        Workload widths = Workload.farness(Set.of(DistanceMeasure.ECCENTRICITY)).beside(EccentricityBounds.runs(n));
        RunContext control = RunContext.of(1);
        try (CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY), POLICY)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph along = backend.load(csc);
                    LoadedGraph against = backend.load(reversed)) {
                List<LoadedGraph> both = csc == reversed
                        ? List.of(along.reserve(widths, n, control))
                        : along.reserveWith(List.of(against), widths, n, control);
                withNothingLeft(
                        backend,
                        () -> EccentricityBounds.find(
                                csc,
                                both.get(0),
                                both.get(both.size() - 1),
                                EnumSet.of(List.of(Wanted.values()).get(random.nextInt(Wanted.values().length))),
                                () -> {},
                                control));
                Closing.all(both.iterator(), LoadedGraph::close);
                try (LoadedGraph reserved = along.reserve(best, n, control)) {
                    withNothingLeft(
                            backend,
                            () -> TopCloseness.of(reserved, csc, ClosenessFormula.DEFAULT, k, null, () -> {}, control));
                }
            }
        }
    }

    /**
     * Bounds leave more vertices open than they search from at first, and a device searches from all of these at once.
     */
    @Test
    void shouldFindTheBestInTheMemoryThatTheirCallHasReservedIfManyAreOpen() {
        Csc csc = TestGraphs.rmat(12, 4, 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        int n = csc.vertexCount();
        int k = 600;
        Workload work = Workload.farness(TopCloseness.mostSources(n), Set.of()).beside(Workload.farness(Set.of()));
        RunContext control = RunContext.of(1);
        try (CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY), POLICY)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph graph = backend.load(csc);
                    LoadedGraph reserved = graph.reserve(work, n, control)) {
                withNothingLeft(backend, () -> assertThat(
                                TopCloseness.of(reserved, csc, ClosenessFormula.DEFAULT, k, null, () -> {}, control)
                                        .searches())
                        .isBetween(1024L, n / 2L));
            }
        }
    }

    /** As a call for the best nodes that finds that bounds do not pay: each device has reserved every run it shares. */
    @ParameterizedTest
    @CsvSource({"false, 1", "true, 1", "false, 2", "true, 2"})
    void shouldShareEveryRunOfACallInTheMemoryThatItHasReserved(boolean deep, int graphs) {
        Csc csc =
                (deep ? TestGraphs.grid(40, 30) : TestGraphs.rmat(10, 8, 1)).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        int n = csc.vertexCount();
        int[] sources = IntStream.range(0, n / 2).toArray();
        Workload work = Workload.farness(sources.length, Set.of())
                .beside(new Workload(Operation.COMPONENTS, 0, LoadedGraph.NO_MAX_DEPTH), Workload.farness(Set.of()));
        ToldRuns told = new ToldRuns();
        FakeDriver driver = FakeDriver.hoppers(2, FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.sharing(driver, POLICY)) {
            TraversalBackend backend = backends.chooseAll().backend();
            try (LoadedGraph along = backend.load(csc);
                    LoadedGraph against = backend.load(csc.transposed(1, Stop.NEVER))) {
                List<LoadedGraph> reserved = graphs == 1
                        ? List.of(along.reserve(work, n, told.control()))
                        : along.reserveWith(List.of(against), work, n, told.control());
                long promised = promised(backend);
                Set<Long> during = new ConcurrentSkipListSet<>();
                IntStream.range(0, 2).forEach(at -> driver.device(at).onLaunch(entry -> during.add(promised(backend))));
                for (LoadedGraph graph : reserved) {
                    graph.farness(Set.of(), told.control());
                }
                assertThat(during).allMatch(bytes -> bytes <= promised);
                withNothingLeft(backend, () -> {
                    for (LoadedGraph graph : reserved) {
                        graph.farness(sources, Set.of(), told.control());
                        graph.farness(Set.of(), told.control());
                        graph.components(told.control());
                    }
                });
                Closing.all(reserved.iterator(), LoadedGraph::close);
            }
        }
        assertThat(told.backends.stream().filter(line -> line.contains(" take part")))
                .hasSize(3 * graphs)
                .allMatch(line -> line.endsWith("2 of 2 take part."));
    }

    /** Returns null if the call is refused, which then has done nothing. */
    private static LoadedGraph reserveOrRefuse(Call call, List<LoadedGraph> graphs, int at, FakeDriver driver) {
        return reserveOrRefuse(
                call, graphs, driver, (searches, control) -> graphs.get(at).reserve(call.work, searches, control));
    }

    private static <T> T reserveOrRefuse(
            Call call, List<LoadedGraph> graphs, FakeDriver driver, BiFunction<Long, RunContext, T> reserving) {
        List<Long> resident = graphs.stream().map(Residences::bytes).toList();
        long used = sum(driver, FakeDevice::usedBytes);
        long uploaded = sum(driver, FakeDevice::uploadedBytes);
        IntStream.range(0, driver.openedCount()).mapToObj(driver::device).forEach(FakeDevice::forgetMostUsed);
        try {
            return reserving.apply(call.work.searches(call.csc.vertexCount()), call.control());
        } catch (DeviceMemoryException e) {
            assertThat(e).hasMessageContaining(REFUSED);
            assertThat(graphs.stream().map(Residences::bytes).toList())
                    .as("%s evicts", call)
                    .isEqualTo(resident);
            assertThat(sum(driver, FakeDevice::uploadedBytes))
                    .as("%s copies", call)
                    .isEqualTo(uploaded);
            assertThat(sum(driver, FakeDevice::mostUsedBytes))
                    .as("%s builds", call)
                    .isEqualTo(used);
            return null;
        }
    }

    /** Runs what has reserved memory, and once it has been placed, another one if it has reserved memory too. */
    private static void runBeside(Call call, LoadedGraph graph, Call other, LoadedGraph reserved) {
        RunObserver meanwhile = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {}

            @Override
            public void runsWith(String order, String kernel, String reason) {
                if (reserved != null) {
                    other.run(reserved);
                }
            }
        };
        RunContext control = new RunContext(1, Stop.NEVER, Progress.NONE, meanwhile, call.work.options());
        assertThat(catchThrowable(() -> Runs.run(call.work, call.csc, graph, control)))
                .as("%s beside %s", call, other)
                .isNull();
    }

    /** Both may pause each other, and need more than the device has; some are killed. */
    @Property(tries = 100)
    void shouldKeepItsPromisesToRunsSideBySide(@ForAll long seed) {
        Random random = new Random(seed);
        keepsItsPromises(threeCalls(random), random, seed, MappedBudget.none());
    }

    private static List<Call> threeCalls(Random random) {
        return List.of(Call.random(random), Call.random(random), Call.random(random));
    }

    /** Who take over from each other what they build. */
    @Property(tries = 100)
    void shouldKeepItsPromisesToRunsOfOneGraph(@ForAll long seed) {
        Random random = new Random(seed);
        List<Call> calls = threeCalls(random);
        Csc least = calls.stream()
                .map(Call::csc)
                .min(Comparator.comparingInt(Csc::vertexCount))
                .orElseThrow();
        MappedBudget mapped =
                random.nextBoolean() ? MappedBudget.none() : ofHost(random.nextInt(60_000), random.nextBoolean());
        keepsItsPromises(calls.stream().map(call -> new Call(least, call.work)).toList(), random, seed, mapped);
    }

    /** The host has too little for the lists of all of them, too. */
    @Property(tries = 100)
    void shouldKeepItsPromisesOfMappedMemoryToRunsSideBySide(@ForAll long seed) {
        Random random = new Random(seed);
        MappedBudget mapped = ofHost(random.nextInt(60_000), random.nextBoolean());
        keepsItsPromises(threeCalls(random), random, seed, mapped);
    }

    private static MappedBudget ofHost(long bytes, boolean first) {
        AtomicReference<MappedBudget> budget = new AtomicReference<>();
        // no more and no less than the books say, even while the driver frees memory
        LongSupplier free = () -> bytes - budget.get().usedBytes();
        budget.set(first ? new FirstMappedBudget(free) : new MappedBudget(1, free));
        return budget.get();
    }

    private static void keepsItsPromises(List<Call> calls, Random random, long seed, MappedBudget mapped) {
        long most = calls.stream().mapToLong(Call::mostBytes).max().orElseThrow();
        FakeDriver driver = FakeDriver.hopper(1 + (long) (most * (0.5 + 2 * random.nextDouble())));
        List<Throwable> broken = Collections.synchronizedList(new ArrayList<>());
        try (CudaBackends backends = FakeDevices.mapping(driver, POLICY, mapped)) {
            TraversalBackend backend = backends.choose().backend();
            driver.device().pauseSearches(seed);
            Workers.run(calls.size(), Stop.NEVER, (worker, stop) -> {
                Call call = calls.get(worker);
                Random kills = new Random(seed + worker);
                for (int turn = 0; turn < 3; turn++) {
                    AtomicInteger checks =
                            new AtomicInteger(kills.nextInt(4) > 0 ? Integer.MAX_VALUE : kills.nextInt(60));
                    RunContext control = new RunContext(1, () -> checks.getAndDecrement() <= 0, Progress.NONE);
                    try (LoadedGraph graph = backend.load(call.csc)) {
                        Throwable thrown = catchThrowable(
                                () -> Runs.run(call.work, call.csc, graph, control.with(call.work.options())));
                        if (thrown != null
                                && !(thrown instanceof StoppedException)
                                && !thrown.getMessage().contains(REFUSED)) {
                            broken.add(thrown);
                        }
                    }
                }
            });
            assertThat(((DeviceBackend) backend).device().memory().isPromisedOnly(null))
                    .isTrue();
            assertThat(mapped.promisedBytes()).isZero();
        }
        assertThat(broken).as("%s", calls).isEmpty();
        assertThat(driver.device().usedBytes()).isZero();
        assertThat(driver.device().mappedBytes()).isZero();
    }

    /** Which still takes what it was promised. */
    @Property(tries = 200)
    void shouldEstimateWhetherARunFitsBesideAnother(@ForAll long seed) {
        Random random = new Random(seed);
        Call call = random.nextBoolean() ? Call.random(random) : Call.reserving(random);
        long bytes = 1 + (long) (call.mostBytes() * 2 * random.nextDouble());
        FakeDriver driver = FakeDriver.hopper(bytes);
        try (CudaBackends backends = FakeDevices.backends(driver, POLICY)) {
            DeviceBackend backend = (DeviceBackend) backends.choose().backend();
            DeviceMemory memory = backend.device().memory();
            long kept = (long) (bytes * random.nextDouble());
            long workspace = (long) ((bytes - kept) * random.nextDouble());
            try (Promise other = memory.promise(kept, workspace, 0);
                    LoadedGraph graph = backend.load(call.csc)) {
                checkEstimate(backend, graph, call);
                assertThat(other.open()).isEqualTo(kept);
            }
        }
    }

    /** Which pins structures that the run does not read, or has left them idle. */
    @Property(tries = 50)
    void shouldEstimateWhetherARunFitsBesideOrAfterAReservationOfItsGraph(@ForAll long seed) {
        Random random = new Random(seed);
        Call reserving = Call.reserving(random);
        Workload other = Call.random(random).work;
        int sources = Math.min(other.sources(), reserving.csc.vertexCount());
        RunOptions options =
                new RunOptions(reserving.work.options().order(), other.options().kernel());
        Call call = new Call(reserving.csc, new Workload(other.operation(), sources, other.maxDepth()).with(options));
        long most = Math.max(call.mostBytes(), reserving.mostBytes());
        FakeDriver driver = FakeDriver.hopper(1 + (long) (most * 2 * random.nextDouble()));
        try (CudaBackends backends = FakeDevices.backends(driver, POLICY)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph graph = backend.load(call.csc)) {
                LoadedGraph reserved = reserveOrRefuse(reserving, List.of(graph), 0, driver);
                boolean ends = random.nextBoolean();
                if (ends) {
                    close(reserved);
                }
                checkEstimate(backend, graph, call);
                if (!ends) {
                    close(reserved);
                }
            }
        }
    }

    private static void close(LoadedGraph reserved) {
        if (reserved != null) {
            reserved.close();
        }
    }

    @Property(tries = 50)
    void shouldEstimateWhetherARunFitsOneOfSeveralDevices(@ForAll long seed) {
        Random random = new Random(seed);
        Call call = random.nextBoolean() ? Call.random(random) : Call.reserving(random);
        long most = call.mostBytes();
        DeviceFacts[] facts = Stream.generate(
                        () -> FakeDriver.hopperFacts(1 + (long) (most * 1.5 * random.nextDouble())))
                .limit(2)
                .toArray(DeviceFacts[]::new);
        FakeDriver driver = new FakeDriver(13_000, facts);
        try (CudaBackends backends =
                random.nextBoolean() ? FakeDevices.sharing(driver, POLICY) : FakeDevices.backends(driver, POLICY)) {
            TraversalBackend backend = backends.chooseAll().backend();
            try (LoadedGraph graph = backend.load(call.csc)) {
                checkEstimate(backend, graph, call);
            }
        }
    }

    private static void checkEstimate(TraversalBackend backend, LoadedGraph graph, Call call) {
        boolean fits = backend.estimate(call.csc, false, call.work, 1).fitsDevice();
        Throwable refused = catchThrowable(() -> {
            try (LoadedGraph reserved = call.reserve(graph)) {
                call.run(reserved);
            }
        });
        if (refused != null) {
            assertThat(refused).hasMessageContaining(REFUSED);
        }
        Operation operation = call.work.operation();
        // how long its weights are is known only when they are read
        boolean mayFit = operation.readsWeights() && refused == null;
        if (operation != Operation.BETWEENNESS && !mayFit) {
            assertThat(fits).as("%s: %s", call, refused).isEqualTo(refused == null);
        }
    }

    /** The lists from which others are built are mapped, too. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BETWEENNESS", "WEIGHTED_SEARCHES"})
    void shouldMapListsOnlyWhereThoseFromWhichTheyAreBuiltFitToo(Operation operation) {
        Csc csc = TestGraphs.rmat(6, 4, 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        for (Kernel kernel : Kernel.of(operation)) {
            Workload work = new Workload(operation, 3, LoadedGraph.NO_MAX_DEPTH)
                    .with(new RunOptions(VertexOrder.NATURAL, kernel));
            for (int host = 0; host < 6000; host += 256) {
                FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
                try (CudaBackends backends = FakeDevices.mapping(driver, POLICY, ofHost(host, true));
                        LoadedGraph graph = backends.choose().backend().load(csc)) {
                    new Call(csc, work).run(graph);
                }
            }
        }
    }
}
