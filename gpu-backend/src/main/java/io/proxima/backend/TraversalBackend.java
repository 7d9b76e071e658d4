// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A backend: traverses graphs on one kind of hardware. Levels, distances, farness and counts are integers and equal on
 * every backend, which the contract suite verifies. Thread-safe.
 */
public interface TraversalBackend extends AutoCloseable {

    /** The description of this backend, and whether it can run. */
    BackendInfo info();

    /**
     * Estimates the peak memory of a run and its caller. The heap includes what the run allocates besides the CSC, its
     * result, and what the caller keeps. The device memory includes the graph and the run.
     *
     * @param graph the graph's shape
     * @param work what will be done
     * @param concurrency threads it will use
     */
    MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency);

    /**
     * Estimates the peak memory for an existing graph, using what this backend knows about it: whether it is resident,
     * its order and its sizes.
     *
     * @param graph the graph, loaded or not
     * @param searched whether the graph was searched before
     * @param work what will be done
     * @param concurrency threads it will use
     */
    default MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        return estimate(GraphShape.of(graph, searched), work, concurrency);
    }

    /** The name of the backend that does a run, unless that fails: this one, or the one that it chooses. */
    default String runsOn(GraphShape graph, Operation operation) {
        return info().name();
    }

    /**
     * Loads a graph. The CSC is referenced, not copied, if the backend can traverse it as it is.
     *
     * @param graph edges j to i as column j, row i; vertex id space
     * @return the graph, to be closed by the caller
     */
    LoadedGraph load(Csc graph);

    @Override
    void close();

    /** The operations of {@link LoadedGraph}. */
    enum Operation {
        /** {@link LoadedGraph#bfs}. */
        BFS,
        /** {@link LoadedGraph#multiSourceBfs}. */
        MULTI_SOURCE_BFS,
        /** {@link LoadedGraph#nearestSource}. */
        NEAREST_SOURCE,
        /** {@link LoadedGraph#farness(Set, RunControl)}. */
        FARNESS,
        /** {@link LoadedGraph#farness(int[], Set, RunControl)}. */
        FARNESS_OF_SOURCES,
        /** {@link LoadedGraph#components}. */
        COMPONENTS,
        /** {@link LoadedGraph#betweenness}. */
        BETWEENNESS,
        /** {@link LoadedGraph#shortestPaths}. */
        SHORTEST_PATHS;

        /** The tasks of the run on any backend, in order. Tasks that prepare the graph may precede them. */
        public List<Task> tasks() {
            return switch (this) {
                case BFS -> List.of(BackendTask.BFS);
                case MULTI_SOURCE_BFS -> List.of(BackendTask.MULTI_SOURCE_BFS);
                case NEAREST_SOURCE -> List.of(BackendTask.BFS, BackendTask.NEAREST_SOURCE);
                case FARNESS -> List.of(BackendTask.ORDER_VERTICES, BackendTask.FARNESS);
                case FARNESS_OF_SOURCES -> List.of(BackendTask.FARNESS_OF_SOURCES);
                case COMPONENTS -> List.of(BackendTask.COMPONENTS);
                case BETWEENNESS -> List.of(BackendTask.ORDER_VERTICES, BackendTask.BETWEENNESS);
                case SHORTEST_PATHS -> List.of(BackendTask.SHORTEST_PATHS);
            };
        }

        /** Whether it is one search, from one source or several. */
        public boolean isSingleSearch() {
            return this == BFS || this == NEAREST_SOURCE;
        }

        /** Whether it may search from many sources, so that an order of the vertices may pay off. */
        public boolean mayBeManySearches() {
            return this == MULTI_SOURCE_BFS || this == FARNESS || this == FARNESS_OF_SOURCES || this == BETWEENNESS;
        }
    }

    /**
     * The properties of a graph that an estimate depends on.
     *
     * @param vertexCount number of vertices
     * @param entryCount number of directed edges
     * @param symmetric whether every edge has its reverse
     * @param transposed whether the transposed graph exists already
     * @param searched whether the graph was searched before
     */
    record GraphShape(int vertexCount, long entryCount, boolean symmetric, boolean transposed, boolean searched) {
        /** A graph that is not transposed or searched yet. */
        public GraphShape(int vertexCount, long entryCount, boolean symmetric) {
            this(vertexCount, entryCount, symmetric, symmetric, false);
        }

        /** The shape of a CSC that was not searched yet. */
        public static GraphShape of(Csc graph) {
            return of(graph, false);
        }

        /** Heap of a run that needs the transposed graph, which is made first unless it exists. */
        public MemoryTree afterTransposing(MemoryTree run, int concurrency) {
            if (transposed) {
                return run;
            }
            MemoryTree built = Csc.transposingMemory(vertexCount, entryCount, concurrency);
            MemoryTree reversed = MemoryTree.exactly("reversed graph", Csc.bytes(vertexCount, entryCount));
            return MemoryTree.oneByOne(
                    "reversing and run",
                    built.named("reversing the graph"),
                    MemoryTree.together("run with the reversed graph", reversed, run));
        }

        /** The shape of a CSC. */
        public static GraphShape of(Csc graph, boolean searched) {
            return new GraphShape(
                    graph.vertexCount(), graph.entryCount(), graph.isSymmetric(), graph.hasTransposed(), searched);
        }
    }

    /**
     * A run, and the memory that its caller keeps.
     *
     * @param operation the run
     * @param sources number of sources, for {@link Operation#MULTI_SOURCE_BFS}, {@link Operation#NEAREST_SOURCE},
     *     {@link Operation#FARNESS_OF_SOURCES} and {@link Operation#BETWEENNESS}
     * @param stopTargets number of stop targets, for {@link Operation#BFS}
     * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
     * @param measures optional measures, for {@link Operation#FARNESS} and {@link Operation#FARNESS_OF_SOURCES}
     * @param weights maximum number of relationships with weights, parallel ones counted each, for {@link
     *     Operation#SHORTEST_PATHS}; 0 if there are no more than the graph has entries
     * @param options the caller's choices
     * @param kept heap that the caller allocates during the run
     * @param afterwards heap that the caller allocates after the run, in addition to its result and {@code kept}
     */
    record Workload(
            Operation operation,
            int sources,
            int stopTargets,
            int maxDepth,
            Set<DistanceMeasure> measures,
            long weights,
            RunOptions options,
            MemoryTree kept,
            MemoryTree afterwards) {

        /** A workload whose caller keeps only the result. */
        public Workload(Operation operation, int sources, int maxDepth) {
            this(operation, sources, 0, maxDepth, Set.of(), 0, RunOptions.AUTO, MemoryTree.NONE, MemoryTree.NONE);
        }

        /** {@link Operation#FARNESS} with these measures; the caller keeps only the result. */
        public static Workload farness(Set<DistanceMeasure> measures) {
            return new Workload(Operation.FARNESS, 0, LoadedGraph.NO_MAX_DEPTH).measuring(measures);
        }

        /** {@link Operation#FARNESS_OF_SOURCES} with these measures; the caller keeps only the result. */
        public static Workload farness(int sources, Set<DistanceMeasure> measures) {
            return new Workload(Operation.FARNESS_OF_SOURCES, sources, LoadedGraph.NO_MAX_DEPTH).measuring(measures);
        }

        private Workload measuring(Set<DistanceMeasure> wanted) {
            return new Workload(
                    operation, sources, stopTargets, maxDepth, Set.copyOf(wanted), weights, options, kept, afterwards);
        }

        /** A copy whose caller keeps more. */
        public Workload keeping(MemoryTree whileRunning, MemoryTree whenDone) {
            return new Workload(
                    operation, sources, stopTargets, maxDepth, measures, weights, options, whileRunning, whenDone);
        }

        /** A copy with this number of stop targets. */
        public Workload stoppingAt(int targets) {
            return new Workload(operation, sources, targets, maxDepth, measures, weights, options, kept, afterwards);
        }

        /** A copy over so many relationships with weights. */
        public Workload over(long relationships) {
            return new Workload(
                    operation, sources, stopTargets, maxDepth, measures, relationships, options, kept, afterwards);
        }

        /** A copy with other options. */
        public Workload with(RunOptions chosen) {
            return new Workload(operation, sources, stopTargets, maxDepth, measures, weights, chosen, kept, afterwards);
        }

        /** Whether the run has nothing to search from in a graph with this number of vertices, and ends at once. */
        public boolean isNothing(int vertexCount) {
            return switch (operation) {
                case NEAREST_SOURCE, MULTI_SOURCE_BFS, FARNESS_OF_SOURCES -> sources == 0;
                case FARNESS, COMPONENTS -> vertexCount == 0;
                case BFS, SHORTEST_PATHS, BETWEENNESS -> false;
            };
        }

        /** The number of searches in a graph with this number of vertices. */
        public long searches(int vertexCount) {
            return switch (operation) {
                case BFS, NEAREST_SOURCE, COMPONENTS, SHORTEST_PATHS -> 1;
                case MULTI_SOURCE_BFS, FARNESS_OF_SOURCES -> sources;
                case FARNESS -> vertexCount;
                case BETWEENNESS -> sources;
            };
        }

        /** The deepest level that the run can reach in a graph with this number of vertices. */
        public long deepest(int vertexCount) {
            long last = Math.max(0, vertexCount - 1L);
            return maxDepth == LoadedGraph.NO_MAX_DEPTH ? last : Math.min(maxDepth, last);
        }

        /**
         * Heap of the result: the arrays of {@link Levels}, {@link NearestSources}, {@link Farness} or
         * {@link ShortestPaths}, the components or the scores.
         */
        public MemoryTree result(int vertexCount) {
            long ints = (long) vertexCount * Integer.BYTES;
            long longs = (long) vertexCount * Long.BYTES;
            return switch (operation) {
                case BFS ->
                    MemoryTree.together(
                            "levels",
                            MemoryTree.exactly("level by node", ints),
                            MemoryTree.between("nodes by level", Long.BYTES, (deepest(vertexCount) + 1) * Long.BYTES));
                case MULTI_SOURCE_BFS -> MemoryTree.NONE;
                case NEAREST_SOURCE ->
                    MemoryTree.together(
                            "nearest sources",
                            MemoryTree.exactly("distance by node", ints),
                            MemoryTree.exactly("source by node", ints));
                case FARNESS -> farnessResult(vertexCount, vertexCount);
                case FARNESS_OF_SOURCES -> farnessResult(sources, vertexCount);
                case COMPONENTS -> MemoryTree.exactly("component by node", ints);
                case BETWEENNESS -> MemoryTree.exactly("score by node", longs);
                case SHORTEST_PATHS ->
                    MemoryTree.together(
                            "shortest paths",
                            MemoryTree.exactly("cost by node", longs),
                            MemoryTree.between("predecessor by node", 0, ints));
            };
        }

        private MemoryTree farnessResult(int rows, int vertexCount) {
            long ints = (long) rows * Integer.BYTES;
            long longs = (long) rows * Long.BYTES;
            long pairs = (long) vertexCount * Long.BYTES;
            return MemoryTree.together(
                    "farness",
                    MemoryTree.exactly("sum of distances by node", longs),
                    MemoryTree.exactly("number of nodes by node", longs),
                    MemoryTree.exactly("harmonic sum by node", wants(DistanceMeasure.HARMONIC) ? longs : 0),
                    MemoryTree.exactly("eccentricity by node", wants(DistanceMeasure.ECCENTRICITY) ? ints : 0),
                    wants(DistanceMeasure.HOPS)
                            ? MemoryTree.between("pairs by distance", Math.min(longs, Long.BYTES), pairs)
                            : MemoryTree.NONE);
        }

        /** Whether a measure is requested. */
        public boolean wants(DistanceMeasure measure) {
            return measures.contains(measure);
        }

        /**
         * Heap of the workload if the run has these steps, the last of which returns the result.
         *
         * @param steps heap of each step, without the result
         */
        public MemoryTree around(int vertexCount, MemoryTree... steps) {
            MemoryTree result = result(vertexCount);
            MemoryTree[] all = Arrays.copyOf(steps, steps.length + 1);
            int last = steps.length - 1;
            all[last] = MemoryTree.together("search and result", steps[last], result, kept);
            for (int step = 0; step < last && kept.maxBytes() > 0; step++) {
                all[step] = MemoryTree.together(steps[step].name() + " and result", steps[step], kept);
            }
            all[steps.length] = MemoryTree.together("use of the result", result, kept, afterwards);
            return MemoryTree.oneByOne("one after the other", all);
        }
    }

    /**
     * The peak memory of a workload.
     *
     * @param heap Java heap
     * @param device device memory, including resident structures of the graph
     * @param availableDeviceBytes device memory available to the graph and the run: free memory, evictable memory, and
     *     the graph's resident structures; 0 without a device
     * @param mapped page-locked host memory that devices read; none if the lists of neighbours fit the device
     * @param availableMappedBytes as {@code availableDeviceBytes}, of {@code mapped}
     */
    record MemoryEstimate(
            MemoryTree heap,
            MemoryTree device,
            long availableDeviceBytes,
            MemoryTree mapped,
            long availableMappedBytes) {
        /** An estimate without device memory. */
        public static MemoryEstimate onHeap(MemoryTree heap) {
            return new MemoryEstimate(heap, MemoryTree.NONE, 0, MemoryTree.NONE, 0);
        }

        /** A copy with another heap. */
        public MemoryEstimate withHeap(MemoryTree other) {
            return new MemoryEstimate(other, device, availableDeviceBytes, mapped, availableMappedBytes);
        }

        /** The estimate if this or another run is made, on the same device. */
        public MemoryEstimate either(MemoryEstimate other) {
            if (fitsDevice() != other.fitsDevice()) {
                return fitsDevice() ? this : other;
            }
            boolean otherLarger = device.maxBytes() < other.device().maxBytes();
            MemoryEstimate larger = otherLarger ? other : this;
            MemoryEstimate smaller = otherLarger ? this : other;
            return new MemoryEstimate(
                    heap.maxBytes() < other.heap.maxBytes() ? other.heap.downTo(heap) : heap.downTo(other.heap),
                    larger.device.downTo(smaller.device),
                    availableDeviceBytes,
                    larger.mapped.maxBytes() < smaller.mapped.maxBytes()
                            ? smaller.mapped.downTo(larger.mapped)
                            : larger.mapped.downTo(smaller.mapped),
                    availableMappedBytes);
        }

        /**
         * Whether there is a device with enough memory for the minimum, or with lists in mapped memory that has enough.
         */
        public boolean fitsDevice() {
            return device.maxBytes() > 0
                    && device.minBytes() <= availableDeviceBytes
                    && mapped.minBytes() <= availableMappedBytes;
        }

        /** The maximum heap, in bytes. */
        public long heapBytes() {
            return heap.maxBytes();
        }

        /** The minimum device memory, in bytes. */
        public long deviceBytes() {
            return device.minBytes();
        }
    }
}
