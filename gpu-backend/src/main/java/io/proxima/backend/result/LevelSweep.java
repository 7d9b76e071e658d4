// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.QueueAppender;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries what is known of the sources of a finished breadth-first search to the vertices that they reach, level by
 * level, along the edges to the next level. What a vertex receives is complete before the vertex hands it on.
 */
final class LevelSweep {

    private static final int GRAIN = 512;

    private final Csc graph;
    private final int[] levels;
    private final RunContext control;

    /** The vertices of the sweep, level by level. */
    private final int[] queue;

    LevelSweep(Csc graph, int[] levels, RunContext control) {
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
        int begin = 0;
        int end = sources.length;
        while (begin < end) {
            control.stop().check();
            progress.advance(end - begin);
            int first = begin;
            begin = end;
            if (end - first <= GRAIN || control.concurrency() == 1) {
                QueueAppender received = new QueueAppender(queue, end);
                handOn(first, end, received, edge);
                end = received.end();
            } else {
                AtomicInteger tail = new AtomicInteger(end);
                Workers.forRanges(control.concurrency(), end - first, GRAIN, control.stop(), (worker, from, to) -> {
                    QueueAppender received = new QueueAppender(queue, tail);
                    handOn(first + (int) from, first + (int) to, received, edge);
                    received.flush();
                });
                end = tail.get();
            }
        }
        return end;
    }

    private void handOn(int from, int to, QueueAppender received, Edge edge) {
        PacedStop paced = new PacedStop(control.stop());
        for (int q = from; q < to; q++) {
            paced.worked(graph.degree(queue[q]));
            handOn(queue[q], received, edge);
        }
    }

    private void handOn(int vertex, QueueAppender received, Edge edge) {
        int next = levels[vertex] + 1;
        IntPages rows = graph.rowIndices();
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            if (levels[neighbour] == next && edge.handOn(vertex, neighbour)) {
                received.add(neighbour);
            }
        }
    }

    /** The vertex at a place of the last sweep. */
    int vertex(int place) {
        return queue[place];
    }
}
