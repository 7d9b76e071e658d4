// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.CopiedLists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;

/** The graph in compressed sparse rows, which the device brings into its order itself if it has room. */
public final class Csr extends CopiedLists {

    /** Out-neighbours of each slot, ascending. */
    public static final Csr OUT = new Csr(false);

    /** In-neighbours of each slot, ascending; those of a symmetric graph are its out-neighbours. */
    public static final Csr IN = new Csr(true);

    private Csr(boolean incoming) {
        super(incoming);
    }

    @Override
    public DeviceStructure<Lists> sharedBy(boolean symmetric) {
        return symmetric ? OUT : this;
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
    public Lists build(BuildContext context, Arrival arrival) {
        if (context.listsMapped()) {
            return copyInSlots(context, arrival);
        }
        try {
            return onDevice(context, arrival);
        } catch (DeviceMemoryException e) {
            context.startOver();
            return copyInSlots(context, arrival);
        }
    }

    private Lists onDevice(BuildContext context, Arrival arrival) {
        if (this == IN) {
            return new CsrMaker(context).transposed(context.structure(OUT));
        }
        return context.order().isNatural()
                ? copy(context, context.graph(), arrival)
                : new CsrMaker(context).copyOrdered();
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
