// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;

/**
 * Vertices in the order of a breadth-first search over the symmetric structure: each component from its vertex of highest
 * degree, neighbours ascending, ties by the lower vertex. Components come by ascending lowest vertex, vertices without
 * neighbours last.
 */
final class BreadthFirstOrder {

    private BreadthFirstOrder() {}

    static Permutation of(Csc graph, int concurrency, Stop stop) {
        SearchGraph neighbours = SearchGraph.of(graph, false, concurrency, stop);
        return ComponentOrder.of(
                neighbours,
                (levels, lowest, start, size, threads) ->
                        fromHub(neighbours, levels, lowest, start, size, threads, stop),
                false,
                concurrency,
                stop);
    }

    private static void fromHub(
            SearchGraph graph, RootedLevels levels, int lowest, int start, int size, int concurrency, Stop stop) {
        levels.search(lowest, start, size, concurrency);
        PacedStop paced = new PacedStop(stop);
        int hub = lowest;
        for (int place = start + 1; place < start + size; place++) {
            paced.worked(3);
            int other = levels.node(place);
            int byDegree = Integer.compare(graph.degree(other), graph.degree(hub));
            if (byDegree > 0 || (byDegree == 0 && graph.vertex(other) < graph.vertex(hub))) {
                hub = other;
            }
        }
        levels.search(hub, start, size, concurrency);
    }
}
