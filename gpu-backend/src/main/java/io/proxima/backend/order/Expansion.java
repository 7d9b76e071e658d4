// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How fast the searches of a graph spread, found by trial searches that end after some thousand vertices. In a social
 * network, a few hops reach them; in a mesh or a road network, it takes dozens of hops. Searches of such a deep graph
 * have many small levels, so that the time of a run differs by an order of magnitude.
 */
public final class Expansion {

    private static final int ENOUGH = 1 << 12;
    private static final int TRIALS = 3;

    /** A mesh of three dimensions takes 14 hops to {@link #ENOUGH} vertices, a random graph of degree 3 takes 12. */
    private static final int SHALLOW_LEVELS = 12;

    private Expansion() {}

    /**
     * Returns whether the graph is deep. A graph whose searches all end before they reach enough vertices is not.
     *
     * @param graph vertex or slot id space: the answer does not depend on the order except through the trial's sources
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static boolean isDeep(Csc graph, Stop stop) {
        boolean deep = false;
        for (int trial = 0; trial < TRIALS; trial++) {
            int levels = levels(graph, source(graph, trial, stop), stop);
            if (levels >= 0 && levels <= SHALLOW_LEVELS) {
                return false;
            }
            deep |= levels > SHALLOW_LEVELS;
        }
        return deep;
    }

    /** A vertex with edges, from the trial's part of the vertices on; -1 if there is none. */
    private static int source(Csc graph, int trial, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int vertex = (int) ((2L * trial + 1) * graph.vertexCount() / (2 * TRIALS));
        while (vertex < graph.vertexCount() && graph.degree(vertex) == 0) {
            vertex++;
            paced.worked(1);
        }
        return vertex < graph.vertexCount() ? vertex : -1;
    }

    /** The number of levels until enough vertices are reached, -1 if the search ends before. */
    private static int levels(Csc graph, int source, Stop stop) {
        if (source < 0) {
            return -1;
        }
        int enough = Math.min(ENOUGH, graph.vertexCount() / 2);
        PacedStop paced = new PacedStop(stop);
        IntPages rows = graph.rowIndices();
        Set<Integer> reached = new HashSet<>(Set.of(source));
        List<Integer> frontier = List.of(source);
        for (int level = 0; !frontier.isEmpty(); level++) {
            List<Integer> next = new ArrayList<>();
            for (int vertex : frontier) {
                for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                    paced.worked(1);
                    int neighbour = rows.get(i);
                    if (reached.add(neighbour)) {
                        next.add(neighbour);
                    }
                    if (reached.size() >= enough) {
                        return level + 1;
                    }
                }
            }
            frontier = next;
        }
        return -1;
    }
}
