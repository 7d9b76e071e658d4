// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.backend.papers.bvss.TextbookBvss;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResidencyTest extends FakeDeviceTestCase {

    private static final RunContext CONTROL = RunContext.of(2);

    ResidencyTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldShareWhatHandlesOfOneGraphUpload() {
        Csc csc = csc(1);
        LoadedGraph one = backend.load(csc);
        LoadedGraph other = backend.load(csc);
        Runs.prepare(one, CONTROL);
        long used = driver.device().usedBytes();
        Runs.prepare(other, CONTROL);
        assertThat(driver.device().usedBytes()).isEqualTo(used).isEqualTo(Residences.bytes(other));
        one.close();
        one.close();
        assertThat(driver.device().usedBytes()).isEqualTo(used);
        other.close();
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldMoveOutTheGraphThatWasNotUsedForTheLongestTime() {
        Csc[] graphs = {csc(1), csc(2), csc(3)};
        long bytes = bytesOf(graphs[0]);
        useDevice(bytes * 5 / 2);
        try (LoadedGraph a = backend.load(graphs[0]);
                LoadedGraph b = backend.load(graphs[1]);
                LoadedGraph c = backend.load(graphs[2])) {
            Runs.prepare(a, CONTROL);
            Runs.prepare(b, CONTROL);
            Runs.prepare(a, CONTROL);
            Runs.prepare(c, CONTROL);
            assertThat(List.of(Residences.residentOn(a), Residences.residentOn(b), Residences.residentOn(c)))
                    .containsExactly("cuda:0", "cpu", "cuda:0");
            assertThat(Residences.bytes(b)).isZero();
            Runs.prepare(b, CONTROL);
            assertThat(List.of(Residences.residentOn(a), Residences.residentOn(b), Residences.residentOn(c)))
                    .containsExactly("cpu", "cuda:0", "cuda:0");
            DeviceUse use = backends.use().get(0);
            assertThat(List.of(use.hits(), use.misses(), use.evictions())).containsExactly(1L, 4L, 2L);
            assertThat(use.uploadedBytes())
                    .isEqualTo(driver.device().uploadedBytes())
                    .isPositive();
            assertThat(use.usedBytes()).isEqualTo(driver.device().usedBytes());
            assertThat(use.budgetBytes()).isEqualTo(use.totalBytes()).isEqualTo(bytes * 5 / 2);
            TextbookChecks.checkLevels(graphs[0], a, 0, -1, CONTROL);
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldOpenDevicesWithTheShareOfTheSettings() {
        assertThat(budget()).isEqualTo(FakeDevices.PLENTY);
        BackendSettings half = FakeDevices.ALL_MEMORY.withShares(0.5, 0, 0);
        use(driver, FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO, half)));
        assertThat(budget()).isEqualTo(FakeDevices.PLENTY / 2);
    }

    private long budget() {
        return ((DeviceBackend) backends.choose().backend()).device().memory().budget();
    }

    @Test
    void shouldNotMoveOutAGraphInUse() {
        Csc csc = csc(1);
        long bytes = bytesOf(csc);
        // a run is admitted by the bound of its structures
        long total = bytes * 7 / 4;
        useDevice(total);
        List<Throwable> thrown = new ArrayList<>();
        try (LoadedGraph graph = backend.load(csc)) {
            DeviceMemory memory = backend.device().memory();
            Runs.prepare(graph, CONTROL);
            driver.device()
                    .onLaunch(entry -> thrown.add(catchThrowable(() -> memory.allocate(null, "the graph", bytes))));
            graph.bfs(0, -1, NO_TARGETS, CONTROL);
            assertThat(thrown)
                    .as("the search, and counting and gathering its levels")
                    .hasSize(3);
            assertThat(thrown.get(0))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("Device cuda:0 has too little memory for the graph")
                    .hasMessageContaining(String.format(Locale.ROOT, "%,d bytes are required", bytes))
                    .hasMessageContaining(String.format(Locale.ROOT, "budget of %,d bytes", total))
                    .hasMessageContaining("backend: 'cpu'");
            // idle again, it gives way
            memory.allocate(null, "something else", total).close();
            assertThat(Residences.residentOn(graph)).isEqualTo("cpu");
        }
    }

    @Test
    void shouldKeepAClosedGraphUntilItsRunEnds() {
        Csc csc = csc(1);
        LoadedGraph graph = backend.load(csc);
        List<Long> used = new ArrayList<>();
        Runs.prepare(graph, CONTROL);
        driver.device().onLaunch(entry -> {
            graph.close();
            used.add(driver.device().usedBytes());
        });
        TextbookChecks.checkLevels(csc, graph, 0, -1, CONTROL);
        assertThat(used.get(0)).isGreaterThan(bytesOf(csc) - 1);
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldFreeAGraphWhoseRunIsKilledWhileItSortsItsSources() {
        Csc csc = TestGraphs.path(70_000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] sources = IntStream.range(0, csc.vertexCount()).toArray();
        AtomicBoolean killed = new AtomicBoolean();
        // the kernels are chosen last, before the sources are sorted
        RunObserver killing = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {}

            @Override
            public void runsWith(String order, String kernel, String reason) {
                killed.set(true);
            }
        };
        RunContext control = new RunContext(
                1, killed::get, Progress.NONE, killing, new RunOptions(VertexOrder.NATURAL, Kernel.of("bit-parallel")));
        FakeDriver two = FakeDriver.hoppers(2, FakeDevices.PLENTY);
        use(two, FakeDevices.sharing(two, FakeDevices.policy()));
        for (TraversalBackend each : List.of(backend, backends.chooseAll().backend())) {
            killed.set(false);
            try (LoadedGraph graph = each.load(csc)) {
                assertThatThrownBy(() -> graph.farness(sources, Set.of(), control))
                        .isInstanceOf(StoppedException.class);
                assertThat(Residences.bytes(graph)).isPositive();
            }
            backends.use().forEach(use -> assertThat(use.usedBytes()).isZero());
        }
    }

    @Test
    void shouldTakeSmallerBatchesWhereMemoryIsShort() {
        Csc csc = csc(1);
        int n = csc.vertexCount();
        long wide = n * (256L + 3 * 256 / Byte.SIZE) + 2L * Integer.BYTES * virtualSliceSets(csc);
        try (LoadedGraph graph = backend.load(csc)) {
            Runs.prepare(graph, new Workload(Operation.MULTI_SOURCE_BFS, 300, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            DeviceMemory memory = backend.device().memory();
            DeviceArray others = memory.allocate(null, "others", memory.freeBytes() - wide / 3);
            int[] sources = IntStream.range(0, 300).toArray();
            List<Integer> batches = new ArrayList<>();
            graph.multiSourceBfs(sources, -1, batch -> batches.add(batch.sourceCount()), CONTROL);
            assertThat(batches).containsExactly(64, 64, 64, 64, 44);
            TextbookChecks.checkDistances(csc, graph, sources, -1, CONTROL);
            assertThat(driver.device().launches())
                    .filteredOn(entry -> entry.startsWith("msbfs_"))
                    .containsOnly("msbfs_bvss_k64_grid");
            others.close();
        }
    }

    /** The counts of levels must leave room for the smallest batch of searches. */
    @Test
    void shouldComputeHarmonicSumsWhereverTheEstimateSaysThatTheyFit() {
        Csc csc = TestGraphs.uniform(300, 1500, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Set<DistanceMeasure> harmonic = Set.of(DistanceMeasure.HARMONIC);
        for (String kernel : List.of("bit-parallel", "blest-full")) {
            driver.device().holdByOthers(0);
            Workload work = Workload.farness(harmonic).with(with(kernel).options());
            long most = backend.estimate(csc, true, work, 2).device().maxBytes();
            int fitting = 0;
            for (long bytes = most / 20; bytes < most; bytes += most / 20) {
                driver.device().holdByOthers(FakeDevices.PLENTY - bytes);
                try (LoadedGraph graph = backend.load(csc)) {
                    if (backend.estimate(csc, true, work, 2).fitsDevice()) {
                        FakeDevices.assertAsOnCpu(graph.farness(harmonic, with(kernel)), csc, harmonic);
                        fitting++;
                    }
                }
            }
            assertThat(fitting).isBetween(5, 18);
        }
    }

    /** Each pass takes as long as closeness: a run that has begun takes more of them, but is not refused. */
    @Test
    void shouldNotRefuseHarmonicSumsOnceTheirSearchesHaveBegun() {
        Csc deep = TestGraphs.path(400).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Set<DistanceMeasure> harmonic = Set.of(DistanceMeasure.HARMONIC);
        RunContext words = with("bit-parallel");
        Set<Integer> passes = new TreeSet<>();
        int refusals = 0;
        long most;
        try (LoadedGraph graph = backend.load(deep)) {
            graph.farness(harmonic, words);
            most = driver.device().mostUsedBytes();
        }
        for (int percent = 100; percent > 0; percent -= 3) {
            driver.device().holdByOthers(FakeDevices.PLENTY - most * percent / 100);
            AtomicInteger windows = new AtomicInteger();
            driver.device()
                    .onLaunch(entry -> windows.addAndGet(entry.equals("farness_counts_harmonic_thread") ? 1 : 0));
            try (LoadedGraph graph = backend.load(deep)) {
                FakeDevices.assertAsOnCpu(graph.farness(harmonic, words), deep, harmonic);
                passes.add(windows.get());
            } catch (DeviceMemoryException e) {
                refusals++;
                assertThat(windows).hasValue(0);
                assertThat(driver.device().usedBytes()).isZero();
            }
        }
        assertThat(refusals).isPositive();
        assertThat(passes).hasSizeGreaterThan(2);
    }

    /** Another process takes the memory that the books have found for a larger window. */
    @Test
    void shouldGoOnWithAWindowAsBeforeWhereALargerOneCannotBeHad() {
        Csc deep = TestGraphs.path(120).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Set<DistanceMeasure> harmonic = Set.of(DistanceMeasure.HARMONIC);
        RunContext words = with("bit-parallel");
        long least = leastBytes(deep, harmonic, words);
        driver.device().holdByOthers(FakeDevices.PLENTY - least);
        AtomicInteger windows = new AtomicInteger();
        AtomicInteger shortages = new AtomicInteger();
        driver.device().onLaunch(entry -> {
            if (entry.equals("farness_counts_harmonic_thread") && windows.getAndIncrement() == 0) {
                driver.device().holdByOthers(0);
                // also once the workspace is evicted
                shortages.set(2);
            }
        });
        driver.device()
                .fail(call -> call.equals("allocate") && shortages.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                        ? CudaException.OUT_OF_MEMORY
                        : 0);
        try (LoadedGraph graph = backend.load(deep)) {
            FakeDevices.assertAsOnCpu(graph.farness(harmonic, words), deep, harmonic);
        }
        assertThat(windows.get()).isGreaterThan(1);
        assertThat(shortages).hasValue(0);
    }

    /** The least memory with which a run is not refused. */
    private long leastBytes(Csc csc, Set<DistanceMeasure> measures, RunContext control) {
        long refused = 0;
        long enough = FakeDevices.PLENTY;
        while (enough - refused > 1) {
            long tried = (refused + enough) / 2;
            driver.device().holdByOthers(FakeDevices.PLENTY - tried);
            try (LoadedGraph graph = backend.load(csc)) {
                graph.farness(measures, control);
                enough = tried;
            } catch (DeviceMemoryException e) {
                refused = tried;
            }
        }
        return enough;
    }

    /** The scores of each team take 8 bytes a node, however small the part of the graph that it searches at a time. */
    @Test
    void shouldComputeBetweennessWithFewerTeamsWhereMemoryIsShort() {
        int nodes = 60 * 500;
        EdgeList edges = new EdgeList(nodes);
        for (int node = 0; node < nodes; node++) {
            edges.add(node, node % 60 == 59 ? node - 59 : node + 1);
        }
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        int[] sources = IntStream.range(0, 128).map(i -> i * (nodes / 128)).toArray();
        RunContext control = with("auto");
        double[] expected;
        try (LoadedGraph graph = backend.load(csc)) {
            expected = graph.betweenness(sources, control);
        }
        // too little for the scores of four teams beside the graph and the state of one
        long most = driver.device().mostUsedBytes();
        driver.device().holdByOthers(FakeDevices.PLENTY - most * 2 / 5);
        try (LoadedGraph graph = backend.load(csc)) {
            assertThat(graph.betweenness(sources, control)).isEqualTo(expected);
        }
    }

    @Test
    void shouldRefuseWithFiguresWhatDoesNotFitAtAll() {
        Csc csc = csc(1);
        useDevice(bytesOfSliceSets(csc) + 1000);
        try (LoadedGraph graph = backend.load(csc)) {
            assertThatThrownBy(() -> graph.farness(Set.of(), CONTROL))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("its structures and its workspace take up to");
            assertThatThrownBy(() -> graph.multiSourceBfs(new int[] {0}, -1, batch -> {}, CONTROL))
                    .isInstanceOf(DeviceMemoryException.class)
                    .hasMessageContaining("its structures and its workspace take up to");
            assertThat(driver.device().mostUsedBytes()).isZero();
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldLeaveADeviceAloneThatFailsAgainAndAgain() {
        try (LoadedGraph graph = backend.load(csc(1))) {
            for (int failure = 1; failure <= DeviceBackend.MOST_FAILURES; failure++) {
                assertThat(backends.choose().backend().info().available()).isTrue();
                driver.device().failLaunch(700);
                assertThatThrownBy(() -> graph.bfs(0, -1, NO_TARGETS, CONTROL))
                        .isInstanceOf(DeviceFailureException.class);
            }
            DeviceBackends.Choice choice = backends.choose();
            assertThat(choice.backend()).isNull();
            assertThat(choice.reason()).contains("700", "3 times within an hour", "restart the server");
            assertThat(driver.device().isClosed()).isTrue();
            assertThat(backends.list().get(0).reason())
                    .isEqualTo(choice.reason().substring("cuda:0: ".length()));
        }
    }

    private static int virtualSliceSets(Csc csc) {
        return TextbookBvss.of(csc).virtualToReal().length;
    }

    private static long bytesOfSliceSets(Csc csc) {
        return BvssStructure.layout(csc.vertexCount(), virtualSliceSets(csc)).bytes();
    }

    private static long bytesOf(Csc csc) {
        return bytesOfSliceSets(csc)
                + Csr.layout(csc.vertexCount(), csc.entryCount()).bytes();
    }

    private static Csc csc(long seed) {
        return TestGraphs.uniform(3000, 20_000, seed, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    }
}
