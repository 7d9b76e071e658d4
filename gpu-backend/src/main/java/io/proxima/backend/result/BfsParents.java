// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Finds the parent of each vertex in a breadth-first search tree from the levels of a finished search: the lowest of
 * its in-neighbours that are one level nearer to the source. The tree is therefore equal for all backends and for every
 * number of threads.
 */
public final class BfsParents {

    /** The parent of the source and of unreached vertices. */
    public static final int NO_PARENT = -1;

    private static final int VERTICES_AT_ONCE = 512;

    private final Csc graph;
    private final IntUnaryOperator level;
    private final int[] sources;
    private final RunContext control;
    private final int[] parents;

    private BfsParents(Csc graph, IntUnaryOperator level, int[] sources, RunContext control) {
        this.graph = graph;
        this.level = level;
        this.sources = sources;
        this.control = control;
        this.parents = new int[graph.vertexCount()];
    }

    /** Heap of {@link #find}, which is that of its result. */
    public static MemoryTree memory(int vertexCount) {
        return MemoryTree.exactly("parent by node", (long) vertexCount * Integer.BYTES);
    }

    /**
     * Finds the parents. Uses the reversed graph if it exists, and does not build it.
     *
     * @param graph the graph of the search; vertex id space
     * @param level returns the level that the search has found for a vertex, {@link LoadedGraph#UNREACHED} for none
     * @param sources {@code int[vertexCount]}: the nearest source of each vertex, which a parent has in common with it;
     *     null for a search from one source
     * @param control concurrency, stop and progress of the work
     * @return {@code int[vertexCount]}: the parent of each vertex, {@link #NO_PARENT} for the source and for unreached
     *     vertices
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] find(Csc graph, IntUnaryOperator level, int[] sources, RunContext control) {
        control.progress().beginTask(BackendTask.BFS_PARENTS, graph.vertexCount());
        BfsParents search = new BfsParents(graph, level, sources, control);
        if (graph.hasTransposed()) {
            Csc reversed = graph.transposed(control.concurrency(), control.stop());
            search.forVertices((vertex, paced) -> search.pull(reversed, vertex, paced));
        } else {
            Arrays.fill(search.parents, NO_PARENT);
            search.forVertices(search::push);
        }
        return search.parents;
    }

    @FunctionalInterface
    private interface Step {
        void apply(int vertex, PacedStop paced);
    }

    private void forVertices(Step step) {
        Workers.forRanges(
                control.concurrency(), graph.vertexCount(), VERTICES_AT_ONCE, control.stop(), (worker, from, to) -> {
                    PacedStop paced = new PacedStop(control.stop());
                    for (int vertex = (int) from; vertex < to; vertex++) {
                        step.apply(vertex, paced);
                    }
                    control.progress().advance(to - from);
                });
    }

    private boolean isParent(int vertex, int neighbour) {
        return level.applyAsInt(vertex) == level.applyAsInt(neighbour) - 1
                && (sources == null || sources[vertex] == sources[neighbour]);
    }

    /** Takes the first of the in-neighbours, which ascend, that may be the parent. */
    private void pull(Csc reversed, int vertex, PacedStop paced) {
        int parent = NO_PARENT;
        if (level.applyAsInt(vertex) > 0) {
            IntPages neighbours = reversed.rowIndices();
            long entry = reversed.columnStart(vertex);
            do {
                paced.worked(1);
                parent = neighbours.get(entry++);
            } while (!isParent(parent, vertex));
        }
        parents[vertex] = parent;
    }

    /** Offers a vertex as the parent of its out-neighbours that are one level farther. */
    private void push(int vertex, PacedStop paced) {
        if (level.applyAsInt(vertex) == LoadedGraph.UNREACHED) {
            return;
        }
        IntPages neighbours = graph.rowIndices();
        for (long entry = graph.columnStart(vertex), end = graph.columnEnd(vertex); entry < end; entry++) {
            paced.worked(1);
            int neighbour = neighbours.get(entry);
            if (isParent(vertex, neighbour)) {
                AtomicMinimum.lower(parents, neighbour, vertex, NO_PARENT);
            }
        }
    }
}
