// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.EdgeList;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A random graph of a property test: prints itself and shrinks by losing edges and vertices.
 *
 * @param vertexCount number of vertices
 * @param edges repeats and loops included
 */
public record SmallGraph(int vertexCount, List<Edge> edges) {

    private static final int BLOCK = 5;

    /** What the strongly connected components of a graph look like. */
    public enum Shape {
        /** An edge leads to a higher vertex. */
        ACYCLIC,
        /** Blocks of vertices are cycles, between which edges lead to a higher vertex. */
        CYCLES,
        /** No edge leads back from the last third of the vertices to the middle, or from the middle to the first. */
        BOW_TIE,
        /** No edge leaves a block of vertices. */
        SMALL_COMPONENTS;

        /** A graph of this shape, of the edges of another one. */
        public SmallGraph of(SmallGraph graph) {
            int n = graph.vertexCount();
            List<Edge> edges = new ArrayList<>();
            graph.edges().forEach(edge -> edges.add(of(edge, n)));
            for (int vertex = 0; this == CYCLES && vertex < n; vertex++) {
                boolean isLast = vertex % BLOCK == BLOCK - 1 || vertex == n - 1;
                edges.add(new Edge(vertex, isLast ? vertex / BLOCK * BLOCK : vertex + 1));
            }
            return new SmallGraph(n, edges);
        }

        private Edge of(Edge edge, int n) {
            int low = Math.min(edge.source(), edge.target());
            int high = Math.max(edge.source(), edge.target());
            return switch (this) {
                case ACYCLIC, CYCLES -> new Edge(low, high);
                case BOW_TIE -> 3 * low / n < 3 * high / n ? new Edge(low, high) : edge;
                case SMALL_COMPONENTS -> new Edge(low, Math.min(n - 1, low / BLOCK * BLOCK + high % BLOCK));
            };
        }
    }

    /** An edge between two vertices. */
    public record Edge(int source, int target) {
        @Override
        public String toString() {
            return source + ">" + target;
        }
    }

    /** The graph as an edge list. */
    public EdgeList toEdgeList() {
        EdgeList list = new EdgeList(vertexCount);
        for (Edge edge : edges) {
            list.add(edge.source(), edge.target());
        }
        return list;
    }

    /**
     * Graphs with up to the given numbers of vertices and edges. Half the ends fall on the first few vertices, so that
     * hubs, repeats and loops are common.
     */
    public static Arbitrary<SmallGraph> arbitrary(int maxVertices, int maxEdges) {
        return Arbitraries.integers().between(0, maxVertices).flatMap(vertexCount -> {
            if (vertexCount == 0) {
                return Arbitraries.just(new SmallGraph(0, List.of()));
            }
            Arbitrary<Integer> end = Arbitraries.oneOf(
                    Arbitraries.integers().between(0, vertexCount - 1),
                    Arbitraries.integers().between(0, Math.min(vertexCount, 12) - 1));
            return Combinators.combine(end, end)
                    .as(Edge::new)
                    .list()
                    .ofMaxSize(maxEdges)
                    .map(edges -> new SmallGraph(vertexCount, edges));
        });
    }

    /** As {@link #arbitrary}, with the strongly connected components of directed graphs: acyclic, cycles, bow ties. */
    public static Arbitrary<SmallGraph> directed(int maxVertices, int maxEdges) {
        return Combinators.combine(Arbitraries.of(Shape.class), arbitrary(maxVertices, maxEdges))
                .as(Shape::of);
    }
}
