// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;

/**
 * The sources that are nearest to each vertex by cost. The costs of a search from all sources together are known, so
 * the nearest sources of a vertex are those of its in-neighbours with a tight edge to it: one whose weight is the
 * difference of the costs. A vertex is visited again when it has new sources, so that edges without cost may form
 * cycles.
 */
public final class NearestByCost {

    private final WeightedCsc graph;
    private final double[] costs;
    private final PacedStop paced;

    // a circular queue of vertices, each of which waits once
    private final int[] queue;
    private final boolean[] waiting;
    private int head;
    private int size;

    private NearestByCost(WeightedCsc graph, double[] costs, Stop stop) {
        this.graph = graph;
        this.costs = costs;
        this.paced = new PacedStop(stop);
        this.queue = new int[graph.vertexCount()];
        this.waiting = new boolean[graph.vertexCount()];
    }

    /** Heap of {@link #sources} or of {@link #ties}, with the result. */
    public static MemoryTree memory(int vertexCount, boolean ties) {
        return MemoryTree.together(
                "nearest sources by cost",
                MemoryTree.exactly("result by node", (long) vertexCount * Integer.BYTES),
                MemoryTree.exactly("queue", (Integer.BYTES + 1L) * vertexCount),
                MemoryTree.exactly("nearest sources as bits", ties ? (long) vertexCount * Long.BYTES : 0));
    }

    /**
     * The nearest source of each vertex, the earliest of several.
     *
     * @param sources vertices, without repeats
     * @param costs {@code double[vertexCount]}: the costs that the search has found
     * @return {@code int[vertexCount]}: index of the source, {@link LoadedGraph#UNREACHED} for none; host
     */
    public static int[] sources(WeightedCsc graph, int[] sources, double[] costs, Stop stop) {
        int[] nearest = new int[costs.length];
        Arrays.fill(nearest, LoadedGraph.UNREACHED);
        NearestByCost work = new NearestByCost(graph, costs, stop);
        for (int source = 0; source < sources.length; source++) {
            nearest[sources[source]] = source;
            work.enqueue(sources[source]);
        }
        work.run((vertex, target) -> {
            if (nearest[target] != LoadedGraph.UNREACHED && nearest[target] <= nearest[vertex]) {
                return false;
            }
            nearest[target] = nearest[vertex];
            return true;
        });
        return nearest;
    }

    /**
     * Counts the sources that are equally near, 64 at a time.
     *
     * @param sources vertices, without repeats
     * @param costs {@code double[vertexCount]}: the costs that the search has found
     * @return {@code int[vertexCount]}: the number of sources at that cost; 0 if none reaches the vertex; host
     */
    public static int[] ties(WeightedCsc graph, int[] sources, double[] costs, Stop stop) {
        int[] ties = new int[costs.length];
        long[] near = new long[costs.length];
        NearestByCost work = new NearestByCost(graph, costs, stop);
        for (int first = 0; first < sources.length; first += Long.SIZE) {
            for (int source = first; source < Math.min(first + Long.SIZE, sources.length); source++) {
                near[sources[source]] = 1L << source;
                work.enqueue(sources[source]);
            }
            work.run((vertex, target) -> {
                long before = near[target];
                near[target] |= near[vertex];
                return near[target] != before;
            });
            for (int vertex = 0; vertex < ties.length; vertex++) {
                ties[vertex] += Long.bitCount(near[vertex]);
                near[vertex] = 0;
                work.paced.worked(1);
            }
        }
        return ties;
    }

    /** Hands on what is known of a vertex. */
    private interface Step {
        /** Returns whether the target of a tight edge has got something new. */
        boolean along(int vertex, int target);
    }

    private void enqueue(int vertex) {
        if (!waiting[vertex]) {
            waiting[vertex] = true;
            int place = head + size++;
            queue[place < 0 || place >= queue.length ? place - queue.length : place] = vertex;
        }
    }

    private void run(Step step) {
        while (size > 0) {
            int vertex = queue[head];
            head = head + 1 == queue.length ? 0 : head + 1;
            size--;
            waiting[vertex] = false;
            paced.worked(1L + graph.degree(vertex));
            for (long entry = graph.columnStart(vertex), end = graph.columnEnd(vertex); entry < end; entry++) {
                int target = graph.rowIndices().get(entry);
                double through = costs[vertex] + graph.weight(entry);
                // a sum above the greatest double is no cost, although it equals that of unreached vertices
                if (through == costs[target] && through != ShortestPaths.UNREACHED && step.along(vertex, target)) {
                    enqueue(target);
                }
            }
        }
    }
}
