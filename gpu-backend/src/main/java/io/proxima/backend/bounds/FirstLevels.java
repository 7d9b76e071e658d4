// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/** The first levels of up to 64 searches at once, by one thread. A bit stands for each source. */
final class FirstLevels {

    private final Csc lists;
    private final PacedStop paced;
    private final long[] seen;
    private final long[] next;
    private final long[] frontier;
    private int[] queue;
    private int[] nextQueue;
    private int queued;

    /** Receives the vertices of a level. */
    interface Visitor {
        /**
         * Receives a vertex once for each level that has it.
         *
         * @param sources the sources that reach it in this level
         * @param earlier those that have reached it before
         */
        void reached(int vertex, long sources, long earlier);
    }

    FirstLevels(Csc lists, Stop stop) {
        this.lists = lists;
        paced = new PacedStop(stop);
        int n = lists.vertexCount();
        seen = new long[n];
        next = new long[n];
        frontier = new long[n];
        queue = new int[n];
        nextQueue = new int[n];
    }

    /** Heap of the state. */
    static long bytes(int vertexCount) {
        return (3L * Long.BYTES + 2 * Integer.BYTES) * vertexCount;
    }

    /** Begins searches: the frontier is their sources. */
    void begin(int... sources) {
        Arrays.fill(seen, 0);
        queued = 0;
        for (int source : sources) {
            seen[source] = 1L << queued;
            frontier[source] = 1L << queued;
            queue[queued++] = source;
        }
    }

    /** Edges of the frontier. */
    long edges() {
        long edges = 0;
        for (int q = 0; q < queued; q++) {
            edges += lists.degree(queue[q]);
            paced.worked(1);
        }
        return edges;
    }

    /** For each vertex of the frontier, its sources and those that its neighbours have been reached from. */
    void visitBeyond(Visitor visitor) {
        for (int q = 0; q < queued; q++) {
            int vertex = queue[q];
            long around = 0;
            for (long e = lists.columnStart(vertex); e < lists.columnEnd(vertex); e++) {
                around |= seen[lists.rowIndices().get(e)];
            }
            visitor.reached(vertex, frontier[vertex], around);
            paced.worked(1 + lists.degree(vertex));
        }
    }

    /**
     * Goes one level further.
     *
     * @param live the sources whose searches go on
     * @return edges that were looked at
     */
    long advance(long live, Visitor visitor) {
        long edges = 0;
        int reached = 0;
        IntPages rows = lists.rowIndices();
        for (int q = 0; q < queued; q++) {
            int vertex = queue[q];
            long bits = frontier[vertex] & live;
            if (bits == 0) {
                continue;
            }
            long last = lists.columnEnd(vertex);
            for (long e = lists.columnStart(vertex); e < last; ) {
                int[] page = rows.pageOf(e);
                int from = (int) (e & rows.pageMask());
                int to = (int) Math.min(page.length, from + (last - e));
                for (int p = from; p < to; p++) {
                    int neighbour = page[p];
                    long fresh = bits & ~seen[neighbour];
                    if (fresh != 0) {
                        reached = enqueue(neighbour, reached);
                        next[neighbour] |= fresh;
                    }
                }
                e += to - from;
            }
            edges += lists.degree(vertex);
            paced.worked(1 + lists.degree(vertex));
        }
        int[] swapped = queue;
        queue = nextQueue;
        nextQueue = swapped;
        queued = reached;
        enter(visitor);
        return edges;
    }

    private int enqueue(int vertex, int count) {
        if (next[vertex] != 0) {
            return count;
        }
        nextQueue[count] = vertex;
        return count + 1;
    }

    /** Makes the reached vertices the frontier. */
    private void enter(Visitor visitor) {
        for (int q = 0; q < queued; q++) {
            int vertex = queue[q];
            long bits = next[vertex];
            next[vertex] = 0;
            frontier[vertex] = bits;
            visitor.reached(vertex, bits, seen[vertex]);
            seen[vertex] |= bits;
            paced.worked(1 + Long.bitCount(bits));
        }
    }
}
