// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.projection.Csc;
import io.proxima.projection.WeightedCsc;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Runs of every operation, for tests that do the same with each. */
public final class Runs {

    private static final Set<DistanceMeasure> ALL_MEASURES = EnumSet.allOf(DistanceMeasure.class);

    private Runs() {}

    /** Up to so many vertices, at equal distances of their numbers. */
    public static int[] sources(Csc csc, int count) {
        return IntStream.range(0, count)
                .map(i -> (int) ((long) i * csc.vertexCount() / count))
                .distinct()
                .filter(source -> source < csc.vertexCount())
                .toArray();
    }

    /** Does a workload over a graph that was loaded from the CSC, and returns what it finds. Weights are 1. */
    public static Object run(Workload work, Csc csc, LoadedGraph graph, RunControl control) {
        int[] sources = sources(csc, work.sources());
        int maxDepth = work.maxDepth();
        return switch (work.operation()) {
            case BFS -> graph.bfs(sources[0], maxDepth, sources(csc, work.stopTargets()), control);
            case NEAREST_SOURCE -> graph.nearestSource(sources, maxDepth, control);
            case MULTI_SOURCE_BFS -> {
                graph.multiSourceBfs(sources, maxDepth, batch -> {}, control);
                yield graph;
            }
            case FARNESS -> graph.farness(work.measures(), control);
            case FARNESS_OF_SOURCES -> graph.farness(sources, work.measures(), control);
            case COMPONENTS -> graph.components(control);
            case BETWEENNESS -> graph.betweenness(sources.length == csc.vertexCount() ? null : sources, control);
            case SHORTEST_PATHS ->
                graph.shortestPaths(sources[0], WeightedCsc.ofOnes(csc), LoadedGraph.ANY_DELTA, true, control);
        };
    }

    /**
     * Does an operation without a limit on the depth, with all measures, and checks that it finds what a textbook
     * finds. BFS and shortest paths run once for each source.
     */
    public static void check(Operation operation, Csc csc, LoadedGraph graph, int[] sources, RunControl control) {
        switch (operation) {
            case BFS -> {
                for (int source : sources) {
                    TextbookChecks.checkLevels(csc, graph, source, LoadedGraph.NO_MAX_DEPTH, control);
                }
            }
            case NEAREST_SOURCE -> TextbookChecks.checkNearest(csc, graph, sources, LoadedGraph.NO_MAX_DEPTH, control);
            case MULTI_SOURCE_BFS ->
                TextbookChecks.checkDistances(csc, graph, sources, LoadedGraph.NO_MAX_DEPTH, control);
            case FARNESS -> new TextbookFarness(csc).check(graph.farness(ALL_MEASURES, control), ALL_MEASURES);
            case FARNESS_OF_SOURCES ->
                new TextbookFarness(csc, sources).check(graph.farness(sources, ALL_MEASURES, control), ALL_MEASURES);
            case COMPONENTS -> TextbookChecks.checkComponents(csc, graph, control);
            case BETWEENNESS -> TextbookChecks.checkBetweenness(csc, graph, sources, control);
            case SHORTEST_PATHS -> {
                for (int source : sources) {
                    TextbookChecks.checkShortestPaths(csc, graph, source, control);
                }
            }
        }
    }
}
