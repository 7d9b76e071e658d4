// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.CudaBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.choice.OrderImprover.Kind;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.HeapShortageException;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderImproverTest {

    private static final int[] NO_TARGETS = {};
    private static final String FIRST_KERNEL_OF_AN_ORDER = "csc_relabel_pointers_grid";
    private static final Csc GRAPH = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    private FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO));

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    @Test
    void shouldImproveTheOrderOfAGraphThatIsUsedAgain() {
        try (LoadedGraph graph = backend().load(GRAPH)) {
            List<String> told = new ArrayList<>();
            assertThat(graph.order()).isEmpty();
            search(graph, 0, told);
            FakeDevices.improver(backend()).awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            search(graph, 1, told);
            FakeDevices.improver(backend()).awaitIdle();
            assertThat(graph.order()).isIn("degree", "rcm");
            search(graph, 2, told);
            assertThat(told).hasSize(3);
            assertThat(told.get(0)).startsWith("natural directional: ");
            assertThat(told.get(2)).startsWith(graph.order() + " directional: ").contains("Reordering took");
            assertThat(driver.device().usedBytes()).as("what lies there once").isEqualTo(graph.bytes() + searchBytes());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldLeaveAnOrderThatWasAskedFor() {
        RunControl asked = RunControl.of(1).with(new RunOptions(VertexOrder.DEGREE, Kernel.AUTO));
        try (LoadedGraph graph = backend().load(GRAPH)) {
            for (int source = 0; source < 5; source++) {
                assertThat(graph.bfs(source, -1, NO_TARGETS, asked).levels())
                        .isEqualTo(TextbookBfs.levels(GRAPH, -1, source));
            }
            FakeDevices.improver(backend()).awaitIdle();
            assertThat(graph.order()).isEqualTo("degree");
        }
    }

    @Test
    void shouldExchangeOrdersThatAreAskedForInTurn() {
        try (LoadedGraph graph = backend().load(GRAPH)) {
            for (VertexOrder order : List.of(VertexOrder.DEGREE, VertexOrder.NATURAL, VertexOrder.RCM)) {
                RunControl asked = RunControl.of(1).with(new RunOptions(order, Kernel.of("blest-full")));
                assertThat(graph.bfs(3, -1, NO_TARGETS, asked).levels()).isEqualTo(TextbookBfs.levels(GRAPH, -1, 3));
                assertThat(graph.order()).isEqualTo(order.key());
                assertThat(backend().device().memory().arrayCount())
                        .as("slice sets, in-lists, a search, and where there is an order the slots")
                        .isEqualTo(order == VertexOrder.NATURAL ? 3 : 4);
            }
        }
    }

    @Test
    void shouldEndWithTheGraph() {
        LoadedGraph graph = backend().load(GRAPH);
        driver.device().onLaunch(entry -> {
            if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                graph.close();
            }
        });
        List<String> told = new ArrayList<>();
        search(graph, 0, told);
        search(graph, 1, told);
        FakeDevices.improver(backend()).awaitIdle();
        assertThat(driver.device().launches()).contains(FIRST_KERNEL_OF_AN_ORDER);
        assertThat(driver.device().usedBytes()).isZero();
        graph.close();
    }

    @Test
    void shouldGoOnWithOtherGraphsWhenTheWorkOnOneFails() {
        List<String> log = new CopyOnWriteArrayList<>();
        backends.logTo(log::add);
        List<String> done = new CopyOnWriteArrayList<>();
        OrderImprover improver = FakeDevices.improver(backend());
        ResidentGraph one = held(GRAPH);
        ResidentGraph other = held(GRAPH);
        improver.offer(one, Kind.ORDER, 1, stop -> {
            throw new OutOfMemoryError("simulated");
        });
        improver.offer(other, Kind.ORDER, 1, stop -> done.add("in the queue"));
        improver.awaitIdle();
        improver.offer(one, Kind.ORDER, 1, stop -> {
            throw new IllegalStateException("simulated");
        });
        improver.awaitIdle();
        improver.offer(one, Kind.ORDER, 1, stop -> done.add("offered later"));
        improver.awaitIdle();
        assertThat(done).containsExactly("in the queue", "offered later");
        assertThat(log).hasSize(2).allSatisfy(line -> assertThat(line)
                .contains("cuda:0", "stays as it is", "simulated"));
    }

    @Test
    void shouldReserveHeapAndLeaveOutWhatHasNone() {
        List<String> log = new CopyOnWriteArrayList<>();
        backends.logTo(log::add);
        List<Long> reserved = new CopyOnWriteArrayList<>();
        backends.reserveFrom(bytes -> {
            reserved.add(bytes);
            throw new HeapShortageException("simulated");
        });
        try (LoadedGraph graph = backend().load(GRAPH)) {
            List<String> told = new ArrayList<>();
            search(graph, 0, told);
            search(graph, 1, told);
            FakeDevices.improver(backend()).awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            assertThat(reserved).singleElement().satisfies(bytes -> assertThat(bytes)
                    .isGreaterThan(Csc.bytes(GRAPH.vertexCount(), GRAPH.entryCount())));
            assertThat(log).singleElement().asString().contains("simulated");
        }
    }

    @Test
    void shouldImproveTheOrderLaterThatCouldNotBeImproved() {
        AtomicBoolean full = new AtomicBoolean(true);
        AtomicInteger reserved = new AtomicInteger();
        backends.reserveFrom(bytes -> {
            reserved.incrementAndGet();
            if (full.get()) {
                throw new HeapShortageException("simulated");
            }
            return HeapBudget.Reservation.UNLIMITED;
        });
        try (LoadedGraph graph = backend().load(GRAPH)) {
            for (int run = 1; run <= 9; run++) {
                search(graph, run, new ArrayList<>());
                FakeDevices.improver(backend()).awaitIdle();
                if (run < 4) {
                    assertThat(graph.order()).as("after run " + run).isEqualTo("natural");
                } else {
                    assertThat(graph.order()).as("after run " + run).isIn("degree", "rcm");
                }
                full.set(run < 2);
                assertThat(reserved.get()).as("attempts until run " + run).isEqualTo(run < 2 ? 0 : run < 4 ? 1 : 2);
            }
        }
    }

    @Test
    void shouldKeepNoDroppedGraphForLaterWork() {
        OrderImprover improver = FakeDevices.improver(backend());
        CountDownLatch busy = new CountDownLatch(1);
        improver.offer(held(GRAPH), Kind.ORDER, 0, stop -> await(busy));
        List<String> done = new CopyOnWriteArrayList<>();
        WeakReference<Csc> dropped = offerAndDrop(improver, done);
        FakeDeviceTestCase.awaitThat(() -> {
            collectGarbage();
            return dropped.get() == null;
        });
        busy.countDown();
        improver.awaitIdle();
        assertThat(done).isEmpty();
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

    private WeakReference<Csc> offerAndDrop(OrderImprover improver, List<String> done) {
        Csc csc = TestGraphs.path(100).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        ResidentGraph graph = held(csc);
        improver.offer(graph, Kind.ORDER, 0, stop -> done.add("improved " + csc.vertexCount()));
        assertThat(graph.letGo()).isTrue();
        improver.offer(graph, Kind.ORDER, 0, stop -> done.add("improved late " + csc.vertexCount()));
        return new WeakReference<>(csc);
    }

    @Test
    void shouldStopWorkOnAGraphThatIsDropped() {
        ResidentGraph graph = held(GRAPH);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        FakeDevices.improver(backend()).offer(graph, Kind.ORDER, 0, stop -> {
            assertThat(stop.requested()).isFalse();
            begun.countDown();
            FakeDeviceTestCase.awaitThat(stop::requested);
            stopped.set(true);
        });
        await(begun);
        graph.letGo();
        FakeDevices.improver(backend()).awaitIdle();
        assertThat(stopped).isTrue();
    }

    @Test
    void shouldReplaceWorkOnAGraphThatStillWaits() {
        OrderImprover improver = FakeDevices.improver(backend());
        CountDownLatch busy = new CountDownLatch(1);
        improver.offer(held(GRAPH), Kind.ORDER, 0, stop -> await(busy));
        ResidentGraph graph = held(GRAPH);
        List<String> done = new CopyOnWriteArrayList<>();
        improver.offer(graph, Kind.ORDER, 0, stop -> done.add("first order"));
        improver.offer(graph, Kind.ORDER, 0, stop -> done.add("second order"));
        busy.countDown();
        improver.awaitIdle();
        assertThat(done).containsExactly("second order");
    }

    @Test
    void shouldEvictNothing() {
        // a long path whose vertices are numbered at random: deep, and another order suits it
        List<Integer> numbers = IntStream.range(0, 3000).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(numbers, new Random(1));
        EdgeList edges = new EdgeList(numbers.size());
        for (int i = 1; i < numbers.size(); i++) {
            edges.add(numbers.get(i - 1), numbers.get(i));
        }
        Csc deep = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Csc other = TestGraphs.path(2000).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThat(evictionsOfImproving(deep, other)).isZero();
        long most = driver.device().mostUsedBytes();
        for (long bytes = most; bytes > most / 2; bytes -= most / 64) {
            useDevice(bytes);
            assertThat(evictionsOfImproving(deep, other))
                    .as("%d of %d bytes", bytes, most)
                    .isZero();
        }
    }

    /** The evictions in the background, not those of the runs before. */
    private long evictionsOfImproving(Csc graph, Csc other) {
        CountDownLatch busy = new CountDownLatch(1);
        FakeDevices.improver(backend()).offer(held(GRAPH), Kind.ORDER, 0, stop -> await(busy));
        try (LoadedGraph idle = backend().load(other);
                LoadedGraph used = backend().load(graph)) {
            idle.bfs(0, -1, NO_TARGETS, RunControl.of(1));
            for (int run = 0; run < 3; run++) {
                used.multiSourceBfs(new int[] {0, 1}, -1, batch -> {}, RunControl.of(1));
            }
            long before = backends.use().get(0).evictions();
            busy.countDown();
            FakeDevices.improver(backend()).awaitIdle();
            long evictions = backends.use().get(0).evictions() - before;
            List<String> told = new ArrayList<>();
            used.bfs(0, -1, NO_TARGETS, telling(told));
            if (!used.order().equals("natural")) {
                assertThat(told).as("reordered").noneMatch(line -> line.contains("has too little memory"));
            }
            return evictions;
        }
    }

    private void useDevice(long totalBytes) {
        backends.close();
        driver = FakeDriver.hopper(totalBytes);
        backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO));
    }

    private ResidentGraph held(Csc csc) {
        ResidentGraph graph = new ResidentGraph(csc, backend().device(), FakeDevices.improver(backend()));
        graph.hold();
        return graph;
    }

    @Test
    void shouldEndWithTheDevice() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        LoadedGraph graph = backend().load(GRAPH);
        driver.device().onLaunch(entry -> {
            if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                begun.countDown();
                await(closed);
            }
        });
        List<String> told = new ArrayList<>();
        search(graph, 0, told);
        search(graph, 1, told);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        graph.close();
        closed.countDown();
        // waits for the work in the background, or the wrapper would find what it has allocated
        backends.close();
        assertThat(driver.device().isClosed()).isTrue();
    }

    @Test
    void shouldLeaveTheOrderWhereMemoryIsShort() {
        List<String> told = new ArrayList<>();
        long enough;
        try (LoadedGraph graph = backend().load(GRAPH)) {
            search(graph, 0, told);
            enough = driver.device().mostUsedBytes();
        }
        useDevice(enough);
        try (LoadedGraph graph = backend().load(GRAPH)) {
            search(graph, 0, told);
            search(graph, 1, told);
            FakeDevices.improver(backend()).awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            assertThat(graph.residentOn()).isEqualTo("cuda:0");
            search(graph, 2, told);
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    private void search(LoadedGraph graph, int source, List<String> told) {
        assertThat(graph.bfs(source, -1, NO_TARGETS, telling(told)).levels())
                .isEqualTo(TextbookBfs.levels(GRAPH, -1, source));
    }

    private static RunControl telling(List<String> told) {
        RunObserver observer = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {
                throw new AssertionError("only 'auto' chooses a backend");
            }

            @Override
            public void runsWith(String order, String kernel, String reason) {
                told.add(order + " " + kernel + ": " + reason);
            }
        };
        return new RunControl(1, Stop.NEVER, Progress.NONE, observer);
    }

    private long searchBytes() {
        return backend().device().workspace().idleBytes();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private CudaBackend backend() {
        return (CudaBackend) backends.choose().backend();
    }
}
