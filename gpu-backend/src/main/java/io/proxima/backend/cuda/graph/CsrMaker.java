// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static io.proxima.backend.cuda.driver.KernelConstants.SORTED_IN_BLOCK;
import static io.proxima.backend.cuda.driver.KernelConstants.SORT_TILE;

import io.proxima.backend.BackendTask;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.backend.device.graph.VertexSlots;
import io.proxima.projection.csc.Csc;
import java.util.List;

/**
 * Builds CSR on a device, from a CSC in host memory or from other lists on the device, with the kernels of
 * csc_order.cu. They scatter rows to their new columns and sort the columns.
 */
final class CsrMaker {

    /** Up to so many entries, a block sorts a column by itself in some 10 ms. */
    static final int LEAST_HUB = 1 << 20;

    // indices of the counters
    private static final int LONG_COUNT = 0;
    private static final int NEXT_TILE = 1;
    private static final int NEXT_COLUMN = 2;
    private static final int HUB_COUNT = 3;
    private static final int COUNTERS = 4;

    private final BuildContext context;
    private final Device device;
    private final Csc graph;
    private final int n;
    private final long entries;
    private final ArrayLayout plan;
    private final ArrayLayout scratchPlan;

    CsrMaker(BuildContext context) {
        this.context = context;
        this.device = context.device();
        this.graph = context.graph();
        this.n = graph.vertexCount();
        this.entries = graph.entryCount();
        this.plan = Csr.layout(n, entries);
        this.scratchPlan = scratch(n, entries, device.mostBlocks());
    }

    /** The recipe of {@link #transposed} or {@link #copyOrdered}, or of a copy. */
    static Recipe recipe(Csr lists, GraphSizes graph) {
        int n = graph.vertexCount();
        long entries = graph.entryCount();
        long reorder = scratch(n, entries, graph.mostBlocks()).bytes();
        if (lists == Csr.IN) {
            return new Recipe(List.of(Csr.OUT), reorder + sortBytes(entries));
        }
        return graph.ordered()
                ? new Recipe(
                        List.of(VertexSlots.SLOTS),
                        reorder + Csr.layout(n, entries).bytes())
                : Recipe.COPY;
    }

    /** Copies the graph and relabels it from vertices to slots. */
    Lists copyOrdered() {
        long slotOfVertex = context.structure(VertexSlots.SLOTS).slotOfVertex();
        context.progress().beginTask(BackendTask.COPY.with("to " + device.name()), plan.bytes());
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray scratch = context.allocate(lease, "the order of the graph", scratchPlan.bytes());
                DeviceArray unordered = context.allocate(lease, "the graph", plan.bytes())) {
            long pointers = unordered.address() + plan.at("ptrs");
            long indices = unordered.address() + plan.at("idx");
            Lists lists = Lists.allocate(context, lease);
            lease.upload(pointers, graph.columnPointers(), context.concurrency());
            lease.upload(
                    scratch.address() + scratchPlan.at("vertexOfSlot"),
                    n,
                    context.order().permutation()::vertex,
                    context.concurrency());
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments("csc_relabel_pointers_grid")
                            .set(scratchPlan, scratch.address())
                            .set("ptrs", pointers)
                            .set("newPtrs", lists.pointers())
                            .set("n", n));
            long[] done = {0};
            lease.upload(indices, graph.rowIndices(), context.concurrency(), upTo -> {
                lease.launchThreads(
                        upTo - done[0],
                        ShippedKernels.arguments("csc_relabel_entries_warp")
                                .set("ptrs", pointers)
                                .set("idx", indices)
                                .set("slotOfVertex", slotOfVertex)
                                .set("newPtrs", lists.pointers())
                                .set("newIdx", lists.indices())
                                .set("n", n)
                                .set("firstEntry", done[0])
                                .set("lastEntry", upTo));
                done[0] = upTo;
            });
            sort(lease, lists, scratch.address(), indices);
            context.progress().advance(plan.bytes());
            return lists;
        }
    }

    /** Transposes lists that are resident. */
    Lists transposed(Lists lists) {
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray scratch = context.allocate(lease, "the order of the graph", scratchPlan.bytes());
                DeviceArray other = context.allocate(lease, "the graph", sortBytes(entries))) {
            Lists reversed = Lists.allocate(context, lease);
            long counts = scratch.address() + scratchPlan.at("vertexOfSlot");
            lease.fill(counts, 0, (long) n * Integer.BYTES);
            lease.launchThreads(
                    entries,
                    ShippedKernels.arguments("csc_transpose_count_thread")
                            .set("idx", lists.indices())
                            .set("counts", counts)
                            .set("entries", entries));
            lease.launchThreads(
                    n,
                    ShippedKernels.arguments("csc_transpose_pointers_grid")
                            .set(scratchPlan, scratch.address())
                            .set("counts", counts)
                            .set("newPtrs", reversed.pointers())
                            .set("n", n));
            for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
                long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
                lease.launchThreads(
                        last - first,
                        ShippedKernels.arguments("csc_transpose_entries_warp")
                                .set("ptrs", lists.pointers())
                                .set("idx", lists.indices())
                                .set("counts", counts)
                                .set("newPtrs", reversed.pointers())
                                .set("newIdx", reversed.indices())
                                .set("n", n)
                                .set("firstEntry", first)
                                .set("lastEntry", last));
                lease.await();
            }
            sort(lease, reversed, scratch.address(), other.address());
            return reversed;
        }
    }

    /**
     * Sorts every column, in launches of some 10 ms, between which it can be stopped. The column of a hub has more
     * entries than a bitmap of all rows has words. The whole device sorts it: it sets the rows in the bitmap, and lists
     * them from there.
     *
     * @param other has room for all entries
     */
    private void sort(DeviceLease lease, Lists lists, long scratch, long other) {
        long longColumns = scratch + scratchPlan.at("longColumns");
        long lastHub = longColumns + (mostLong(entries) - 1) * Integer.BYTES;
        long counters = scratch + scratchPlan.at("counters");
        int[] counts = new int[COUNTERS];
        lease.fill(counters, 0, (long) COUNTERS * Integer.BYTES);
        do {
            lease.launchThreads(
                    4L * n,
                    ShippedKernels.arguments("csc_sort_columns_block")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set("longColumns", longColumns)
                            .set("longCount", counters + (long) LONG_COUNT * Integer.BYTES)
                            .set("lastHub", lastHub)
                            .set("hubCount", counters + (long) HUB_COUNT * Integer.BYTES)
                            .set("nextTile", counters + (long) NEXT_TILE * Integer.BYTES)
                            .set("n", n)
                            .set("mostEntries", Math.max(LEAST_HUB, markWords())));
            lease.download(counters, counts, 1);
        } while (counts[NEXT_TILE] <= (n - 1) / SORT_TILE);
        while (counts[NEXT_COLUMN] < counts[LONG_COUNT]) {
            lease.launchThreads(
                    entries,
                    ShippedKernels.arguments("csc_sort_long_columns_block")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set("other", other)
                            .set("longColumns", longColumns)
                            .set("longCount", counters + (long) LONG_COUNT * Integer.BYTES)
                            .set("nextColumn", counters + (long) NEXT_COLUMN * Integer.BYTES)
                            .set("bits", Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(n - 1, 1))));
            lease.download(counters, counts, 1);
        }
        int[] hubs = new int[counts[HUB_COUNT]];
        lease.download(lastHub - (hubs.length - 1L) * Integer.BYTES, hubs, 1);
        for (int hub : hubs) {
            long[] span = new long[2];
            lease.download(lists.pointers() + (long) hub * Long.BYTES, span);
            sortHub(lease, lists.indices(), span[0], span[1], other, scratch + scratchPlan.at("blockSums"));
        }
    }

    private void sortHub(DeviceLease lease, long indices, long begin, long end, long marks, long blockSums) {
        lease.fill(marks, 0, (long) markWords() * Integer.BYTES);
        for (long first = begin; first < end; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
            long last = Math.min(end, first + LaunchPolicy.ENTRIES_A_LAUNCH);
            lease.launchThreads(
                    last - first,
                    ShippedKernels.arguments("csc_mark_rows_thread")
                            .set("idx", indices)
                            .set("marks", marks)
                            .set("firstEntry", first)
                            .set("lastEntry", last));
            lease.await();
        }
        lease.launchThreads(
                markWords(),
                ShippedKernels.arguments("csc_list_rows_grid")
                        .set("marks", marks)
                        .set("idx", indices + begin * Integer.BYTES)
                        .set("blockSums", blockSums)
                        .set("words", markWords()));
        lease.await();
    }

    /** The number of words of a bit for each row. */
    private int markWords() {
        return (int) ((n + 31L) / 32);
    }

    /**
     * The scratch memory of relabelling and transposing: the vertices of the slots, or the remaining entries of each
     * row; the list of long columns, which is filled from its end with those of hubs; the counters; and one word per
     * block.
     */
    private static ArrayLayout scratch(int vertexCount, long entryCount, int mostBlocks) {
        return new ArrayLayout()
                .add("vertexOfSlot", vertexCount, Integer.BYTES)
                .add("longColumns", mostLong(entryCount), Integer.BYTES)
                .add("counters", COUNTERS, Integer.BYTES)
                .add("blockSums", mostBlocks, Long.BYTES);
    }

    private static long mostLong(long entryCount) {
        return entryCount / (SORTED_IN_BLOCK + 1L) + 1;
    }

    /** Bytes of the second copy of all entries that sorting needs. */
    private static long sortBytes(long entryCount) {
        return Csr.entryBytes(entryCount);
    }
}
