// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.bvss.SharedBvss;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphLayout;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.Recipe;
import io.proxima.backend.order.UpdateDivergence;
import io.proxima.backend.saved.OrderedGraph;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The BVSS of a graph, in slot id space. */
public final class BvssStructure implements DeviceStructure<BvssStructure.SliceSets> {

    /** The one instance. */
    public static final BvssStructure BVSS = new BvssStructure();

    private BvssStructure() {}

    /**
     * The four arrays of {@link BvssLayout}, as device addresses.
     *
     * @param sliceSets number of slice sets
     * @param virtualSliceSets number of virtual slice sets
     * @param slices number of slices, without padding
     * @param divergence the update divergence, in rows
     */
    public record SliceSets(
            DeviceArray array,
            int sliceSets,
            int virtualSliceSets,
            long slices,
            double divergence,
            long realPtrs,
            long virtualToReal,
            long rowIds,
            long masks)
            implements Arrays {
        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(GraphLayout.VIRTUAL_SLICE_SETS, (long) virtualSliceSets);
        }
    }

    @Override
    public String label() {
        return "slice sets";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return Layout.of(graph.vertexCount(), graph.figure(GraphLayout.VIRTUAL_SLICE_SETS))
                .bytes();
    }

    @Override
    public Set<GraphSizes.Figure> figures() {
        return Set.of(GraphLayout.VIRTUAL_SLICE_SETS);
    }

    @Override
    public long heapBytes(GraphSizes graph) {
        return bytes(graph);
    }

    @Override
    public long savedHeapBytes(GraphSizes graph) {
        // a file also contains the order, which is compared with that of the layout
        return bytes(graph) + 2L * graph.vertexCount() * Integer.BYTES;
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return BvssMaker.recipe(graph);
    }

    @Override
    public Recipe scarceRecipe(GraphSizes graph) {
        return Recipe.COPY;
    }

    /**
     * {@inheritDoc} Copied from a saved graph if there is one. Otherwise built on the device, or on the host if
     * building does not fit the device.
     */
    @Override
    public SliceSets make(Making making) {
        Optional<OrderedGraph> saved = making.saved();
        if (saved.isPresent()) {
            return upload(making, saved.get().bvss(), saved.get().divergence());
        }
        try {
            return new BvssMaker(making).make();
        } catch (DeviceMemoryException e) {
            making.startOver();
            return onHost(making);
        }
    }

    private static SliceSets onHost(Making making) {
        int concurrency = making.concurrency();
        SharedBvss shared = SharedBvss.of(making.graphInSlots());
        try {
            Bvss bvss = shared.bvss(concurrency, making.stop(), making.progress());
            return upload(making, bvss, UpdateDivergence.of(bvss, concurrency, making.stop()));
        } finally {
            // a device that builds it meanwhile must find it
            Reference.reachabilityFence(shared);
        }
    }

    private static SliceSets upload(Making making, Bvss bvss, double divergence) {
        int concurrency = making.concurrency();
        Layout plan = Layout.of(bvss.vertexCount(), bvss.virtualSliceSetCount());
        making.progress()
                .beginTask(BackendTask.COPY.with("to " + making.device().name()), plan.bytes());
        try (DeviceLease lease = making.device().lease(making.stop())) {
            DeviceArray array = making.allocate(lease, "the graph", plan.bytes());
            long at = array.address();
            lease.upload(at + plan.realPtrs(), bvss.realPtrs(), 0, bvss.realPtrs().length);
            lease.upload(at + plan.virtualToReal(), bvss.virtualToReal(), 0, bvss.virtualToReal().length);
            lease.upload(at + plan.rowIds(), bvss.rowIds(), concurrency);
            lease.upload(at + plan.masks(), bvss.masks(), concurrency);
            making.progress().advance(plan.bytes());
            return sliceSets(
                    array, plan, bvss.vertexCount(), bvss.virtualSliceSetCount(), bvss.sliceCount(), divergence);
        }
    }

    static SliceSets sliceSets(
            DeviceArray array, Layout plan, int vertexCount, int virtualSliceSets, long slices, double divergence) {
        long at = array.address();
        return new SliceSets(
                array,
                BvssLayout.sliceSetCount(vertexCount),
                virtualSliceSets,
                slices,
                divergence,
                at + plan.realPtrs(),
                at + plan.virtualToReal(),
                at + plan.rowIds(),
                at + plan.masks());
    }

    /**
     * The layout of BVSS: offsets of the arrays of {@link BvssLayout}.
     *
     * @param bytes of all
     */
    public record Layout(long realPtrs, long virtualToReal, long rowIds, long masks, long bytes) {

        public static Layout of(int vertexCount, long virtualSliceSets) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(
                    plan.add(BvssLayout.sliceSetCount(vertexCount) + 1L, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets * BvssLayout.VSS_SLICES, Integer.BYTES),
                    plan.add(virtualSliceSets * BvssLayout.VSS_MASK_WORDS, Integer.BYTES),
                    plan.bytes());
        }
    }

    /** The grid of a kernel over BVSS: one thread per vertex and one warp per virtual slice set. */
    public static Grid grid(LaunchPolicy policy, int vertexCount, long virtualSliceSets) {
        return Grid.cooperative(policy.blockThreads(), Math.max(vertexCount, virtualSliceSets * BvssLayout.WARP_SIZE));
    }
}
