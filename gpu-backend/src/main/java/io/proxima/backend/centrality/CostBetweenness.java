// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.Set;

/**
 * Betweenness of all vertices over weights.
 *
 * <p>Two steps make an undirected graph smaller, without a change to any cheapest path:
 *
 * <ul>
 *   <li>An edge is left out if a detour through a hub costs less. No cheapest path has it. Hubs are the vertices of the
 *       highest degrees, from which the costs are found first.
 *   <li>If all weights are positive integers whose sums are exact, only the {@link CostCore} is searched, and the
 *       sources of a hanging tree share one search.
 * </ul>
 */
public final class CostBetweenness {

    /** A graph is made smaller for at least so many sources. */
    private static final int LEAST_SOURCES = 4;

    private static final int MOST_HUBS = 8;

    /** The least degree of a hub, in mean degrees. */
    private static final int DEGREE_OF_HUB = 4;

    /** Sources for each hub. */
    private static final int SOURCES_OF_HUB = 32;

    /** Sums of paths up to this, and twice as much, are exact. */
    private static final double EXACT = 0x1p51;

    private CostBetweenness() {}

    /**
     * Runs.
     *
     * @param loaded searches on the CPU
     * @param weights finite and not negative; vertex id space
     * @param undirected whether every edge has its reverse, of the same weight
     * @param sources vertices, without repeats
     * @return {@code double[vertexCount]}: for each vertex the sum of the dependencies of all sources on it
     * @throws io.proxima.backend.CostOverflowException if a cost exceeds the greatest double
     */
    public static double[] run(
            LoadedGraph loaded, WeightedCsc weights, boolean undirected, int[] sources, RunContext control) {
        if (!undirected || sources.length < LEAST_SOURCES) {
            return search(loaded, new CostCore(weights), sources, control).scores();
        }
        Stop stop = control.stop();
        WeightedCsc.Lengths lengths = ShortestPaths.lengths(weights, control);
        WeightedCsc needed = withoutDetours(loaded, weights, sources.length, control);
        if (!isExact(needed, lengths, stop)) {
            return search(loaded, new CostCore(needed), sources, control).scores();
        }
        Csc graph = new Csc(needed, true);
        HangingTrees trees = HangingTrees.of(graph, Set.of(), stop);
        SearchOrder order = SearchOrder.of(graph, graph, trees, control.concurrency(), stop);
        int[] sourcesOf = BetweennessRun.sourceCounts(weights.vertexCount(), sources, trees, stop);
        CostCore core = new CostCore(needed, trees, order, sourcesOf, control.concurrency(), stop);
        double[] found = search(loaded, core, core.sources(), control).scores();
        double[] scores = new double[weights.vertexCount()];
        PacedStop paced = new PacedStop(stop);
        for (int id = 0; id < found.length; id++) {
            scores[core.vertex(id)] = found[id];
            paced.worked(1);
        }
        new TreePairs(trees, order, sourcesOf, stop).addTo(scores);
        return scores;
    }

    /** Heap of a run, without what the searches take. */
    public static MemoryTree memory(int vertexCount, long entryCount, int threads) {
        GraphShape graph = new GraphShape(vertexCount, entryCount, true);
        return MemoryTree.together(
                "dependencies and core",
                CostDependencies.memory(vertexCount, entryCount, threads),
                MemoryTree.between("costs from hubs", 0, (long) MOST_HUBS * Double.BYTES * vertexCount),
                MemoryTree.between(
                        "edges without detours",
                        0,
                        Csc.bytes(vertexCount, entryCount) + WeightedCsc.weightBytes(entryCount)),
                MemoryTree.between(
                        "trees and order",
                        0,
                        HangingTrees.memory(vertexCount, false).maxBytes()
                                + SearchOrder.makingMemory(graph, threads).maxBytes()),
                CostCore.memory(vertexCount, entryCount),
                MemoryTree.between("sources and scores of the core", 0, 3L * Integer.BYTES * vertexCount));
    }

    private static CostDependencies search(LoadedGraph loaded, CostCore core, int[] sources, RunContext control) {
        CostDependencies dependencies = new CostDependencies(core, control.concurrency());
        loaded.weightedSearches(sources, core.graph(), ShortestPaths.UNREACHED, dependencies, control);
        return dependencies;
    }

    private static boolean isExact(WeightedCsc graph, WeightedCsc.Lengths lengths, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        boolean exact = lengths.integers() && lengths.greatest() * graph.vertexCount() < EXACT;
        for (long entry = 0; exact && entry < graph.entryCount(); entry++) {
            exact = graph.weight(entry) > 0;
            paced.worked(1);
        }
        return exact;
    }

    /** The cheapest of parallel edges, without those that cost more than a detour through a hub. */
    private static WeightedCsc withoutDetours(LoadedGraph loaded, WeightedCsc graph, int sources, RunContext control) {
        int vertexCount = graph.vertexCount();
        int[] hubs = hubs(graph, Math.min(MOST_HUBS, 1 + sources / SOURCES_OF_HUB), control.stop());
        double[][] fromHub = new double[hubs.length][];
        loaded.weightedSearches(
                hubs,
                graph,
                Double.MAX_VALUE,
                (worker, index, found, stop) -> {
                    PacedStop paced = new PacedStop(stop);
                    double greatest = found.costs()[found.order()[found.reached() - 1]];
                    // exceeds the rounding of the costs, and of a path from anywhere that takes the detour
                    double margin = 4 * Math.ulp(8 * greatest) * vertexCount;
                    double[] costs = new double[vertexCount];
                    for (int vertex = 0; vertex < vertexCount; vertex++) {
                        costs[vertex] = found.costs()[vertex] + margin;
                        paced.worked(1);
                    }
                    fromHub[index] = costs;
                },
                control.withoutProgress());
        PacedStop paced = new PacedStop(control.stop());
        CostCore.Edges edges = new CostCore.Edges(vertexCount, graph.entryCount());
        long kept = 0;
        for (int from = 0; from < vertexCount; from++) {
            int last = -1;
            paced.worked(1 + (long) graph.degree(from) * hubs.length);
            for (long entry = graph.columnStart(from); entry < graph.columnEnd(from); entry++) {
                int to = graph.rowIndices().get(entry);
                if (to != last && !hasDetour(fromHub, from, to, graph.weight(entry))) {
                    edges.add(from, to, graph.weight(entry));
                    kept++;
                }
                last = to;
            }
        }
        return kept == graph.entryCount() ? graph : edges.build(control.concurrency(), control.stop());
    }

    private static boolean hasDetour(double[][] fromHub, int from, int to, double weight) {
        for (double[] costs : fromHub) {
            if (costs[from] + costs[to] < weight) {
                return true;
            }
        }
        return false;
    }

    /** The vertices of the highest degrees that are far above the mean, of equal ones the lowest. */
    private static int[] hubs(WeightedCsc graph, int most, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        double least = DEGREE_OF_HUB * (double) graph.entryCount() / graph.vertexCount();
        int[] hubs = new int[most];
        int count = 0;
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            int degree = graph.degree(vertex);
            paced.worked(1);
            if (degree < least || (count == most && degree <= graph.degree(hubs[most - 1]))) {
                continue;
            }
            int place = count < most ? count++ : most - 1;
            for (; place > 0 && graph.degree(hubs[place - 1]) < degree; place--) {
                hubs[place] = hubs[place - 1];
            }
            hubs[place] = vertex;
        }
        return Arrays.copyOf(hubs, count);
    }
}
