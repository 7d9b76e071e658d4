// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether searches of a graph have few large levels, as in a social network, or many small ones, as in a road network
 * or a mesh. Kernels and orders depend on it. {@link Csc#depth} keeps it with the graph.
 */
public enum GraphDepth {
    /** A few hops reach thousands of vertices, or no search reaches so many. */
    SHALLOW,
    /** Every search that reaches thousands of vertices takes more than a dozen hops to do so. */
    DEEP;

    private static final int ENOUGH = 1 << 12;
    private static final int SAMPLES = 3;

    /** A mesh of three dimensions takes 14 hops to {@link #ENOUGH} vertices, a random graph of degree 3 takes 12. */
    private static final int SHALLOW_HOPS = 12;

    private static final int NONE = -1;

    /** Finds the depth by short searches from three sources. */
    static GraphDepth of(Csc graph, Stop stop) {
        GraphDepth depth = SHALLOW;
        for (int sample = 0; sample < SAMPLES; sample++) {
            int hops = hops(graph, source(graph, sample, stop), stop);
            if (hops != NONE && hops <= SHALLOW_HOPS) {
                return SHALLOW;
            }
            if (hops > SHALLOW_HOPS) {
                depth = DEEP;
            }
        }
        return depth;
    }

    /**
     * The first vertex with edges from the middle of the sample's third of the vertices on; {@link #NONE} if there is
     * none.
     */
    private static int source(Csc graph, int sample, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int vertex = (int) ((2L * sample + 1) * graph.vertexCount() / (2 * SAMPLES));
        while (vertex < graph.vertexCount() && graph.degree(vertex) == 0) {
            vertex++;
            paced.worked(1);
        }
        return vertex < graph.vertexCount() ? vertex : NONE;
    }

    /** The hops to {@link #ENOUGH} vertices, or to half of a small graph; {@link #NONE} if the search reaches fewer. */
    private static int hops(Csc graph, int source, Stop stop) {
        if (source == NONE) {
            return NONE;
        }
        int enough = Math.min(ENOUGH, graph.vertexCount() / 2);
        PacedStop paced = new PacedStop(stop);
        IntPages rows = graph.rowIndices();
        Set<Integer> reached = new HashSet<>(Set.of(source));
        List<Integer> frontier = List.of(source);
        for (int hops = 1; !frontier.isEmpty(); hops++) {
            List<Integer> next = new ArrayList<>();
            for (int vertex : frontier) {
                for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                    paced.worked(1);
                    int neighbour = rows.get(i);
                    if (reached.add(neighbour)) {
                        next.add(neighbour);
                    }
                    if (reached.size() >= enough) {
                        return hops;
                    }
                }
            }
            frontier = next;
        }
        return NONE;
    }
}
