// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.GraphShape;
import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import java.util.List;

/**
 * How the CPU does a run. An estimate and the run derive it from the same arguments, so that the run takes the way that
 * was admitted.
 *
 * @param searches searches at the same time at most, by a thread each; 1 if all threads share each search
 * @param wide whether each search takes many sources: 512 instead of 64, for betweenness 8 instead of one
 * @param reversed whether the run reads the reversed graph, which it builds unless that exists
 * @param steps heap of each step, without the result, which the last returns
 */
record HostWay(int searches, boolean wide, boolean reversed, List<MemoryTree> steps) {

    /** A way of one step, whose threads share each search. */
    static HostWay shared(boolean reversed, MemoryTree step) {
        return new HostWay(1, false, reversed, List.of(step));
    }

    /**
     * The way of a run.
     *
     * @param concurrency the most threads
     */
    static HostWay of(GraphShape graph, Workload work, int concurrency) {
        return switch (work.operation()) {
            case BFS, NEAREST_SOURCE -> BreadthFirstSearch.way(graph, work);
            case MULTI_SOURCE_BFS -> MultiSourceRun.way(graph, work, concurrency);
            case FARNESS, FARNESS_OF_SOURCES -> FarnessRun.way(graph, work, concurrency);
            case BETWEENNESS -> BrandesRun.way(graph, work, concurrency);
            // the components are linked in the array of the result
            case COMPONENTS -> shared(false, MemoryTree.NONE);
            case SHORTEST_PATHS -> work.targets() == 1 ? BidirectionalCostSearch.way(graph) : DeltaStepping.way(graph);
            case COST_SUMS, WEIGHTED_SEARCHES -> CostSearch.way(graph, work, concurrency);
        };
    }

    /** The peak heap of the run, and of what its caller keeps. */
    MemoryTree heap(GraphShape graph, Workload work, int concurrency) {
        MemoryTree run = work.around(graph.vertexCount(), steps.toArray(MemoryTree[]::new));
        return reversed ? graph.afterTransposing(run, concurrency) : run;
    }
}
