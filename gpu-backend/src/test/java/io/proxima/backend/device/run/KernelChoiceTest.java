// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.bounds.TopCloseness;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaKernels;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.FirstMappedBudget;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.Promise;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelTable;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelChoiceTest extends FakeDeviceTestCase {

    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;
    private static final int SOURCES = 40;

    private static final Csc SHALLOW = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
    private static final Csc DEEP = TestGraphs.grid(8, 150).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    private final RunContext control = told.control().with(new RunOptions(VertexOrder.NATURAL, Kernel.AUTO));

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"BFS", "NEAREST_SOURCE", "MULTI_SOURCE_BFS", "FARNESS", "FARNESS_OF_SOURCES"})
    void shouldFollowTheTable(Operation run) {
        KernelTable.ByDepth expected = CudaKernels.TABLE.byRun().get(run);
        assertThat(kernelOf(run, SHALLOW)).isEqualTo(expected.shallow().keyword());
        assertThat(told.kernels).last().asString().endsWith("The graph is shallow.");
        assertThat(kernelOf(run, DEEP)).isEqualTo(expected.deep().keyword());
        assertThat(told.kernels).last().asString().endsWith("The graph is deep.");
    }

    @Test
    void shouldHaveARowForEachRunThatHasSeveralKernels() {
        for (Operation run : Operation.values()) {
            boolean several = Kernel.of(run).size() > 2;
            assertThat(CudaKernels.TABLE.byRun().containsKey(run))
                    .as(run.name())
                    .isEqualTo(several);
        }
        CudaKernels.TABLE.byRun().forEach((run, kernel) -> {
            assertThat(kernel.shallow().suits(run)).isTrue();
            assertThat(kernel.deep().suits(run)).isTrue();
        });
    }

    @Test
    void shouldTakeRecordsWhileTheyAreResident() {
        try (LoadedGraph graph = backend.load(DEEP)) {
            graph.bfs(0, NO_MAX, NO_TARGETS, with("ball-records"));
            long bytes = Residences.bytes(graph);
            graph.bfs(0, NO_MAX, NO_TARGETS, control);
            assertThat(lastKernel()).isEqualTo("ball-records");
            assertThat(Residences.bytes(graph)).as("nothing is built").isEqualTo(bytes);
            DeviceMemory memory = backend.device().memory();
            memory.allocate(null, "another", memory.freeBytes() + bytes).close();
            graph.bfs(0, NO_MAX, NO_TARGETS, control);
            assertThat(lastKernel()).isEqualTo("balls");
        }
    }

    /** The records were not pinned when another run was promised their memory. */
    @Test
    void shouldNotPinRecordsWhoseMemoryAnotherRunWasPromised() {
        try (LoadedGraph graph = backend.load(DEEP)) {
            graph.bfs(0, NO_MAX, NO_TARGETS, with("ball-records"));
            ResidentGraph resident = backend.resident(DEEP);
            Set<DeviceStructure<?>> records = resident.structures().structures();
            DeviceMemory memory = backend.device().memory();
            try (Promise other = memory.promise(memory.budget(), 0, 0);
                    HeldGraph view = resident.acquire(control, 1)) {
                assertThat(view.takeIfResident(records, sizes -> List.of(Way.NOTHING)))
                        .isFalse();
                try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
                    lease.allocate(other, "what it was promised", other.open()).close();
                }
            }
            assertThat(memory.isPromisedOnly(null)).isTrue();
        }
    }

    /** The records would fit if their lists were mapped. */
    @Test
    void shouldEvictNothingForRecordsBesideWhichARunDoesNotFit() {
        use(driver, new MappedBudget(1, () -> FakeDevices.PLENTY));
        try (LoadedGraph graph = backend.load(DEEP)) {
            graph.bfs(0, NO_MAX, NO_TARGETS, with("ball-records"));
            ResidentGraph resident = backend.resident(DEEP);
            long bytes = resident.bytes();
            DeviceMemory memory = backend.device().memory();
            Set<DeviceStructure<?>> records = resident.structures().structures();
            try (Promise other = memory.promise(memory.budget() - bytes + 1000, 0, 0);
                    HeldGraph view = resident.acquire(control, 1)) {
                assertThat(other.open()).isPositive();
                assertThat(view.takeIfResident(records, sizes -> List.of(Way.NOTHING)))
                        .isFalse();
                assertThat(resident.bytes()).isEqualTo(bytes);
                assertThat(view.require(records).reason()).as("they fit").contains("mapped host memory");
            }
        }
    }

    @Test
    void shouldTakeTheSameKernelsOverMappedLists() {
        use(driver, new FirstMappedBudget(() -> FakeDevices.PLENTY));
        CudaKernels.TABLE.byRun().forEach((run, expected) -> assertThat(kernelOf(run, DEEP))
                .isEqualTo(expected.deep().keyword()));
        assertThat(told.kernels).allMatch(line -> line.contains("mapped host memory"));
    }

    /** On devices of all sizes, a run has the kernels of the table or is refused. */
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"BFS", "MULTI_SOURCE_BFS", "FARNESS", "FARNESS_OF_SOURCES"})
    void shouldNotDependOnTheMemory(Operation run) {
        String expected = kernelOf(run, DEEP);
        long plenty = driver.device().mostUsedBytes();
        int refused = 0;
        for (long bytes = plenty; bytes > plenty / 4; bytes -= plenty / 32) {
            useDevice(bytes);
            try {
                assertThat(kernelOf(run, DEEP)).isEqualTo(expected);
            } catch (DeviceMemoryException e) {
                refused++;
            }
            assertThat(driver.device().usedBytes()).isZero();
        }
        assertThat(refused).isPositive();
    }

    @Test
    void shouldSearchOverSliceSetsWhatIsTooLargeForTheTable() {
        RunOptions open = control.options();
        GraphShape large = new GraphShape(1 << 30, 1L << 33, true);
        assertThat(possible(open, large, EnumSet.allOf(GraphDepth.class)))
                .isNotEmpty()
                .allSatisfy(kernel -> assertThat(kernel.name()).startsWith("blest-"));
        GraphShape countable = new GraphShape(1 << 30, (1L << 33) - 1, true);
        assertThat(possible(open, countable, EnumSet.of(GraphDepth.SHALLOW)))
                .extracting(DeviceKernels::name)
                .containsExactly("directional");
        assertThat(possible(open, countable, EnumSet.of(GraphDepth.DEEP)))
                .extracting(DeviceKernels::name)
                .containsExactly("balls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"directional", "balls", "ball-records"})
    void shouldRefuseRequestedKernelsThatCannotSearchAGraph(String kernel) {
        GraphShape large = new GraphShape(1 << 30, 1L << 33, true);
        assertThatThrownBy(() -> choice().check(Operation.BFS, with(kernel).options(), large))
                .isInstanceOf(KernelLimitException.class)
                .hasMessageContaining("kernel '" + kernel + "'")
                .hasMessageContaining("8,589,934,592 relationships");
        choice().check(Operation.BFS, with(kernel).options(), GraphShape.of(DEEP));
        choice().check(Operation.BFS, control.options(), large);
    }

    /** Their kernels count the entries of all long lists of a level in 36 bits. */
    @ParameterizedTest
    @ValueSource(strings = {"two-layer", "tile-bfs"})
    void shouldRefuseAGraphWhoseLongListsKernelsCannotCount(String kernel) {
        RunOptions options = with(kernel).options();
        GraphShape large = new GraphShape(1 << 30, 1L << 36, true);
        assertThatThrownBy(() -> choice().check(Operation.BFS, options, large))
                .isInstanceOf(KernelLimitException.class)
                .hasMessageContaining("kernel '" + kernel + "'")
                .hasMessageContaining("68,719,476,736 relationships");
        choice().check(Operation.BFS, options, new GraphShape(1 << 30, (1L << 36) - 1, true));
    }

    @Test
    void shouldRefuseKernelsOfOtherRunsBeforeAnythingMoves() {
        RunContext tiles = control.with(new RunOptions(VertexOrder.RCM, Kernel.of("neighbour-tiles")));
        try (LoadedGraph graph = backend.load(DEEP)) {
            assertThatThrownBy(() -> graph.bfs(0, NO_MAX, NO_TARGETS, tiles))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("kernel=neighbour-tiles");
            assertThatThrownBy(() -> graph.components(with("near-far")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("kernel must be one of [auto, afforest] for COMPONENTS: kernel=near-far");
            assertThatThrownBy(() -> graph.betweenness(null, with("bit-parallel")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("kernel must be one of [auto, brandes] for BETWEENNESS: kernel=bit-parallel");
            assertThat(Residences.order(graph)).isEmpty();
            assertThat(Residences.bytes(graph)).isZero();
        }
    }

    static Stream<Kernel> kernelsOfSums() {
        return Stream.of(Operation.FARNESS, Operation.FARNESS_OF_SOURCES)
                .flatMap(run -> Kernel.of(run).stream())
                .distinct();
    }

    /** Bounds make runs of several operations, few of which have kernels in common. */
    @ParameterizedTest
    @MethodSource("kernelsOfSums")
    void shouldChooseTheKernelsOfRunsThatTheRequestedOnesAreNotOf(Kernel kernel) {
        RunContext asking = with(kernel.keyword());
        Csc reversed = SHALLOW.transposed(1, Stop.NEVER);
        try (LoadedGraph along = backend.load(SHALLOW);
                LoadedGraph against = backend.load(reversed);
                LoadedGraph deep = backend.load(DEEP);
                LoadedGraph onCpu = new CpuBackend().load(DEEP)) {
            Set<Wanted> all = Set.of(Wanted.ALL);
            int[] found = EccentricityBounds.find(SHALLOW, along, against, all, () -> {}, asking)
                    .eccentricities();
            assertThat(found)
                    .isEqualTo(against.farness(Set.of(DistanceMeasure.ECCENTRICITY), control)
                            .eccentricity());
            if (kernel.suits(Operation.FARNESS_OF_SOURCES)) {
                int k = DEEP.vertexCount() / 2;
                assertThat(TopCloseness.of(deep, DEEP, ClosenessFormula.DEFAULT, k, null, () -> {}, asking)
                                .vertices())
                        .isEqualTo(TopCloseness.of(onCpu, DEEP, ClosenessFormula.DEFAULT, k, null, () -> {}, control)
                                .vertices());
            }
        }
    }

    /** With records, a single search may need the largest workspace of all runs. */
    @Test
    void shouldSearchManyComponentsAtOnceInWhatACallHasReserved() {
        // a large component, which makes the graph deep, and small ones
        int large = 4600;
        int small = 65;
        EdgeList strips = new EdgeList(large + 70 * small);
        for (int vertex = 0; vertex < strips.vertexCount(); vertex++) {
            int place = vertex < large ? vertex : (vertex - large) % small;
            for (int before = 1; before <= Math.min(30, place); before++) {
                strips.add(vertex - before, vertex);
            }
        }
        Csc csc = strips.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Workload work = Workload.farness(Set.of(DistanceMeasure.ECCENTRICITY))
                .beside(EccentricityBounds.runs(csc.vertexCount()));
        try (LoadedGraph graph = backend.load(csc)) {
            graph.bfs(0, NO_MAX, NO_TARGETS, with("ball-records"));
            // records are taken only if all that the call reads is resident
            graph.reserve(work, csc.vertexCount(), control).close();
            try (LoadedGraph reserved = graph.reserve(work, csc.vertexCount(), control)) {
                assertThat(EccentricityBounds.find(csc, reserved, reserved, Set.of(Wanted.DIAMETER), () -> {}, control)
                                .diameter())
                        .isEqualTo(154);
            }
        }
    }

    @Test
    void shouldEstimateOnlyTheKernelsOfAKnownDepth() {
        Workload work = new Workload(Operation.BFS, 1, NO_MAX).with(control.options());
        long known = backend.estimate(SHALLOW, false, work, 1).device().maxBytes();
        long unknown =
                backend.estimate(GraphShape.of(SHALLOW), work, 1).device().maxBytes();
        assertThat(known).isLessThan(unknown);
    }

    private List<DeviceKernels> possible(RunOptions options, GraphShape graph, Set<GraphDepth> depths) {
        Workload work = new Workload(Operation.BFS, 1, NO_MAX).with(options);
        return choice().possible(work, graph, depths, Contents.none(true)).stream()
                .map(RunKernels::first)
                .toList();
    }

    private KernelChoice choice() {
        return backend.choice(backend.device());
    }

    /** Runs, and returns the kernel. */
    private String kernelOf(Operation run, Csc csc) {
        try (LoadedGraph graph = backend.load(csc)) {
            Runs.run(new Workload(run, SOURCES, NO_MAX), csc, graph, control);
        } finally {
            backend.device().workspace().close();
        }
        return lastKernel();
    }

    private String lastKernel() {
        return told.kernels.get(told.kernels.size() - 1).replaceAll("^\\S+ |:.*", "");
    }
}
