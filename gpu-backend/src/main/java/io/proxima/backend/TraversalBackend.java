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

import io.proxima.projection.Csc;

/**
 * Something that traverses graphs. Levels, distances, farness and counts are integers, and every backend gives the same
 * ones: the contract suite holds them to it. Thread-safe.
 */
public interface TraversalBackend extends AutoCloseable {

    /** What this backend is and whether it can run. */
    BackendInfo info();

    /**
     * Bytes that a run allocates at its peak, beside the CSC itself and beside what it returns.
     *
     * @param graph the graph's shape
     * @param run what will run
     * @param concurrency threads it will use
     */
    MemoryEstimate estimate(GraphShape graph, Run run, int concurrency);

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
     */
    record GraphShape(int vertexCount, long entryCount, boolean symmetric) {
        /** The shape of a CSC. */
        public static GraphShape of(Csc graph) {
            return new GraphShape(graph.vertexCount(), graph.entryCount(), graph.isSymmetric());
        }
    }

    /**
     * Peak bytes of a run.
     *
     * @param heapBytes on the Java heap
     * @param deviceBytes on the device
     */
    record MemoryEstimate(long heapBytes, long deviceBytes) {}
}
