// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;

/**
 * The sources that are nearest to each vertex by cost. The costs of a search from all sources together are known, so
 * the nearest sources of a vertex are those of its in-neighbours with a tight edge to it: one whose weight is the
 * difference of the costs. A vertex is visited again when it has new sources, so that edges without cost may form
 * cycles. A source that costs more where its path meets that of another is not as near, even if rounding makes the
 * costs equal farther on.
 *
 * <p>The earliest nearest source of each vertex begins as the one at the other end of any path of tight edges along
 * which costs rise, found for all vertices side by side. Only vertices with another tight edge can lead to a later
 * source, or to none, and are visited then.
 */
public final class NearestByCost {

    /** Vertices of a range of a worker. */
    private static final int VERTICES_AT_ONCE = 1 << 12;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final WeightedCsc graph;
    private final double[] costs;
    private final RunContext control;
    private final PacedStop paced;

    // a circular queue of vertices, each of which waits once
    private final int[] queue;
    private final boolean[] waiting;
    private int head;
    private int size;

    private NearestByCost(WeightedCsc graph, double[] costs, RunContext control) {
        this.graph = graph;
        this.costs = costs;
        this.control = control;
        this.paced = new PacedStop(control.stop());
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
    public static int[] sources(WeightedCsc graph, int[] sources, double[] costs, RunContext control) {
        int[] nearest = new int[costs.length];
        Arrays.fill(nearest, LoadedGraph.UNREACHED);
        NearestByCost work = new NearestByCost(graph, costs, control);
        work.forVertices((paced, vertex) -> work.along(vertex, paced, target -> {
            boolean rises = costs[vertex] < costs[target];
            if (!rises || !INT.compareAndSet(nearest, target, LoadedGraph.UNREACHED, before(vertex))) {
                work.waiting[vertex] = true;
            }
        }));
        for (int source = 0; source < sources.length; source++) {
            nearest[sources[source]] = source;
        }
        work.forVertices((paced, vertex) -> follow(nearest, vertex, paced));
        work.forVertices((paced, vertex) -> {
            if (work.waiting[vertex]) {
                work.waiting[vertex] = false;
                work.along(vertex, paced, target -> {
                    if (isEarlier(nearest[vertex], nearest[target])) {
                        synchronized (work) {
                            work.enqueue(vertex);
                        }
                    }
                });
            }
        });
        work.run((vertex, target) -> {
            boolean earlier = isEarlier(nearest[vertex], nearest[target]);
            nearest[target] = earlier ? nearest[vertex] : nearest[target];
            return earlier;
        });
        return nearest;
    }

    /** Whether a source precedes another one; each precedes no source. */
    private static boolean isEarlier(int source, int other) {
        return Integer.compareUnsigned(source, other) < 0;
    }

    /** The mark of a vertex whose source is that of another one; no index, and not that of no source. */
    private static int before(int vertex) {
        return LoadedGraph.UNREACHED - 1 - vertex;
    }

    /** Replaces the marks of a vertex and of those before it by their source. Others may do so at the same time. */
    private static void follow(int[] nearest, int vertex, PacedStop paced) {
        int source = nearest[vertex];
        while (source < LoadedGraph.UNREACHED) {
            source = nearest[before(source)];
            paced.worked(1);
        }
        int at = vertex;
        for (int mark; (mark = nearest[at]) < LoadedGraph.UNREACHED; at = before(mark)) {
            nearest[at] = source;
        }
    }

    /**
     * Counts the sources that are equally near, 64 at a time.
     *
     * @param sources vertices, without repeats
     * @param costs {@code double[vertexCount]}: the costs that the search has found
     * @return {@code int[vertexCount]}: the number of sources at that cost; 0 if none reaches the vertex; host
     */
    public static int[] ties(WeightedCsc graph, int[] sources, double[] costs, RunContext control) {
        int[] ties = new int[costs.length];
        long[] near = new long[costs.length];
        NearestByCost work = new NearestByCost(graph, costs, control);
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
            along(vertex, paced, target -> {
                if (step.along(vertex, target)) {
                    enqueue(target);
                }
            });
        }
    }

    private void forVertices(ObjIntConsumer<PacedStop> work) {
        Workers.forRanges(control.concurrency(), costs.length, VERTICES_AT_ONCE, control.stop(), (worker, from, to) -> {
            PacedStop ofRange = new PacedStop(control.stop());
            for (int vertex = (int) from; vertex < to; vertex++) {
                work.accept(ofRange, vertex);
            }
        });
    }

    /** Visits the target of each tight edge from a vertex. */
    private void along(int vertex, PacedStop ofRange, IntConsumer visitor) {
        ofRange.worked(1);
        ShortestPaths.forTightEdges(graph, costs, vertex, ofRange, visitor);
    }
}
