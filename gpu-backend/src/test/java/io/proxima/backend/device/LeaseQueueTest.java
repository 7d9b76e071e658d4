// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LeaseQueueTest {

    @Test
    void shouldStopWhenInterrupted() {
        LeaseQueue queue = new LeaseQueue();
        Object first = queue.enter(Stop.NEVER);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> queue.enter(Stop.NEVER)).isInstanceOf(StoppedException.class);
        assertThat(Thread.interrupted()).isTrue();
        queue.leave(first);
        assertThat(queue.length()).isZero();
    }

    @Test
    void shouldLetShortRunsOvertakeALongOneSoManyTimesOnly() {
        LeaseQueue queue = new LeaseQueue();
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Object first = queue.enter(Stop.NEVER);
        int shortRuns = LeaseQueue.MOST_OVERTAKES + 2;
        int callers = shortRuns + 2;
        Workers.run(callers + 1, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                awaitLength(queue, callers + 1);
                queue.leave(first);
                return;
            }
            awaitLength(queue, worker);
            boolean isLong = worker <= 2;
            Object ticket = queue.enter(stop, isLong ? LeaseQueue.RunLength.LONG : LeaseQueue.RunLength.SHORT);
            order.add((isLong ? "long " : "short ") + worker);
            queue.leave(ticket);
        });
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < shortRuns; i++) {
            if (i == LeaseQueue.MOST_OVERTAKES) {
                expected.add("long 1");
            }
            expected.add("short " + (i + 3));
        }
        expected.add("long 2");
        assertThat(order).isEqualTo(expected);
    }

    /** Threads that come as short and as long runs, some of which are stopped while they wait. */
    @Test
    void shouldServeEveryCallerWhateverTheOrder() {
        for (long seed = 1; seed <= 30; seed++) {
            LeaseQueue queue = new LeaseQueue();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger served = new AtomicInteger();
            AtomicInteger stopped = new AtomicInteger();
            long seedOfRun = seed;
            int threads = 6;
            int visits = 60;
            Workers.run(threads, Stop.NEVER, (worker, stop) -> {
                Random random = new Random(seedOfRun * 31 + worker);
                for (int visit = 0; visit < visits; visit++) {
                    boolean isLong = random.nextInt(3) == 0;
                    int polls = random.nextInt(8) == 0 ? random.nextInt(3) : -1;
                    AtomicInteger left = new AtomicInteger(polls);
                    Stop own = polls < 0 ? stop : () -> left.getAndDecrement() <= 0;
                    Object ticket;
                    try {
                        ticket = queue.enter(own, isLong ? LeaseQueue.RunLength.LONG : LeaseQueue.RunLength.SHORT);
                    } catch (StoppedException e) {
                        stopped.incrementAndGet();
                        continue;
                    }
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    if (random.nextBoolean()) {
                        LockSupport.parkNanos(random.nextInt(20_000));
                    }
                    inside.decrementAndGet();
                    served.incrementAndGet();
                    queue.leave(ticket);
                }
            });
            assertThat(served.get() + stopped.get()).as("seed %d", seed).isEqualTo(threads * visits);
            assertThat(queue.length()).as("seed %d", seed).isZero();
        }
    }

    private static void awaitLength(LeaseQueue queue, int length) {
        while (queue.length() != length) {
            Thread.onSpinWait();
        }
    }
}
