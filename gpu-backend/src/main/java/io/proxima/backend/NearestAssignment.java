// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * The second half of a nearest-source search, shared by all backends. A BFS from all sources together has computed the
 * levels. Then, level by level, each vertex takes the smallest source index among its in-neighbours of the previous
 * level. That is the earliest of its nearest sources: a shortest path from each of them passes through such an
 * in-neighbour, of which it is also a nearest source.
 */
public final class NearestAssignment {

    private static final int NONE = -1;
    private static final int GRAIN = 512;

    private NearestAssignment() {}

    /**
     * Finds the nearest sources.
     *
     * @param graph vertex id space
     * @param sources vertices, without repeats
     * @param levels {@code int[vertexCount]}: hops from the nearest source; becomes part of the result
     * @param order the reached vertices, level by level; further entries are ignored
     * @param frontierSizes number of vertices of each level, from 0 to the deepest
     * @param control concurrency, stop and progress of the work
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static NearestSources assign(
            Csc graph, int[] sources, int[] levels, int[] order, long[] frontierSizes, RunControl control) {
        int[] nearest = new int[graph.vertexCount()];
        Arrays.fill(nearest, NONE);
        for (int i = 0; i < sources.length; i++) {
            nearest[sources[i]] = i;
        }
        control.progress().beginTask(BackendTask.NEAREST_SOURCE, graph.vertexCount());
        int begin = 0;
        for (int level = 0; level < frontierSizes.length - 1; level++) {
            int first = begin;
            int size = (int) frontierSizes[level];
            int nextLevel = level + 1;
            int threads = size <= GRAIN ? 1 : control.concurrency();
            Workers.forRanges(threads, size, GRAIN, control.stop(), (worker, from, to) -> {
                PacedStop paced = new PacedStop(control.stop());
                for (int q = first + (int) from; q < first + to; q++) {
                    paced.worked(graph.degree(order[q]));
                    offer(graph, levels, nearest, order[q], nextLevel);
                }
            });
            begin += size;
            control.progress().advance(size);
        }
        control.progress().advance(graph.vertexCount() - begin);
        return new NearestSources(levels, nearest);
    }

    private static void offer(Csc graph, int[] levels, int[] nearest, int vertex, int nextLevel) {
        int source = nearest[vertex];
        IntPages rows = graph.rowIndices();
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            if (levels[neighbour] == nextLevel) {
                AtomicMinimum.lower(nearest, neighbour, source, NONE);
            }
        }
    }
}
