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

import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.Arrays;

/**
 * Something that traverses graphs. Levels, distances, farness and counts are integers, and every backend gives the same
 * ones: the contract suite holds them to it. Thread-safe.
 */
public interface TraversalBackend extends AutoCloseable {

    /** What this backend is and whether it can run. */
    BackendInfo info();

    /**
     * What a run allocates at its peak, beside the CSC itself and beside what it returns.
     *
     * @param graph the graph's shape
     * @param run what will run
     * @param concurrency threads it will use
     */
    MemoryEstimate estimate(GraphShape graph, Run run, int concurrency);

    /**
     * What a whole piece of work allocates at its peak, beside the CSC itself: the run, what it returns, and what the
     * caller keeps of that.
     *
     * @param graph the graph's shape
     * @param work what will be done
     * @param concurrency threads it will use
     */
    default MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        MemoryEstimate run = estimate(graph, work.run(), concurrency);
        return new MemoryEstimate(work.around(graph.vertexCount(), run.heap().named("search")), run.device());
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
        FARNESS
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
     * @param sources how many sources are searched from, of {@link Run#MULTI_SOURCE_BFS}
     * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
     * @param harmonic whether the harmonic sums are wanted, of {@link Run#FARNESS}
     * @param kept heap that the caller takes while the run goes on
     * @param afterwards heap that the caller takes when the run has ended, beside what it returned and what is kept
     */
    record Workload(Run run, int sources, int maxDepth, boolean harmonic, MemoryTree kept, MemoryTree afterwards) {
        /** Work of which the caller keeps what the run returns. */
        public Workload(Run run, int sources, int maxDepth, boolean harmonic) {
            this(run, sources, maxDepth, harmonic, MemoryTree.NONE, MemoryTree.NONE);
        }

        /** The same, of which the caller keeps more. */
        public Workload keeping(MemoryTree whileRunning, MemoryTree whenDone) {
            return new Workload(run, sources, maxDepth, harmonic, whileRunning, whenDone);
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
                            MemoryTree.exactly("harmonic sum by node", harmonic ? longs : 0));
            };
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
     * @param device on the device
     */
    record MemoryEstimate(MemoryTree heap, MemoryTree device) {
        /** Figures that are known and not told in parts. */
        public MemoryEstimate(long heapBytes, long deviceBytes) {
            this(MemoryTree.exactly("run", heapBytes), MemoryTree.exactly("graph and run", deviceBytes));
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
