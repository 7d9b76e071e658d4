// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reverse Cuthill-McKee (Liu and Sherman, SIAM J. Numer. Anal. 13, 1976) on the symmetric structure of a graph: u and v
 * are neighbours if there is an edge either way. Both G and its transpose have that structure, so for the paper's
 * "reordering of the transpose" the result is the same. The bandwidth of a symmetric structure is that of both.
 *
 * <p>Defined for each component as follows, ties always broken by the lower vertex:
 *
 * <ol>
 *   <li>The start is near an end of the component: the vertex of lowest degree in the last level of a breadth-first
 *       search from the component's lowest vertex. That is the first step of George and Liu (ACM TOMS 5, 1979), who
 *       repeat it as long as the levels become more.
 *   <li>Vertices are placed breadth-first from the start, those of one parent by ascending degree.
 *   <li>The component is reversed.
 * </ol>
 *
 * Components come by ascending lowest vertex, vertices without neighbours last. A graph whose bandwidth this would
 * widen is left as it is, so the bandwidth is never above that of the natural order.
 *
 * <p>The searches are those of one thread: the order suits deep graphs, whose levels are narrow. Memory while it runs:
 * 4 bytes an entry of the symmetric structure and about 36 a vertex.
 */
final class ReverseCuthillMcKee {

    private static final int COLUMNS_AT_ONCE = 1 << 12;

    private final NeighboursByDegree graph;
    private final Stop stop;
    private final PacedStop paced;

    /** By place: the vertex. */
    private final int[] order;

    /** By vertex. */
    private final boolean[] placed;

    private ReverseCuthillMcKee(NeighboursByDegree graph, Stop stop) {
        this.graph = graph;
        this.stop = stop;
        paced = new PacedStop(stop);
        order = new int[graph.vertexCount()];
        placed = new boolean[graph.vertexCount()];
    }

    /**
     * Orders a graph; a directed one is transposed first, which it keeps.
     *
     * @param graph vertex id space
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    static Permutation of(Csc graph, int concurrency, Stop stop) {
        NeighboursByDegree neighbours = NeighboursByDegree.of(graph, concurrency, stop);
        Permutation order = new ReverseCuthillMcKee(neighbours, stop).order(concurrency);
        Permutation natural = Permutation.identity(graph.vertexCount());
        int most = bandwidth(graph, natural, concurrency, stop);
        return bandwidth(graph, order, concurrency, stop) <= most ? order : natural;
    }

    /**
     * How far from the diagonal the entries of the ordered graph's matrix lie at most, without relabelling the graph.
     *
     * @return the greatest |slot(u) - slot(v)| over all edges u to v; 0 without edges
     */
    static int bandwidth(Csc graph, Permutation order, int concurrency, Stop stop) {
        AtomicInteger bandwidth = new AtomicInteger();
        Workers.forRanges(concurrency, graph.vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            IntPages rows = graph.rowIndices();
            int widest = 0;
            for (int column = (int) from; column < to; column++) {
                int slot = order.slot(column);
                long end = graph.columnEnd(column);
                for (long i = graph.columnStart(column); i < end; i++) {
                    widest = Math.max(widest, Math.abs(order.slot(rows.get(i)) - slot));
                }
            }
            bandwidth.accumulateAndGet(widest, Math::max);
        });
        return bandwidth.get();
    }

    private Permutation order(int concurrency) {
        int[] vertices = new int[order.length];
        int start = 0;
        for (int vertex = 0; vertex < vertices.length; vertex++) {
            paced.worked(2);
            if (!placed[vertex] && graph.degree(vertex) > 0) {
                int end = searchFromFarEnd(vertex, start);
                for (int place = start; place < end; place++) {
                    vertices[start + end - 1 - place] = order[place];
                    paced.worked(1);
                }
                start = end;
            }
        }
        for (int vertex = 0; start < vertices.length; vertex++) {
            paced.worked(2);
            if (graph.degree(vertex) == 0) {
                vertices[start++] = vertex;
            }
        }
        return Permutation.ofVertices(vertices, concurrency, stop);
    }

    /** Places the component of its lowest vertex from {@code start} on. Returns the place after its last. */
    private int searchFromFarEnd(int lowest, int start) {
        Search found = search(lowest, start, start);
        int root = order[found.lastLevel()];
        for (int place = found.lastLevel() + 1; place < found.end(); place++) {
            int other = order[place];
            int byDegree = Integer.compare(graph.degree(other), graph.degree(root));
            if (byDegree < 0 || (byDegree == 0 && other < root)) {
                root = other;
            }
        }
        return search(root, start, found.end()).end();
    }

    /**
     * A search's shape.
     *
     * @param lastLevel the first place of the last
     * @param end the place after the last
     */
    private record Search(int lastLevel, int end) {}

    /**
     * Places a component in the order of a queue: by level, within a level by the place of the parent, then as the
     * parent's list has them.
     *
     * @param before the end of the component's vertices that have been placed from {@code start} on, from another root
     */
    private Search search(int root, int start, int before) {
        for (int place = start; place < before; place++) {
            placed[order[place]] = false;
        }
        placed[root] = true;
        order[start] = root;
        int level = start;
        int levelEnd = start + 1;
        int end = levelEnd;
        IntPages neighbours = graph.neighbours();
        for (int place = start; place < end; place++) {
            if (place == levelEnd) {
                level = place;
                levelEnd = end;
            }
            int vertex = order[place];
            paced.worked(1L + graph.degree(vertex));
            for (long i = graph.start(vertex), last = graph.start(vertex + 1); i < last; i++) {
                int neighbour = neighbours.get(i);
                if (!placed[neighbour]) {
                    placed[neighbour] = true;
                    order[end++] = neighbour;
                }
            }
        }
        return new Search(level, end);
    }
}
