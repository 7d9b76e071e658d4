// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import java.util.List;
import java.util.Set;

/** The operations of {@link LoadedGraph}: each with its tasks, its result and the graphs on which a device pays. */
public enum Operation {
    /** {@link LoadedGraph#bfs}. */
    BFS(Searches.ONE, BackendTask.BFS) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            long levels = work.deepest(vertexCount) + 1;
            return MemoryTree.together(
                    "levels",
                    MemoryTree.exactly("level by node", ints(vertexCount)),
                    MemoryTree.between("nodes by level", Long.BYTES, levels * Long.BYTES));
        }
    },

    /** {@link LoadedGraph#multiSourceBfs}. */
    MULTI_SOURCE_BFS(Searches.OF_SOURCES, BackendTask.MULTI_SOURCE_BFS),

    /** {@link LoadedGraph#nearestSource}. */
    NEAREST_SOURCE(Searches.ONE_OF_SOURCES, BackendTask.BFS, BackendTask.NEAREST_SOURCE) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return MemoryTree.together(
                    "nearest sources",
                    MemoryTree.exactly("distance by node", ints(vertexCount)),
                    MemoryTree.exactly("source by node", ints(vertexCount)));
        }
    },

    /** {@link LoadedGraph#farness(Set, RunContext)}. */
    FARNESS(Searches.OF_ALL, BackendTask.ORDER_VERTICES, BackendTask.FARNESS) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return Farness.memory(vertexCount, vertexCount, work.measures());
        }
    },

    /** {@link LoadedGraph#farness(int[], Set, RunContext)}. */
    FARNESS_OF_SOURCES(Searches.OF_SOURCES, BackendTask.FARNESS_OF_SOURCES) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return Farness.memory(work.sources(), vertexCount, work.measures());
        }
    },

    /** {@link LoadedGraph#components}. */
    COMPONENTS(Searches.NONE, BackendTask.COMPONENTS) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return MemoryTree.exactly("component by node", ints(vertexCount));
        }

        /** Only on a resident graph: the CPU takes less time than the copy of the graph. */
        @Override
        public boolean pays(GraphShape graph, boolean resident) {
            return resident && super.pays(graph, true);
        }
    },

    /** {@link LoadedGraph#betweenness}. */
    BETWEENNESS(Searches.OF_ALL, BackendTask.ORDER_VERTICES, BackendTask.BETWEENNESS) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return MemoryTree.exactly("score by node", (long) vertexCount * Long.BYTES);
        }
    },

    /** {@link LoadedGraph#shortestPaths}. */
    SHORTEST_PATHS(Searches.ONE, BackendTask.SHORTEST_PATHS) {
        @Override
        MemoryTree result(Workload work, int vertexCount) {
            return MemoryTree.together(
                    "shortest paths",
                    MemoryTree.exactly("cost by node", (long) vertexCount * Long.BYTES),
                    MemoryTree.between("predecessor by node", 0, ints(vertexCount)));
        }
    },

    /** {@link LoadedGraph#costSums}; the caller keeps the sums. */
    COST_SUMS(Searches.OF_SOURCES, BackendTask.WEIGHTED_SEARCHES),

    /** {@link LoadedGraph#weightedSearches}; only on the CPU. */
    WEIGHTED_SEARCHES(Searches.OF_SOURCES, BackendTask.WEIGHTED_SEARCHES) {
        @Override
        public boolean pays(GraphShape graph, boolean resident) {
            return false;
        }
    };

    /** Vertices and entries below which one search is answered by the CPU under 'auto'; see docs/decisions/0006. */
    private static final long SMALLEST_SEARCH = 1L << 17;

    /** The same for multi-source runs, whose work grows with the number of sources. */
    private static final long SMALLEST_MULTI_SOURCE = 1L << 15;

    /** The searches of an operation. */
    private enum Searches {
        /** None: the edges are read once. */
        NONE,
        /** One search from one source. */
        ONE,
        /** One search from all sources together. */
        ONE_OF_SOURCES,
        /** A search from each source. */
        OF_SOURCES,
        /** A search from each vertex, or from chosen ones. */
        OF_ALL
    }

    private final Searches searches;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of constants
    private final List<Task> tasks;

    Operation(Searches searches, Task... tasks) {
        this.searches = searches;
        this.tasks = List.of(tasks);
    }

    /** The tasks of the run on any backend, in order. Tasks that prepare the graph may precede them. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Heap of the result, as {@link Workload#result}; none if the caller keeps it. */
    MemoryTree result(Workload work, int vertexCount) {
        return MemoryTree.NONE;
    }

    /** Whether a device reads the graph that was loaded, rather than a copy that the run makes for itself. */
    public boolean readsLoadedGraph() {
        return !readsWeights() && this != BETWEENNESS;
    }

    /** Whether it searches over weights. */
    public boolean readsWeights() {
        return this == SHORTEST_PATHS || this == COST_SUMS || this == WEIGHTED_SEARCHES;
    }

    /** Whether it is one search over hops, from one source or several. */
    public boolean isSingleSearch() {
        return this == BFS || this == NEAREST_SOURCE;
    }

    /** Whether it may search from many sources, so that an order of the vertices may pay off. */
    public boolean mayBeManySearches() {
        return searches == Searches.OF_SOURCES || searches == Searches.OF_ALL;
    }

    /** Whether its sources are chosen by the caller, so that there may be none. */
    boolean needsSources() {
        return searches == Searches.ONE_OF_SOURCES || searches == Searches.OF_SOURCES;
    }

    /**
     * Whether 'auto' runs on a device.
     *
     * @param resident whether the graph is on the device already
     */
    public boolean pays(GraphShape graph, boolean resident) {
        long size = graph.vertexCount() + graph.entryCount();
        return size >= (mayBeManySearches() ? SMALLEST_MULTI_SOURCE : SMALLEST_SEARCH);
    }

    private static long ints(int vertexCount) {
        return (long) vertexCount * Integer.BYTES;
    }
}
