// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** The slots whose lists of neighbours are long, each of which bit-parallel kernels assign to many threads. */
final class LongListSlots implements DeviceStructure<LongListSlots.Slots> {

    /** Lists with more entries are long. */
    static final int LONG_LIST = 64;

    /** Lists with more entries are those of hubs, which whole workgroups do. */
    private static final int HUB_LIST = 8192;

    /** Of the in-lists. */
    static final LongListSlots IN = new LongListSlots(HostCsr.IN);

    /** Of the out-lists, which searches against the edges pull from. */
    static final LongListSlots OUT = new LongListSlots(HostCsr.OUT);

    private final HostCsr lists;

    private LongListSlots(HostCsr lists) {
        this.lists = lists;
    }

    /**
     * Slots with long lists.
     *
     * @param slots device address of {@code int[count]}: the hubs, ascending, then the others, ascending
     * @param hubs how many of them are hubs
     */
    record Slots(DeviceArray array, long slots, int hubs, int count) implements Arrays {}

    @Override
    public DeviceStructure<Slots> sharedBy(boolean symmetric) {
        return symmetric ? OUT : this;
    }

    @Override
    public String label() {
        return "long lists";
    }

    /** The shortest long lists are the most. */
    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.entryCount());
    }

    private static long bytes(long entryCount) {
        return ArrayLayout.bytesOf(Math.max(1, entryCount / (LONG_LIST + 1L)), Integer.BYTES);
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(lists), 0);
    }

    @Override
    public Slots build(BuildContext context) {
        CopiedLists.Lists read = context.structure(lists);
        int n = context.graph().vertexCount();
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(
                    lease, "the long lists of the graph", bytes(context.graph().entryCount()));
            Finder finder = new Finder();
            lease.download(new VertexOrderedArray(read.pointers(), Long.BYTES, n + 1, 0), 1, finder::take);
            int[] hubs = finder.hubs.build().toArray();
            int[] slots =
                    IntStream.concat(IntStream.of(hubs), finder.others.build()).toArray();
            lease.upload(array.address(), slots, 0, slots.length);
            return new Slots(array, array.address(), hubs.length, slots.length);
        }
    }

    /** Finds long lists by the pointers of consecutive slots. */
    private static final class Finder {
        private final IntStream.Builder hubs = IntStream.builder();
        private final IntStream.Builder others = IntStream.builder();
        private long previous;

        void take(ByteBuffer pointers, long offset, int bytes) {
            int first = (int) (offset / Long.BYTES);
            for (int i = 0; i < bytes / Long.BYTES; i++) {
                long pointer = pointers.getLong(i * Long.BYTES);
                if (pointer - previous > LONG_LIST) {
                    (pointer - previous > HUB_LIST ? hubs : others).add(first + i - 1);
                }
                previous = pointer;
            }
        }
    }
}
