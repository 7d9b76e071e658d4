// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;

/**
 * An order of slots in which consecutive slots are near each other in the graph: large balls that consist of small
 * balls. A ball grows breadth-first from a vertex next to the previous balls. If it runs out of vertices, it continues
 * from another such vertex.
 *
 * <p>The slots are divided into ranges, and each range is ordered on its own, so that ranges are processed in parallel.
 * If the given order of a mesh is by breadth-first levels, the result consists of patches as wide as long. If it is not
 * local at all, neighbours in different ranges remain far apart. The result depends on the graph and the slots only.
 */
public final class NestedBalls {

    private static final int RANGE = 1 << 16;

    /** The number of neighbours read of a longer list: a few of them fill the ball of a hub. */
    private static final int MOST_LOOKED_AT = 64;

    private static final int PLACED = -1;
    private static final int NONE = -1;

    private final Csc graph;
    private final Permutation order;

    // of the current range; slots count from its first one
    private int[] pointers = {};
    private int[] neighbours = {};
    private int[] large = {};
    private int[] small = {};
    // by slot: the large ball that it waits for, or PLACED
    private int[] open = {};

    private NestedBalls(Csc graph, Permutation order) {
        this.graph = graph;
        this.order = order;
    }

    /**
     * Orders the first slots of a graph.
     *
     * @param graph vertex id space; of a directed one the out-neighbours count
     * @param order vertices to slots; null if every vertex is its own slot
     * @param slotCount number of slots to order; their neighbours in other slots do not count
     * @param largeSize slots of a ball: a power of two up to {@value #RANGE}
     * @param smallSize slots of a ball within a ball: a power of two up to {@code largeSize}
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early
     * @return {@code int[slotCount]}: the slot at each position
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] of(
            Csc graph, Permutation order, int slotCount, int largeSize, int smallSize, int concurrency, Stop stop) {
        int[] slotAt = new int[slotCount];
        NestedBalls[] workers = new NestedBalls[concurrency];
        Workers.forRanges(concurrency, slotAt.length, RANGE, stop, (worker, from, to) -> {
            if (workers[worker] == null) {
                workers[worker] = new NestedBalls(graph, order);
            }
            workers[worker].orderRange((int) from, (int) to, largeSize, smallSize, slotAt);
        });
        return slotAt;
    }

    /** Heap bytes at most that {@link #of} takes, its result included. */
    public static long mostBytes(int vertexCount, long entryCount, int concurrency) {
        long slots = Math.min(vertexCount, RANGE);
        long ranges = Math.min(concurrency, (vertexCount + (RANGE - 1L)) / RANGE);
        long neighbours = Math.min(entryCount, ranges * slots * MOST_LOOKED_AT);
        return Integer.BYTES * (vertexCount + ranges * (4 * slots + 1) + neighbours);
    }

    private void orderRange(int first, int last, int largeSize, int smallSize, int[] slotAt) {
        int size = last - first;
        if (open.length < size) {
            pointers = new int[size + 1];
            large = new int[size];
            small = new int[size];
            open = new int[size];
        }
        list(first, last);
        for (int i = 0; i < size; i++) {
            small[i] = i;
            open[i] = 0;
        }
        grow(small, 0, size, largeSize, 0, large);
        for (int i = 0; i < size; i++) {
            open[large[i]] = i / largeSize;
        }
        for (int from = 0; from < size; from += largeSize) {
            grow(large, from, Math.min(size, from + largeSize), smallSize, from / largeSize, small);
        }
        for (int i = 0; i < size; i++) {
            slotAt[first + i] = first + small[i];
        }
    }

    /** Lists the neighbours within the range. */
    private void list(int first, int last) {
        int most = 0;
        for (int slot = first; slot < last; slot++) {
            most += Math.min(graph.degree(vertex(slot)), MOST_LOOKED_AT);
        }
        if (neighbours.length < most) {
            neighbours = new int[most];
        }
        IntPages rows = graph.rowIndices();
        int count = 0;
        for (int slot = first; slot < last; slot++) {
            pointers[slot - first] = count;
            int vertex = vertex(slot);
            long end = Math.min(graph.columnEnd(vertex), graph.columnStart(vertex) + MOST_LOOKED_AT);
            for (long at = graph.columnStart(vertex); at < end; at++) {
                int other = rows.get(at);
                int slotOfOther = order == null ? other : order.slot(other);
                if (slotOfOther >= first && slotOfOther < last) {
                    neighbours[count++] = slotOfOther - first;
                }
            }
        }
        pointers[last - first] = count;
    }

    private int vertex(int slot) {
        return order == null ? slot : order.vertex(slot);
    }

    /**
     * Places those of {@code seeds[from]} to {@code seeds[to - 1]}, all of one group, at the same indices of
     * {@code result}.
     */
    private void grow(int[] seeds, int from, int to, int ballSize, int group, int[] result) {
        int end = from;
        int nextSeed = from;
        // everything up to here has no open neighbour left
        int settled = from;
        while (end < to) {
            int begin = end;
            int full = Math.min(begin + ballSize, to);
            int grown = begin;
            while (end < full) {
                if (grown == end) {
                    int seed = NONE;
                    while (seed == NONE && settled < begin) {
                        seed = openNeighbour(result[settled], group);
                        settled += seed == NONE ? 1 : 0;
                    }
                    while (seed == NONE) {
                        int next = seeds[nextSeed++];
                        seed = open[next] == group ? next : NONE;
                    }
                    open[seed] = PLACED;
                    result[end++] = seed;
                }
                int slot = result[grown++];
                for (int at = pointers[slot]; at < pointers[slot + 1] && end < full; at++) {
                    int other = neighbours[at];
                    if (open[other] == group) {
                        open[other] = PLACED;
                        result[end++] = other;
                    }
                }
            }
        }
    }

    private int openNeighbour(int slot, int group) {
        for (int at = pointers[slot]; at < pointers[slot + 1]; at++) {
            if (open[neighbours[at]] == group) {
                return neighbours[at];
            }
        }
        return NONE;
    }
}
