// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.IdMap;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.spark.Measure.Direction;
import io.proxima.spark.ProximaSparkException.Reason;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedGraphTest {

    private static final long HEAP = 1000;

    private final AtomicInteger loads = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger searches = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Semaphore released = new Semaphore(0);

    /** What the first call of the method waits in. */
    private String blocked = "";

    private long searchBytes;

    /** What a search may take in addition. */
    private long fallbackBytes;

    private SharedGraph graph() {
        Csc path = TestGraphs.path(3).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        return new SharedGraph(
                new Origin("path", "neo4j", "neo4j", "", Instant.EPOCH, "store", "1"),
                IdMap.of(new long[] {0, 1, 2}),
                path,
                new Fake(),
                new ExecutorTurn(HEAP));
    }

    private static Farness search(SharedGraph graph, Stop stop) {
        return graph.farness(Direction.INCOMING, new int[] {0}, Set.of(), new RunContext(1, stop, Progress.NONE));
    }

    @Test
    void shouldLoadOnceAndClose() {
        SharedGraph graph = graph();
        search(graph, Stop.NEVER);
        search(graph, Stop.NEVER);
        graph.close();
        assertThat(loads).hasValue(1);
        assertThat(closes).hasValue(1);
    }

    @Test
    void shouldStopATaskThatWaitsForTheSearchOfAnother() throws InterruptedException {
        blocked = "farness";
        SharedGraph graph = graph();
        Workers.Background first = Workers.inBackground(stop -> search(graph, stop));
        begun.await();

        assertThatThrownBy(() -> search(graph, () -> true)).isInstanceOf(StoppedException.class);

        released.release();
        first.await();
        assertThat(searches).hasValue(1);
        search(graph, Stop.NEVER);
        assertThat(searches).hasValue(2);
    }

    @Test
    void shouldRefuseASearchThatTheHeapDoesNotHold() {
        searchBytes = HEAP;
        Sessions.assertRefused(Reason.MEMORY, () -> search(graph(), Stop.NEVER))
                .hasMessageStartingWith("A search of the graph `path` with 1 threads needs a heap of 1000 Bytes")
                .hasMessageContaining("of which the graph holds ");
        assertThat(searches).hasValue(0);
    }

    @Test
    void shouldSearchOnADeviceIfTheHeapDoesNotHoldTheSearchOnTheCpu() {
        fallbackBytes = HEAP;
        search(graph(), Stop.NEVER);
        assertThat(searches).hasValue(1);
    }

    /** As a thread that feeds a script of the task does. */
    @Test
    void shouldEndTheUseOfATaskAfterItsSearch() throws InterruptedException {
        blocked = "farness";
        SharedGraphs graphs = new SharedGraphs(Duration.ofHours(1));
        SharedGraphs.Lease lease = graphs.acquire("path", this::graph, Stop.NEVER);
        SourceRows rows = new SourceRows(List.of("farness"), SourcePartition.ofRange(0, 1), lease, 1, Stop.NEVER);
        Workers.Background feeding = Workers.inBackground(stop -> rows.next());
        begun.await();
        Workers.Background ending = Workers.inBackground(stop -> rows.close());
        TimeUnit.MILLISECONDS.sleep(200);
        graphs.closeIdle(0);
        assertThat(closes).hasValue(0);

        released.release();
        feeding.await();
        ending.await();
        graphs.closeIdle(0);
        assertThat(closes).hasValue(1);
    }

    private void enter(String method) {
        if (method.equals(blocked) && begun.getCount() > 0) {
            begun.countDown();
            released.acquireUninterruptibly();
        }
    }

    private final class Fake implements TraversalBackend {
        @Override
        public BackendInfo info() {
            return new BackendInfo("fake", true, "", "", "", 0, 0, "");
        }

        @Override
        public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
            return MemoryEstimate.onHeap(MemoryTree.between("search", searchBytes, searchBytes + fallbackBytes));
        }

        @Override
        public LoadedGraph load(Csc graph) {
            loads.incrementAndGet();
            enter("load");
            return (LoadedGraph) Proxy.newProxyInstance(
                    LoadedGraph.class.getClassLoader(), new Class<?>[] {LoadedGraph.class}, (proxy, method, values) -> {
                        switch (method.getName()) {
                            case "farness" -> {
                                searches.incrementAndGet();
                                enter("farness");
                                return new Farness(new long[1], new long[1], null, null, null);
                            }
                            case "close" -> closes.incrementAndGet();
                            default -> throw new UnsupportedOperationException(method.getName());
                        }
                        return null;
                    });
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
