// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.EdgeList;
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
}
