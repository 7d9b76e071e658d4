// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Work of the host that takes seconds for a large graph, and looks at the stop meanwhile. */
class HostWorkStopTest extends FakeDeviceTestCase {

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void shouldStopBetweenTheAllocationsOfRows() {
        DeviceDistances distances = new DeviceDistances(1 << 18, 1, () -> looks.incrementAndGet() > 3);
        assertThatThrownBy(() -> distances.reset(0, 256, 1, Byte.BYTES)).isInstanceOf(StoppedException.class);
    }

    @Test
    void shouldStopWhileItListsTheSources() {
        int n = 1 << 20;
        Csc last = new EdgeList(n).add(n - 2, n - 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        RunContext control = new RunContext(1, () -> looks.incrementAndGet() > 50, Progress.NONE);
        assertThatThrownBy(() -> SumSources.listed(last, SlotOrder.natural(""), true, 1024, control))
                .isInstanceOf(StoppedException.class);
    }

    @Test
    void shouldEndTheSearchesIfTheHostFailsMeanwhile() {
        Csc csc = TestGraphs.hangingTrees(3_000, 3_000, 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Thread caller = Thread.currentThread();
        AtomicReference<Thread> other = new AtomicReference<>();
        Stop failing = () -> {
            if (Thread.currentThread() != caller) {
                other.set(Thread.currentThread());
                throw new OutOfMemoryError("no heap for the components");
            }
            return false;
        };
        try (LoadedGraph graph = backend.load(csc)) {
            driver.device().onLaunch(entry -> {
                if (entry.startsWith("msbfs_words_k")) {
                    // it has failed, and is idle
                    awaitThat(() -> other.get() != null && other.get().getState() == Thread.State.TIMED_WAITING);
                }
            });
            RunContext control = new RunContext(1, failing, Progress.NONE)
                    .with(with("bit-parallel").options());
            assertThatThrownBy(() -> graph.farness(Set.of(), control)).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(launches("msbfs_words_k")).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldStopBetweenTheSlotsOfSourcesAndTheSumsOfDevices() {
        int n = 1 << 16;
        SlotOrder order = new SlotOrder(VertexOrder.DEGREE, Permutation.identity(n), "");
        assertThatThrownBy(() -> order.toSlots(new int[n], () -> true)).isInstanceOf(StoppedException.class);
        Farness sums = Farness.zeros(n, Set.of());
        assertThatThrownBy(() -> sums.addAll(sums, () -> true)).isInstanceOf(StoppedException.class);
    }
}
