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

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.choice.OrderImprover;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapShortageException;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderImproverTest {

    private static final int[] NO_TARGETS = {};
    private static final String FIRST_KERNEL_OF_AN_ORDER = "csc_relabel_pointers_grid";
    private static final Csc GRAPH = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    private FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
    private CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO));

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        // the checking wrapper fails on anything left
        backends.close();
    }

    @Test
    void shouldImproveTheOrderOfAGraphThatIsUsedAgain() {
        try (LoadedGraph graph = backend().load(GRAPH)) {
            List<String> told = new ArrayList<>();
            assertThat(graph.order()).isEmpty();
            search(graph, 0, told);
            backend().improver().awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            search(graph, 1, told);
            backend().improver().awaitIdle();
            assertThat(graph.order()).isIn("degree", "rcm");
            search(graph, 2, told);
            assertThat(told).hasSize(3);
            assertThat(told.get(0)).startsWith("natural directional: ");
            assertThat(told.get(2))
                    .startsWith(graph.order() + " directional: Reordered from 'natural' in the background")
                    .contains("ms");
            assertThat(driver.device().usedBytes()).as("what lies there once").isEqualTo(graph.bytes() + searchBytes());
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldLeaveAnOrderThatWasAskedFor() {
        RunControl asked = RunControl.of(1).with(new RunOptions(VertexOrder.DEGREE, Kernel.AUTO));
        try (LoadedGraph graph = backend().load(GRAPH)) {
            for (int source = 0; source < 5; source++) {
                assertThat(graph.bfs(source, -1, NO_TARGETS, asked).levels())
                        .isEqualTo(TextbookBfs.levels(GRAPH, -1, source));
            }
            backend().improver().awaitIdle();
            assertThat(graph.order()).isEqualTo("degree");
        }
    }

    @Test
    void shouldExchangeOrdersThatAreAskedForInTurn() {
        try (LoadedGraph graph = backend().load(GRAPH)) {
            for (VertexOrder order : List.of(VertexOrder.HUBS, VertexOrder.NATURAL, VertexOrder.BFS)) {
                RunControl asked = RunControl.of(1).with(new RunOptions(order, Kernel.of("blest-full")));
                assertThat(graph.bfs(3, -1, NO_TARGETS, asked).levels()).isEqualTo(TextbookBfs.levels(GRAPH, -1, 3));
                assertThat(graph.order()).isEqualTo(order.key());
                assertThat(backend().device().memory().arrayCount())
                        .as("slice sets, in-lists, a search, and where there is an order the slots")
                        .isEqualTo(order == VertexOrder.NATURAL ? 3 : 4);
            }
        }
    }

    @Test
    void shouldEndWithTheGraph() {
        LoadedGraph graph = backend().load(GRAPH);
        driver.device().onLaunch(entry -> {
            if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                graph.close();
            }
        });
        List<String> told = new ArrayList<>();
        search(graph, 0, told);
        search(graph, 1, told);
        backend().improver().awaitIdle();
        assertThat(driver.device().launches()).contains(FIRST_KERNEL_OF_AN_ORDER);
        assertThat(driver.device().usedBytes()).isZero();
        graph.close();
    }

    @Test
    void shouldGoOnWithOtherGraphsWhenTheWorkOnOneFails() {
        List<String> log = new CopyOnWriteArrayList<>();
        backends.logTo(log::add);
        List<String> done = new CopyOnWriteArrayList<>();
        OrderImprover improver = backend().improver();
        improver.offer(1, stop -> {
            throw new OutOfMemoryError("simulated");
        });
        improver.offer(1, stop -> done.add("in the queue"));
        improver.awaitIdle();
        improver.offer(1, stop -> {
            throw new IllegalStateException("simulated");
        });
        improver.awaitIdle();
        improver.offer(1, stop -> done.add("offered later"));
        improver.awaitIdle();
        assertThat(done).containsExactly("in the queue", "offered later");
        assertThat(log).hasSize(2).allSatisfy(line -> assertThat(line)
                .contains("cuda:0", "stays as it is", "simulated"));
    }

    @Test
    void shouldReserveHeapAndLeaveOutWhatHasNone() {
        List<String> log = new CopyOnWriteArrayList<>();
        backends.logTo(log::add);
        List<Long> reserved = new CopyOnWriteArrayList<>();
        backends.reserveFrom(bytes -> {
            reserved.add(bytes);
            throw new HeapShortageException("simulated");
        });
        try (LoadedGraph graph = backend().load(GRAPH)) {
            List<String> told = new ArrayList<>();
            search(graph, 0, told);
            search(graph, 1, told);
            backend().improver().awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            assertThat(reserved).singleElement().satisfies(bytes -> assertThat(bytes)
                    .isGreaterThan(Csc.bytes(GRAPH.vertexCount(), GRAPH.entryCount())));
            assertThat(log).singleElement().asString().contains("simulated");
        }
    }

    @Test
    void shouldEndWithTheDevice() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        LoadedGraph graph = backend().load(GRAPH);
        driver.device().onLaunch(entry -> {
            if (entry.equals(FIRST_KERNEL_OF_AN_ORDER)) {
                begun.countDown();
                await(closed);
            }
        });
        List<String> told = new ArrayList<>();
        search(graph, 0, told);
        search(graph, 1, told);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        graph.close();
        closed.countDown();
        // waits for the work in the background, or the wrapper would find what it has allocated
        backends.close();
        assertThat(driver.device().isClosed()).isTrue();
    }

    @Test
    void shouldLeaveTheOrderWhereMemoryIsShort() {
        List<String> told = new ArrayList<>();
        long enough;
        try (LoadedGraph graph = backend().load(GRAPH)) {
            search(graph, 0, told);
            enough = driver.device().mostUsedBytes();
        }
        backends.close();
        driver = FakeDriver.hopper(enough);
        backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO));
        try (LoadedGraph graph = backend().load(GRAPH)) {
            search(graph, 0, told);
            search(graph, 1, told);
            backend().improver().awaitIdle();
            assertThat(graph.order()).isEqualTo("natural");
            assertThat(graph.residentOn()).isEqualTo("cuda:0");
            search(graph, 2, told);
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    private void search(LoadedGraph graph, int source, List<String> told) {
        RunObserver observer = new RunObserver() {
            @Override
            public void runsOn(String backend, String reason) {
                throw new AssertionError("only 'auto' chooses a backend");
            }

            @Override
            public void runsWith(String order, String kernel, String reason) {
                told.add(order + " " + kernel + ": " + reason);
            }
        };
        RunControl control = new RunControl(1, Stop.NEVER, Progress.NONE, observer);
        assertThat(graph.bfs(source, -1, NO_TARGETS, control).levels())
                .isEqualTo(TextbookBfs.levels(GRAPH, -1, source));
    }

    private long searchBytes() {
        return backend().device().workspace().idleBytes();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private CudaBackend backend() {
        return (CudaBackend) backends.choose().backend();
    }
}
