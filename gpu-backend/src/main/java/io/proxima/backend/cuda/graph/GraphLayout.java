// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.device.DeviceMemory;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.saved.SavedOrder;
import io.proxima.projection.Csc;

/**
 * The layout of a graph: its resident structures in one order. The order stays on the heap when the structures are evicted.
 */
public final class GraphLayout {

    /** The number of virtual slice sets. Known before BVSS is resident if it was saved. */
    public static final GraphSizes.Figure VIRTUAL_SLICE_SETS = new GraphSizes.Figure() {
        @Override
        public long least(GraphSizes graph) {
            return BvssLayout.fewestVirtualSliceSets(graph.vertexCount(), graph.entryCount());
        }

        @Override
        public long most(GraphSizes graph) {
            return BvssLayout.mostVirtualSliceSets(graph.vertexCount(), graph.entryCount());
        }
    };

    private final Csc graph;
    private final boolean symmetric;
    private final boolean mapped;
    private final DeviceMemory memory;
    private final ResidentStructures structures;

    // guarded by memory
    private SlotOrder order;
    private SavedOrder saved;
    public GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory) {
        this(graph, order, memory, false);
    }

    /**
     * A layout without structures.
     *
     * @param mapped whether its lists of neighbours lie in mapped host memory
     */
    GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory, boolean mapped) {
        this.graph = graph;
        this.mapped = mapped;
        // a graph may be found to be symmetric later, and a structure must not change its place
        this.symmetric = graph.isSymmetric();
        this.order = order;
        this.memory = memory;
        this.structures = new ResidentStructures(memory, symmetric);
    }

    /** The layout of a saved graph: BVSS is read from a file and need not be built. */
    public GraphLayout(Csc graph, SavedOrder saved, DeviceMemory memory) {
        this(graph, savedOrder(saved), memory);
        this.saved = saved;
        structures.know(VIRTUAL_SLICE_SETS, saved.virtualSliceSetCount());
    }

    static SlotOrder savedOrder(SavedOrder saved) {
        return new SlotOrder(saved.order(), saved.permutation(), "An earlier run saved this order.");
    }

    Csc graph() {
        return graph;
    }

    /** The resident structures. */
    public ResidentStructures structures() {
        return structures;
    }

    /** The saved graph that contains BVSS; null if there is none. */
    SavedOrder saved() {
        synchronized (memory) {
            return saved;
        }
    }

    /** Discards the saved graph, because its file cannot be used. */
    void forgetSaved() {
        synchronized (memory) {
            saved = null;
        }
    }

    boolean symmetric() {
        return symmetric;
    }

    /** Whether the lists of neighbours lie in mapped host memory. */
    public boolean mapped() {
        return mapped;
    }

    public SlotOrder order() {
        synchronized (memory) {
            return order;
        }
    }

    /** A snapshot of the state of the layout. */
    LayoutState state() {
        synchronized (memory) {
            return new LayoutState(
                    true,
                    !order.isNatural(),
                    symmetric,
                    mapped,
                    saved != null,
                    structures.figures(),
                    structures.structures(),
                    structures.structuresInUse(),
                    structures.bytesInUse(),
                    structures.mappedBytesInUse());
        }
    }
}
