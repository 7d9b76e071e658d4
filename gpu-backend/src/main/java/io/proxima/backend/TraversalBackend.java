/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend;

import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Something that traverses graphs. Levels, distances, farness and counts are integers, and every backend gives the same
 * ones: the contract suite holds them to it. Thread-safe.
 */
public interface TraversalBackend extends AutoCloseable {

    /** What this backend is and whether it can run. */
    BackendInfo info();

    /**
     * What a whole piece of work takes at its peak: on the heap what it allocates beside the CSC itself, for the run, what
     * that returns, and what the caller keeps; on a device what lies there for the graph and the run.
     *
     * @param graph the graph's shape
     * @param work what will be done
     * @param concurrency threads it will use
     */
    MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency);

    /**
     * The same for a graph that is there, with all that this backend knows of it now: whether it lies on a device, in which
     * order, and how large it is there.
     *
     * @param graph as it is or would be loaded
     * @param searched whether it was searched before
     * @param work what will be done
     * @param concurrency threads it will use
     */
    default MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        return estimate(GraphShape.of(graph, searched), work, concurrency);
    }

    /**
     * Takes a graph in. The CSC is referenced, not copied, where the backend can traverse it as it is.
     *
     * @param graph edges j to i as column j, row i; vertex id space
     * @return the graph, to be closed by the caller
     */
    LoadedGraph load(Csc graph);

    @Override
    void close();

    /** The runs of {@link LoadedGraph}. */
    enum Run {
        /** {@link LoadedGraph#bfs}. */
        BFS,
        /** {@link LoadedGraph#multiSourceBfs}. */
        MULTI_SOURCE_BFS,
        /** {@link LoadedGraph#nearestSource}. */
        NEAREST_SOURCE,
        /** {@link LoadedGraph#farness}. */
        FARNESS;

        /**
         * The tasks that it has on every backend or on some, in order. Tasks that make the graph ready come before them where
         * they are needed.
         */
        public List<Task> tasks() {
            return switch (this) {
                case BFS -> List.of(BackendTask.BFS);
                case MULTI_SOURCE_BFS -> List.of(BackendTask.MULTI_SOURCE_BFS);
                case NEAREST_SOURCE -> List.of(BackendTask.BFS, BackendTask.NEAREST_SOURCE);
                case FARNESS -> List.of(BackendTask.ORDER_VERTICES, BackendTask.FARNESS);
            };
        }

        /** Whether it is one search, from one source or from several together. */
        public boolean isSingleSearch() {
            return this == BFS || this == NEAREST_SOURCE;
        }
    }

    /**
     * What an estimate needs to know of a graph.
     *
     * @param vertexCount number of vertices
     * @param entryCount number of directed edges
     * @param symmetric whether every edge has its reverse
     * @param transposed whether the graph with every edge reversed is there already
     * @param searched whether the graph was searched before
     */
    record GraphShape(int vertexCount, long entryCount, boolean symmetric, boolean transposed, boolean searched) {
        /** A graph that is not there yet. */
        public GraphShape(int vertexCount, long entryCount, boolean symmetric) {
            this(vertexCount, entryCount, symmetric, symmetric, false);
        }

        /** The shape of a CSC that was not searched before. */
        public static GraphShape of(Csc graph) {
            return of(graph, false);
        }

        /** The shape of a CSC. */
        public static GraphShape of(Csc graph, boolean searched) {
            return new GraphShape(
                    graph.vertexCount(), graph.entryCount(), graph.isSymmetric(), graph.hasTransposed(), searched);
        }
    }

    /**
     * A run, and what its caller keeps.
     *
     * @param run which
     * @param sources how many sources are searched from, of {@link Run#MULTI_SOURCE_BFS} and {@link Run#NEAREST_SOURCE}
     * @param stopTargets how many vertices end the search, of {@link Run#BFS}
     * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
     * @param measures what is wanted beside the sums, of {@link Run#FARNESS}
     * @param options what the caller chooses of how it is done
     * @param kept heap that the caller takes while the run goes on
     * @param afterwards heap that the caller takes when the run has ended, beside what it returned and what is kept
     */
    record Workload(
            Run run,
            int sources,
            int stopTargets,
            int maxDepth,
            Set<DistanceMeasure> measures,
            RunOptions options,
            MemoryTree kept,
            MemoryTree afterwards) {

        /** Work of which the caller keeps what the run returns. */
        public Workload(Run run, int sources, int maxDepth) {
            this(run, sources, 0, maxDepth, Set.of(), RunOptions.AUTO, MemoryTree.NONE, MemoryTree.NONE);
        }

        /** {@link Run#FARNESS} with these measures, of which the caller keeps what the run returns. */
        public static Workload farness(Set<DistanceMeasure> measures) {
            return new Workload(
                    Run.FARNESS,
                    0,
                    0,
                    LoadedGraph.NO_MAX_DEPTH,
                    Set.copyOf(measures),
                    RunOptions.AUTO,
                    MemoryTree.NONE,
                    MemoryTree.NONE);
        }

        /** The same, of which the caller keeps more. */
        public Workload keeping(MemoryTree whileRunning, MemoryTree whenDone) {
            return new Workload(run, sources, stopTargets, maxDepth, measures, options, whileRunning, whenDone);
        }

        /** The same, ended by so many vertices. */
        public Workload stoppingAt(int targets) {
            return new Workload(run, sources, targets, maxDepth, measures, options, kept, afterwards);
        }

        /** The same, done in this way. */
        public Workload with(RunOptions chosen) {
            return new Workload(run, sources, stopTargets, maxDepth, measures, chosen, kept, afterwards);
        }

        /** The deepest level that the run can reach in a graph of so many vertices. */
        public long deepest(int vertexCount) {
            long last = Math.max(0, vertexCount - 1L);
            return maxDepth == LoadedGraph.NO_MAX_DEPTH ? last : Math.min(maxDepth, last);
        }

        /** Heap of what the run returns: the arrays of {@link Levels}, {@link NearestSources} or {@link Farness}. */
        public MemoryTree result(int vertexCount) {
            long ints = (long) vertexCount * Integer.BYTES;
            long longs = (long) vertexCount * Long.BYTES;
            return switch (run) {
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
                case FARNESS ->
                    MemoryTree.together(
                            "farness",
                            MemoryTree.exactly("sum of distances by node", longs),
                            MemoryTree.exactly("number of nodes by node", longs),
                            MemoryTree.exactly("harmonic sum by node", wants(DistanceMeasure.HARMONIC) ? longs : 0),
                            MemoryTree.exactly("eccentricity by node", wants(DistanceMeasure.ECCENTRICITY) ? ints : 0),
                            wants(DistanceMeasure.HOPS)
                                    ? MemoryTree.between("pairs by distance", Math.min(longs, Long.BYTES), longs)
                                    : MemoryTree.NONE);
            };
        }

        /** Whether a measure is wanted. */
        public boolean wants(DistanceMeasure measure) {
            return measures.contains(measure);
        }

        /**
         * Heap of the work whose run has these steps; the last of them is the one that returns the result.
         *
         * @param steps without results
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
     * What work takes at its peak.
     *
     * @param heap on the Java heap
     * @param device on the device, with what lies there already of the graph
     * @param availableDeviceBytes what the graph and the run could have there now: what is free or idle, and what lies there
     *     already of the graph; 0 without a device
     */
    record MemoryEstimate(MemoryTree heap, MemoryTree device, long availableDeviceBytes) {
        /** An estimate of work that takes no device. */
        public static MemoryEstimate onHeap(MemoryTree heap) {
            return new MemoryEstimate(heap, MemoryTree.NONE, 0);
        }

        /** Whether there is a device whose memory suffices for the least. */
        public boolean fitsDevice() {
            return device.maxBytes() > 0 && device.minBytes() <= availableDeviceBytes;
        }

        /** The most heap that it takes, in bytes. */
        public long heapBytes() {
            return heap.maxBytes();
        }

        /** The least device memory that it takes, in bytes. */
        public long deviceBytes() {
            return device.minBytes();
        }
    }
}
