// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

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
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.vulkan.FakeVulkan;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is estimated of a device bounds what is then allocated there, and from near. */
class DeviceEstimateTest {

    private static final Set<DistanceMeasure> ECCENTRICITY_AND_HOPS =
            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);

    /** An estimate may be so many times what is allocated, where nothing is left open that only the run shows. */
    private static final double SLACK = 1.15;

    /** And so many bytes more: room for one array of each structure, aligned. */
    private static final long SLACK_OF_TINY_GRAPHS = 2048;

    private static final List<Kernel> KERNELS = Stream.of(
                    "blest-a",
                    "blest-full",
                    "directional",
                    "balls",
                    "ball-records",
                    "merrill",
                    "merrill-expand-contract",
                    "xbfs",
                    "two-layer",
                    "tile-bfs",
                    "bit-parallel",
                    "blocks",
                    "neighbour-tiles",
                    "afforest",
                    "auto")
            .map(Kernel::of)
            .toList();

    private static final int SOURCES = 70;
    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;

    /** A graph, with what its runs are asked for. */
    record Case(String name, Csc csc, RunOptions options) {
        @Override
        public String toString() {
            return name + ", " + csc.entryCount() + " edges, " + options;
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (VertexOrder order : List.of(VertexOrder.NATURAL, VertexOrder.DEGREE, VertexOrder.AUTO)) {
            for (Kernel kernel : KERNELS) {
                RunOptions options = new RunOptions(order, kernel);
                cases.add(new Case("directed", csc(TestGraphs.rmat(9, 8, 3), Orientation.NATURAL), options));
                cases.add(new Case("symmetric", csc(TestGraphs.rmat(8, 8, 3), Orientation.UNDIRECTED), options));
                cases.add(new Case("star", csc(TestGraphs.star(600), Orientation.NATURAL), options));
                cases.add(new Case("deep", csc(TestGraphs.path(300), Orientation.NATURAL), options));
                cases.add(new Case("isolated", csc(new EdgeList(90), Orientation.NATURAL), options));
                cases.add(new Case("forest", csc(TestGraphs.binaryTree(60), Orientation.UNDIRECTED), options));
                EdgeList triangle = new EdgeList(400).add(7, 8).add(8, 9).add(7, 9);
                cases.add(new Case("few edges", csc(triangle, Orientation.NATURAL), options));
                cases.add(new Case("empty", csc(new EdgeList(0), Orientation.NATURAL), options));
            }
        }
        return cases.stream();
    }

    /** Every graph of the contract, with kernels of every family. */
    static Stream<Case> contract() {
        return TraversalBackendContract.graphs().flatMap(graph -> KERNELS.stream()
                .map(kernel -> new Case(
                        graph.getKey(),
                        csc(graph.getValue(), Orientation.NATURAL),
                        new RunOptions(
                                graph.getKey().length() % 2 == 0 ? VertexOrder.NATURAL : VertexOrder.DEGREE, kernel))));
    }

    /** The first run of a graph builds its structures; the second one finds them, and their sizes are known. */
    @ParameterizedTest
    @MethodSource("contract")
    void shouldBoundWhatIsAllocatedFromNear(Case one) {
        for (Workload work : works(one)) {
            FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
            try (CudaBackends backends = backends(driver)) {
                TraversalBackend backend = backends.choose().backend();
                RunContext control = RunContext.of(1).with(one.options());
                MemoryEstimate shape = backend.estimate(GraphShape.of(one.csc()), work, 1);
                MemoryEstimate first = backend.estimate(one.csc(), false, work, 1);
                try (LoadedGraph graph = backend.load(one.csc())) {
                    Runs.run(work, one.csc(), graph, control);
                    assertBounds(shape, driver, work);
                    assertBounds(first, driver, work);
                    // rows of any length round up to the same size in graphs of one edge
                    boolean isTiny = one.csc().entryCount() <= 1;
                    // on which the room for their rows depends
                    boolean countsIsolated = work.operation().mayBeManySearches() && hasIsolated(one.csc());
                    if (sizesAreKnown(first) && depthIsKnown(one, work) && !isTiny && !countsIsolated) {
                        assertIsNear(first, driver, work);
                    }
                    ((DeviceBackend) backend).device().workspace().close();
                    MemoryEstimate second = backend.estimate(one.csc(), false, work, 1);
                    driver.device().forgetMostUsed();
                    Runs.run(work, one.csc(), graph, control);
                    assertBounds(second, driver, work);
                    // graphs that have no records are searched by 'balls' again, after another attempt to build records
                    boolean mayHaveRecords = one.options().kernel().equals(Kernel.of("ball-records"));
                    if (sizesAreKnown(second) && depthIsKnown(one, work) && !mayHaveRecords) {
                        assertIsNear(second, driver, work);
                    }
                }
            }
        }
    }

    private static void assertBounds(MemoryEstimate estimate, FakeDriver driver, Workload work) {
        assertThat(estimate.fitsDevice())
                .as("%s: %s", work, estimate.device().render())
                .isTrue();
        assertThat(driver.device().mostUsedBytes())
                .as("%s: %s", work, estimate.device().render())
                .isBetween(estimate.device().minBytes(), estimate.device().maxBytes());
    }

    private static void assertIsNear(MemoryEstimate estimate, FakeDriver driver, Workload work) {
        if (driver.device().mostUsedBytes() == 0) {
            // nothing to search from
            return;
        }
        assertThat((double) estimate.device().maxBytes())
                .as("%s: %s", work, estimate.device().render())
                .isLessThanOrEqualTo(SLACK * driver.device().mostUsedBytes() + SLACK_OF_TINY_GRAPHS);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldFitWhereARunSucceedsAndTellWhatItTakes(Case one) {
        for (Workload work : works(one)) {
            long plenty;
            FakeDriver large = FakeDriver.hopper(FakeDevices.PLENTY);
            try (CudaBackends backends = backends(large)) {
                run(backends.choose().backend(), one, work);
                plenty = large.device().mostUsedBytes();
            }
            for (int percent : new int[] {20, 40, 55, 70, 85, 99}) {
                FakeDriver driver = FakeDriver.hopper(Math.max(1, plenty * percent / 100));
                try (CudaBackends backends = backends(driver)) {
                    TraversalBackend backend = backends.choose().backend();
                    MemoryEstimate estimate = backend.estimate(one.csc(), false, work, 1);
                    Throwable thrown = catchThrowable(() -> run(backend, one, work));
                    if (thrown == null && driver.device().mostUsedBytes() > 0) {
                        assertBounds(estimate, driver, work);
                    } else if (thrown == null) {
                        assertThat(work.sources() == 0
                                        || one.csc().vertexCount() == 0
                                        || one.csc().entryCount() == 0
                                        || (work.operation() == Operation.BETWEENNESS
                                                && one.csc().isSymmetric()))
                                .isTrue();
                    } else {
                        assertThat(thrown).isInstanceOf(DeviceMemoryException.class);
                        // which part of the graph consists of hanging trees is known only once they are cut
                        assertThat(estimate.fitsDevice() && work.operation() != Operation.BETWEENNESS)
                                .as("%s: %s, %s", work, estimate.device().render(), thrown)
                                .isFalse();
                    }
                }
            }
        }
    }

    static Stream<Case> casesWithEdges() {
        return cases().filter(one -> one.csc().entryCount() > 0);
    }

    /** In small batches, beside which building the structures takes most. */
    @ParameterizedTest
    @MethodSource("casesWithEdges")
    void shouldRunWhereItsMaximumFits(Case one) {
        LaunchPolicy policy = FakeDevices.smallBatches(RunOptions.AUTO);
        for (Workload work : works(one)) {
            long most;
            try (CudaBackends roomy = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY), policy)) {
                TraversalBackend backend = roomy.choose().backend();
                most = backend.estimate(one.csc(), false, work, 1).device().maxBytes();
            }
            try (CudaBackends full = FakeDevices.backends(FakeDriver.hopper(Math.max(1, most)), policy)) {
                run(full.choose().backend(), one, work);
            }
        }
    }

    static Stream<Case> casesOfOneSearch() {
        // 'ball-records' may build again what a graph does not have
        return cases().filter(one -> one.options().kernel().suits(Operation.BFS))
                .filter(one -> !one.options().kernel().equals(Kernel.of("ball-records")));
    }

    @ParameterizedTest
    @MethodSource("casesOfOneSearch")
    void shouldCountOthersIdleAndItsOwnAsAvailable(Case one) {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        Csc other = csc(TestGraphs.rmat(9, 8, 4), Orientation.NATURAL);
        Workload work = works(one).get(0);
        try (CudaBackends backends = backends(driver)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph idle = backend.load(other);
                    LoadedGraph graph = backend.load(one.csc())) {
                RunContext control = RunContext.of(1).with(one.options());
                Runs.prepare(idle, control);
                Runs.prepare(graph, control);
                long all = FakeDevices.PLENTY;
                assertThat(backend.estimate(one.csc(), false, work, 1).availableDeviceBytes())
                        .isEqualTo(all);
                List<MemoryEstimate> during = new ArrayList<>();
                driver.device().onLaunch(entry -> during.add(backend.estimate(one.csc(), false, work, 1)));
                Runs.run(work, one.csc(), graph, control);
                driver.device().onLaunch(entry -> {});
                assertThat(during).allSatisfy(estimate -> {
                    assertThat(estimate.fitsDevice()).isTrue();
                    // the state of the search that goes on is released before another begins
                    assertThat(estimate.availableDeviceBytes()).isEqualTo(all);
                });
            }
        }
    }

    /** The structures of other kernels are resident, and are evicted where the run does not fit beside them. */
    @ParameterizedTest
    @ValueSource(strings = {"directional", "xbfs", "auto"})
    void shouldFitBesideStructuresOfTheGraphThatARunDoesNotRead(String kernel) {
        Csc csc = csc(TestGraphs.rmat(9, 8, 3), Orientation.NATURAL);
        List<String> kernels = List.of("blest-full", kernel);
        long enough = 0;
        long together = 0;
        for (String each : kernels) {
            FakeDriver roomy = FakeDriver.hopper(FakeDevices.PLENTY);
            try (CudaBackends backends = backends(roomy);
                    LoadedGraph graph = backends.choose().backend().load(csc)) {
                graph.bfs(0, NO_MAX, new int[0], RunContext.of(1).with(natural(each)));
                together += Residences.bytes(graph);
            }
            enough = Math.max(enough, leastBytes(csc, each));
        }
        assertThat(together).isGreaterThan(enough);
        FakeDriver driver = FakeDriver.hopper(enough);
        try (CudaBackends backends = backends(driver)) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph graph = backend.load(csc)) {
                for (String each : List.of(kernels.get(0), kernels.get(1), kernels.get(0), kernels.get(1))) {
                    Workload work = new Workload(Operation.BFS, 1, NO_MAX).with(natural(each));
                    MemoryEstimate estimate = backend.estimate(csc, false, work, 1);
                    assertThat(estimate.fitsDevice()).as(each).isTrue();
                    long resident = Residences.bytes(graph);
                    driver.device().forgetMostUsed();
                    graph.bfs(0, NO_MAX, new int[0], RunContext.of(1).with(natural(each)));
                    assertThat(driver.device().mostUsedBytes())
                            .as("%s: %s", each, estimate.device().render())
                            .isLessThanOrEqualTo(resident + estimate.device().maxBytes());
                }
            }
        }
    }

    /** No kernel of Vulkan builds lists. */
    @Test
    void shouldCountTheListsThatTheHostBuilds() {
        GraphShape directed = new GraphShape(1000, 100_000, false);
        Workload work = new Workload(Operation.BFS, 1, NO_MAX).with(natural("auto"));
        try (DeviceBackends vulkan = FakeVulkan.backends(FakeDriver.hopper(FakeDevices.PLENTY))) {
            MemoryEstimate estimate = vulkan.choose().backend().estimate(directed, work, 1);
            assertThat(estimate.heapBytes()).isGreaterThan(2 * Csc.bytes(0, 100_000));
        }
    }

    @Test
    void shouldCountTheTreesOfAGraphThatOrderingFindsToBeUndirected() {
        EdgeList path = new EdgeList(3000);
        for (int vertex = 1; vertex < 3000; vertex++) {
            path.add(vertex - 1, vertex).add(vertex, vertex - 1);
        }
        Csc csc = csc(path, Orientation.NATURAL);
        RunOptions options = new RunOptions(VertexOrder.DEGREE, Kernel.of("bit-parallel"));
        Workload work = Workload.farness(Set.of()).with(options);
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = backends(driver)) {
            TraversalBackend backend = backends.choose().backend();
            long before = backend.estimate(csc, false, work, 1).heapBytes();
            try (LoadedGraph graph = backend.load(csc)) {
                graph.farness(Set.of(), RunContext.of(1).with(options));
            }
            assertThat(driver.device().launches()).noneMatch(entry -> entry.startsWith("msbfs_words"));
            assertThat(before)
                    .isGreaterThanOrEqualTo(
                            backend.estimate(csc, false, work, 1).heapBytes());
        }
    }

    /** The memory of the smallest device, to within 1 KB, on which a search succeeds. */
    private static long leastBytes(Csc csc, String kernel) {
        for (long bytes = 1024; ; bytes += 1024) {
            try (CudaBackends backends = backends(FakeDriver.hopper(bytes));
                    LoadedGraph graph = backends.choose().backend().load(csc)) {
                graph.bfs(0, NO_MAX, new int[0], RunContext.of(1).with(natural(kernel)));
                return bytes;
            } catch (DeviceMemoryException e) {
                // a larger one
            }
        }
    }

    private static RunOptions natural(String kernel) {
        return new RunOptions(VertexOrder.NATURAL, Kernel.of(kernel));
    }

    private static List<Workload> works(Case one) {
        int n = one.csc().vertexCount();
        List<Workload> works = new ArrayList<>();
        if (n > 0) {
            works.add(new Workload(Operation.BFS, 1, NO_MAX).stoppingAt(n > 80 ? SOURCES : 0));
        }
        int sources = Math.min(n, SOURCES);
        works.add(new Workload(Operation.NEAREST_SOURCE, sources, NO_MAX));
        works.add(new Workload(Operation.MULTI_SOURCE_BFS, sources, 3));
        works.add(new Workload(Operation.MULTI_SOURCE_BFS, sources, NO_MAX));
        for (Set<DistanceMeasure> measures :
                List.of(Set.<DistanceMeasure>of(), EnumSet.allOf(DistanceMeasure.class), ECCENTRICITY_AND_HOPS)) {
            works.add(Workload.farness(measures));
            works.add(Workload.farness(sources, measures));
        }
        works.add(new Workload(Operation.COMPONENTS, 0, NO_MAX));
        works.add(new Workload(Operation.BETWEENNESS, n, NO_MAX));
        return works.stream()
                .filter(work -> one.options().kernel().suits(work.operation()))
                .map(work -> work.with(one.options()))
                .toList();
    }

    /** Whether building determines no size of a structure, and the order of the graph none either. */
    private static boolean sizesAreKnown(MemoryEstimate estimate) {
        return estimate.device().parts().stream()
                .flatMap(step -> step.parts().stream())
                .filter(part -> !part.name().equals("search"))
                .allMatch(part -> part.minBytes() == part.maxBytes());
    }

    /** Whether there are vertices without edges, of which a first run does not know how many there are. */
    private static boolean hasIsolated(Csc csc) {
        Csc reversed = csc.transposed(1, Stop.NEVER);
        return IntStream.range(0, csc.vertexCount())
                .anyMatch(vertex -> csc.degree(vertex) == 0 && reversed.degree(vertex) == 0);
    }

    /** Whether no search determines how much memory the run takes: the width of distances, or the windows of levels. */
    private static boolean depthIsKnown(Case one, Workload work) {
        if (work.operation() == Operation.BETWEENNESS) {
            // and which part of the graph consists of hanging trees
            return false;
        }
        long deepest = work.deepest(one.csc().vertexCount());
        return work.operation() == Operation.MULTI_SOURCE_BFS
                ? BatchKernels.levelBytes(deepest) == 1 || work.sources() == 0
                : !work.wants(DistanceMeasure.HARMONIC) || deepest <= 4;
    }

    private static void run(TraversalBackend backend, Case one, Workload work) {
        try (LoadedGraph graph = backend.load(one.csc())) {
            Runs.run(work, one.csc(), graph, RunContext.of(1).with(one.options()));
        }
    }

    /** On which nothing is improved in the background, which takes memory of its own. */
    private static CudaBackends backends(FakeDriver driver) {
        return FakeDevices.backends(
                driver,
                new LaunchPolicy(
                        FakeDevices.ALL_MEMORY,
                        4096,
                        256,
                        4,
                        Integer.MAX_VALUE,
                        LaunchPolicy.LEAST_SHARED_SUMS,
                        RunOptions.AUTO));
    }

    private static Csc csc(EdgeList edges, Orientation orientation) {
        return edges.toCsc(orientation, 1, Stop.NEVER);
    }
}
