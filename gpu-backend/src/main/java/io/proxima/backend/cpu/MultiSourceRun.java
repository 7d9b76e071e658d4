// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Set;

/** Searches from many sources, whose distances a sink receives. All threads work on one search of up to 64 sources. */
final class MultiSourceRun {

    /** The number of sources from which on a directed graph is transposed, so that its searches can pull. */
    private static final int SOURCES_WORTH_TRANSPOSING = 16;

    private MultiSourceRun() {}

    /** The way of {@link #run}, or of {@link #farness}. */
    static HostWay way(GraphShape graph, Workload work, int concurrency) {
        boolean sums = work.operation() == Operation.FARNESS_OF_SOURCES;
        int vertices = graph.vertexCount();
        int width = Math.min(work.sources(), NarrowSearch.WIDTH);
        long deepest = work.deepest(vertices);
        return HostWay.shared(
                sums || graph.symmetric() || work.sources() >= SOURCES_WORTH_TRANSPOSING,
                MemoryTree.together(
                        "search from " + width + " sources at once",
                        MemoryTree.exactly(
                                "search state of " + NarrowSearch.WIDTH + " sources",
                                BitParallelSearch.bytes(1, vertices)),
                        DistanceMatrix.memory(vertices, width, deepest),
                        sums
                                ? FarnessOfSources.countingMemory(width, deepest, work.measures(), concurrency)
                                : MemoryTree.NONE));
    }

    /**
     * Multi-source BFS.
     *
     * @param out edges along which to search
     * @param in the same edges reversed; null for push levels only
     */
    static void run(Csc out, Csc in, int[] sources, int maxDepth, DistanceSink sink, RunContext control) {
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

    /** Farness of a few vertices: searches against the edges, whose distances are summed. */
    static Farness farness(Csc graph, int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        control.progress().beginTask(BackendTask.FARNESS_OF_SOURCES, sources.length);
        FarnessOfSources sums = new FarnessOfSources(sources.length, graph.vertexCount(), measures, control);
        Csc reversed = graph.transposed(control.concurrency(), control.stop());
        run(reversed, graph, sources, LoadedGraph.NO_MAX_DEPTH, sums, control);
        return sums.farness();
    }
}
