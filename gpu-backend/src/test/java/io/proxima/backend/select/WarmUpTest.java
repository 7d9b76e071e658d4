// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.centrality.HangingTrees;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarmUpTest extends FakeDeviceTestCase {

    private static final int ILLEGAL_ADDRESS = 700;

    /** The lattices are deep. */
    private static final WarmUp.Sizes SIZES = new WarmUp.Sizes(200, 300, 50, 2);

    private final AtomicLong reserved = new AtomicLong();

    private List<String> warmUp(Wanted wanted, Stop stop) {
        return new TraversalBackends(Map.of(Wanted.CUDA, backends), new CpuBackend())
                .warmUp(wanted, SIZES, this::reserve, 2, stop);
    }

    /** Else it would not warm up what completes the sums of a graph without its trees. */
    @Test
    void shouldWarmUpWithAGraphWhoseTreesAreLeftOut() {
        Csc csc = WarmUp.withManyLeaves(WarmUp.Sizes.SHIPPED.large())
                .project(type -> Orientation.UNDIRECTED, node -> List.of(), 2, Stop.NEVER, Progress.NONE, reserve(0))
                .csc(2, Stop.NEVER);
        HangingTrees trees = HangingTrees.of(csc, Set.of(), Stop.NEVER);
        int weights = IntStream.range(0, csc.vertexCount())
                .filter(trees::isKept)
                .map(trees::weight)
                .reduce(0, (one, other) -> one | other);
        // each power of two in a weight may have a batch that is not full
        assertThat(trees.takenAwayCount() / WordsBatchKernels.MOST_SOURCES).isGreaterThan(Integer.bitCount(weights));
    }

    private HeapBudget.Reservation reserve(long bytes) {
        AtomicLong own = new AtomicLong(bytes);
        reserved.addAndGet(bytes);
        return new HeapBudget.Reservation() {
            @Override
            public void grow(long more) {
                own.addAndGet(more);
                reserved.addAndGet(more);
            }

            @Override
            public void close() {
                reserved.addAndGet(-own.getAndSet(0));
            }
        };
    }

    @Test
    void shouldLoadTheKernelsThatAutoMayChooseAndKeepNothing() {
        driver.device().onLaunch(entry -> assertThat(reserved.get()).isPositive());
        assertThat(warmUp(Wanted.AUTO, Stop.NEVER)).containsExactly("cpu", "cuda:0");
        // a module is loaded as a whole
        Set<String> modules = driver.device().launches().stream()
                .map(entry -> ShippedKernels.INTERFACE.entry(entry).module())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(modules)
                .containsExactly(
                        "betweenness",
                        "bfs_balls",
                        "bfs_directional",
                        "bfs_windows",
                        "compact_build",
                        "components",
                        "csc_order",
                        "farness",
                        "msbfs_blocks",
                        "msbfs_parts",
                        "msbfs_tiles",
                        "msbfs_words",
                        "near_far",
                        "permute",
                        "tiles_build");
        int scaleFree = 2;
        int lattices = 2;
        assertThat(launches("csc_relabel_pointers"))
                .as("orders, which are those of the small graphs once and those of the large ones repeatedly")
                .isEqualTo(scaleFree + (scaleFree + lattices) * SIZES.preparations());
        assertThat(driver.device().usedBytes()).isZero();
        assertThat(reserved).hasValue(0);
    }

    @Test
    void shouldOpenNoDeviceIfCallsRunOnTheCpu() {
        backends.close();
        assertThat(warmUp(Wanted.CPU, Stop.NEVER)).containsExactly("cpu");
        assertThat(backends.use()).isEmpty();
        assertThat(reserved).hasValue(0);
    }

    @Test
    void shouldWarmUpTheCpuIfNoDeviceCanBeOpened() {
        backends.close();
        driver.refuseToOpen(CudaException.OUT_OF_MEMORY);
        assertThat(warmUp(Wanted.AUTO, Stop.NEVER)).containsExactly("cpu");
    }

    @Test
    void shouldLeaveADeviceThatFailsToTheNextCall() {
        driver.device().failLaunch(ILLEGAL_ADDRESS);
        assertThatThrownBy(() -> warmUp(Wanted.AUTO, Stop.NEVER)).isInstanceOf(DeviceFailureException.class);
        assertThat(reserved).hasValue(0);
        assertThat(backends.choose().backend()).isNotNull();
    }

    @Test
    void shouldEndWithoutARestWhenStopped() {
        assertThatThrownBy(() -> warmUp(Wanted.AUTO, () -> true)).isInstanceOf(StoppedException.class);
        assertThat(driver.device().launches()).isEmpty();

        AtomicBoolean stopped = new AtomicBoolean();
        driver.device().onLaunch(entry -> stopped.set(true));
        assertThatThrownBy(() -> warmUp(Wanted.AUTO, stopped::get)).isInstanceOf(StoppedException.class);
        assertThat(stopped).isTrue();
        assertThat(driver.device().usedBytes()).isZero();
        assertThat(reserved).hasValue(0);
    }

    @Test
    void shouldLeaveTheDeviceToARunThatWaitsForIt() {
        Csc csc = TestGraphs.rmat(8, 12, 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        AtomicReference<Workers.Background> run = new AtomicReference<>();
        ConcurrentLinkedQueue<Thread> launching = new ConcurrentLinkedQueue<>();
        AtomicReference<Levels> levels = new AtomicReference<>();
        driver.device().onLaunch(entry -> {
            launching.add(Thread.currentThread());
            if (run.get() == null) {
                run.set(Workers.inBackground(stop -> {
                    try (LoadedGraph graph = backend.load(csc)) {
                        levels.set(graph.bfs(0, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunContext.of(1)));
                    }
                }));
                while (!DeviceBackends.isWanted(backend)) {
                    Thread.onSpinWait();
                }
            }
        });
        assertThat(warmUp(Wanted.AUTO, Stop.NEVER)).containsExactly("cpu", "cuda:0");
        run.get().await();
        assertThat(levels.get()).isNotNull();
        // the warm-up may get the device between two leases of the run, but not to its own end
        long ofWarmUp = launching.stream()
                .filter(thread -> thread == Thread.currentThread())
                .count();
        assertThat(ofWarmUp).isPositive().isLessThan(launching.size());
        launching.clear();
        assertThat(warmUp(Wanted.AUTO, Stop.NEVER)).containsExactly("cpu", "cuda:0");
        assertThat(launching).as("launches of a whole warm-up").hasSizeGreaterThan(10 * (int) ofWarmUp);
    }

    @Test
    void shouldReturnWhatTheHeapIsShortFor() {
        HeapBudget none = bytes -> {
            throw new IllegalStateException("no heap for " + bytes);
        };
        TraversalBackends all = new TraversalBackends(Map.of(Wanted.CUDA, backends), new CpuBackend());
        assertThatThrownBy(() -> all.warmUp(Wanted.CPU, SIZES, none, 2, Stop.NEVER))
                .hasMessageStartingWith("no heap for");
    }
}
