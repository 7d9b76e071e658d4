// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call of the driver fails once, in every kind of run. The run then returns the right result or fails with the
 * documented exception, and the next run on the same device returns the right result.
 */
class DriverFaultsTest extends FakeDeviceTestCase {

    private static final int LAUNCH_OUT_OF_RESOURCES = 701;
    private static final int LAUNCH_FAILED = 719;
    private static final int[] SOURCES = {3, 17, 30, 41};

    /** Of runs whose kernels differ in what the host does. */
    private static final Map<Operation, List<String>> KERNELS = Map.of(
            Operation.MULTI_SOURCE_BFS, List.of("auto", "blocks"),
            Operation.FARNESS, List.of("bit-parallel", "neighbour-tiles", "blest-full"));

    /** Runs that fit a device too small for the lists of neighbours. */
    private static final Set<Operation> MAPPABLE =
            Set.of(Operation.BFS, Operation.MULTI_SOURCE_BFS, Operation.SHORTEST_PATHS);

    private static final Csc GRAPH = TestGraphs.uniform(100, 3000, 1, false).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
    private static final Csc IDLE = TestGraphs.path(40).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    /** Where the graph lies, and whether an idle graph can be evicted. */
    enum Place {
        ON_THE_DEVICE,
        BESIDE_AN_IDLE_GRAPH,
        MAPPED
    }

    DriverFaultsTest() {
        super(FakeDevices.policy(new RunOptions(VertexOrder.NATURAL, Kernel.AUTO)));
    }

    static Stream<Arguments> runs() {
        return Runs.OF_DEVICES.stream().flatMap(operation -> KERNELS.getOrDefault(operation, List.of("auto")).stream()
                .flatMap(kernel -> Stream.of(Place.values())
                        .filter(place -> place != Place.MAPPED || MAPPABLE.contains(operation))
                        .filter(place -> place != Place.MAPPED || kernel.equals("auto"))
                        .map(place -> Arguments.of(operation, kernel, place))));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldAnswerOrFailAndGoOn(Operation operation, String kernel, Place place) {
        int count = operation == Operation.BFS || operation == Operation.SHORTEST_PATHS ? 1 : SOURCES.length;
        int[] sources = Arrays.copyOf(SOURCES, count);
        Consumer<LoadedGraph> run = graph -> Runs.check(operation, GRAPH, graph, sources, with(kernel));
        long bytes = place == Place.MAPPED ? bytesWithoutLists(run) : FakeDevices.PLENTY;
        for (int code : List.of(CudaException.OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES)) {
            int failed = 0;
            int calls = 0;
            boolean mapped = false;
            while (fails(run, place, bytes, code, calls)) {
                failed += answered ? 0 : 1;
                if (place == Place.BESIDE_AN_IDLE_GRAPH && code == CudaException.OUT_OF_MEMORY) {
                    assertThat(answered || !failing.equals("launch"))
                            .as("the idle graph is evicted for launch %d", calls)
                            .isTrue();
                }
                mapped |= failing.equals("allocateMapped");
                calls++;
            }
            assertThat(calls).as("calls of the driver").isGreaterThan(10);
            assertThat(mapped).as("maps").isEqualTo(place == Place.MAPPED);
            if (code == LAUNCH_OUT_OF_RESOURCES) {
                assertThat(failed).as("failed runs").isGreaterThan(5);
            }
        }
    }

    /** Bytes of a device on which a run finds room for everything but half of the entries of a list. */
    private long bytesWithoutLists(Consumer<LoadedGraph> run) {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            run.accept(graph);
            driver.device().forgetMostUsed();
            run.accept(graph);
            return driver.device().mostUsedBytes() - GRAPH.entryCount() * Integer.BYTES / 2;
        }
    }

    // what the last run has met and done
    private String failing;
    private boolean answered;

    /** Fails one call of a run; returns false if the run has fewer calls. */
    private boolean fails(Consumer<LoadedGraph> run, Place place, long bytes, int code, int nth) {
        MappedBudget budget = new MappedBudget(1, () -> place == Place.MAPPED ? FakeDevices.PLENTY : 0);
        use(FakeDriver.hopper(bytes), budget);
        AtomicInteger calls = new AtomicInteger();
        failing = "";
        answered = false;
        try (LoadedGraph idle = backend.load(IDLE);
                LoadedGraph graph = backend.load(GRAPH)) {
            if (place == Place.BESIDE_AN_IDLE_GRAPH) {
                idle.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            }
            driver.fail(call -> {
                // entering and leaving the context does not depend on where the graph lies
                boolean counts = place == Place.ON_THE_DEVICE || !(call.equals("enter") || call.equals("leave"));
                boolean now = counts && calls.getAndIncrement() == nth;
                failing = now ? call : failing;
                return now ? code : 0;
            });
            try {
                run.accept(graph);
                answered = true;
            } catch (DeviceMemoryException e) {
                assertThat(code).isEqualTo(CudaException.OUT_OF_MEMORY);
            } catch (DeviceFailureException e) {
                assertThat(e).hasMessageStartingWith("A call failed on device cuda:0: ");
            }
            driver.fail(CheckedDriver.Faults.NONE);
            // the next run finds what it should
            run.accept(graph);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("error " + code + " of call " + nth + ", " + failing, e);
        }
        assertThat(backends.list().get(0).available())
                .as("error %d of call %d", code, nth)
                .isTrue();
        assertThat(driver.openedCount()).isEqualTo(1);
        assertThat(backend.device().memory().usedBytes()).isZero();
        assertThat(budget.usedBytes()).isZero();
        return calls.get() > nth;
    }

    /**
     * The errors after which CUDA's documentation demands another context or process, those of a driver that has gone
     * or of corrupt memory, and the unknown one.
     */
    private static final Set<Integer> STICKY = Set.of(
            3, 4, 201, 214, 220, 226, 400, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 805, 806, 807, 810,
            911, 999);

    static Set<Integer> sticky() {
        return STICKY;
    }

    /** All others that the binding knows, and some that it does not. */
    static Set<Integer> passing() throws IllegalAccessException {
        Set<Integer> codes = new TreeSet<>(Set.of(36, 225, 808, 912, 915, 998));
        for (Field field : CUresult.class.getFields()) {
            codes.add(field.getInt(null));
        }
        codes.removeAll(STICKY);
        codes.remove(CUresult.CUDA_SUCCESS);
        return codes;
    }

    @ParameterizedTest
    @MethodSource("passing")
    void shouldKeepTheGraphsAfterAnErrorThatPasses(int code) {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            graph.bfs(3, -1, NO_TARGETS, RunContext.of(1));
            long uploaded = driver.device().uploadedBytes();
            for (int i = 0; i < 2; i++) {
                driver.device().failLaunch(code);
                assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunContext.of(1)))
                        .isInstanceOfAny(DeviceFailureException.class, DeviceMemoryException.class)
                        .hasMessageContainingAll("CUDA_ERROR_" + code, "backend: 'cpu'");
                TextbookChecks.checkLevels(GRAPH, graph, 3, -1, RunContext.of(1));
            }
            assertThat(driver.device().uploadedBytes()).isEqualTo(uploaded);
        }
    }

    @ParameterizedTest
    @MethodSource("sticky")
    void shouldOpenTheDeviceAgainAfterAnErrorThatStays(int code) {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            graph.bfs(3, -1, NO_TARGETS, RunContext.of(1));
            driver.device().failLaunch(code);
            for (int run = 0; run < 2; run++) {
                assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunContext.of(1)))
                        .isInstanceOf(DeviceFailureException.class)
                        .hasMessageStartingWith("Device cuda:0 has failed: ")
                        .hasMessageContainingAll(
                                "CUDA_ERROR_" + code + " (" + code + ") in launch",
                                "The next call tries to open the device again",
                                "restart the server");
            }
            BackendInfo lost = backends.list().get(0);
            assertThat(lost.available()).isFalse();
            assertThat(lost.reason()).contains("(" + code + ")", "The next call tries to open the device again");
            assertThat(backends.choose().backend())
                    .as("handles of graphs stay valid")
                    .isSameAs(backend);
            assertThat(driver.openedCount()).isEqualTo(2);
            assertThat(backends.list().get(0).available()).isTrue();
            assertThat(Residences.residentOn(graph)).isEqualTo("cpu");
            TextbookChecks.checkLevels(GRAPH, graph, 3, -1, RunContext.of(1));
        }
    }

    /** Becomes true with the first launch from now on. */
    private AtomicBoolean launched() {
        AtomicBoolean launched = new AtomicBoolean();
        driver.device().onLaunch(entry -> launched.set(true));
        return launched;
    }

    /** What is submitted uses memory that the next run will use. */
    @Test
    void shouldLoseTheDeviceIfNobodyCanTellWhetherItsWorkHasEnded() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            Runs.prepare(graph, RunContext.of(1));
            AtomicBoolean launched = launched();
            driver.fail(call -> call.equals("put") && launched.get() ? CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : 0);
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunContext.of(1)))
                    .isInstanceOf(DeviceFailureException.class);
            assertThat(backends.list().get(0).reason())
                    .startsWith(
                            "Device cuda:0 has failed: The CUDA driver reported CUDA_ERROR_701 (701) in put. The next");
        }
    }

    /** The next run would use the memory that the work still uses. */
    @Test
    void shouldWaitForItsWorkOnAFullHeap() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            Runs.prepare(graph, RunContext.of(1));
            AtomicBoolean launched = launched();
            List<String> calls = new ArrayList<>();
            driver.fail(call -> {
                calls.add(call);
                if (call.equals("put") && launched.get() && Collections.frequency(calls, "full") < 2) {
                    calls.add("full");
                    throw new OutOfMemoryError("simulated");
                }
                return 0;
            });
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunContext.of(1)))
                    .isInstanceOf(OutOfMemoryError.class);
            driver.fail(CheckedDriver.Faults.NONE);
            assertThat(calls.subList(calls.lastIndexOf("full"), calls.size())).startsWith("full", "put", "await");
            TextbookChecks.checkLevels(GRAPH, graph, 3, -1, RunContext.of(1));
        }
    }

    /** A kernel that adds to sums would add twice. */
    @Test
    void shouldLaunchOnceIfTheEndCannotBeRecordedAtFirst() {
        try (LoadedGraph idle = backend.load(IDLE);
                LoadedGraph graph = backend.load(GRAPH)) {
            Runs.prepare(graph, RunContext.of(1));
            idle.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            int before = driver.device().launches().size();
            AtomicBoolean launched = launched();
            AtomicBoolean failed = new AtomicBoolean();
            driver.fail(call ->
                    call.equals("put") && launched.get() && !failed.getAndSet(true) ? CudaException.OUT_OF_MEMORY : 0);
            graph.bfs(3, -1, NO_TARGETS, RunContext.of(1));
            assertThat(driver.device().launches().subList(before, before + 2)).doesNotHaveDuplicates();
            assertThat(Residences.bytes(idle))
                    .as("evicted so that the end could be recorded")
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {CudaException.OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES, LAUNCH_FAILED})
    void shouldOpenTheDeviceAgainWhateverFailsWhileItIsOpened(int code) {
        int nth = 0;
        do {
            use(FakeDriver.hopper(FakeDevices.PLENTY), MappedBudget.none());
            backends.close();
            failOnly(nth, code);
            backends.choose();
            searchOnceMore(nth);
        } while (nth++ == 0 || !failing.isEmpty());
    }

    /** And nothing else stays allocated, because another server may keep the context. */
    @ParameterizedTest
    @ValueSource(ints = {CudaException.OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES, LAUNCH_FAILED})
    void shouldOpenTheDeviceAgainWhateverFailsWhileItIsClosed(int code) {
        int nth = 0;
        do {
            use(FakeDriver.hopper(FakeDevices.PLENTY), MappedBudget.none());
            try (LoadedGraph graph = backend.load(GRAPH)) {
                graph.bfs(3, -1, NO_TARGETS, RunContext.of(1));
            }
            failOnly(nth, code);
            try {
                backends.close();
            } catch (DeviceFailureException e) {
                assertThat(failing).isNotEmpty();
            }
            searchOnceMore(nth);
        } while (nth++ == 0 || !failing.isEmpty());
    }

    private void failOnly(int nth, int code) {
        AtomicInteger calls = new AtomicInteger();
        failing = "";
        driver.fail(call -> {
            boolean now = calls.getAndIncrement() == nth;
            failing = now ? call : failing;
            return now ? code : 0;
        });
    }

    private void searchOnceMore(int nth) {
        driver.fail(CheckedDriver.Faults.NONE);
        DeviceBackend opened = (DeviceBackend) backends.choose().backend();
        assertThat(opened.device().leases().length())
                .as("leases after the failure of call %d, %s", nth, failing)
                .isZero();
        try (LoadedGraph graph = opened.load(GRAPH)) {
            TextbookChecks.checkLevels(GRAPH, graph, 3, -1, RunContext.of(1));
        }
    }
}
