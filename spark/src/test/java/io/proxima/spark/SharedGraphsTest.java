// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.IdMap;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedGraphsTest {

    private final AtomicInteger loaded = new AtomicInteger();

    private SharedGraph load() {
        loaded.incrementAndGet();
        Csc path = TestGraphs.path(3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        return new SharedGraph(
                new Origin("path", "neo4j", "neo4j", "", Instant.EPOCH, "store", "1"),
                IdMap.of(new long[] {0, 1, 2}),
                path,
                TraversalBackends.ofThisHost(BackendSettings.DEFAULTS)
                        .select(Wanted.CPU)
                        .backend(),
                new ExecutorTurn(Long.MAX_VALUE));
    }

    @Test
    void shouldLoadAGraphOnceForAllTasks() {
        SharedGraphs graphs = new SharedGraphs(Duration.ofHours(1));
        Workers.forRanges(4, 40, 1, Stop.NEVER, (worker, from, to) -> {
            try (SharedGraphs.Lease lease = graphs.acquire("path", this::load, Stop.NEVER)) {
                assertThat(lease.graph().vertexCount()).isEqualTo(3);
            }
        });
        assertThat(loaded).hasValue(1);
        assertThat(graphs.size()).isEqualTo(1);
    }

    @Test
    void shouldCloseAGraphAfterItsLastTask() throws InterruptedException {
        SharedGraphs graphs = new SharedGraphs(Duration.ofMillis(50));
        SharedGraphs.Lease first = graphs.acquire("path", this::load, Stop.NEVER);
        SharedGraphs.Lease second = graphs.acquire("path", this::load, Stop.NEVER);
        first.close();
        first.close();
        TimeUnit.MILLISECONDS.sleep(200);
        assertThat(graphs.size()).isEqualTo(1);

        second.close();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (graphs.size() > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(graphs.size()).isZero();
    }

    @Test
    void shouldMakeRoomForAnotherGraph() {
        SharedGraphs graphs = new SharedGraphs(Duration.ofHours(1));
        graphs.acquire("first", this::load, Stop.NEVER).close();
        SharedGraphs.Lease used = graphs.acquire("second", this::load, Stop.NEVER);
        graphs.acquire("third", this::load, Stop.NEVER).close();

        assertThat(graphs.size()).isEqualTo(2);
        used.close();
        assertThat(loaded).hasValue(3);
    }

    @Test
    void shouldLetTheNextTaskLoadIfOneFails() throws InterruptedException {
        SharedGraphs graphs = new SharedGraphs(Duration.ofHours(1));
        CountDownLatch loading = new CountDownLatch(1);
        Semaphore killed = new Semaphore(0);
        Workers.Background task = Workers.inBackground(stop -> assertThatThrownBy(() -> graphs.acquire(
                        "path",
                        () -> {
                            loading.countDown();
                            killed.acquireUninterruptibly();
                            throw new StoppedException();
                        },
                        stop))
                .isInstanceOf(StoppedException.class));
        loading.await();
        // a task that is killed while it waits
        assertThatThrownBy(() -> graphs.acquire("path", this::load, () -> true)).isInstanceOf(StoppedException.class);
        killed.release();

        try (SharedGraphs.Lease lease = graphs.acquire("path", this::load, Stop.NEVER)) {
            assertThat(lease.graph().vertexCount()).isEqualTo(3);
        }
        task.await();
        assertThat(graphs.size()).isEqualTo(1);
    }
}
