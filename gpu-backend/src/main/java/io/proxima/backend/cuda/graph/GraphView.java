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

import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.device.VertexOrderedArray;

/** What a run sees of a graph on a device while it holds it: one order and the structures it has asked for. */
public interface GraphView extends GraphSizes, AutoCloseable {

    /** Where its vertices lie. */
    SlotOrder order();

    /**
     * Arrays of the graph.
     *
     * @throws IllegalStateException if the run has not asked for them
     */
    <A extends DeviceStructure.Arrays> A structure(DeviceStructure<A> structure);

    /** Device address of {@code int[vertexCount]}, slot by vertex; 0 where every vertex is its own slot. */
    long slotOfVertex();

    /** Rows of one entry a slot, at a device address, to be handed over with one entry a vertex. */
    default VertexOrderedArray inVertexOrder(long address, int entryBytes) {
        return new VertexOrderedArray(address, entryBytes, vertexCount(), slotOfVertex());
    }

    /** Gives the graph back. */
    @Override
    void close();
}
