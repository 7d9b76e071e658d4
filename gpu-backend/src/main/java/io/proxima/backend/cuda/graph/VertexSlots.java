/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
    public boolean suitsMappedLists() {
        return true;
    }

    @Override
    public Recipe recipe(GraphSizes graph, Recipe.Circumstances circumstances) {
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
