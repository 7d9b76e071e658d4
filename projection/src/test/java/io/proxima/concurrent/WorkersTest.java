// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Property(tries = 200)
    void shouldHandOutEachIndexOnce(
            @ForAll @IntRange(min = 1, max = 8) int concurrency,
            @ForAll @IntRange(max = 1000) int size,
            @ForAll @IntRange(min = 1, max = 1200) int grain) {
        AtomicIntegerArray times = new AtomicIntegerArray(size);
        AtomicBoolean fits = new AtomicBoolean(true);

        Workers.forRanges(concurrency, size, grain, Stop.NEVER, (worker, from, to) -> {
            if (worker < 0 || worker >= concurrency || to - from > grain) {
                fits.set(false);
            }
            for (long index = from; index < to; index++) {
                times.incrementAndGet((int) index);
            }
        });

        assertThat(fits).isTrue();
        for (int index = 0; index < size; index++) {
            assertThat(times.get(index)).as("index %d", index).isEqualTo(1);
        }
    }

    @Test
    void shouldRunAllWorkersAtOnceAndTheFirstOnTheCallingThread() {
        CyclicBarrier together = new CyclicBarrier(4);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Thread caller = Thread.currentThread();
        AtomicBoolean firstIsCaller = new AtomicBoolean();

        Workers.run(4, Stop.NEVER, (worker, stop) -> {
            meet(together);
            threads.add(Thread.currentThread());
            if (worker == 0) {
                firstIsCaller.set(Thread.currentThread() == caller);
            }
        });

        assertThat(threads).hasSize(4);
        assertThat(firstIsCaller).isTrue();
        threads.remove(caller);
        assertThat(threads)
                .allMatch(thread -> thread.isDaemon() && thread.getName().startsWith("proxima-worker-"));
    }

    @Test
    void shouldNotBeginWithoutAllThreads() {
        int concurrency = Workers.POOL.getPoolSize() + 4;
        AtomicInteger begun = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(concurrency);
        assertThatThrownBy(() -> ThreadShortage.during(
                        2,
                        () -> Workers.run(concurrency, Stop.NEVER, (worker, stop) -> {
                            begun.incrementAndGet();
                            // the others would wait for ever for one that is missing
                            meet(together);
                        })))
                .isInstanceOf(ThreadShortageException.class)
                .hasMessageContaining("of " + concurrency + " threads could be created")
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(begun).hasValue(0);
        Workers.run(concurrency, Stop.NEVER, (worker, stop) -> meet(together));
    }

    @Test
    void shouldStopTheOthersWhenOneFailsAndThrowItsFailureAfterAllHaveEnded() {
        AtomicInteger ended = new AtomicInteger();

        assertThatThrownBy(() -> Workers.run(3, Stop.NEVER, (worker, stop) -> {
                    try {
                        if (worker == 1) {
                            throw new OutOfMemoryError("worker 1");
                        }
                        while (true) {
                            stop.check();
                            Thread.onSpinWait();
                        }
                    } finally {
                        ended.incrementAndGet();
                    }
                }))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("worker 1");

        assertThat(ended).hasValue(3);
    }

    @Test
    void shouldBeginNoRangeOnceTheStopIsRequested() {
        AtomicInteger begun = new AtomicInteger();

        assertThatThrownBy(() -> Workers.forRanges(
                        2, 1_000_000, 1, () -> begun.get() >= 10, (worker, from, to) -> begun.incrementAndGet()))
                .isInstanceOf(StoppedException.class);

        // the other worker may have looked before the tenth had begun
        assertThat(begun.get()).isBetween(10, 11);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldWorkInTheBackgroundUntilItIsCancelled() {
        AtomicInteger ended = new AtomicInteger();
        Workers.Background background = Workers.inBackground(stop -> {
            while (!stop.requested()) {
                Thread.onSpinWait();
            }
            ended.set(Thread.currentThread().getPriority());
        });
        background.cancel();
        background.await();
        assertThat(ended).hasValue(Thread.MIN_PRIORITY);
    }
}
