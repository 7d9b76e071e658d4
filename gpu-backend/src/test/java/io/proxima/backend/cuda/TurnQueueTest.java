/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnQueueTest {

    @Test
    void shouldLetCallersInOneByOneInTheirOrder() {
        TurnQueue queue = new TurnQueue();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger inside = new AtomicInteger();
        Object first = queue.enter(Stop.NEVER);
        Workers.run(5, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                awaitLength(queue, 5);
                queue.leave(first);
                return;
            }
            // they line up one after the other
            awaitLength(queue, worker);
            Object ticket = queue.enter(stop);
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            order.add(worker);
            inside.decrementAndGet();
            queue.leave(ticket);
        });
        assertThat(order).containsExactly(1, 2, 3, 4);
        assertThat(queue.length()).isZero();
    }

    @Test
    void shouldLetAWaitingCallerStopWithoutLosingTheOthersPlaces() {
        TurnQueue queue = new TurnQueue();
        AtomicBoolean stopped = new AtomicBoolean();
        Object first = queue.enter(Stop.NEVER);
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        Workers.run(3, Stop.NEVER, (worker, stop) -> {
            if (worker == 1) {
                assertThatThrownBy(() -> queue.enter(stopped::get)).isInstanceOf(StoppedException.class);
                events.add("stopped");
            } else if (worker == 2) {
                awaitLength(queue, 2);
                Object ticket = queue.enter(stop);
                events.add("entered");
                queue.leave(ticket);
            } else {
                awaitLength(queue, 3);
                stopped.set(true);
                awaitLength(queue, 2);
                queue.leave(first);
            }
        });
        assertThat(events).containsExactlyInAnyOrder("stopped", "entered");
        assertThat(queue.length()).isZero();
    }

    @Test
    void shouldStopWhenInterrupted() {
        TurnQueue queue = new TurnQueue();
        Object first = queue.enter(Stop.NEVER);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> queue.enter(Stop.NEVER)).isInstanceOf(StoppedException.class);
        assertThat(Thread.interrupted()).isTrue();
        queue.leave(first);
        assertThat(queue.length()).isZero();
    }

    private static void awaitLength(TurnQueue queue, int length) {
        while (queue.length() != length) {
            Thread.onSpinWait();
        }
    }
}
