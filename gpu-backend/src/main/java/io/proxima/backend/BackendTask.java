// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Task;

/** The tasks that backends report to a {@link io.proxima.concurrent.Progress}. */
public final class BackendTask {

    /** A breadth-first search; volume in vertices. */
    public static final Task BFS = Task.of("BFS");

    /** Finding the parent of each vertex from the levels; volume in vertices. */
    public static final Task BFS_PARENTS = Task.of("BFS parents");

    /** Breadth-first searches from many sources; volume in sources. */
    public static final Task MULTI_SOURCE_BFS = Task.of("Multi-source BFS");

    /** Finding the nearest source of each vertex from the levels; volume in vertices. */
    public static final Task NEAREST_SOURCE = Task.of("Nearest source");

    /** Counting for each vertex the sources that are equally near; volume in sources. */
    public static final Task NEAREST_TIES = Task.of("Nearest ties");

    /** Sums of distances; volume in sources. */
    public static final Task FARNESS = Task.of("Farness");

    /** Sums of distances to chosen vertices; volume in sources. */
    public static final Task FARNESS_OF_SOURCES = Task.of("Farness of chosen nodes");

    /** Searches that bound the eccentricities of other vertices; volume in searches that are still possible. */
    public static final Task BOUNDS = Task.of("Eccentricity bounds");

    /** Linking the vertices of each weakly connected component; volume in entries. */
    public static final Task COMPONENTS = Task.of("Weakly connected components");

    /** Dependencies of sources on all other vertices; volume in vertices that sources are searched from. */
    public static final Task BETWEENNESS = Task.of("Betweenness");

    /** A search for the shortest paths from one source; volume in vertices. */
    public static final Task SHORTEST_PATHS = Task.of("Shortest paths");

    /** Searches over weights from many sources; volume in sources. */
    public static final Task WEIGHTED_SEARCHES = Task.of("Weighted searches");

    /** Computing an order of the vertices; the detail names the order if it is for a device. */
    public static final Task ORDER_VERTICES = Task.of("Order vertices");

    /** Building BVSS, on the host or on the device that the detail names; volume in entries. */
    public static final Task BUILD_BVSS = Task.of("Build BVSS");

    /** Building ball records on the device that the detail names; volume in vertices. */
    public static final Task BUILD_RECORDS = Task.of("Build ball records");

    /** Copying a graph to the device that the detail names; volume in bytes. */
    public static final Task COPY = Task.of("Copy");

    private BackendTask() {}
}
