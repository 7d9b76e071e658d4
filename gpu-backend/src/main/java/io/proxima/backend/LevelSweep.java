// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries what is known of the sources of a finished breadth-first search to the vertices that they reach, level by level,
 * along the edges to the next level. What a vertex receives is complete before the vertex hands it on.
 */
final class LevelSweep {

    private static final int GRAIN = 512;

    private final Csc graph;
    private final int[] levels;
    private final RunControl control;

    /** The vertices of the sweep, level by level. */
    private final int[] queue;

    private final AtomicInteger queued = new AtomicInteger();

    LevelSweep(Csc graph, int[] levels, RunControl control) {
        this.graph = graph;
        this.levels = levels;
        this.control = control;
        queue = new int[graph.vertexCount()];
    }

    /** An edge to the next level. */
    @FunctionalInterface
    interface Edge {
        /**
         * Hands on what a vertex has; called by several threads.
         *
         * @return whether the neighbour has received nothing before
         */
        boolean handOn(int vertex, int neighbour);
    }

    /**
     * Sweeps from sources, which have what they hand on.
     *
     * @param progress advances by the number of vertices
     * @return the number of vertices reached
     */
    int run(int[] sources, Progress progress, Edge edge) {
        System.arraycopy(sources, 0, queue, 0, sources.length);
        queued.set(sources.length);
        int begin = 0;
        while (begin < queued.get()) {
            int first = begin;
            int size = queued.get() - begin;
            int threads = size <= GRAIN ? 1 : control.concurrency();
            Workers.forRanges(threads, size, GRAIN, control.stop(), (worker, from, to) -> {
                PacedStop paced = new PacedStop(control.stop());
                for (int q = first + (int) from; q < first + to; q++) {
                    paced.worked(graph.degree(queue[q]));
                    handOn(queue[q], edge);
                }
            });
            begin += size;
            progress.advance(size);
        }
        return begin;
    }

    private void handOn(int vertex, Edge edge) {
        int next = levels[vertex] + 1;
        IntPages rows = graph.rowIndices();
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            if (levels[neighbour] == next && edge.handOn(vertex, neighbour)) {
                queue[queued.getAndIncrement()] = neighbour;
            }
        }
    }

    /** The vertex at a place of the last sweep. */
    int vertex(int place) {
        return queue[place];
    }
}
