// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.Device;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.projection.csc.GraphDepth;

/** A graph on a device as one run sees it: one order, and the structures that the run has required. */
public interface GraphView extends GraphSizes, AutoCloseable {

    /** The device on which the graph is. */
    Device device();

    /** Whether searches have few or many levels. */
    GraphDepth depth();

    /** The memory that is promised to the run. */
    Placed placed();

    /** The order of the graph. */
    SlotOrder order();

    /**
     * The arrays of a structure.
     *
     * @throws IllegalStateException if the run has not required the structure
     */
    <A extends DeviceStructure.Arrays> A structure(DeviceStructure<A> structure);

    /** Device address of {@code int[vertexCount]}, the slot of each vertex; 0 if every vertex is its own slot. */
    long slotOfVertex();

    /** An array on the device with one entry per slot, to be copied to the host with one entry per vertex. */
    default VertexOrderedArray inVertexOrder(long address, int entryBytes) {
        return new VertexOrderedArray(address, entryBytes, vertexCount(), slotOfVertex());
    }

    /** Unpins the graph. */
    @Override
    void close();
}
