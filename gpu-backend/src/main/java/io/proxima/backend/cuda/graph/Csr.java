// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.projection.Csc;
import java.util.List;

/** The graph in compressed sparse rows: adjacency lists in slot id space. */
public final class Csr implements DeviceStructure<Csr.Lists> {

    /** Out-neighbours of each slot, ascending. */
    public static final Csr OUT = new Csr();

    /** In-neighbours of each slot, ascending; those of a symmetric graph are its out-neighbours. */
    public static final Csr IN = new Csr();

    private Csr() {}

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
    }

    @Override
    public DeviceStructure<Lists> sharedBy(boolean symmetric) {
        return symmetric ? OUT : this;
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

    static long pointerBytes(int vertexCount) {
        return ArrayLayout.bytesOf(vertexCount + 1L, Long.BYTES);
    }

    /** The bytes of the entries; room for at least one. */
    static long entryBytes(long entryCount) {
        return ArrayLayout.bytesOf(Math.max(1, entryCount), Integer.BYTES);
    }

    @Override
    public long heapBytes(GraphSizes graph) {
        return this == IN ? Csc.bytes(graph.vertexCount(), graph.entryCount()) : 0;
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return CsrMaker.recipe(this, graph);
    }

    @Override
    public Recipe scarceRecipe(GraphSizes graph) {
        return Recipe.COPY;
    }

    @Override
    public Lists make(Making making) {
        return make(making, (turn, lists, upTo) -> {});
    }

    /** As {@link #make}, and reports entries that have arrived on the device, if they arrive in their final places. */
    public Lists make(Making making, CsrMaker.Arrival arrival) {
        if (making.listsMapped()) {
            return onHost(making, arrival);
        }
        try {
            return onDevice(making, arrival);
        } catch (DeviceMemoryException e) {
            making.startOver();
            return onHost(making, arrival);
        }
    }

    private Lists onHost(Making making, CsrMaker.Arrival arrival) {
        Csc csc = making.graphInSlots();
        return new CsrMaker(making)
                .copy(this == IN ? csc.transposed(making.concurrency(), making.stop()) : csc, arrival);
    }

    private Lists onDevice(Making making, CsrMaker.Arrival arrival) {
        CsrMaker maker = new CsrMaker(making);
        if (this == IN) {
            return maker.transposed(making.structure(OUT));
        }
        return making.order().isNatural() ? maker.copy(making.graph(), arrival) : maker.copyOrdered();
    }

    /**
     * The layout of adjacency lists in one allocation: offsets of {@code long[vertexCount + 1]} pointers and {@code
     * int[entryCount]} indices.
     *
     * @param bytes of both
     */
    public record Layout(long pointers, long indices, long bytes) {

        public static Layout of(int vertexCount, long entryCount) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(
                    plan.add(vertexCount + 1L, Long.BYTES), plan.add(entryCount, Integer.BYTES), plan.bytes());
        }
    }
}
