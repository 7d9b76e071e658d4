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

import io.proxima.backend.TraversalBackend.Run;
import java.util.Set;

/**
 * A graph that a backend can traverse. Thread-safe: several runs may go on at once. Closing waits for nobody; a run that
 * goes on while its graph is closed is the caller's fault, which the caller's reference count prevents.
 */
public interface LoadedGraph extends AutoCloseable {

    /** The distance of a vertex that no source reaches. */
    int UNREACHED = -1;

    /** No limit on the depth. */
    int NO_MAX_DEPTH = -1;

    /** Number of vertices. */
    int vertexCount();

    /**
     * Makes the graph ready for runs, such as by moving it to a device. A run does so itself where it must; called before, it
     * keeps that out of the run's time.
     *
     * @param run what will run
     * @param searches sources that it will search from
     * @param control how the work is driven
     */
    default void prepare(Run run, long searches, RunControl control) {}

    /** Makes the graph ready for one search. */
    default void prepare(RunControl control) {
        prepare(Run.BFS, 1, control);
    }

    /**
     * Breadth-first search from one source: every vertex's number of hops from it along the edges.
     *
     * @param source vertex
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param stopTargets vertices; the search ends with the level in which the first of them lies. Empty: no such end
     * @param control how the run is driven
     */
    Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control);

    /**
     * Breadth-first searches from many sources at once, each with distances of its own.
     *
     * @param sources vertices, without repeats
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param sink is handed batch after batch, in the order of the sources, on the calling thread
     * @param control how the run is driven
     */
    void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control);

    /** The number of sources of a batch that {@link #multiSourceBfs} fills before it hands it over. */
    int multiSourceBatchSize();

    /**
     * One search from all sources together: for every vertex the nearest of them.
     *
     * @param sources vertices, without repeats; among the nearest the earliest in this array wins
     * @param maxDepth the last level to visit (inclusive), {@link #NO_MAX_DEPTH} for all
     * @param control how the run is driven
     */
    NearestSources nearestSource(int[] sources, int maxDepth, RunControl control);

    /**
     * The sums that exact closeness needs, over all pairs, and what is to be measured beside them in the same pass.
     *
     * @param measures what is wanted beside; not changed
     * @param control how the run is driven
     */
    Farness farness(Set<DistanceMeasure> measures, RunControl control);

    /** The order in which it lies, in words of the configuration key {@code order}; empty where it does not lie in any. */
    default String order() {
        return "";
    }

    /** Bytes this graph holds now beside the CSC it was loaded from, in the memory that {@link #residentOn} names. */
    long bytes();

    /** Where it lies now: the name of the device's backend, or "cpu" while it is in host memory only. */
    String residentOn();

    @Override
    void close();
}
