// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.atIndex;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Sums of several batches: which of them are launched, when, and what is left if one does not come to its end. */
class BatchesInFlightTest extends FakeDeviceTestCase {

    private static final String WORDS = "msbfs_words_k1024_grid";
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);
    private static final RunContext CONTROL = with("bit-parallel");
    // every vertex is searched from
    private static final Csc THREE_BATCHES = TestGraphs.grid(52, 50).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    BatchesInFlightTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldBeginABatchBeforeItWaitsForTheOneBeforeOnceTheyAreKnownToBeShort() {
        assertThat(batchesBegunWhenWaiting()).containsExactly(0, 1, 3, 3);
    }

    @Test
    void shouldBeginABatchAfterTheOneBeforeWhereBatchesLast() {
        driver.device().time(entry -> LaunchPolicy.MILLIS_OF_A_BATCH_IN_FLIGHT + 1);
        assertThat(batchesBegunWhenWaiting()).containsExactly(0, 1, 2, 3);
    }

    /** The number of batches begun whenever a run waits for a launch. The first one is that of the components. */
    private List<Integer> batchesBegunWhenWaiting() {
        List<Integer> begun = new ArrayList<>();
        driver.device().reachMarks(() -> {
            begun.add(launches(WORDS));
            return true;
        });
        try (LoadedGraph graph = backend.load(THREE_BATCHES)) {
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), CONTROL), THREE_BATCHES, Set.of());
        }
        return begun;
    }

    @Test
    void shouldNotSearchFromVerticesWithoutEdges() {
        EdgeList edges = new EdgeList(5000);
        // every fourth vertex has edges
        for (int i = 0; i < 1249; i++) {
            edges.add(4 * i + 1, 4 * i + 5);
        }
        edges.add(4 * 1249 + 1, 1);
        RecordingProgress progress = new RecordingProgress();
        for (Orientation orientation : List.of(Orientation.UNDIRECTED, Orientation.NATURAL, Orientation.REVERSE)) {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            for (VertexOrder order : List.of(VertexOrder.NATURAL, VertexOrder.DEGREE)) {
                int before = launches("msbfs_words_k");
                try (LoadedGraph graph = backend.load(csc)) {
                    RunContext watched = new RunContext(1, Stop.NEVER, progress)
                            .with(new RunOptions(order, Kernel.of("bit-parallel")));
                    // the harmonic sums of a cycle of 1,250 vertices take several passes
                    FakeDevices.assertAsOnCpu(graph.farness(Set.of(), watched), csc, Set.of());
                }
                assertThat(launches("msbfs_words_k") - before)
                        .as("%s %s", orientation, order)
                        .isEqualTo(2);
                assertThat(progress.tasks()).last().satisfies(begun -> assertThat(begun.done())
                        .hasValue(5000));
            }
        }
    }

    @Test
    void shouldEndAllThatIsInFlightWhenStopped() {
        try (LoadedGraph graph = backend.load(THREE_BATCHES)) {
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            long prepared = driver.device().usedBytes();
            // as kernels do that run until they are told to end
            driver.device().reachMarks(() -> launches(WORDS) == 1 || isToldToStop());
            RunContext stopped = new RunContext(1, () -> launches(WORDS) == 3, Progress.NONE).with(CONTROL.options());
            assertThatThrownBy(() -> graph.farness(ALL, stopped)).isInstanceOf(StoppedException.class);
            assertThat(launches(WORDS)).isEqualTo(3);
            assertThat(isToldToStop()).isTrue();
            backend.device().workspace().close();
            assertThat(driver.device().usedBytes()).isEqualTo(prepared);
            // the next run is not told
            driver.device().reachMarks(() -> !isToldToStop());
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), CONTROL), THREE_BATCHES, Set.of());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldLetOthersOntoTheDeviceBetweenBatches() {
        CountDownLatch first = new CountDownLatch(1);
        driver.device().onLaunch(entry -> {
            if (entry.equals(WORDS) && first.getCount() == 1) {
                first.countDown();
                awaitWaiting();
            }
        });
        try (LoadedGraph graph = backend.load(THREE_BATCHES);
                LoadedGraph other = backend.load(THREE_BATCHES)) {
            Runs.prepare(other, RunContext.of(1));
            Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    graph.farness(Set.of(), CONTROL);
                } else {
                    await(first);
                    other.bfs(0, -1, new int[0], RunContext.of(1));
                }
            });
        }
        assertThat(driver.device().launches())
                .filteredOn(entry -> entry.equals(WORDS) || entry.startsWith("bfs_"))
                .hasSize(4)
                .satisfies(second -> assertThat(second).startsWith("bfs_"), atIndex(1));
    }

    @Test
    void shouldReturnFreedMemoryToTheDriverBetweenBatches() {
        LoadedGraph dropped = backend.load(TestGraphs.path(1000).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER));
        Runs.prepare(dropped, RunContext.of(1));
        long bytes = Residences.bytes(dropped);
        List<Long> used = new ArrayList<>();
        try (LoadedGraph graph = backend.load(THREE_BATCHES)) {
            driver.device().onLaunch(entry -> {
                if (entry.equals(WORDS)) {
                    dropped.close();
                    used.add(driver.device().usedBytes());
                }
            });
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), CONTROL), THREE_BATCHES, Set.of());
        }
        assertThat(used).hasSize(3);
        assertThat(used.get(1)).isEqualTo(used.get(0) - bytes);
    }

    private boolean isToldToStop() {
        return backend.device().stopFlag().getInt(0) != 0;
    }
}
