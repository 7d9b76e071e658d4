// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import static io.proxima.backend.cuda.driver.KernelConstants.PADDING_ROW;
import static io.proxima.backend.cuda.driver.KernelConstants.VSS_SLICES;

import io.proxima.backend.BackendTask;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.List;

/**
 * Builds BVSS on a device from resident lists: bvss_build.cu.
 */
final class BvssMaker {

    /** The limit of the format. */
    static final int MOST_VIRTUAL_SLICE_SETS = Integer.MAX_VALUE - 8;

    private static final long NULL = 0;
    private static final int TOTALS = 2;

    private final BuildContext context;
    private final Device device;
    private final int n;
    private final long entries;
    private final ArrayLayout plan;

    BvssMaker(BuildContext context) {
        this.context = context;
        this.device = context.device();
        this.n = context.graph().vertexCount();
        this.entries = context.graph().entryCount();
        this.plan = scratch(entries, device.mostBlocks());
    }

    /**
     * Builds the structure.
     *
     * @throws io.proxima.backend.DeviceMemoryException if memory is short; nothing stays allocated then
     * @throws KernelLimitException if there would be too many virtual slice sets
     */
    BvssStructure.SliceSets build() {
        Lists lists = context.structure(Csr.OUT);
        context.progress().beginTask(BackendTask.BUILD_BVSS.with("on " + device.name()), entries);
        try (DeviceLease lease = device.lease(context.stop());
                DeviceArray scratch = context.allocate(lease, "building the graph", plan.bytes())) {
            return build(lease, lists, scratch.address());
        }
    }

    /** The recipe of {@link #build}. */
    static Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT),
                scratch(graph.entryCount(), graph.mostBlocks()).bytes());
    }

    private BvssStructure.SliceSets build(DeviceLease lease, Lists lists, long at) {
        lease.fill(at + plan.at("marks"), 0, words(entries) * Integer.BYTES);
        for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
            mark(lease, lists, at, first, Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH));
            lease.await();
        }
        long words = words(entries);
        lease.launchThreads(
                words,
                ShippedKernels.arguments("bvss_build_sums_grid").set(plan, at).set("words", words));
        countSets(lease, lists, at, NULL);
        long[] totals = new long[TOTALS];
        lease.download(at + plan.at("total"), totals);
        int virtualSliceSets = checkedCount(totals[1]);
        ArrayLayout layout = BvssStructure.layout(n, virtualSliceSets);
        DeviceArray array = context.allocate(lease, "the graph", layout.bytes());
        BvssStructure.SliceSets sets =
                new BvssStructure.SliceSets(array, layout, BvssStructure.sliceSetCount(n), virtualSliceSets);
        lease.fill(sets.at("rowIds"), PADDING_ROW, (long) virtualSliceSets * VSS_SLICES * Integer.BYTES);
        lease.fill(sets.at("masks"), 0, (long) virtualSliceSets * VSS_SLICES);
        countSets(lease, lists, at, sets.at("realPtrs"));
        for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
            long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
            lease.launchThreads(
                    last - first,
                    ShippedKernels.arguments("bvss_build_slices_warp")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set(plan, at)
                            .set(sets.layout(), array.address())
                            .set("n", n)
                            .set("firstEntry", first)
                            .set("lastEntry", last));
            lease.await();
            context.progress().advance(last - first);
        }
        return sets;
    }

    private void mark(DeviceLease lease, Lists lists, long at, long first, long last) {
        lease.launchThreads(
                last - first,
                ShippedKernels.arguments("bvss_build_firsts_warp")
                        .set("ptrs", lists.pointers())
                        .set("idx", lists.indices())
                        .set(plan, at)
                        .set("n", n)
                        .set("firstEntry", first)
                        .set("lastEntry", last));
    }

    private void countSets(DeviceLease lease, Lists lists, long at, long realPtrs) {
        lease.launchThreads(
                BvssStructure.sliceSetCount(n),
                ShippedKernels.arguments("bvss_build_sets_grid")
                        .set("ptrs", lists.pointers())
                        .set(plan, at)
                        .set("realPtrs", realPtrs)
                        .set("total", at + plan.at("total") + Long.BYTES)
                        .set("n", n));
    }

    /**
     * Checks a number of virtual slice sets against the limit of the format, and returns it.
     *
     * @throws KernelLimitException if the number is above the limit
     */
    static int checkedCount(long virtualSliceSets) {
        if (virtualSliceSets > MOST_VIRTUAL_SLICE_SETS) {
            throw new KernelLimitException("The graph needs " + virtualSliceSets
                    + " virtual slice sets, more than the format can number: limit=" + MOST_VIRTUAL_SLICE_SETS
                    + ". Project fewer relationships or use the backend 'cpu', which needs no BVSS.");
        }
        return (int) virtualSliceSets;
    }

    /** The scratch memory: the marks of the first entries and their sums, one word per block, and the totals. */
    private static ArrayLayout scratch(long entryCount, int mostBlocks) {
        return new ArrayLayout()
                .add("marks", words(entryCount), Integer.BYTES)
                .add("sums", words(entryCount), Integer.BYTES)
                .add("blockSums", mostBlocks, Long.BYTES)
                .add("total", TOTALS, Long.BYTES);
    }

    /** Words of the marks: one more than the entries need, to store the sum after the last entry. */
    private static long words(long entryCount) {
        return entryCount / Integer.SIZE + 1;
    }
}
