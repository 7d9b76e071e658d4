// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ExecutorHeapTest {

    private final List<String> done = new ArrayList<>();
    private final ExecutorHeap heap = new ExecutorHeap(100, () -> {});

    private void work(String what, long bytes, Stop stop) {
        heap.run(what, bytes, bytes, stop, () -> done.add(what));
    }

    @Test
    void shouldLetWorkRunAtTheSameTimeIfAQuarterStaysFree() {
        heap.run("outer", 50, 50, Stop.NEVER, () -> {
            work("inner", 25, Stop.NEVER);
            assertThatThrownBy(() -> work("too much", 26, () -> true)).isInstanceOf(StoppedException.class);
            return done.add("outer");
        });
        // alone
        work("large", 100, Stop.NEVER);
        assertThat(done).containsExactly("inner", "outer", "large");
    }

    @Test
    void shouldRefuseWhatDoesNotFitAlone() {
        ExecutorHeap.Kept graph = heap.keep(30);
        assertThatThrownBy(() -> work("A search", 71, Stop.NEVER))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MEMORY))
                .hasMessage("A search needs a heap of 71 Bytes, but the executor has 100 Bytes, of which graphs hold 30"
                        + " Bytes. Raise spark.executor.memory.");
        graph.set(29);
        work("fits", 71, Stop.NEVER);
        graph.close();
        work("all", 100, Stop.NEVER);
        assertThatThrownBy(() -> work("A search", 101, Stop.NEVER))
                .hasMessage("A search needs a heap of 101 Bytes, but the executor has 100 Bytes."
                        + " Raise spark.executor.memory.");
        assertThat(done).containsExactly("fits", "all");
    }

    @Test
    void shouldRunAloneWhatMayNeedMoreThanThereIs() {
        assertThat(heap.<Boolean>run("may need more", 60, 200, Stop.NEVER, () -> {
                    assertThatThrownBy(() -> work("small", 1, () -> true)).isInstanceOf(StoppedException.class);
                    return done.add("may need more");
                }))
                .isTrue();
        work("next", 100, Stop.NEVER);
        assertThat(done).containsExactly("may need more", "next");
    }

    @Test
    void shouldMakeRoomBeforeItRefuses() {
        List<ExecutorHeap.Kept> idle = new ArrayList<>();
        ExecutorHeap full = new ExecutorHeap(100, () -> idle.forEach(ExecutorHeap.Kept::close));
        idle.add(full.keep(60));
        assertThat(full.<Boolean>run("work", 80, 80, Stop.NEVER, () -> done.add("work")))
                .isTrue();
    }

    @Test
    void shouldReleaseTheHeapOfWorkThatFails() {
        assertThatThrownBy(() -> heap.run("failing", 100, 100, Stop.NEVER, () -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        work("next", 100, Stop.NEVER);
        assertThat(done).containsExactly("next");
    }

    @Test
    void shouldNotLetSmallWorkOvertakeLargeWork() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        Workers.Background[] large = new Workers.Background[1];
        heap.run("first", 50, 50, Stop.NEVER, () -> {
            large[0] = Workers.inBackground(stop -> heap.run(
                    "large",
                    90,
                    90,
                    () -> {
                        waits.countDown();
                        return false;
                    },
                    () -> done.add("large")));
            awaitUninterruptibly(waits);
            assertThatThrownBy(() -> work("small", 1, () -> true)).isInstanceOf(StoppedException.class);
            return done.add("first");
        });
        large[0].await();
        assertThat(done).containsExactly("first", "large");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
