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
import java.util.List;

/** The slots whose lists of neighbours are long, each of which bit-parallel kernels assign to many threads. */
final class LongListSlots implements DeviceStructure<LongListSlots.Slots> {

    /** Lists with more entries are long. */
    static final int LONG_LIST = 64;

    /** Lists with more entries are those of hubs, which whole workgroups do. */
    private static final int HUB_LIST = 8192;

    /** Slots whose lists are looked at together: enough to hide the latency of two copies. */
    private static final int SLOTS_AT_ONCE = 1 << 14;

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
            Finder finder = new Finder(lease, read.pointers(), n, array.address());
            int hubs = finder.append(HUB_LIST, Long.MAX_VALUE);
            int count = finder.append(LONG_LIST, HUB_LIST);
            return new Slots(array, array.address(), hubs, count);
        }
    }

    /** Finds long lists by the pointers of some slots at a time, because there may be many of both. */
    private static final class Finder {
        private final DeviceLease lease;
        private final long pointers;
        private final int vertexCount;
        private final long to;
        private final long[] read;
        private final int[] found;
        private int count;

        Finder(DeviceLease lease, long pointers, int vertexCount, long to) {
            this.lease = lease;
            this.pointers = pointers;
            this.vertexCount = vertexCount;
            this.to = to;
            int atOnce = Math.min(vertexCount, SLOTS_AT_ONCE);
            read = new long[atOnce + 1];
            found = new int[atOnce];
        }

        /** Appends the slots with more than {@code least} and up to {@code most} entries; returns the slots so far. */
        int append(long least, long most) {
            for (int first = 0; first < vertexCount; first += found.length) {
                int slots = Math.min(found.length, vertexCount - first);
                long from = pointers + (long) first * Long.BYTES;
                lease.download(new VertexOrderedArray(from, Long.BYTES, slots + 1, 0), read, 1);
                int more = 0;
                for (int i = 0; i < slots; i++) {
                    long entries = read[i + 1] - read[i];
                    if (entries > least && entries <= most) {
                        found[more++] = first + i;
                    }
                }
                lease.upload(to + (long) count * Integer.BYTES, found, 0, more);
                count += more;
            }
            return count;
        }
    }
}
