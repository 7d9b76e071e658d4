// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.BackendTask;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Counts for each vertex the sources that are equally near. The distances of a nearest-source search are known, so the
 * sources of a vertex are the union of those of its in-neighbours one hop nearer. Sets of 64 sources are propagated at
 * a time, as bits; each pass visits only the vertices that one of its sources is nearest to.
 */
public final class NearestTies {

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    private NearestTies() {}

    /** Heap of {@link #count}, including its result. */
    public static MemoryTree memory(int vertexCount) {
        return MemoryTree.together(
                "ties",
                MemoryTree.exactly("ties by node", (long) vertexCount * Integer.BYTES),
                MemoryTree.exactly("nearest sources as bits", (long) vertexCount * Long.BYTES),
                MemoryTree.exactly("queue", (long) vertexCount * Integer.BYTES));
    }

    /**
     * Counts the sources that are equally near.
     *
     * @param graph the graph of the search; vertex id space
     * @param sources the sources of the search, without repeats; vertex id space
     * @param distances {@code int[vertexCount]}: the distances that the search has found
     * @param control concurrency, stop and progress of the work
     * @return {@code int[vertexCount]}: the number of sources at that distance; 0 if none reaches the vertex
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] count(Csc graph, int[] sources, int[] distances, RunContext control) {
        int[] ties = new int[graph.vertexCount()];
        // the sources of a pass that are nearest to a vertex, as bits; 0 between passes
        long[] nearest = new long[graph.vertexCount()];
        LevelSweep sweep = new LevelSweep(graph, distances, control);
        PacedStop paced = new PacedStop(control.stop());
        control.progress().beginTask(BackendTask.NEAREST_TIES, sources.length);
        for (int first = 0; first < sources.length; first += Long.SIZE) {
            int end = Math.min(first + Long.SIZE, sources.length);
            for (int s = first; s < end; s++) {
                nearest[sources[s]] = 1L << s;
            }
            int reached = sweep.run(
                    Arrays.copyOfRange(sources, first, end),
                    Progress.NONE,
                    (vertex, neighbour) -> add(nearest, vertex, neighbour));
            for (int place = 0; place < reached; place++) {
                int vertex = sweep.vertex(place);
                ties[vertex] += Long.bitCount(nearest[vertex]);
                nearest[vertex] = 0;
                paced.worked(1);
            }
            control.progress().advance(end - first);
        }
        return ties;
    }

    private static boolean add(long[] nearest, int vertex, int neighbour) {
        long sources = nearest[vertex];
        return (sources & ~(long) LONG.getOpaque(nearest, neighbour)) != 0
                && (long) LONG.getAndBitwiseOr(nearest, neighbour, sources) == 0;
    }
}
