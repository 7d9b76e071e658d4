// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A breadth-first search against the edges from a target. The next vertex of each vertex is that of the first path of
 * {@link ShortestPathDag#paths}: vertices are expanded in the order in which they are found, and lists ascend, so that
 * the vertices of a level are in the order of their paths, read from the target back.
 *
 * @param next {@code int[vertexCount]}: the next vertex on the way to the target, that of the target itself; -1 if no
 *     path leads to it; host, vertex id space
 * @param hops {@code int[vertexCount]}: the number of hops to the target, where a path leads to it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NextHops(int[] next, int[] hops) {

    private static final int NONE = -1;

    /**
     * Searches. Takes half as much heap again as the result while it does.
     *
     * @param reversed the graph with every edge reversed
     * @param sources the search ends when it has reached all of these vertices
     * @param maxDepth the greatest length of a path, {@link LoadedGraph#NO_MAX_DEPTH} for any
     */
    public static NextHops to(int target, Csc reversed, int[] sources, int maxDepth, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        NextHops found = new NextHops(new int[reversed.vertexCount()], new int[reversed.vertexCount()]);
        int[] queue = new int[reversed.vertexCount()];
        Arrays.fill(found.next, NONE);
        BitSet missing = new BitSet(reversed.vertexCount());
        for (int source : sources) {
            missing.set(source);
        }
        missing.clear(target);
        int left = missing.cardinality();
        found.next[target] = target;
        queue[0] = target;
        int size = 1;
        int begin = 0;
        for (int level = 0;
                left > 0 && begin < size && (maxDepth == LoadedGraph.NO_MAX_DEPTH || level < maxDepth);
                level++) {
            for (int end = size; left > 0 && begin < end; begin++) {
                int vertex = queue[begin];
                for (long entry = reversed.columnStart(vertex); entry < reversed.columnEnd(vertex); entry++) {
                    paced.worked(1);
                    int before = reversed.rowIndices().get(entry);
                    if (found.next[before] == NONE) {
                        found.next[before] = vertex;
                        found.hops[before] = level + 1;
                        queue[size++] = before;
                        left -= missing.get(before) ? 1 : 0;
                    }
                }
            }
        }
        return found;
    }

    /** Whether a path leads from a vertex to the target. */
    public boolean reachFrom(int vertex) {
        return next[vertex] != NONE;
    }

    /** The vertices of the first path from a vertex to the target. */
    public int[] path(int from, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] path = new int[hops[from] + 1];
        path[0] = from;
        for (int step = 1; step < path.length; step++) {
            paced.worked(1);
            path[step] = next[path[step - 1]];
        }
        return path;
    }

    /**
     * All shortest paths from a vertex to the target.
     *
     * @param graph the graph of the paths
     * @param reversed the graph with every edge reversed
     */
    public ShortestPathDag paths(int from, Csc graph, Csc reversed, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        Map<Integer, Integer> levels = new HashMap<>();
        Deque<Integer> queue = new ArrayDeque<>();
        levels.put(from, 0);
        queue.add(from);
        while (!queue.isEmpty()) {
            int vertex = queue.poll();
            for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
                paced.worked(2);
                int after = graph.rowIndices().get(entry);
                boolean leadsOn = reachFrom(after) && hops[after] == hops[vertex] - 1;
                if (leadsOn && levels.putIfAbsent(after, levels.get(vertex) + 1) == null) {
                    queue.add(after);
                }
            }
        }
        return ShortestPathDag.ofLevels(reversed, vertex -> levels.getOrDefault(vertex, NONE), stop);
    }
}
