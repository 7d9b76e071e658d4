// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.Workload;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Runs that give way to others: in the middle of a launch, between the chunks of a copy, and before its last chunk. */
class PausedLaunchesTest extends FakeDeviceTestCase {

    private static final String TILES = "msbfs_tiles_k128_grid";
    private static final Csc GRID = TestGraphs.grid(30, 20).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    private static final RunContext CONTROL = with("neighbour-tiles");
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);

    PausedLaunchesTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldPauseALaunchForAnotherRunAndResumeIt() {
        CountDownLatch launched = new CountDownLatch(1);
        AtomicBoolean told = new AtomicBoolean();
        // as a kernel does that goes on until it is told to pause
        driver.device().reachMarks(() -> {
            told.compareAndSet(false, launched.getCount() == 0 && isToldToPause());
            return launched.getCount() == 1 || told.get();
        });
        driver.device().pauseLaunches(firstOf(TILES, launched));
        try (LoadedGraph graph = backend.load(GRID);
                LoadedGraph other = backend.load(TestGraphs.path(50).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER))) {
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            Runs.prepare(other, with("directional"));
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    FakeDevices.assertAsOnCpu(graph.farness(ALL, CONTROL), GRID, ALL);
                } else {
                    await(launched);
                    other.bfs(0, -1, NO_TARGETS, with("directional"));
                }
            });
        }
        assertThat(told).isTrue();
        assertThat(driver.device().launches())
                .filteredOn(entry -> entry.equals(TILES) || entry.startsWith("bfs_"))
                .startsWith(TILES, "bfs_directional_p32_grid", TILES);
    }

    @Test
    void shouldNotPauseWhileNobodyWaits() {
        AtomicBoolean told = new AtomicBoolean();
        long end = System.nanoTime() + 2 * LaunchPolicy.NANOS_OF_A_TURN;
        driver.device().reachMarks(() -> {
            told.compareAndSet(false, isToldToPause());
            return System.nanoTime() > end;
        });
        try (LoadedGraph graph = backend.load(GRID)) {
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), CONTROL), GRID, Set.of());
        }
        assertThat(told).isFalse();
    }

    /** Its scratch memory and its workspace are never in use together, and may not fit together. */
    @Test
    void shouldGiveWayWhileAGraphIsCopied() {
        DeviceMemory memory = backend.device().memory();
        try (Promise run = memory.promise(memory.budget() - 100, 1000, 0)) {
            assertThat(run.open()).isPositive();
            assertThat(backend.device().workspace().mayPause()).isTrue();
        }
    }

    @Test
    void shouldNotPauseIfAnotherRunIsPromisedMemoryMeanwhile() {
        Workspace workspace = backend.device().workspace();
        DeviceMemory memory = backend.device().memory();
        try (Promise run = memory.promise(0, Workspace.bytesFor(1000), 0);
                DeviceLease lease = backend.device().lease(Stop.NEVER)) {
            lease.workspace(run, 1000);
            assertThat(workspace.mayPause()).isTrue();
            try (Promise other = memory.promise(memory.budget() - 100, 0, 0)) {
                assertThat(other.open()).isPositive();
                assertThat(workspace.suspend()).isNull();
            }
        }
        workspace.close();
    }

    /** A call may make another run after one that could not be resumed. */
    @Test
    void shouldStillPromiseTheWorkspaceOfARunThatIsNotResumed() {
        Device device = backend.device();
        Workspace workspace = device.workspace();
        long bytes = Workspace.bytesFor(1000);
        try (Promise run = device.memory().promise(0, bytes, 0)) {
            Workspace.Suspended suspended;
            try (DeviceLease lease = device.lease(Stop.NEVER)) {
                lease.workspace(run, 1000);
                suspended = workspace.suspend();
            }
            assertThat(run.workspace()).isZero();
            workspace.free(suspended);
            assertThat(run.workspace()).isEqualTo(bytes);
        }
        workspace.close();
    }

    @Test
    void shouldStopWhileItWaitsForItsNextTurn() {
        CountDownLatch launched = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        driver.device().pauseLaunches(firstOf(TILES, launched));
        try (LoadedGraph graph = backend.load(GRID)) {
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            backend.device().workspace().close();
            long prepared = driver.device().usedBytes();
            AtomicBoolean stopped = new AtomicBoolean();
            RunContext control = new RunContext(1, stopped::get, Progress.NONE).with(CONTROL.options());
            driver.device()
                    .reachMarks(() -> launched.getCount() == 1
                            || backend.device().leases().isWanted());
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    assertThatThrownBy(() -> graph.farness(ALL, control)).isInstanceOf(StoppedException.class);
                    ended.countDown();
                } else {
                    await(launched);
                    try (DeviceLease lease = backend.device().lease(stop)) {
                        // the other waits behind this one
                        awaitThat(backend.device().leases()::isWanted);
                        stopped.set(true);
                        await(ended);
                        lease.await();
                    }
                }
            });
            backend.device().workspace().close();
            assertThat(driver.device().usedBytes()).isEqualTo(prepared);
        }
    }

    /**
     * What a launch leaves for one that resumes it would mislead one that begins. A paused launch may have a control
     * block of its own, which says nothing about those in the workspace.
     */
    @Test
    void shouldBeginAnewAfterAStoppedRunAlthoughAnotherHasPausedAndEnded() {
        Csc others = TestGraphs.disconnected(40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        CountDownLatch launched = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        driver.device().pauseLaunches(firstOf(TILES, launched));
        driver.device().reachMarks(() -> launched.getCount() == 1 || stopped.getAndSet(true));
        RunContext control = new RunContext(1, stopped::get, Progress.NONE).with(CONTROL.options());
        try (LoadedGraph graph = backend.load(GRID);
                LoadedGraph other = backend.load(others);
                LoadedGraph otherOnCpu = new CpuBackend().load(others)) {
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            assertThatThrownBy(() -> graph.farness(ALL, control)).isInstanceOf(StoppedException.class);
            CountDownLatch paused = new CountDownLatch(1);
            driver.device().pauseLaunches(firstOf("components_afforest_grid", paused));
            assertThat(other.components(RunContext.of(1))).isEqualTo(otherOnCpu.components(RunContext.of(1)));
            assertThat(paused.getCount()).isZero();
            FakeDevices.assertAsOnCpu(graph.farness(ALL, CONTROL), GRID, ALL);
        }
    }

    @Test
    void shouldEndTheLeaseBeforeTheLastLevelsAreProcessedIfTheNextRunHasABuffer() {
        try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
            copyLevels(lease, (buffer, offset, bytes) -> {
                assertThat(backend.device().leases().length()).isZero();
                try (DeviceLease next = backend.device().lease(Stop.NEVER)) {
                    copyLevels(next, (others, from, length) -> {
                        assertThat(others).isNotSameAs(buffer);
                        assertThat(backend.device().leases().length()).isOne();
                    });
                }
            });
        }
        assertThat(backend.device().leases().length()).isZero();
    }

    @Test
    void shouldReleaseADeviceThatIsLostWithTheLeaseAfterTheLastLevelsAreProcessed() {
        try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
            lease.workspace(null, 64);
            lease.allocate(null, "memory that is freed with the lease", 64).close();
            driver.fail(call -> call.equals("free") ? 700 : 0);
            copyLevels(lease, (buffer, offset, bytes) -> {
                assertThat(backend.device().lost()).isNotEmpty();
                assertThat(driver.device().isClosed()).isFalse();
            });
        }
        assertThat(driver.device().isClosed()).isTrue();
    }

    private static void copyLevels(DeviceLease lease, DeviceLease.Chunk chunk) {
        VertexOrderedArray levels = new VertexOrderedArray(lease.workspace(null, 64), Integer.BYTES, 4, 0);
        lease.beginLevels(levels, Short.BYTES, 0);
        lease.endLevels(levels, Short.BYTES, chunk);
    }

    private static Predicate<String> firstOf(String kernel, CountDownLatch launched) {
        return entry -> {
            boolean isFirst = entry.equals(kernel) && launched.getCount() > 0;
            if (isFirst) {
                launched.countDown();
            }
            return isFirst;
        };
    }

    private boolean isToldToPause() {
        return backend.device().stopFlag().getInt(Integer.BYTES) != 0;
    }
}
