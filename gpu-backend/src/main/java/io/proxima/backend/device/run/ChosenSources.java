// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.device.SlotOrder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.RadixSort;

/**
 * The chosen vertices of a run, in the order of their slots, because sources that are near each other share more work.
 * Vertices that reach no other are left out.
 *
 * @param slots the sources, in slot id space
 * @param places by chosen vertex, in the caller's order: its place among the sources; behind them if it reaches no other
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ChosenSources(int[] slots, int[] places) {

    /** Number of chosen vertices. */
    int count() {
        return places.length;
    }

    /**
     * Orders vertices.
     *
     * @param graph vertex id space
     * @param vertices without repeats
     */
    static ChosenSources of(Csc graph, SlotOrder order, int[] vertices, Stop stop) {
        int[] slotOf = order.toSlots(vertices, stop);
        PacedStop paced = new PacedStop(stop);
        long[] bySlot = new long[vertices.length];
        int[] places = new int[vertices.length];
        int searched = 0;
        int left = vertices.length;
        for (int row = 0; row < vertices.length; row++) {
            paced.worked(1);
            // in a directed graph, edges may lead only to the vertex
            boolean mayReach = graph.isSymmetric() ? graph.degree(vertices[row]) > 0 : graph.entryCount() > 0;
            if (mayReach) {
                bySlot[searched++] = (long) slotOf[row] << Integer.SIZE | row;
            } else {
                places[row] = --left;
            }
        }
        bySlot = RadixSort.sort(bySlot, new long[searched], searched, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        int[] slots = new int[searched];
        for (int i = 0; i < searched; i++) {
            paced.worked(1);
            places[(int) bySlot[i]] = i;
            slots[i] = (int) (bySlot[i] >> Integer.SIZE);
        }
        return new ChosenSources(slots, places);
    }

    /** Heap of a run besides its result, at most. */
    static MemoryTree memory(int sources) {
        return MemoryTree.between(
                "order of the chosen nodes", 0, (long) sources * (2L * Long.BYTES + 2L * Integer.BYTES));
    }
}
