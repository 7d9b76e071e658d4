// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What others can do, and what the budget allows, while mapped memory is page-locked and unlocked, which takes long.
 */
class PageLockingTest extends FakeDeviceTestCase {

    private static final long LITTLE = 1L << 20;
    private static final long HOST = 32L << 20;

    // lists of 1.1 MB
    private final Csc large = TestGraphs.uniform(1500, 150_000, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    private final Csc small = TestGraphs.path(100).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    private final MappedBudget budget = new MappedBudget(0.5, () -> HOST);
    private final RunContext control = RunContext.of(1);

    PageLockingTest() {
        use(FakeDriver.hoppers(2, LITTLE), budget);
    }

    @AfterEach
    @Override
    protected void shouldLeaveNothingOnTheDevice() {
        super.shouldLeaveNothingOnTheDevice();
        assertThat(budget.usedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocateMapped", "freeMapped"})
    void shouldLetNobodyWaitWhoDoesNotUseTheDevice(String slow) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean asked = new AtomicBoolean();
        try (LoadedGraph other = backend.load(small)) {
            Runs.prepare(other, control);
            driver.device(0).fail(call -> {
                if (call.equals(slow)) {
                    begun.countDown();
                    await(end);
                } else if (call.equals("freeBytes") && begun.getCount() == 0 && end.getCount() == 1) {
                    asked.set(true);
                }
                return 0;
            });
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    try (LoadedGraph graph = backend.load(large)) {
                        graph.bfs(3, -1, NO_TARGETS, control);
                    }
                    return;
                }
                await(begun);
                assertThat(backends.list()).hasSize(2).allMatch(row -> row.available());
                assertThat(backends.use()).isNotEmpty();
                assertThat(backends.chooseAll().backend().info().available()).isTrue();
                assertThat(Residences.bytes(other)).isPositive();
                assertThat(Residences.mappedBytes(other)).isZero();
                backend.estimate(GraphShape.of(small), new Workload(Operation.BFS, 1, -1), 1);
                backend.load(small).close();
                end.countDown();
            });
            assertThat(asked).as("the driver would let that call wait").isFalse();
        }
    }

    @Test
    void shouldKeepToTheBudgetWhileAnotherDevicePageLocks() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Device second = ((DeviceBackend) backends.choose("cuda:1").backend()).device();
        driver.device(0).fail(call -> {
            if (call.equals("allocateMapped")) {
                begun.countDown();
                await(end);
            }
            return 0;
        });
        Workers.run(2, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
                    lease.allocateMapped(null, "lists", HOST / 2).close();
                }
                return;
            }
            await(begun);
            try (DeviceLease lease = second.lease(Stop.NEVER)) {
                assertThatThrownBy(() -> lease.allocateMapped(null, "lists", 1000))
                        .isInstanceOf(DeviceMemoryException.class);
            }
            end.countDown();
        });
    }

    /** The run has unlocked what was freed before. */
    @Test
    void shouldPageLockWhatARunWasPromisedBesideThePromiseOfMemoryThatIsFreedMeanwhile() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        FakeDriver one = FakeDriver.hopper(LITTLE);
        use(one, new MappedBudget(1, () -> {
            meanwhile.getAndSet(() -> {}).run();
            return 1000 - one.device().mappedBytes();
        }));
        DeviceMemory memory = backend.device().memory();
        List<Promise> others = new ArrayList<>();
        try (Promise run = memory.promise(0, 0, 600);
                DeviceLease lease = backend.device().lease(Stop.NEVER)) {
            DeviceArray dropped = lease.allocateMapped(null, "lists", 400);
            meanwhile.set(() -> {
                dropped.close();
                assertThat(memory.unpromisedMappedBytes(null)).isEqualTo(400);
                others.add(memory.promise(0, 0, 400));
            });
            DeviceArray lists = lease.allocateMapped(run, "lists", 600);
            lease.allocateMapped(others.get(0), "lists", 400).close();
            lists.close();
        }
        others.get(0).close();
    }

    @ParameterizedTest
    @CsvSource({
        "allocateMapped, 0",
        "allocateMapped, " + CudaException.OUT_OF_MEMORY,
        "allocateMapped, 701",
        "allocateMapped, 719",
        "leave, 701"
    })
    void shouldEndARunThatIsStoppedMeanwhile(String failing, int code) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        driver.device(0).fail(call -> {
            boolean locks = call.equals("allocateMapped") && end.getCount() == 1;
            boolean fails = call.equals(failing) && (locks || (begun.getCount() == 0 && end.getCount() == 1));
            if (locks) {
                begun.countDown();
                await(end);
            }
            return fails ? code : 0;
        });
        AtomicBoolean stop = new AtomicBoolean();
        try (LoadedGraph graph = backend.load(large)) {
            Workers.run(2, Stop.NEVER, (worker, unused) -> {
                if (worker == 1) {
                    await(begun);
                    stop.set(true);
                    return;
                }
                assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, new RunContext(1, stop::get, Progress.NONE)))
                        .isInstanceOf(StoppedException.class);
            });
            assertThat(end.getCount()).as("the driver has not answered").isEqualTo(1);
            assertThat(backend.device().leases().length()).isEqualTo(1);
            // this thread may ask for the device, and be stopped while it waits
            Stop later = () -> true;
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, new RunContext(1, later, Progress.NONE)))
                    .isInstanceOf(StoppedException.class);
            end.countDown();
            awaitThat(() -> backend.device().leases().length() == 0);
            assertThat(backend.device().memory().use(0).mappedBytes()).isZero();
            assertThat(budget.usedBytes()).isZero();
            assertThat(backends.choose("cuda:0").reason()).isEmpty();
            TextbookChecks.checkLevels(large, graph, 3, -1, control);
        }
    }

    @Test
    void shouldEvictNothingForListsThatCannotFit() {
        try (LoadedGraph graph = backend.load(large)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            long lists = Residences.mappedBytes(graph);
            assertThat(lists).isPositive();
            try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
                assertThatThrownBy(() -> lease.allocateMapped(null, "lists", HOST))
                        .isInstanceOf(DeviceMemoryException.class);
            }
            assertThat(Residences.mappedBytes(graph)).isEqualTo(lists);
        }
    }

    @Test
    void shouldCountTheListsOfALostDeviceUntilItsContextIsReleased() {
        List<Long> used = new ArrayList<>();
        try (LoadedGraph graph = backend.load(large)) {
            graph.bfs(3, -1, NO_TARGETS, control);
            long lists = Residences.mappedBytes(graph);
            driver.device(0).onLaunch(entry -> {
                driver.device(0).onLaunch(later -> {});
                driver.device(0).fail(call -> 719);
                // finds that the device is lost
                backends.list();
                driver.device(0).fail(CheckedDriver.Faults.NONE);
                used.add(budget.usedBytes());
            });
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, control)).isInstanceOf(DeviceFailureException.class);
            assertThat(used).containsExactly(lists);
            assertThat(driver.device(0).isClosed()).isTrue();
            assertThat(budget.usedBytes()).isZero();
        }
    }
}
