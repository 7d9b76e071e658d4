// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LongListSlotsTest extends FakeDeviceTestCase {

    private static final int SLOTS = 100_000;
    private static final int HUB = 77_777;

    LongListSlotsTest() {
        // large buffers, because each copy through a small one takes heap
        super(new LaunchPolicy(
                FakeDevices.ALL_MEMORY, 1 << 20, 256, 4, 2, LaunchPolicy.LEAST_SHARED_SUMS, RunOptions.AUTO));
    }

    /** An estimate promises no heap for them, however many they are. */
    @Test
    void shouldFindLongListsWithLittleHeap() {
        int least = LongListSlots.LONG_LIST + 1;
        EdgeList edges = new EdgeList(SLOTS);
        for (int vertex = 0; vertex < SLOTS; vertex++) {
            // every third list is one entry too short
            for (int i = 1; i <= least - (vertex % 3 == 0 ? 1 : 0); i++) {
                edges.add(vertex, (vertex + i) % SLOTS);
            }
        }
        for (int i = 1; i < 9000; i++) {
            edges.add(HUB, (HUB + i) % SLOTS);
        }
        Csc csc = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        ResidentGraph graph = new ResidentGraph(csc, backend.device(), backend.preparer());
        graph.addHandle();
        try (HeldGraph lists = graph.acquire(RunContext.of(1), 1);
                HeldGraph view = graph.acquire(RunContext.of(1), 1)) {
            lists.require(Set.of(HostCsr.OUT));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            view.require(Set.of(HostCsr.OUT, LongListSlots.OUT));
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            LongListSlots.Slots built = view.structure(LongListSlots.OUT);
            // the memory of the fake device is on the heap, too
            assertThat(allocated - built.array().bytes()).isLessThan(6L * SLOTS);

            int[] slots = new int[built.count()];
            try (DeviceLease lease = backend.device().lease(Stop.NEVER)) {
                lease.download(built.slots(), slots, 1);
            }
            assertThat(built.hubs()).isOne();
            assertThat(slots)
                    .isEqualTo(IntStream.concat(
                                    IntStream.of(HUB),
                                    IntStream.range(0, SLOTS).filter(slot -> slot % 3 != 0 && slot != HUB))
                            .toArray());
        } finally {
            graph.removeHandle();
            backend.device().workspace().close();
            backend.device().reclaim();
        }
    }
}
