// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
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

    public static long pointerBytes(int vertexCount) {
        return ArrayLayout.bytesOf(vertexCount + 1L, Long.BYTES);
    }

    /** The bytes of the entries; room for at least one. */
    public static long entryBytes(long entryCount) {
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
    public Lists build(BuildContext context) {
        return build(context, (turn, lists, upTo) -> {});
    }

    /** As {@link #build}, and reports entries that have arrived on the device, if they arrive in their final places. */
    public Lists build(BuildContext context, CsrMaker.Arrival arrival) {
        if (context.listsMapped()) {
            return onHost(context, arrival);
        }
        try {
            return onDevice(context, arrival);
        } catch (DeviceMemoryException e) {
            context.startOver();
            return onHost(context, arrival);
        }
    }

    private Lists onHost(BuildContext context, CsrMaker.Arrival arrival) {
        Csc csc = context.graphInSlots();
        return new CsrMaker(context)
                .copy(this == IN ? csc.transposed(context.concurrency(), context.stop()) : csc, arrival);
    }

    private Lists onDevice(BuildContext context, CsrMaker.Arrival arrival) {
        CsrMaker maker = new CsrMaker(context);
        if (this == IN) {
            return maker.transposed(context.structure(OUT));
        }
        return context.order().isNatural() ? maker.copy(context.graph(), arrival) : maker.copyOrdered();
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
