// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaKernels;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.ResidentStructures;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.HeapShortageException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class GraphPreparerTest extends FakeDeviceTestCase {

    private static final String FIRST_KERNEL_OF_AN_ORDER = "csc_relabel_pointers_grid";
    private static final String RECORDS = "balls_places_grid";
    private static final Csc GRAPH = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    GraphPreparerTest() {
        super(FakeDevices.policy(RunOptions.AUTO));
    }

    @Test
    void shouldSwapTheStructuresOfAGraphThatIsUsedRepeatedly() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            assertThat(Residences.order(graph)).isEmpty();
            search(graph, 0);
            backend.preparer().awaitIdle();
            assertThat(Residences.order(graph)).isEqualTo("natural");
            search(graph, 1);
            backend.preparer().awaitIdle();
            assertThat(Residences.order(graph)).isEqualTo("reach");
            search(graph, 2);
            assertThat(told.kernels.get(0)).startsWith("natural directional: ");
            assertThat(told.kernels.get(2)).startsWith("reach directional: ").contains("Reordering took");
            assertThat(driver.device().usedBytes()).as("one set").isEqualTo(Residences.bytes(graph) + searchBytes());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    /** Records take a fraction of the time of an order, and searches gain most from them. */
    @Test
    void shouldBuildTheRecordsOfADeepGraphBeforeItReordersIt() {
        Csc deep = shuffledPath();
        CountDownLatch searched = new CountDownLatch(1);
        CountDownLatch reordering = new CountDownLatch(1);
        try (LoadedGraph graph = backend.load(deep)) {
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            driver.device().onLaunch(entry -> {
                if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                    reordering.countDown();
                    await(searched);
                }
            });
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            await(reordering);
            assertThat(launches(RECORDS)).isEqualTo(1);
            searched.countDown();
            backend.preparer().awaitIdle();
            assertThat(Residences.order(graph)).isEqualTo("rcm");
            assertThat(launches(RECORDS)).as("once in each order").isEqualTo(2);
            TextbookChecks.checkLevels(deep, graph, 5, -1, told.control());
            assertThat(told.kernels).singleElement().asString().startsWith("rcm ball-records: ");
        }
    }

    /** An order without the records would make searches slower. */
    @Test
    void shouldKeepTheRecordsIfTheyDoNotFitInTwoOrders() {
        Csc deep = shuffledPath();
        try (LoadedGraph graph = backend.load(deep)) {
            // all but the records fits in the second order
            driver.fail(call ->
                    call.equals("allocate") && launches("balls_rows_thread") > 1 ? CudaException.OUT_OF_MEMORY : 0);
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            backend.preparer().awaitIdle();
            driver.fail(CheckedDriver.Faults.NONE);
            TextbookChecks.checkLevels(deep, graph, 5, -1, told.control());
            assertThat(told.kernels).singleElement().asString().startsWith("natural ball-records: ");
        }
    }

    @Test
    void shouldLeaveTheStructuresWhoseOrderSuits() {
        Csc deep = shuffledPath();
        RunContext rcm = RunContext.of(1).with(new RunOptions(VertexOrder.RCM, Kernel.AUTO));
        try (LoadedGraph graph = backend.load(deep)) {
            graph.bfs(0, -1, NO_TARGETS, rcm);
            ResidentStructures before = backend.resident(deep).structures();
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            graph.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            backend.preparer().awaitIdle();
            assertThat(backend.resident(deep).structures()).isSameAs(before);
            graph.bfs(0, -1, NO_TARGETS, told.control());
            assertThat(told.kernels).singleElement().asString().startsWith("rcm ball-records: ");
        }
    }

    @Test
    void shouldLeaveAGraphWithoutVertices() {
        AtomicInteger reserved = blockedPreparer(new CountDownLatch(0));
        try (LoadedGraph graph = backend.load(new EdgeList(0).toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
            Runs.prepare(graph, RunContext.of(1));
            Runs.prepare(graph, RunContext.of(1));
            backend.preparer().awaitIdle();
        }
        assertThat(reserved).hasValue(0);
    }

    /** A run that has pinned the first set reads it to its end, when it is freed. */
    @Test
    void shouldFreeTheFirstSetWithItsLastReader() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            search(graph, 0);
            ResidentGraph resident = backend.resident(GRAPH);
            ResidentStructures first = resident.structures();
            HeldGraph reader = resident.acquire(RunContext.of(1), 1)
                    .require(first.structures(), sizes -> List.of(Way.within(1 << 20)));
            search(graph, 1);
            backend.preparer().awaitIdle();
            assertThat(Residences.order(graph)).isEqualTo("reach");
            long both = driver.device().usedBytes();
            assertThat(reader.order().isNatural()).isTrue();
            BfsKernel kernels = CudaKernels.FAMILIES.kernels(
                    BfsKernel.class, backend.device(), Kernel.of("directional"), Operation.BFS);
            assertThat(kernels.run(reader, new int[] {7}, -1, NO_TARGETS, RunContext.of(1))
                            .levels())
                    .isEqualTo(TextbookBfs.levels(GRAPH, -1, 7));
            reader.close();
            assertThat(first.structures()).isEmpty();
            assertThat(driver.device().usedBytes()).isLessThan(both).isEqualTo(Residences.bytes(graph) + searchBytes());
        }
    }

    /**
     * Whichever allocation of the preparation is the first to fail, the graph has one set or the other, and all else is
     * freed.
     */
    @Test
    void shouldLeaveOneSetWhicheverAllocationFails() {
        Set<String> orders = new HashSet<>();
        for (Csc csc : List.of(GRAPH, shuffledPath())) {
            int failing = 1;
            int allocations;
            do {
                allocations = allocationsOfPreparing(csc, failing, orders);
                failing++;
            } while (failing <= allocations);
            assertThat(allocations).isGreaterThan(3);
        }
        assertThat(orders).containsExactlyInAnyOrder("natural", "reach", "rcm");
    }

    /** Returns the number of allocations in the background, which fail from one on. */
    private int allocationsOfPreparing(Csc csc, int failing, Set<String> orders) {
        AtomicInteger allocations = new AtomicInteger();
        Thread runs = Thread.currentThread();
        driver.fail(call -> call.startsWith("allocate")
                        && Thread.currentThread() != runs
                        && allocations.incrementAndGet() >= failing
                ? CudaException.OUT_OF_MEMORY
                : 0);
        try (LoadedGraph graph = backend.load(csc)) {
            for (int run = 0; run < 2; run++) {
                graph.bfs(run, -1, NO_TARGETS, RunContext.of(1));
            }
            backend.preparer().awaitIdle();
            driver.fail(CheckedDriver.Faults.NONE);
            orders.add(Residences.order(graph));
            backend.device().workspace().close();
            assertThat(driver.device().usedBytes()).as("allocation %d", failing).isEqualTo(Residences.bytes(graph));
            TextbookChecks.checkLevels(csc, graph, 9, -1, RunContext.of(1));
        }
        assertThat(driver.device().usedBytes()).isZero();
        return allocations.get();
    }

    @Test
    void shouldReplaceTheStructuresForAnotherRequestedOrderAndLeaveThem() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            for (VertexOrder order : List.of(VertexOrder.DEGREE, VertexOrder.NATURAL, VertexOrder.RCM)) {
                RunContext asked = RunContext.of(1).with(new RunOptions(order, Kernel.of("blest-full")));
                for (int source = 0; source < 3; source++) {
                    TextbookChecks.checkLevels(GRAPH, graph, source, -1, asked);
                }
                backend.preparer().awaitIdle();
                assertThat(Residences.order(graph)).isEqualTo(order.key());
                assertThat(driver.device().usedBytes())
                        .as("one set")
                        .isEqualTo(Residences.bytes(graph) + searchBytes());
            }
        }
    }

    @Test
    void shouldGoOnWithOtherGraphsWhenTheWorkOnOneFails() {
        List<String> log = new CopyOnWriteArrayList<>();
        AtomicInteger reserved = new AtomicInteger();
        reserveFrom(
                bytes -> {
                    if (reserved.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("simulated");
                    }
                    return HeapBudget.Reservation.UNLIMITED;
                },
                log::add);
        Csc other = TestGraphs.rmat(10, 8, 4).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph graph = backend.load(GRAPH);
                LoadedGraph second = backend.load(other)) {
            for (int run = 0; run < 2; run++) {
                graph.bfs(run, -1, NO_TARGETS, RunContext.of(1));
                second.bfs(run, -1, NO_TARGETS, RunContext.of(1));
            }
            backend.preparer().awaitIdle();
            assertThat(Residences.order(graph)).isEqualTo("natural");
            assertThat(Residences.order(second)).isEqualTo("reach");
        }
        assertThat(log).singleElement().asString().contains("cuda:0", "stays as it is", "simulated");
    }

    @Test
    void shouldTryAgainAfterTwiceAsManyRuns() {
        AtomicBoolean full = new AtomicBoolean(true);
        AtomicInteger reserved = new AtomicInteger();
        HeapBudget budget = bytes -> {
            assertThat(bytes).isGreaterThan(Csc.bytes(GRAPH.vertexCount(), GRAPH.entryCount()));
            reserved.incrementAndGet();
            if (full.get()) {
                throw new HeapShortageException("simulated");
            }
            return HeapBudget.Reservation.UNLIMITED;
        };
        reserveFrom(budget, line -> {});
        try (LoadedGraph graph = backend.load(GRAPH)) {
            for (int run = 1; run <= 9; run++) {
                search(graph, run);
                backend.preparer().awaitIdle();
                assertThat(Residences.order(graph)).as("after run " + run).isEqualTo(run < 4 ? "natural" : "reach");
                full.set(run < 2);
                // after run 2, 4 and 8
                assertThat(reserved.get())
                        .as("attempts until run " + run)
                        .isEqualTo(31 - Integer.numberOfLeadingZeros(run));
            }
        }
    }

    @Test
    void shouldKeepNoDroppedGraphForLaterWork() {
        CountDownLatch busy = new CountDownLatch(1);
        AtomicInteger reserved = blockedPreparer(busy);
        backend.preparer().prepare(held(GRAPH));
        WeakReference<Csc> dropped = prepareAndDrop();
        FakeDeviceTestCase.awaitThat(() -> {
            collectGarbage();
            return dropped.get() == null;
        });
        busy.countDown();
        backend.preparer().awaitIdle();
        assertThat(reserved).hasValue(1);
    }

    /** The work on a graph waits for the latch. */
    private AtomicInteger blockedPreparer(CountDownLatch busy) {
        AtomicInteger reserved = new AtomicInteger();
        HeapBudget budget = bytes -> {
            reserved.incrementAndGet();
            await(busy);
            return HeapBudget.Reservation.UNLIMITED;
        };
        reserveFrom(budget, line -> {});
        return reserved;
    }

    private void reserveFrom(HeapBudget budget, Consumer<String> log) {
        BackendSettings settings = FakeDevices.ALL_MEMORY.withBackground(budget, log);
        use(driver, FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO, settings)));
    }

    /** Neo4j's JVM flags make System.gc() do nothing; a class histogram collects garbage nevertheless. */
    private static void collectGarbage() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private WeakReference<Csc> prepareAndDrop() {
        Csc csc = TestGraphs.path(100).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        ResidentGraph graph = held(csc);
        backend.preparer().prepare(graph);
        assertThat(graph.removeHandle()).isTrue();
        backend.preparer().prepare(graph);
        return new WeakReference<>(csc);
    }

    @Test
    void shouldPrepareAGraphOnceThatWaits() {
        CountDownLatch busy = new CountDownLatch(1);
        AtomicInteger reserved = blockedPreparer(busy);
        backend.preparer().prepare(held(GRAPH));
        ResidentGraph graph = held(GRAPH);
        backend.preparer().prepare(graph);
        backend.preparer().prepare(graph);
        busy.countDown();
        backend.preparer().awaitIdle();
        assertThat(reserved).hasValue(2);
    }

    @Test
    void shouldBuildNoRecordsForRunsThatDoNotReadThem() {
        try (LoadedGraph graph = backend.load(shuffledPath())) {
            for (int run = 0; run < 3; run++) {
                graph.multiSourceBfs(new int[] {0, 1}, -1, batch -> {}, RunContext.of(1));
            }
            backend.preparer().awaitIdle();
            graph.bfs(0, -1, NO_TARGETS, told.control());
            assertThat(told.kernels).singleElement().asString().startsWith("rcm balls: ");
        }
    }

    @Test
    void shouldEvictNothing() {
        Csc deep = shuffledPath();
        Csc other = TestGraphs.path(2000).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThat(evictionsOfPreparing(deep, other)).isZero();
        long most = driver.device().mostUsedBytes();
        int prepared = 0;
        for (long bytes = 2 * most; bytes > most / 2; bytes -= most / 32) {
            useDevice(bytes);
            try {
                assertThat(evictionsOfPreparing(deep, other))
                        .as("%d of %d bytes", bytes, most)
                        .isZero();
                prepared++;
            } catch (DeviceMemoryException e) {
                // the runs themselves do not fit
            }
        }
        assertThat(prepared).isGreaterThan(3);
    }

    /** A long path whose vertices are numbered at random: deep, and another order suits it. */
    private static Csc shuffledPath() {
        List<Integer> numbers = IntStream.range(0, 3000).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(numbers, new Random(1));
        EdgeList edges = new EdgeList(numbers.size());
        for (int i = 1; i < numbers.size(); i++) {
            edges.add(numbers.get(i - 1), numbers.get(i));
        }
        return edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    }

    /** The evictions in the background, not those of the runs before. */
    private long evictionsOfPreparing(Csc graph, Csc other) {
        CountDownLatch busy = new CountDownLatch(1);
        blockedPreparer(busy);
        try (LoadedGraph idle = backend.load(other);
                LoadedGraph used = backend.load(graph)) {
            idle.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            used.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            for (int run = 0; run < 2; run++) {
                used.multiSourceBfs(new int[] {0, 1}, -1, batch -> {}, RunContext.of(1));
            }
            long before = backends.use().get(0).evictions();
            busy.countDown();
            backend.preparer().awaitIdle();
            long evictions = backends.use().get(0).evictions() - before;
            used.bfs(0, -1, NO_TARGETS, RunContext.of(1));
            return evictions;
        } finally {
            busy.countDown();
        }
    }

    private ResidentGraph held(Csc csc) {
        ResidentGraph graph = new ResidentGraph(csc, backend.device(), backend.preparer());
        graph.addHandle();
        return graph;
    }

    @Test
    void shouldEndWithTheDevice() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        LoadedGraph graph = backend.load(GRAPH);
        driver.device().onLaunch(entry -> {
            if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                begun.countDown();
                await(closed);
            }
        });
        search(graph, 0);
        search(graph, 1);
        await(begun);
        graph.close();
        closed.countDown();
        // waits for the work in the background, or the wrapper would find what it has allocated
        backends.close();
        assertThat(driver.device().isClosed()).isTrue();
    }

    private void search(LoadedGraph graph, int source) {
        TextbookChecks.checkLevels(GRAPH, graph, source, -1, told.control());
    }

    private long searchBytes() {
        return backend.device().workspace().idleBytes();
    }
}
