// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.bvss.SharedBvss;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Set;

/** The BVSS of a graph, in slot id space. */
public final class BvssStructure implements DeviceStructure<BvssStructure.SliceSets> {

    /** The one instance. */
    public static final BvssStructure BVSS = new BvssStructure();

    /** The number of virtual slice sets. */
    static final GraphSizes.Figure VIRTUAL_SLICE_SETS = new GraphSizes.Figure() {
        @Override
        public long least(GraphSizes graph) {
            return BvssLayout.fewestVirtualSliceSets(graph.vertexCount(), graph.entryCount());
        }

        @Override
        public long most(GraphSizes graph) {
            return BvssLayout.mostVirtualSliceSets(graph.vertexCount(), graph.entryCount());
        }
    };

    private BvssStructure() {}

    /**
     * The four arrays of {@link BvssLayout}, as device addresses.
     *
     * @param sliceSets number of slice sets
     * @param virtualSliceSets number of virtual slice sets
     * @param slices number of slices, without padding
     */
    public record SliceSets(
            DeviceArray array,
            int sliceSets,
            int virtualSliceSets,
            long slices,
            long realPtrs,
            long virtualToReal,
            long rowIds,
            long masks)
            implements Arrays {

        /** Sets the arguments of a kernel that reads them. */
        KernelArguments set(KernelArguments arguments) {
            return arguments
                    .set("realPtrs", realPtrs)
                    .set("virtualToReal", virtualToReal)
                    .set("rowIds", rowIds)
                    .set("masks", masks)
                    .set("sliceSets", sliceSets);
        }

        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(VIRTUAL_SLICE_SETS, (long) virtualSliceSets);
        }
    }

    @Override
    public String label() {
        return "slice sets";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return Layout.of(graph.vertexCount(), graph.figure(VIRTUAL_SLICE_SETS)).bytes();
    }

    @Override
    public Set<GraphSizes.Figure> figures() {
        return Set.of(VIRTUAL_SLICE_SETS);
    }

    @Override
    public long heapBytes(GraphSizes graph) {
        return bytes(graph);
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return BvssMaker.recipe(graph);
    }

    @Override
    public Recipe scarceRecipe(GraphSizes graph) {
        return Recipe.COPY;
    }

    /** {@inheritDoc} Built on the device, or on the host if building does not fit the device. */
    @Override
    public SliceSets build(BuildContext context) {
        try {
            return new BvssMaker(context).build();
        } catch (DeviceMemoryException e) {
            context.startOver();
            return onHost(context);
        }
    }

    private static SliceSets onHost(BuildContext context) {
        SharedBvss shared = SharedBvss.of(context.graphInSlots());
        try {
            return upload(context, shared.bvss(context.concurrency(), context.stop(), context.progress()));
        } finally {
            // a device that builds it meanwhile must find it
            Reference.reachabilityFence(shared);
        }
    }

    private static SliceSets upload(BuildContext context, Bvss bvss) {
        int concurrency = context.concurrency();
        Layout plan = Layout.of(bvss.vertexCount(), bvss.virtualSliceSetCount());
        context.progress()
                .beginTask(BackendTask.COPY.with("to " + context.device().name()), plan.bytes());
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the graph", plan.bytes());
            long at = array.address();
            lease.upload(at + plan.realPtrs(), bvss.realPtrs(), 0, bvss.realPtrs().length);
            lease.upload(at + plan.virtualToReal(), bvss.virtualToReal(), 0, bvss.virtualToReal().length);
            lease.upload(at + plan.rowIds(), bvss.rowIds(), concurrency);
            lease.upload(at + plan.masks(), bvss.masks(), concurrency);
            context.progress().advance(plan.bytes());
            return sliceSets(array, plan, bvss.vertexCount(), bvss.virtualSliceSetCount(), bvss.sliceCount());
        }
    }

    static SliceSets sliceSets(DeviceArray array, Layout plan, int vertexCount, int virtualSliceSets, long slices) {
        long at = array.address();
        return new SliceSets(
                array,
                BvssLayout.sliceSetCount(vertexCount),
                virtualSliceSets,
                slices,
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
    public static Grid grid(int vertexCount, long virtualSliceSets) {
        return Grid.cooperative(Math.max(vertexCount, virtualSliceSets * BvssLayout.WARP_SIZE));
    }
}
