// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
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

    private ReverseCuthillMcKee() {}

    /**
     * Orders a graph; a directed one is transposed first, which it keeps.
     *
     * @param graph vertex id space
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Permutation of(Csc graph, int concurrency, Stop stop) {
        SearchGraph neighbours = SearchGraph.of(graph, true, concurrency, stop);
        Permutation order = ComponentOrder.of(
                neighbours,
                (levels, lowest, start, size, threads) -> fromFarEnd(neighbours, levels, lowest, start, size, threads),
                true,
                concurrency,
                stop);
        int natural = Bandwidth.of(graph, Permutation.identity(graph.vertexCount()), concurrency, stop);
        return Bandwidth.of(graph, order, concurrency, stop) <= natural
                ? order
                : Permutation.identity(graph.vertexCount());
    }

    private static void fromFarEnd(
            SearchGraph graph, RootedLevels levels, int lowest, int start, int size, int concurrency) {
        int root = lowest;
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
}
