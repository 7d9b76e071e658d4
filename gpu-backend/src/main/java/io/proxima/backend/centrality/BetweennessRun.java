// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.BackendTask;
import io.proxima.backend.GraphShape;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.Set;

/**
 * Betweenness of all vertices, apart from the searches, which a backend does.
 *
 * <p>Hanging trees of a symmetric graph are left out of the searches ({@link HangingTrees}). A kept vertex counts as
 * many sources and targets as it represents. The pairs that are separated within a tree are counted by their numbers:
 * removing a vertex of a tree leaves parts of known sizes. Sources with the same neighbours share a search ({@link
 * TwinSources}).
 */
public final class BetweennessRun {

    /** Searches by Brandes' algorithm on one backend. */
    @FunctionalInterface
    public interface Engine {
        /**
         * Searches from all sources.
         *
         * @param control whose progress the engine advances by each source, in a task that has begun
         * @return {@code double[slotCount]}: for each slot the sum of the dependencies of all sources on it
         */
        double[] search(BetweennessSearches searches, RunContext control);
    }

    private BetweennessRun() {}

    /**
     * Runs.
     *
     * @param graph vertex id space
     * @param sources vertices, without repeats; null for all
     * @return {@code double[vertexCount]}: for each vertex the sum of the dependencies of all sources on it
     */
    public static double[] run(Csc graph, int[] sources, Engine engine, RunContext control) {
        Stop stop = control.stop();
        int concurrency = control.concurrency();
        control.progress().beginTask(BackendTask.ORDER_VERTICES, 0);
        Csc reversed = graph.transposed(concurrency, stop);
        HangingTrees trees = graph.isSymmetric() ? HangingTrees.of(graph, Set.of(), stop) : null;
        SearchOrder order = SearchOrder.of(graph, reversed, trees, concurrency, stop);
        Csc out = order.apply(graph, concurrency, stop);
        Csc in = graph.isSymmetric() ? out : order.apply(reversed, concurrency, stop);
        int[] ofSources = sourceCounts(graph.vertexCount(), sources, trees, stop);
        int[] bySlot = order.bySlot(vertex -> ofSources[vertex], stop);
        int[] weights = null;
        if (trees != null) {
            weights = order.bySlot(trees::weight, stop);
            TwinSources.merge(out, weights, bySlot, stop);
        }
        BetweennessSearches searches = new BetweennessSearches(
                out, in, order, weights, sourceSlots(bySlot, stop), trees == null ? null : bySlot);
        control.progress().beginTask(BackendTask.BETWEENNESS, searches.sources().length);
        double[] scores = byVertex(engine.search(searches, control), order, graph.vertexCount(), stop);
        if (trees != null) {
            new TreePairs(trees, order, ofSources, stop).addTo(scores);
        }
        return scores;
    }

    /** The number of sources that each vertex represents: itself, and those that hang from it. */
    static int[] sourceCounts(int vertexCount, int[] sources, HangingTrees trees, Stop stop) {
        int[] counts = new int[vertexCount];
        PacedStop paced = new PacedStop(stop);
        if (sources == null) {
            Arrays.fill(counts, 1);
        } else {
            for (int source : sources) {
                counts[source] = 1;
                paced.worked(1);
            }
        }
        if (trees != null) {
            for (int i = 0; i < trees.takenAwayCount(); i++) {
                int vertex = trees.takenAway(i);
                counts[trees.parent(vertex)] += counts[vertex];
                paced.worked(1);
            }
        }
        return counts;
    }

    /** The slots that represent a source. */
    public static int[] sourceSlots(int[] counts, Stop stop) {
        int[] slots = new int[counts.length];
        int found = 0;
        PacedStop paced = new PacedStop(stop);
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] > 0) {
                slots[found++] = slot;
            }
            paced.worked(1);
        }
        return found == slots.length ? slots : Arrays.copyOf(slots, found);
    }

    private static double[] byVertex(double[] bySlot, SearchOrder order, int vertexCount, Stop stop) {
        double[] scores = new double[vertexCount];
        PacedStop paced = new PacedStop(stop);
        for (int slot = 0; slot < bySlot.length; slot++) {
            scores[order.permutation().vertex(slot)] = bySlot[slot];
            paced.worked(1);
        }
        return scores;
    }

    /**
     * Heap of the run's steps, without the scores. The most is that of a connected graph without hanging trees.
     *
     * @param search what an engine takes, without the sum of the dependencies
     */
    public static MemoryTree[] memory(GraphShape graph, int concurrency, MemoryTree search) {
        int vertices = graph.vertexCount();
        boolean symmetric = graph.symmetric();
        MemoryTree none = MemoryTree.NONE;
        long ints = (long) vertices * Integer.BYTES;
        MemoryTree trees = symmetric ? HangingTrees.memory(vertices, false) : none;
        MemoryTree order = SearchOrder.memory(vertices);
        MemoryTree ordered = SearchOrder.orderedMemory(graph);
        MemoryTree sources = MemoryTree.exactly("sources by node", ints);
        return new MemoryTree[] {
            MemoryTree.together("find hanging trees", trees, symmetric ? HangingTrees.makingMemory(vertices) : none),
            MemoryTree.together("find order", trees, SearchOrder.makingMemory(graph, concurrency)),
            SearchOrder.applyingMemory(graph, trees, concurrency),
            MemoryTree.together(
                    "find twins",
                    trees,
                    order,
                    ordered.times(symmetric ? 1 : 2),
                    sources,
                    MemoryTree.between("sources by slot", 0, (symmetric ? 2 : 1) * ints),
                    symmetric ? TwinSources.memory(vertices) : none),
            MemoryTree.together(
                    "search from all sources",
                    trees,
                    order,
                    ordered.times(symmetric ? 1 : 2),
                    sources,
                    // sources, their numbers, the weights, and an array of sources that is cut
                    MemoryTree.between("sources by slot", 0, (symmetric ? 4 : 3) * ints),
                    MemoryTree.between("scores by slot", 0, (long) vertices * Double.BYTES),
                    search),
            MemoryTree.together(
                    "count pairs of hanging trees",
                    trees,
                    order,
                    sources,
                    symmetric ? TreePairs.memory(vertices) : none)
        };
    }
}
