// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.Predecessors;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.FarnessOfSources;
import io.proxima.memory.MemoryTree;

/** What work on the CPU takes of the heap: the figures of its steps, put together as {@link CpuGraph} runs them. */
record CpuMemory(GraphShape graph, Workload work, int concurrency) {

    MemoryTree heap() {
        int vertices = graph.vertexCount();
        long deepest = work.deepest(vertices);
        return switch (work.operation()) {
            case BFS, NEAREST_SOURCE -> {
                // the array of levels is part of the result
                boolean reversed = CpuGraph.reverses(graph.symmetric(), graph.searched());
                yield afterTransposing(
                        reversed,
                        BreadthFirstSearch.memory(
                                vertices, deepest, reversed || graph.symmetric(), work.stopTargets()));
            }
            case MULTI_SOURCE_BFS -> {
                int width = Math.min(work.sources(), NarrowSearch.WIDTH);
                yield afterTransposing(
                        CpuGraph.reverses(graph.symmetric(), CpuGraph.isWorthTransposing(work.sources())),
                        MemoryTree.together(
                                "search from " + width + " sources at once",
                                NarrowSearch.memory(vertices),
                                DistanceMatrix.memory(vertices, width, deepest)));
            }
            case FARNESS -> afterTransposing(true, FarnessRun.memory(graph, work.measures(), concurrency));
            case FARNESS_OF_SOURCES ->
                afterTransposing(
                        true,
                        CpuGraph.isWorthOrdering(work.sources())
                                ? FarnessRun.memory(graph, work.sources(), work.measures(), concurrency)
                                : new MemoryTree[] {
                                    MemoryTree.together(
                                            "search from " + work.sources() + " sources at once",
                                            NarrowSearch.memory(vertices),
                                            DistanceMatrix.memory(vertices, work.sources(), deepest),
                                            FarnessOfSources.countingMemory(
                                                    work.sources(), deepest, work.measures(), concurrency))
                                });
            case BETWEENNESS -> afterTransposing(true, BrandesRun.memory(graph, concurrency));
            // the components are linked in the array of the result
            case COMPONENTS -> work.around(vertices, MemoryTree.NONE);
            case SHORTEST_PATHS ->
                work.around(
                        vertices,
                        MemoryTree.together(
                                "search and predecessors",
                                DeltaStepping.memory(vertices, graph.entryCount()),
                                Predecessors.memory(vertices)));
        };
    }

    /** The steps of the run, behind the making of the reversed graph if that is wanted and not there. */
    private MemoryTree afterTransposing(boolean wanted, MemoryTree... steps) {
        MemoryTree run = work.around(graph.vertexCount(), steps);
        return wanted ? graph.afterTransposing(run, concurrency) : run;
    }
}
