// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.BuildContext;
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
        if (context.onHost()) {
            return copyInSlots(context);
        }
        if (this == IN) {
            return new CsrMaker(context).transposed(context.structure(OUT));
        }
        return context.order().isNatural() ? copy(context, context.graph()) : new CsrMaker(context).copyOrdered();
    }

    /** The layout of adjacency lists in one allocation, as kernels name their arrays. */
    public static ArrayLayout layout(int vertexCount, long entryCount) {
        return new ArrayLayout().add("ptrs", vertexCount + 1L, Long.BYTES).add("idx", entryCount, Integer.BYTES);
    }
}
