// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.Promise;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a run reads stays until it ends, whoever made it; what nobody wants does not stay. On a fake device. */
class StructureOwnershipTest extends FakeDeviceTestCase {

    private static final int MAKER = 0;
    private static final Csc GRAPH =
            TestGraphs.uniform(3000, 20_000, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
    private static final Csc OTHER_GRAPH =
            TestGraphs.uniform(3000, 20_000, 2, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    /**
     * One run makes the lists on the way to slice sets and ends, while the searches of another over these lists go on.
     */
    @Test
    void shouldKeepWhatAnotherRunHasTakenMeanwhile() {
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        try (LoadedGraph graph = backend.load(GRAPH)) {
            driver.device().onLaunch(entry -> {
                if (entry.equals("bvss_build_slices_warp") && first.getAndSet(false)) {
                    building.countDown();
                    awaitWaiting();
                }
            });
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == MAKER) {
                    int[] levels =
                            graph.bfs(0, -1, NO_TARGETS, with("blest-ab")).levels();
                    assertThat(levels).isEqualTo(TextbookBfs.levels(GRAPH, -1, 0));
                    made.countDown();
                } else {
                    await(building);
                    int[] sources = IntStream.range(0, 600).toArray();
                    graph.multiSourceBfs(
                            sources,
                            -1,
                            batch -> {
                                await(made);
                                int[] levels = TextbookBfs.levels(GRAPH, -1, sources[batch.firstSource()]);
                                for (int v = 0; v < levels.length; v++) {
                                    assertThat(batch.distance(0, v)).isEqualTo(levels[v]);
                                }
                            },
                            with("blocks"));
                }
            });
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    /** One run makes lists only to reverse them, and has planned its sums in their place. */
    @Test
    void shouldKeepThePromiseOfARunWhoseListsAnotherHasTakenMeanwhile() {
        Csc csc = TestGraphs.uniform(3000, 200, 1, true).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        int[] sources = IntStream.range(0, 3000).toArray();
        CountDownLatch building = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        List<Throwable> broken = new ArrayList<>();
        try (LoadedGraph graph = backend.load(csc)) {
            driver.device().onLaunch(entry -> {
                if (entry.equals("csc_transpose_count_thread")) {
                    long promised = backend.device().memory().promisedBeside(null);
                    building.countDown();
                    awaitWaiting();
                    assertThat(backend.device().memory().promisedBeside(null))
                            .as("the memory of the lists is given back to their builder")
                            .isEqualTo(promised + CopiedLists.bytes(csc.vertexCount(), csc.entryCount()));
                }
            });
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == MAKER) {
                    broken.add(catchThrowable(() -> graph.farness(sources, Set.of(), with("blocks"))));
                    made.countDown();
                } else {
                    await(building);
                    graph.multiSourceBfs(new int[] {0}, -1, batch -> await(made), with("blocks"));
                }
            });
            assertThat(structures(csc)).containsExactlyInAnyOrder(Csr.OUT, Csr.IN);
        }
        assertThat(broken).containsOnlyNulls();
    }

    @Test
    void shouldFreeWhatWasMadeOnTheWayOnly() {
        try (LoadedGraph graph = backend.load(GRAPH)) {
            graph.bfs(0, -1, NO_TARGETS, with("blest-ab"));
            assertThat(structures(GRAPH)).containsExactly(BvssStructure.BVSS);
            graph.multiSourceBfs(new int[] {0}, -1, batch -> {}, with("blocks"));
            assertThat(structures(GRAPH)).containsExactlyInAnyOrder(BvssStructure.BVSS, Csr.OUT);
        }
    }

    @Test
    void shouldTakeThePreferredWayAfterItWasPromisedTheLeast() {
        List<Way> ways = List.of(Way.inBatches(2, 2000), Way.inBatches(1, 1000));
        try (LoadedGraph graph = backend.load(GRAPH)) {
            graph.bfs(0, -1, NO_TARGETS, with("two-layer"));
            try (HeldGraph held = backend.resident(GRAPH).acquire(RunContext.of(1), 1)) {
                held.promiseLeast(Set.of(Csr.OUT), sizes -> ways);
                held.require(Set.of(Csr.OUT), sizes -> ways);
                assertThat(held.placed().way()).isEqualTo(ways.get(0));
            }
        }
    }

    @Test
    void shouldKeepTheOrderOfAGraphUntilARunInAnotherOneIsAdmitted() {
        RunContext other = RunContext.of(1).with(new RunOptions(VertexOrder.RCM, Kernel.of("two-layer")));
        try (LoadedGraph graph = backend.load(GRAPH)) {
            graph.bfs(0, -1, NO_TARGETS, with("two-layer"));
            long bytes = Residences.bytes(graph);
            DeviceMemory memory = backend.device().memory();
            try (Promise run = memory.promise(memory.budget() - bytes, 0, 0)) {
                assertThat(run.open()).isPositive();
                assertThatThrownBy(() -> graph.bfs(0, -1, NO_TARGETS, other)).isInstanceOf(DeviceMemoryException.class);
            }
            assertThat(Residences.order(graph)).isEqualTo("natural");
            assertThat(Residences.bytes(graph)).isEqualTo(bytes);
            graph.bfs(0, -1, NO_TARGETS, other);
            assertThat(Residences.order(graph)).isEqualTo("rcm");
            assertThat(structures(GRAPH)).containsExactlyInAnyOrder(Csr.OUT, VertexSlots.SLOTS);
        }
    }

    /** Freeing, listing and estimating do not wait for the kernel of another run; the fake driver fails on waiting. */
    @Test
    void shouldNotWaitForTheKernelOfAnotherRun() {
        AtomicBoolean tried = new AtomicBoolean();
        try (LoadedGraph graph = backend.load(GRAPH)) {
            LoadedGraph dropped = backend.load(OTHER_GRAPH);
            dropped.farness(Set.of(), with("auto"));
            DeviceMemory memory = backend.device().memory();
            driver.device().onLaunch(entry -> {
                if (entry.startsWith("bfs_") && !tried.getAndSet(true)) {
                    long before = memory.usedBytes();
                    long onDevice = driver.device().usedBytes();
                    CompletableFuture.runAsync(() -> {
                                dropped.close();
                                assertThat(backends.list().get(0).freeBytes()).isPositive();
                                assertThat(backends.choose().backend()).isNotNull();
                                backend.estimate(GRAPH, false, Workload.farness(Set.of(DistanceMeasure.HARMONIC)), 1);
                            })
                            .orTimeout(5, TimeUnit.MINUTES)
                            .join();
                    assertThat(memory.usedBytes())
                            .as("what was promised to the graph")
                            .isLessThan(before);
                    assertThat(driver.device().usedBytes())
                            .as("what lies there")
                            .isEqualTo(onDevice);
                }
            });
            graph.bfs(0, -1, NO_TARGETS, with("directional"));
            assertThat(tried).isTrue();
            assertThat(driver.device().usedBytes()).isEqualTo(memory.usedBytes());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    private Set<DeviceStructure<?>> structures(Csc graph) {
        return backend.resident(graph).contents(VertexOrder.AUTO).resident().keySet();
    }
}
