// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.BackendTask;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.projection.Csc;
import java.util.List;

/**
 * Builds BVSS on a device from resident lists: bvss_build.cu. Marking begins while the lists are copied to the device.
 */
public final class BvssMaker {

    private static final long NULL = 0;

    private final DeviceStructure.BuildContext context;
    private final Device device;
    private final Csc graph;
    private final int n;
    private final long entries;
    private final Scratch plan;
    // marked entries, in whole slice sets
    private long marked;

    BvssMaker(DeviceStructure.BuildContext context) {
        this.context = context;
        this.device = context.device();
        this.graph = context.graph();
        this.n = graph.vertexCount();
        this.entries = graph.entryCount();
        this.plan =
                Scratch.of(entries, device.policy().mostBlocks(device.facts().multiprocessors()));
    }

    /**
     * Builds the structure.
     *
     * @throws io.proxima.backend.DeviceMemoryException if memory is short; nothing stays allocated then
     * @throws io.proxima.backend.bvss.BvssLimitException if there would be too many virtual slice sets
     */
    BvssStructure.SliceSets build() {
        try (DeviceArray scratch = scratch()) {
            long at = scratch.address();
            Csr.Lists lists = context.structure(
                    Csr.OUT,
                    inner -> Csr.OUT.build(inner, (lease, arriving, upTo) -> {
                        long complete = upTo == entries ? entries : beginOfSetWith(upTo);
                        mark(lease, arriving, at, complete);
                    }));
            context.progress().beginTask(BackendTask.BUILD_BVSS.with("on " + device.name()), entries);
            try (DeviceLease lease = device.lease(context.stop())) {
                return build(lease, lists, at);
            }
        }
    }

    private DeviceArray scratch() {
        try (DeviceLease lease = device.lease(context.stop())) {
            DeviceArray scratch = context.allocate(lease, "building the graph", plan.bytes());
            lease.fill(scratch.address() + plan.marks(), 0, Scratch.words(entries) * Integer.BYTES);
            return scratch;
        }
    }

    /** The recipe of {@link #build}. */
    static Recipe recipe(GraphSizes graph) {
        return new Recipe(
                List.of(Csr.OUT),
                Scratch.of(graph.entryCount(), graph.mostBlocks()).bytes());
    }

    private BvssStructure.SliceSets build(DeviceLease lease, Csr.Lists lists, long at) {
        while (marked < entries) {
            mark(lease, lists, at, Math.min(entries, marked + LaunchPolicy.ENTRIES_A_LAUNCH));
            lease.await();
        }
        long words = Scratch.words(entries);
        lease.launchThreads(
                words,
                ShippedKernels.arguments("bvss_build_sums_grid")
                        .set("marks", at + plan.marks())
                        .set("sums", at + plan.sums())
                        .set("blockSums", at + plan.blockSums())
                        .set("total", at + plan.totals())
                        .set("words", words));
        countSets(lease, lists, at, NULL);
        long[] totals = new long[Scratch.TOTALS];
        lease.download(new VertexOrderedArray(at + plan.totals(), Long.BYTES, totals.length, NULL), totals, 1);
        int virtualSliceSets = BvssBuilder.checkedCount(totals[1]);
        BvssStructure.Layout setsPlan = BvssStructure.Layout.of(n, virtualSliceSets);
        DeviceArray array = context.allocate(lease, "the graph", setsPlan.bytes());
        BvssStructure.SliceSets sets = BvssStructure.sliceSets(array, setsPlan, n, virtualSliceSets, totals[0]);
        lease.fill(
                sets.rowIds(), BvssLayout.PADDING_ROW, (long) virtualSliceSets * BvssLayout.VSS_SLICES * Integer.BYTES);
        lease.fill(sets.masks(), 0, (long) virtualSliceSets * BvssLayout.VSS_SLICES);
        countSets(lease, lists, at, sets.realPtrs());
        for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
            long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
            lease.launchThreads(
                    last - first,
                    ShippedKernels.arguments("bvss_build_slices_warp")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set("marks", at + plan.marks())
                            .set("sums", at + plan.sums())
                            .set("realPtrs", sets.realPtrs())
                            .set("virtualToReal", sets.virtualToReal())
                            .set("rowIds", sets.rowIds())
                            .set("masks", sets.masks())
                            .set("n", n)
                            .set("firstEntry", first)
                            .set("lastEntry", last));
            lease.await();
            context.progress().advance(last - first);
        }
        return sets;
    }

    private void mark(DeviceLease lease, Csr.Lists lists, long at, long upTo) {
        if (upTo > marked) {
            lease.launchThreads(
                    upTo - marked,
                    ShippedKernels.arguments("bvss_build_firsts_warp")
                            .set("ptrs", lists.pointers())
                            .set("idx", lists.indices())
                            .set("marks", at + plan.marks())
                            .set("n", n)
                            .set("firstEntry", marked)
                            .set("lastEntry", upTo));
            marked = upTo;
        }
    }

    private void countSets(DeviceLease lease, Csr.Lists lists, long at, long realPtrs) {
        lease.launchThreads(
                BvssLayout.sliceSetCount(n),
                ShippedKernels.arguments("bvss_build_sets_grid")
                        .set("ptrs", lists.pointers())
                        .set("marks", at + plan.marks())
                        .set("sums", at + plan.sums())
                        .set("realPtrs", realPtrs)
                        .set("blockSums", at + plan.blockSums())
                        .set("total", at + plan.totals() + Long.BYTES)
                        .set("n", n));
    }

    /**
     * The first entry of the slice set that contains an entry. The slice sets before it are complete even if the entry
     * has not arrived.
     */
    private long beginOfSetWith(long entry) {
        int low = 0;
        int high = BvssLayout.sliceSetCount(n);
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (graph.columnStart(BvssLayout.firstColumn(middle)) <= entry) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return graph.columnStart(BvssLayout.firstColumn(low));
    }

    /**
     * The layout of the scratch memory of building BVSS: offsets of the marks of the first entries and their sums,
     * {@code int[entryCount / 32 + 1]} each, of one word per block, and of two 64-bit totals.
     *
     * @param bytes of all
     */
    record Scratch(long marks, long sums, long blockSums, long totals, long bytes) {

        static final int TOTALS = 2;

        static Scratch of(long entryCount, int mostBlocks) {
            ArrayLayout plan = new ArrayLayout();
            return new Scratch(
                    plan.add(words(entryCount), Integer.BYTES),
                    plan.add(words(entryCount), Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.add(TOTALS, Long.BYTES),
                    plan.bytes());
        }

        /** Words of the marks: one more than the entries need, to store the sum after the last entry. */
        static long words(long entryCount) {
            return entryCount / Integer.SIZE + 1;
        }
    }
}
