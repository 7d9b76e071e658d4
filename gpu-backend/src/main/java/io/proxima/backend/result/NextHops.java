// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/**
 * A breadth-first search against the edges from a target: the next vertex of each vertex on a shortest path to it. It is
 * the first path of {@link ShortestPathDag#paths}. Vertices are expanded in the order in which they are found, and lists
 * ascend, so that the vertices of a level are in the order of their paths, read from the target back.
 */
public final class NextHops {

    private static final int NONE = -1;

    private NextHops() {}

    /**
     * Searches. Takes as much heap again as the result while it does.
     *
     * @param reversed the graph with every edge reversed
     * @param maxDepth the greatest length of a path, {@link LoadedGraph#NO_MAX_DEPTH} for any
     * @return {@code int[vertexCount]}: the next vertex, that of the target itself; -1 if no path leads to it; host,
     *     vertex id space
     */
    public static int[] to(int target, Csc reversed, int maxDepth, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] next = new int[reversed.vertexCount()];
        int[] queue = new int[reversed.vertexCount()];
        Arrays.fill(next, NONE);
        next[target] = target;
        queue[0] = target;
        int size = 1;
        int begin = 0;
        for (int level = 0; begin < size && (maxDepth == LoadedGraph.NO_MAX_DEPTH || level < maxDepth); level++) {
            for (int end = size; begin < end; begin++) {
                int vertex = queue[begin];
                for (long entry = reversed.columnStart(vertex); entry < reversed.columnEnd(vertex); entry++) {
                    paced.worked(1);
                    int before = reversed.rowIndices().get(entry);
                    if (next[before] == NONE) {
                        next[before] = vertex;
                        queue[size++] = before;
                    }
                }
            }
        }
        return next;
    }

    /** The vertices of the path from a vertex to the target; null if there is none. */
    public static int[] path(int[] next, int from, Stop stop) {
        if (next[from] == NONE) {
            return null;
        }
        PacedStop paced = new PacedStop(stop);
        int length = 1;
        for (int vertex = from; next[vertex] != vertex; vertex = next[vertex]) {
            length++;
            paced.worked(1);
        }
        int[] path = new int[length];
        path[0] = from;
        for (int step = 1; step < length; step++) {
            path[step] = next[path[step - 1]];
            paced.worked(1);
        }
        return path;
    }
}
