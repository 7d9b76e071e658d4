// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.RunContext;
import io.proxima.backend.centrality.HangingTrees;
import io.proxima.backend.device.SlotOrder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.RadixSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The sources of sums. For chosen vertices they are in the order of their slots, because sources that are near each
 * other share more work. For all vertices they are in classes of equal weight, and in each class in the order of their
 * slots. Vertices that reach no other are left out.
 *
 * <p>With {@link HangingTrees}, a source counts for the vertices of its trees too. Only a class has a weight, so that a
 * search of many sources multiplies once. A weight that is no power of two, and that fewer sources have than a batch,
 * is the sum of other weights, and its sources are searched from once in the class of each.
 *
 * @param slots the sources, in slot id space; none if the kernels number all slots themselves
 * @param places by chosen vertex, in the caller's order: its place among the sources; behind them if it reaches no
 *     other. Null for all vertices
 * @param classes the sources of each weight, one class after the other
 * @param searched later slots are only in hanging trees, or have no edges
 * @param trees the trees that are left out, to be completed after the searches; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SumSources(int[] slots, int[] places, List<OfWeight> classes, int searched, HangingTrees trees) {

    /** Greater weights of classes are powers of two. */
    private static final int MOST_EXACT = 1 << 12;

    private static final int GRAIN = 1 << 14;

    private static final int[] NONE = {};

    /** Consecutive sources that each count for so many vertices. */
    record OfWeight(int weight, int count) {

        static List<OfWeight> ones(int count) {
            return count == 0 ? List.of() : List.of(new OfWeight(1, count));
        }
    }

    /** Whether the sums are of chosen vertices, by source. */
    boolean isChosen() {
        return places != null;
    }

    /** Number of sources. */
    int count() {
        return classes.stream().mapToInt(OfWeight::count).sum();
    }

    /**
     * The sources that kernels list for the sums of all vertices.
     *
     * @param graph vertex id space
     * @param mayCutTrees whether hanging trees are left out if that saves batches
     * @param batch sources of a batch
     */
    static SumSources listed(Csc graph, SlotOrder order, boolean mayCutTrees, int batch, RunContext control) {
        HangingTrees trees = mayCutTrees ? HangingTrees.of(graph, Set.of(), control.stop()) : null;
        if (trees != null && trees.takenAwayCount() > 0) {
            SumSources kept = listed(graph, order, trees, batch, control);
            if (kept.batches(batch) < (linked(graph, control.stop()) + batch - 1) / batch) {
                return kept;
            }
        }
        return listed(graph, order, null, batch, control);
    }

    private long batches(int sources) {
        return classes.stream()
                .mapToLong(same -> (same.count() + sources - 1L) / sources)
                .sum();
    }

    /** The number of vertices with edges. */
    private static long linked(Csc graph, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long linked = 0;
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            paced.worked(1);
            linked += graph.degree(vertex) > 0 ? 1 : 0;
        }
        return linked;
    }

    /**
     * The sources that kernels number for the sums of all vertices: all of them, including those that reach nothing,
     * unless no vertex reaches anything.
     */
    static SumSources numbered(Csc graph) {
        int n = graph.vertexCount();
        return new SumSources(NONE, null, OfWeight.ones(graph.entryCount() == 0 ? 0 : n), n, null);
    }

    private static SumSources listed(Csc graph, SlotOrder order, HangingTrees trees, int batch, RunContext control) {
        IntUnaryOperator vertexAt = order.isNatural() ? IntUnaryOperator.identity() : order.permutation()::vertex;
        int[] weights = new int[graph.vertexCount()];
        // the vertices of slots lie anywhere, so that this takes longer than all that follows
        Workers.forRanges(control.concurrency(), weights.length, GRAIN, control.stop(), (worker, from, to) -> {
            for (int slot = (int) from; slot < to; slot++) {
                weights[slot] = weight(graph, trees, vertexAt.applyAsInt(slot));
            }
        });
        PacedStop paced = new PacedStop(control.stop());
        int[] withWeight = new int[MOST_EXACT];
        int searched = 0;
        for (int slot = 0; slot < weights.length; slot++) {
            paced.worked(1);
            withWeight[Math.min(weights[slot], MOST_EXACT - 1)]++;
            searched = weights[slot] > 0 ? slot + 1 : searched;
        }
        // by weight: the greatest weight of a class that is not above it
        int[] nearest = new int[MOST_EXACT];
        for (int weight = 1; weight < MOST_EXACT; weight++) {
            boolean isExact = Integer.bitCount(weight) == 1 || (withWeight[weight] >= batch && weight < MOST_EXACT - 1);
            nearest[weight] = isExact ? weight : nearest[weight - 1];
        }
        int[] counts = new int[MOST_EXACT + Integer.SIZE];
        for (int weight : weights) {
            paced.worked(1);
            for (int rest = weight; rest > 0; rest -= nearest(rest, nearest)) {
                counts[place(nearest(rest, nearest))]++;
            }
        }
        int[] next = new int[counts.length];
        List<OfWeight> classes = new ArrayList<>();
        int count = 0;
        for (int place = 1; place < counts.length; place++) {
            next[place] = count;
            count = Math.addExact(count, counts[place]);
            if (counts[place] > 0) {
                classes.add(new OfWeight(place < MOST_EXACT ? place : 1 << (place - MOST_EXACT), counts[place]));
            }
        }
        int[] slots = new int[count];
        for (int slot = 0; slot < weights.length; slot++) {
            paced.worked(1);
            for (int rest = weights[slot]; rest > 0; rest -= nearest(rest, nearest)) {
                slots[next[place(nearest(rest, nearest))]++] = slot;
            }
        }
        return new SumSources(slots, null, classes, trees == null ? weights.length : searched, trees);
    }

    /** The number of vertices that a vertex counts for as a source; 0 if it is none. */
    private static int weight(Csc graph, HangingTrees trees, int vertex) {
        if (graph.degree(vertex) == 0) {
            return 0;
        }
        if (trees == null) {
            return 1;
        }
        return trees.isKept(vertex) && !trees.isRoot(vertex) ? trees.weight(vertex) : 0;
    }

    private static int nearest(int weight, int[] nearest) {
        return weight < MOST_EXACT ? nearest[weight] : Integer.highestOneBit(weight);
    }

    /** The place of a class among all possible ones, which ascend by weight. */
    private static int place(int weight) {
        return weight < MOST_EXACT ? weight : MOST_EXACT + Integer.numberOfTrailingZeros(weight);
    }

    /**
     * Chosen sources.
     *
     * @param graph vertex id space
     * @param vertices without repeats
     */
    static SumSources chosen(Csc graph, SlotOrder order, int[] vertices, Stop stop) {
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
        return new SumSources(slots, places, OfWeight.ones(searched), graph.vertexCount(), null);
    }

    /**
     * Heap of a run over the sums of all vertices besides its result, at most.
     *
     * @param cutsTrees whether trees may be left out
     */
    static MemoryTree memoryOfAll(long vertexCount, boolean cutsTrees) {
        long weightsAndSlots = 2 * Integer.BYTES * vertexCount;
        // the slots without the trees are dropped if that saves no batch; those of all vertices are listed then
        long cut = HangingTrees.memory(vertexCount, false).maxBytes() + Integer.BYTES * vertexCount;
        return MemoryTree.between("sources", 0, weightsAndSlots + (cutsTrees ? cut : 0));
    }

    /** Heap of a run over chosen vertices besides its result, at most. */
    static MemoryTree memory(int sources) {
        return MemoryTree.between(
                "order of the chosen nodes", 0, (long) sources * (2L * Long.BYTES + 2L * Integer.BYTES));
    }
}
