// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.concurrent.PacedStop;
import io.proxima.projection.csc.Csc;
import java.util.function.IntUnaryOperator;

/** The slots with entries: the sources that reach at least one other slot. */
public final class SourceSlots implements DeviceStructure<SourceSlots.Sources> {

    /** The one instance. */
    public static final SourceSlots SOURCES = new SourceSlots();

    private SourceSlots() {}

    /**
     * Sources.
     *
     * @param slots device address of {@code int[count]}: slots, ascending
     * @param count number of slots with entries
     */
    public record Sources(DeviceArray array, long slots, int count) implements Arrays {}

    @Override
    public String label() {
        return "sources";
    }

    /** Room for all slots, because only building determines how many have entries. */
    @Override
    public long bytes(GraphSizes graph) {
        return bytes(graph.vertexCount());
    }

    @Override
    public Sources build(BuildContext context) {
        Csc graph = context.graph();
        int n = graph.vertexCount();
        IntUnaryOperator vertexAt = context.order().isNatural()
                ? IntUnaryOperator.identity()
                : context.order().permutation()::vertex;
        PacedStop paced = new PacedStop(context.stop());
        int count = 0;
        for (int vertex = 0; vertex < n; vertex++) {
            paced.worked(1);
            count += graph.degree(vertex) > 0 ? 1 : 0;
        }
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the sources of the graph", bytes(n));
            int[] at = {0};
            lease.upload(array.address(), count, () -> {
                while (graph.degree(vertexAt.applyAsInt(at[0])) == 0) {
                    paced.worked(1);
                    at[0]++;
                }
                return at[0]++;
            });
            return new Sources(array, array.address(), count);
        }
    }

    /** Room for at least one slot. */
    static long bytes(int vertexCount) {
        return ArrayLayout.bytesOf(Math.max(1, vertexCount), Integer.BYTES);
    }
}
