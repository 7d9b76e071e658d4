// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts for each vertex the sources that are equally near. The distances of a nearest-source search are known, so the
 * sources of a vertex are the union of those of its in-neighbours one hop nearer. Sets of 64 sources are propagated at a
 * time, as bits; each pass visits only the vertices that one of its sources is nearest to.
 */
public final class NearestTies {

    private static final int GRAIN = 512;
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    private final Csc graph;
    private final int[] distances;
    private final RunControl control;

    private final int[] ties;
    /** The sources of the current pass that are nearest to a vertex, as bits; 0 between passes. */
    private final long[] nearest;
    /** The vertices of the current pass, level by level. */
    private final int[] queue;

    private final AtomicInteger queued = new AtomicInteger();

    private NearestTies(Csc graph, int[] distances, RunControl control) {
        this.graph = graph;
        this.distances = distances;
        this.control = control;
        this.ties = new int[graph.vertexCount()];
        this.nearest = new long[graph.vertexCount()];
        this.queue = new int[graph.vertexCount()];
    }

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
     * @param sources the sources of the search, without repeats
     * @param distances {@code int[vertexCount]}: the distances that the search has found
     * @param control concurrency, stop and progress of the work
     * @return {@code int[vertexCount]}: the number of sources at that distance; 0 if none reaches the vertex
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] count(Csc graph, int[] sources, int[] distances, RunControl control) {
        NearestTies run = new NearestTies(graph, distances, control);
        control.progress().beginTask(BackendTask.NEAREST_TIES, sources.length);
        for (int first = 0; first < sources.length; first += Long.SIZE) {
            int end = Math.min(first + Long.SIZE, sources.length);
            run.pass(Arrays.copyOfRange(sources, first, end));
            control.progress().advance(end - first);
        }
        return run.ties;
    }

    private void pass(int[] sources) {
        for (int i = 0; i < sources.length; i++) {
            nearest[sources[i]] = 1L << i;
            queue[i] = sources[i];
        }
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
                    visit(queue[q]);
                }
            });
            begin += size;
        }
        for (int q = 0; q < begin; q++) {
            nearest[queue[q]] = 0;
        }
    }

    /** Counts the sources of a vertex, which are complete, and passes them on. */
    private void visit(int vertex) {
        long sources = nearest[vertex];
        ties[vertex] += Long.bitCount(sources);
        int next = distances[vertex] + 1;
        IntPages rows = graph.rowIndices();
        for (long i = graph.columnStart(vertex), end = graph.columnEnd(vertex); i < end; i++) {
            int neighbour = rows.get(i);
            if (distances[neighbour] == next
                    && (sources & ~(long) LONG.getOpaque(nearest, neighbour)) != 0
                    && (long) LONG.getAndBitwiseOr(nearest, neighbour, sources) == 0) {
                queue[queued.getAndIncrement()] = neighbour;
            }
        }
    }
}
