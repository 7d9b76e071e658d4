// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.csc.Csc;

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
}
