// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;

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
    public record Slots(DeviceArray array, long slotOfVertex) implements Arrays {}

    @Override
    public String label() {
        return "slots";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.vertexCount());
    }

    @Override
    public Slots build(BuildContext context) {
        int n = context.graph().vertexCount();
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the order of the graph", bytes(n));
            lease.upload(array.address(), n, context.order().permutation()::slot, context.concurrency());
            return new Slots(array, array.address());
        }
    }

    private static long bytes(int vertexCount) {
        return ArrayLayout.bytesOf(vertexCount, Integer.BYTES);
    }
}
