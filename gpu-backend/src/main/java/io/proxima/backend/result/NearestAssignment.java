// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.BackendTask;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.AtomicMinimum;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/**
 * The second half of a nearest-source search, shared by all backends. A BFS from all sources together has computed the
 * levels. Then, level by level, each vertex takes the smallest source index among its in-neighbours of the previous
 * level. That is the earliest of its nearest sources: a shortest path from each of them passes through such an
 * in-neighbour, of which it is also a nearest source.
 */
public final class NearestAssignment {

    private static final int NONE = -1;

    private NearestAssignment() {}

    /**
     * Finds the nearest sources.
     *
     * @param graph vertex id space
     * @param sources vertices, without repeats
     * @param levels {@code int[vertexCount]}: hops from the nearest source; becomes part of the result
     * @param control concurrency, stop and progress of the work
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static NearestSources assign(Csc graph, int[] sources, int[] levels, RunContext control) {
        int[] nearest = new int[graph.vertexCount()];
        Arrays.fill(nearest, NONE);
        for (int i = 0; i < sources.length; i++) {
            nearest[sources[i]] = i;
        }
        control.progress().beginTask(BackendTask.NEAREST_SOURCE, graph.vertexCount());
        int reached = new LevelSweep(graph, levels, control)
                .run(
                        sources,
                        control.progress(),
                        (vertex, neighbour) -> AtomicMinimum.lower(nearest, neighbour, nearest[vertex], NONE) == NONE);
        control.progress().advance(graph.vertexCount() - reached);
        return new NearestSources(levels, nearest);
    }
}
