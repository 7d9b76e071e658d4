// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunControl;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.order.Afforest;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.backend.result.NearestAssignment;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A CSC on the heap, traversed in place. */
final class CpuGraph implements LoadedGraph {

    /** The number of sources from which on a directed graph is transposed, so that its searches can pull. */
    private static final int SOURCES_WORTH_TRANSPOSING = 16;

    private final Csc graph;
    private final AtomicInteger searches = new AtomicInteger();

    CpuGraph(Csc graph) {
        this.graph = graph;
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control) {
        checkVertices("source", source);
        checkVertices("stopTargets", stopTargets);
        return search(new int[] {source}, maxDepth, stopTargets, control).result();
    }

    private BreadthFirstSearch search(int[] sources, int maxDepth, int[] stopTargets, RunControl control) {
        // for a single search, pushing takes less time than building the transposed form
        boolean again = searches.getAndIncrement() > 0;
        BreadthFirstSearch search = new BreadthFirstSearch(graph, reversedIf(again, control), control);
        search.run(sources, maxDepth, stopTargets);
        return search;
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        checkVertices("sources", sources);
        control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, sources.length);
        Csc reversed = reversedIf(isWorthTransposing(sources.length), control);
        search(graph, reversed, sources, maxDepth, sink, control);
    }

    /** Multi-source BFS along {@code out}; {@code in} are the same edges reversed, or null. */
    private static void search(Csc out, Csc in, int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        BitParallelSearch search = new NarrowSearch(out, in, out.vertexCount(), control.concurrency(), control.stop());
        DistanceMatrix distances = new DistanceMatrix(out.vertexCount(), control.stop());
        int[] all = {0, out.vertexCount()};
        for (int first = 0; first < sources.length; first += NarrowSearch.WIDTH) {
            int count = Math.min(NarrowSearch.WIDTH, sources.length - first);
            distances.reset(first, count);
            for (int s = 0; s < count; s++) {
                distances.set(sources[first + s], 1L << s);
            }
            search.run(sources, first, count, all, maxDepth, distances);
            control.stop().check();
            sink.accept(distances);
            control.progress().advance(count);
        }
    }

    @Override
    public int multiSourceBatchSize() {
        return NarrowSearch.WIDTH;
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunControl control) {
        checkVertices("sources", sources);
        int[] levels = search(sources, maxDepth, new int[0], control).levels();
        return NearestAssignment.assign(graph, sources, levels, control);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunControl control) {
        return FarnessRun.run(graph, null, measures, control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        checkVertices("sources", sources);
        if (isWorthOrdering(sources.length)) {
            return FarnessRun.run(graph, sources, measures, control);
        }
        control.progress().beginTask(BackendTask.FARNESS_OF_SOURCES, sources.length);
        FarnessOfSources sums = new FarnessOfSources(sources.length, graph.vertexCount(), measures, control);
        Csc reversed = graph.transposed(control.concurrency(), control.stop());
        search(reversed, graph, sources, NO_MAX_DEPTH, sums, control);
        return sums.farness();
    }

    @Override
    public int[] components(RunControl control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        return Afforest.of(graph, control.concurrency(), control.stop(), control.progress());
    }

    @Override
    public double[] betweenness(int[] sources, RunControl control) {
        if (sources != null) {
            checkVertices("sources", sources);
        }
        return BetweennessRun.run(
                graph, sources, (searches, each) -> BrandesRun.run(searches, graph.vertexCount(), each), control);
    }

    @Override
    public ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunControl control) {
        checkVertices("source", source);
        control.progress().beginTask(BackendTask.SHORTEST_PATHS, graph.vertexCount());
        return ShortestPaths.of(
                weights,
                source,
                delta,
                withPredecessors,
                control,
                lengths -> DeltaStepping.run(weights, lengths, source, delta, control));
    }

    @Override
    public void close() {
        // the CSC belongs to the caller
    }

    /** Whether searches from this number of sources pay for a reversed graph. */
    static boolean isWorthTransposing(int sources) {
        return sources >= SOURCES_WORTH_TRANSPOSING;
    }

    /** Whether the sums of this number of sources pay for an order of the graph that makes searches faster. */
    static boolean isWorthOrdering(int sources) {
        return sources > NarrowSearch.WIDTH;
    }

    /** Whether a search uses the reversed graph, which a symmetric graph is itself. */
    static boolean reverses(boolean symmetric, boolean worthTransposing) {
        return worthTransposing || symmetric;
    }

    private Csc reversedIf(boolean worthTransposing, RunControl control) {
        return reverses(graph.isSymmetric(), worthTransposing)
                ? graph.transposed(control.concurrency(), control.stop())
                : null;
    }
}
