// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;

/** The slots of the vertices of an ordered graph, for copying results to the host in vertex order. */
public final class VertexSlots implements DeviceStructure<VertexSlots.Slots> {

    /** The one instance. */
    public static final VertexSlots SLOTS = new VertexSlots();

    private VertexSlots() {}

    /**
     * The slots.
     *
     * @param slotOfVertex device address of {@code int[vertexCount]}, the slot of each vertex
     */
    record Slots(DeviceArray array, long slotOfVertex) implements Arrays {}

    @Override
    public String label() {
        return "slots";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.vertexCount());
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return Recipe.COPY;
    }

    @Override
    public Slots make(Making making) {
        int n = making.graph().vertexCount();
        try (DeviceLease lease = making.device().lease(making.stop())) {
            DeviceArray array = making.allocate(lease, "the order of the graph", bytes(n));
            lease.upload(array.address(), n, making.order().permutation()::slot, making.concurrency());
            return new Slots(array, array.address());
        }
    }

    public static long bytes(int vertexCount) {
        return ArrayLayout.bytesOf(vertexCount, Integer.BYTES);
    }
}
