// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.DeviceMemory;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.projection.Csc;

/**
 * The layout of a graph: its resident structures in one order. The order stays on the heap when the structures are evicted.
 */
public final class GraphLayout {

    private final Csc graph;
    private final boolean symmetric;
    private final DeviceMemory memory;
    private final ResidentStructures structures;

    // guarded by memory
    private SlotOrder order;
    /** A layout without structures. */
    public GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory) {
        this.graph = graph;
        // a graph may be found to be symmetric later, and a structure must not change its place
        this.symmetric = graph.isSymmetric();
        this.order = order;
        this.memory = memory;
        this.structures = new ResidentStructures(memory, symmetric);
    }

    Csc graph() {
        return graph;
    }

    /** The resident structures. */
    public ResidentStructures structures() {
        return structures;
    }

    boolean symmetric() {
        return symmetric;
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
                    structures.figures(),
                    structures.bytesOf(structures.structures()),
                    structures.pinned(structures.structures()),
                    structures.bytesInUse(),
                    structures.mappedBytesInUse());
        }
    }
}
