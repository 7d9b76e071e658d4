// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.MemoryTree;
import java.util.Arrays;

/**
 * The tight edges of a search over weights, recorded while it relaxes: those by which the cost of their target is that
 * of their source plus their weight. An edge is flat if that does not change the cost. Of parallel edges, the first
 * counts unless all do.
 */
public final class CheapestEdges {

    /** No vertex, and no edge. */
    public static final int NONE = -1;

    private final boolean parallel;

    /** By vertex: the source of one edge that is not flat. */
    private final int[] parents;

    /** By vertex: the last of the other edges that are not flat. */
    private final int[] lasts;

    private int[] others = new int[0];
    private int[] befores = others;
    private int otherCount;

    private int[] flatSources = others;
    private int[] flatTargets = others;
    private int flatCount;

    /**
     * Creates a record for the searches of a worker.
     *
     * @param parallel whether each of several edges between two vertices counts
     */
    public CheapestEdges(int vertexCount, boolean parallel) {
        this.parallel = parallel;
        parents = new int[vertexCount];
        lasts = new int[vertexCount];
    }

    /** Heap of a record. */
    public static MemoryTree memory(int vertexCount, long entryCount) {
        return MemoryTree.between(
                "cheapest edges", 0, 2L * Integer.BYTES * vertexCount + 2L * Integer.BYTES * entryCount);
    }

    /** Begins a search. */
    public void begin(int source) {
        otherCount = 0;
        flatCount = 0;
        parents[source] = NONE;
        lasts[source] = NONE;
    }

    /** Records an edge that has lowered the cost of its target. */
    public void lowered(int from, int to, boolean flat) {
        parents[to] = flat ? NONE : from;
        lasts[to] = NONE;
        if (flat) {
            addFlat(from, to);
        }
    }

    /**
     * Records an edge to a vertex that has the same cost already.
     *
     * @return whether an edge that is not flat counts
     */
    public boolean equalled(int from, int to, boolean flat) {
        if (flat) {
            addFlat(from, to);
            return false;
        }
        int latest = lasts[to] == NONE ? parents[to] : others[lasts[to]];
        if (latest == from && !parallel) {
            return false;
        }
        if (latest == NONE) {
            parents[to] = from;
        } else {
            addOther(from, to);
        }
        return true;
    }

    private void addOther(int from, int to) {
        if (otherCount == others.length) {
            others = longer(others);
            befores = Arrays.copyOf(befores, others.length);
        }
        others[otherCount] = from;
        befores[otherCount] = lasts[to];
        lasts[to] = otherCount++;
    }

    private void addFlat(int from, int to) {
        if (flatCount == flatSources.length) {
            flatSources = longer(flatSources);
            flatTargets = Arrays.copyOf(flatTargets, flatSources.length);
        }
        flatSources[flatCount] = from;
        flatTargets[flatCount++] = to;
    }

    private static int[] longer(int[] array) {
        return Arrays.copyOf(array, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(64, 2L * array.length)));
    }

    /** The source of one edge to a vertex that is not flat; {@link #NONE} if there is none. */
    public int parent(int vertex) {
        return parents[vertex];
    }

    /** The last of the other edges to a vertex; {@link #NONE} if there is none. */
    public int last(int vertex) {
        return lasts[vertex];
    }

    /** The source of another edge. */
    public int other(int edge) {
        return others[edge];
    }

    /** The edge before another one to the same vertex; {@link #NONE} if there is none. */
    public int before(int edge) {
        return befores[edge];
    }

    /** Number of flat edges. Those of one source follow each other, parallel ones too. */
    public int flatCount() {
        return flatCount;
    }

    /** The source of a flat edge. */
    public int flatSource(int flat) {
        return flatSources[flat];
    }

    /** The target of a flat edge. */
    public int flatTarget(int flat) {
        return flatTargets[flat];
    }
}
