// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;

/**
 * Places one component after the other, by ascending lowest vertex; vertices without neighbours come last, ascending.
 * Components are searched one after the other by all threads if they are large, and side by side otherwise.
 */
final class ComponentOrder {

    private static final int LARGE = 1 << 15;
    private static final int SMALL_AT_ONCE = 1 << 6;

    private ComponentOrder() {}

    /** Searches one component; the last search of it is what counts. */
    @FunctionalInterface
    interface Search {
        /**
         * Searches the component of {@code lowest} as often as needed.
         *
         * @param lowest the node of its lowest vertex
         * @param start its first place
         * @param size its nodes, at least two
         */
        void run(RootedLevels levels, int lowest, int start, int size, int concurrency);
    }

    /**
     * Places all vertices.
     *
     * @param reversed whether each component is placed backwards
     */
    static Permutation of(SearchGraph graph, Search search, boolean reversed, int concurrency, Stop stop) {
        int n = graph.nodeCount();
        Components components = Components.of(graph, concurrency, stop);
        RootedLevels levels = new RootedLevels(graph, stop);
        int[] vertices = new int[n];
        for (int c = 0; c < components.count(); c++) {
            if (components.size(c) >= LARGE) {
                search(graph, levels, components, c, search, concurrency);
                int component = c;
                Workers.forRanges(
                        concurrency,
                        components.size(c),
                        LARGE,
                        stop,
                        (worker, from, to) ->
                                place(graph, levels, components, component, (int) from, (int) to, reversed, vertices));
            }
        }
        Workers.forRanges(concurrency, components.count(), SMALL_AT_ONCE, stop, (worker, from, to) -> {
            for (int c = (int) from; c < to; c++) {
                if (components.size(c) < LARGE) {
                    search(graph, levels, components, c, search, 1);
                    place(graph, levels, components, c, 0, components.size(c), reversed, vertices);
                }
            }
        });
        PacedStop paced = new PacedStop(stop);
        int slot = components.start(components.count());
        for (int vertex = 0; vertex < n && slot < n; vertex++) {
            paced.worked(2);
            if (graph.degree(graph.node(vertex)) == 0) {
                vertices[slot++] = vertex;
            }
        }
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    private static void search(
            SearchGraph graph, RootedLevels levels, Components components, int c, Search search, int concurrency) {
        int lowest = graph.node(components.lowestVertex(c));
        search.run(levels, lowest, components.start(c), components.size(c), concurrency);
    }

    private static void place(
            SearchGraph graph,
            RootedLevels levels,
            Components components,
            int c,
            int from,
            int to,
            boolean reversed,
            int[] vertices) {
        int start = components.start(c);
        int last = components.start(c + 1) - 1;
        for (int i = from; i < to; i++) {
            vertices[reversed ? last - i : start + i] = graph.vertex(levels.node(start + i));
        }
    }
}
