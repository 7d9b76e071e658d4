// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.BackendTask;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.projection.csc.Csc;
import java.util.List;

/**
 * The graph in compressed sparse rows: adjacency lists in slot id space, out-neighbours or in-neighbours of each slot,
 * ascending. They are copied from the host, in the order of the device.
 */
public abstract class CopiedLists implements DeviceStructure<CopiedLists.Lists> {

    private final boolean incoming;

    /**
     * Lists.
     *
     * @param incoming whether they have in-neighbours
     */
    protected CopiedLists(boolean incoming) {
        this.incoming = incoming;
    }

    /**
     * Lists.
     *
     * @param array the pointers, on the device
     * @param entries the indices, on the device or in mapped host memory
     * @param pointers device address of {@code long[vertexCount + 1]}
     * @param indices device address of {@code int[entryCount]}
     */
    public record Lists(DeviceArray array, DeviceArray entries, long pointers, long indices) implements Arrays {

        @Override
        public List<DeviceArray> allocations() {
            return List.of(array, entries);
        }

        /** Allocates lists of the graph, without content. */
        public static Lists allocate(BuildContext context, DeviceLease lease) {
            Csc graph = context.graph();
            DeviceArray pointers = context.allocate(lease, "the graph", pointerBytes(graph.vertexCount()));
            DeviceArray indices = context.allocateLists(lease, "the graph", entryBytes(graph.entryCount()));
            return new Lists(pointers, indices, pointers.address(), indices.address());
        }
    }

    @Override
    public String label() {
        return "lists of neighbours";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.vertexCount(), graph.entryCount());
    }

    @Override
    public long mappableBytes(GraphSizes graph) {
        return entryBytes(graph.entryCount());
    }

    /** The bytes of lists. */
    public static long bytes(int vertexCount, long entryCount) {
        return pointerBytes(vertexCount) + entryBytes(entryCount);
    }

    /** The bytes of the pointers. */
    public static long pointerBytes(int vertexCount) {
        return ArrayLayout.bytesOf(vertexCount + 1L, Long.BYTES);
    }

    /** The bytes of the entries; room for at least one. */
    public static long entryBytes(long entryCount) {
        return ArrayLayout.bytesOf(Math.max(1, entryCount), Integer.BYTES);
    }

    @Override
    public long heapBytes(GraphSizes graph, int concurrency) {
        return incoming
                ? Csc.transposingMemory(graph.vertexCount(), graph.entryCount(), concurrency)
                        .maxBytes()
                : 0;
    }

    @Override
    public Lists build(BuildContext context) {
        return copyInSlots(context);
    }

    /** Copies the graph in the order of the device, which the host computes. */
    protected final Lists copyInSlots(BuildContext context) {
        Csc graph = context.graphInSlots();
        return copy(context, incoming ? graph.transposed(context.concurrency(), context.stop()) : graph);
    }

    /** Copies a graph as it is. */
    protected static Lists copy(BuildContext context, Csc graph) {
        Device device = context.device();
        long bytes = bytes(graph.vertexCount(), graph.entryCount());
        context.progress().beginTask(BackendTask.COPY.with("to " + device.name()), bytes);
        try (DeviceLease lease = device.lease(context.stop())) {
            Lists lists = Lists.allocate(context, lease);
            lease.upload(lists.pointers(), graph.columnPointers(), context.concurrency());
            lease.upload(lists.indices(), graph.rowIndices(), context.concurrency());
            context.progress().advance(bytes);
            return lists;
        }
    }
}
