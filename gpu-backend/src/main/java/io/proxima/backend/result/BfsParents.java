// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.concurrent.AtomicMinimum;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

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
    private final Levels levels;
    private final RunControl control;
    private final int[] parents;

    private BfsParents(Csc graph, Levels levels, RunControl control) {
        this.graph = graph;
        this.levels = levels;
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
     * @param levels the levels that the search has found
     * @param control concurrency, stop and progress of the work
     * @return {@code int[vertexCount]}: the parent of each vertex, {@link #NO_PARENT} for the source and for unreached
     *     vertices
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] find(Csc graph, Levels levels, RunControl control) {
        control.progress().beginTask(BackendTask.BFS_PARENTS, graph.vertexCount());
        BfsParents search = new BfsParents(graph, levels, control);
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

    /** Takes the first of the in-neighbours, which ascend, that is one level nearer. */
    private void pull(Csc reversed, int vertex, PacedStop paced) {
        int level = levels.level(vertex);
        int parent = NO_PARENT;
        if (level > 0) {
            IntPages neighbours = reversed.rowIndices();
            long entry = reversed.columnStart(vertex);
            do {
                paced.worked(1);
                parent = neighbours.get(entry++);
            } while (levels.level(parent) != level - 1);
        }
        parents[vertex] = parent;
    }

    /** Offers a vertex as the parent of its out-neighbours that are one level farther. */
    private void push(int vertex, PacedStop paced) {
        int level = levels.level(vertex);
        if (level == LoadedGraph.UNREACHED || level == levels.depth()) {
            return;
        }
        IntPages neighbours = graph.rowIndices();
        for (long entry = graph.columnStart(vertex), end = graph.columnEnd(vertex); entry < end; entry++) {
            paced.worked(1);
            int neighbour = neighbours.get(entry);
            if (levels.level(neighbour) == level + 1) {
                AtomicMinimum.lower(parents, neighbour, vertex, NO_PARENT);
            }
        }
    }
}
