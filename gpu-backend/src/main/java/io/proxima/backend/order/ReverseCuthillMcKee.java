// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;

/**
 * Reverse Cuthill-McKee (Liu and Sherman, SIAM J. Numer. Anal. 13, 1976) on the symmetric structure of a graph: u and v are
 * neighbours if there is an edge either way. Both G and its transpose have that structure, so for the paper's "reordering
 * of the transpose" the result is the same. The bandwidth of a symmetric structure is that of both.
 *
 * <p>Defined for each component as follows, ties always broken by the lower vertex:
 *
 * <ol>
 *   <li>The start is a pseudo-peripheral vertex (George and Liu, ACM TOMS 5, 1979): from the component's lowest vertex a
 *       breadth-first search; then one from the vertex of lowest degree in its last level, as long as that search has more
 *       levels than the one before, and {@value #MOST_SEARCHES} times at most, which keeps the order linear in the edges.
 *   <li>Vertices are placed breadth-first from the start, those of one parent by ascending degree.
 *   <li>The component is reversed.
 * </ol>
 *
 * Components come by ascending lowest vertex, vertices without neighbours last. A graph whose bandwidth this would widen is
 * left as it is, so the bandwidth is never above that of the natural order.
 *
 * <p>Small components are searched side by side; in a large one the threads share a level that is wide enough. Memory while
 * it runs: 4 bytes an entry of the symmetric structure and about 40 a vertex.
 */
public final class ReverseCuthillMcKee {

    private static final int MOST_SEARCHES = 16;

    /** Vertices from which all threads search a component. */
    private static final int LARGE = 1 << 15;

    private static final int SMALL_AT_ONCE = 1 << 6;

    private final SearchGraph graph;
    private final Components components;
    private final RootedLevels levels;

    /** By slot. */
    private final int[] vertices;

    private ReverseCuthillMcKee(SearchGraph graph, int concurrency, Stop stop) {
        this.graph = graph;
        components = Components.of(graph, concurrency, stop);
        levels = new RootedLevels(graph, stop);
        vertices = new int[graph.nodeCount()];
    }

    /**
     * Orders a graph; a directed one is transposed first, which it keeps.
     *
     * @param graph vertex id space
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Permutation of(Csc graph, int concurrency, Stop stop) {
        SearchGraph neighbours = SearchGraph.of(graph, concurrency, stop);
        Permutation order = new ReverseCuthillMcKee(neighbours, concurrency, stop).order(concurrency, stop);
        int natural = Bandwidth.of(graph, Permutation.identity(graph.vertexCount()), concurrency, stop);
        return Bandwidth.of(graph, order, concurrency, stop) <= natural
                ? order
                : Permutation.identity(graph.vertexCount());
    }

    private Permutation order(int concurrency, Stop stop) {
        for (int c = 0; c < components.count(); c++) {
            if (components.size(c) >= LARGE) {
                searchFromFarEnd(c, concurrency);
                int component = c;
                Workers.forRanges(
                        concurrency,
                        components.size(c),
                        LARGE,
                        stop,
                        (worker, from, to) -> placeReversed(component, (int) from, (int) to));
            }
        }
        Workers.forRanges(concurrency, components.count(), SMALL_AT_ONCE, stop, (worker, from, to) -> {
            for (int c = (int) from; c < to; c++) {
                if (components.size(c) < LARGE) {
                    searchFromFarEnd(c, 1);
                    placeReversed(c, 0, components.size(c));
                }
            }
        });
        placeIsolated(stop);
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    private void searchFromFarEnd(int component, int concurrency) {
        int start = components.start(component);
        int size = components.size(component);
        int root = graph.node(components.lowestVertex(component));
        int depth = 0;
        for (int searches = 0; searches < MOST_SEARCHES; searches++) {
            RootedLevels.Shape shape = levels.search(root, start, size, concurrency);
            if (shape.levels() <= depth) {
                return;
            }
            depth = shape.levels();
            root = levels.node(shape.lastLevel());
            for (int place = shape.lastLevel() + 1; place < start + size; place++) {
                int other = levels.node(place);
                int byDegree = Integer.compare(graph.degree(other), graph.degree(root));
                if (byDegree < 0 || (byDegree == 0 && graph.vertex(other) < graph.vertex(root))) {
                    root = other;
                }
            }
        }
    }

    private void placeReversed(int component, int from, int to) {
        int start = components.start(component);
        int last = components.start(component + 1) - 1;
        for (int i = from; i < to; i++) {
            vertices[last - i] = graph.vertex(levels.node(start + i));
        }
    }

    private void placeIsolated(Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int slot = components.start(components.count());
        for (int vertex = 0; slot < vertices.length; vertex++) {
            paced.worked(2);
            if (graph.degree(graph.node(vertex)) == 0) {
                vertices[slot++] = vertex;
            }
        }
    }
}
