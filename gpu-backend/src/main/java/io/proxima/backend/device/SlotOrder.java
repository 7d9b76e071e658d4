// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.RunContext;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/**
 * The order in which the vertices of a graph are stored on a device. A slot is a position in this order. Immutable.
 *
 * @param order never {@link VertexOrder#AUTO}
 * @param permutation slot of each vertex, on the heap; null for the identity
 * @param reason why this order was chosen, one sentence for the log
 */
public record SlotOrder(VertexOrder order, Permutation permutation, String reason) {

    /** The order of the projection. */
    public static SlotOrder natural(String reason) {
        return new SlotOrder(VertexOrder.NATURAL, null, reason);
    }

    /** Computes an order. Its reason includes the time. */
    public static SlotOrder of(Csc graph, OrderPolicy chosen, RunContext control) {
        if (chosen.order() == VertexOrder.NATURAL) {
            return natural(chosen.reason());
        }
        long begin = System.nanoTime();
        Permutation permutation =
                Orders.permutation(chosen.order(), graph, control.concurrency(), control.stop(), control.progress());
        long millis = (System.nanoTime() - begin) / 1_000_000;
        return new SlotOrder(chosen.order(), permutation, chosen.reason() + " Reordering took " + millis + " ms.");
    }

    /** The value of the configuration key {@code order}. */
    public String name() {
        return order.key();
    }

    public boolean isNatural() {
        return permutation == null;
    }

    /** Whether both have every vertex in the same slot. */
    public boolean isSameAs(SlotOrder other) {
        if (permutation == other.permutation || permutation == null || other.permutation == null) {
            return permutation == other.permutation;
        }
        return Arrays.equals(permutation.vertices(), other.permutation.vertices());
    }

    /** The slots of the given vertices; the same array if the permutation is the identity. */
    public int[] toSlots(int[] vertices, Stop stop) {
        if (permutation == null) {
            return vertices;
        }
        PacedStop paced = new PacedStop(stop);
        int[] slots = new int[vertices.length];
        for (int i = 0; i < slots.length; i++) {
            paced.worked(1);
            slots[i] = permutation.slot(vertices[i]);
        }
        return slots;
    }
}
