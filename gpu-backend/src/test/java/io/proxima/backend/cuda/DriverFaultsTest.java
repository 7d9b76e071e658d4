// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static io.proxima.backend.TextbookChecks.checkBetweenness;
import static io.proxima.backend.TextbookChecks.checkComponents;
import static io.proxima.backend.TextbookChecks.checkDistances;
import static io.proxima.backend.TextbookChecks.checkLevels;
import static io.proxima.backend.TextbookChecks.checkNearest;
import static io.proxima.backend.TextbookChecks.checkShortestPaths;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookFarness;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call of the driver fails once, in every kind of run. The run then returns the right result or fails with the documented
 * exception, and the next run on the same device returns the right result.
 */
class DriverFaultsTest {

    private static final int LAUNCH_OUT_OF_RESOURCES = 701;
    private static final int[] NO_TARGETS = {};
    private static final RunOptions NATURAL = new RunOptions(VertexOrder.NATURAL, Kernel.AUTO);
    private static final int[] SOURCES = {3, 17, 30, 41};

    private static final Csc GRAPH = TestGraphs.uniform(100, 3000, 1, false).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
    private static final Csc IDLE = TestGraphs.path(40).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    /** Runs that fit a device too small for the lists of neighbours. */
    private static final Set<String> MAPPABLE =
            Set.of("search with auto", "distances with auto", "shortest paths with auto");

    /** Where the graph lies, and whether an idle graph can be evicted. */
    enum Place {
        ON_THE_DEVICE,
        BESIDE_AN_IDLE_GRAPH,
        MAPPED
    }

    /** A run, and a check of what it finds. */
    private record Operation(String name, String kernel, BiConsumer<LoadedGraph, RunControl> run) {
        void on(LoadedGraph graph) {
            run.accept(graph, RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, Kernel.of(kernel))));
        }

        @Override
        public String toString() {
            return name + " with " + kernel;
        }
    }

    static List<Operation> operations() {
        Set<DistanceMeasure> all = EnumSet.allOf(DistanceMeasure.class);
        return List.of(
                new Operation("search", "auto", (graph, control) -> checkLevels(GRAPH, graph, 3, -1, control)),
                new Operation(
                        "nearest sources",
                        "auto",
                        (graph, control) -> checkNearest(GRAPH, graph, SOURCES, -1, control)),
                new Operation(
                        "distances", "auto", (graph, control) -> checkDistances(GRAPH, graph, SOURCES, -1, control)),
                new Operation(
                        "distances", "blocks", (graph, control) -> checkDistances(GRAPH, graph, SOURCES, -1, control)),
                sums("bit-parallel", Set.of()),
                sums("neighbour-tiles", Set.of()),
                sums("blest-full", Set.of()),
                sums("bit-parallel", all),
                sums("auto", Set.of(DistanceMeasure.HARMONIC)),
                new Operation("sums of some nodes", "auto", (graph, control) -> new TextbookFarness(GRAPH, SOURCES)
                        .checkInOrder(graph.farness(SOURCES, all, control), all)),
                new Operation("betweenness", "auto", (graph, control) -> checkBetweenness(GRAPH, graph, null, control)),
                new Operation(
                        "shortest paths", "auto", (graph, control) -> checkShortestPaths(GRAPH, graph, 3, control)),
                new Operation("components", "auto", (graph, control) -> checkComponents(GRAPH, graph, control)));
    }

    private static Operation sums(String kernel, Set<DistanceMeasure> measures) {
        return new Operation(
                "sums of " + measures,
                kernel,
                (graph, control) -> FakeDevices.assertAsOnCpu(graph.farness(measures, control), GRAPH, measures));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void shouldAnswerOrFailAndGoOn(Operation operation) {
        for (Place place : Place.values()) {
            if (place == Place.MAPPED && !MAPPABLE.contains(operation.toString())) {
                continue;
            }
            long bytes = place == Place.MAPPED ? bytesWithoutLists(operation) : FakeDevices.PLENTY;
            for (int code : List.of(CudaException.OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES)) {
                int failed = 0;
                int calls = 0;
                boolean mapped = false;
                while (fails(operation, place, bytes, code, calls)) {
                    failed += answered ? 0 : 1;
                    mapped |= failing.equals("allocateMapped");
                    calls++;
                }
                assertThat(calls)
                        .as("calls of the driver of %s, %s", operation, place)
                        .isGreaterThan(10);
                assertThat(mapped).as("%s maps, %s", operation, place).isEqualTo(place == Place.MAPPED);
                if (code == LAUNCH_OUT_OF_RESOURCES) {
                    assertThat(failed)
                            .as("failed runs of %s, %s", operation, place)
                            .isGreaterThan(5);
                }
            }
        }
    }

    /** Bytes of a device on which a run finds room for everything but half of the entries of a list. */
    private static long bytesWithoutLists(Operation operation) {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(NATURAL));
                LoadedGraph graph = backends.choose().backend().load(GRAPH)) {
            operation.on(graph);
            driver.device().forgetMostUsed();
            operation.on(graph);
            return driver.device().mostUsedBytes() - GRAPH.entryCount() * Integer.BYTES / 2;
        }
    }

    // what the last run has met and done
    private String failing;
    private boolean answered;

    /** Fails one call of a run; returns false if the run has fewer calls. */
    private boolean fails(Operation operation, Place place, long bytes, int code, int nth) {
        String what = operation + ", " + place + ", error " + code + " of call " + nth;
        FakeDriver driver = FakeDriver.hopper(bytes);
        MappedBudget budget = new MappedBudget(1, () -> place == Place.MAPPED ? FakeDevices.PLENTY : 0);
        AtomicInteger calls = new AtomicInteger();
        failing = "";
        try (CudaBackends backends = FakeDevices.mapping(driver, FakeDevices.policy(NATURAL), budget)) {
            DeviceBackend backend = (DeviceBackend) backends.choose().backend();
            try (LoadedGraph idle = backend.load(IDLE);
                    LoadedGraph graph = backend.load(GRAPH)) {
                if (place == Place.BESIDE_AN_IDLE_GRAPH) {
                    idle.bfs(0, -1, NO_TARGETS, RunControl.of(1));
                }
                driver.fail(call -> {
                    boolean now = calls.getAndIncrement() == nth;
                    failing = now ? call : failing;
                    return now ? code : 0;
                });
                answered = false;
                try {
                    operation.on(graph);
                    answered = true;
                } catch (DeviceMemoryException e) {
                    assertThat(code).as(what).isEqualTo(CudaException.OUT_OF_MEMORY);
                } catch (DeviceFailureException e) {
                    assertThat(e).as(what).hasMessageStartingWith("A call failed on device cuda:0: ");
                }
                driver.fail(CheckedDriver.Faults.NONE);
                // the next run finds what it should
                operation.on(graph);
            }
            assertThat(backends.list().get(0).available()).as(what).isTrue();
            assertThat(driver.openedCount()).as(what).isEqualTo(1);
            assertThat(backend.device().memory().usedBytes()).as(what).isZero();
            assertThat(budget.usedBytes()).as(what).isZero();
        }
        return calls.get() > nth;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 46, 304, 701, 720, 801, 909})
    void shouldKeepTheGraphsAfterAnErrorThatPasses(int code) {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(NATURAL));
                LoadedGraph graph = backends.choose().backend().load(GRAPH)) {
            int[] right = graph.bfs(3, -1, NO_TARGETS, RunControl.of(1)).levels();
            long uploaded = driver.device().uploadedBytes();
            for (int i = 0; i < 5; i++) {
                driver.device().failLaunch(code);
                assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunControl.of(1)))
                        .isInstanceOfAny(DeviceFailureException.class, DeviceMemoryException.class)
                        .hasMessageContainingAll("CUDA_ERROR_" + code, "backend: 'cpu'");
                assertThat(graph.bfs(3, -1, NO_TARGETS, RunControl.of(1)).levels())
                        .isEqualTo(right);
            }
            assertThat(driver.device().uploadedBytes()).isEqualTo(uploaded);
        }
    }

    /** The errors after which CUDA's documentation demands another context or process, and those of a driver that has gone. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                3, 4, 201, 214, 220, 226, 400, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 805, 806, 807,
                810, 911, 999
            })
    void shouldOpenTheDeviceAgainAfterAnErrorThatStays(int code) {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(NATURAL));
                LoadedGraph graph = backends.choose().backend().load(GRAPH)) {
            driver.device().failLaunch(code);
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, RunControl.of(1)))
                    .isInstanceOf(DeviceFailureException.class)
                    .hasMessageStartingWith("Device cuda:0 has failed: ");
            assertThat(backends.choose().reason()).isEmpty();
            assertThat(driver.openedCount()).isEqualTo(2);
        }
    }

    /** A kernel that adds to sums would add twice. */
    @Test
    void shouldLaunchOnceIfTheEndCannotBeRecordedAtFirst() {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(NATURAL));
                LoadedGraph idle = backends.choose().backend().load(IDLE);
                LoadedGraph graph = backends.choose().backend().load(GRAPH)) {
            graph.prepare(RunControl.of(1));
            idle.bfs(0, -1, NO_TARGETS, RunControl.of(1));
            int before = driver.device().launches().size();
            AtomicBoolean launched = new AtomicBoolean();
            driver.device().onLaunch(entry -> launched.set(true));
            AtomicBoolean failed = new AtomicBoolean();
            driver.fail(call ->
                    call.equals("put") && launched.get() && !failed.getAndSet(true) ? CudaException.OUT_OF_MEMORY : 0);
            graph.bfs(3, -1, NO_TARGETS, RunControl.of(1));
            assertThat(driver.device().launches().subList(before, before + 2)).doesNotHaveDuplicates();
            assertThat(idle.bytes())
                    .as("evicted so that the end could be recorded")
                    .isZero();
        }
    }
}
