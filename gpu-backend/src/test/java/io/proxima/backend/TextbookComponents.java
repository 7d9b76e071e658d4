// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Union-find as in a textbook, whose roots are the lowest vertices: the oracle of components. */
public final class TextbookComponents {

    private TextbookComponents() {}

    /** The lowest vertex of each vertex's weakly connected component. */
    public static int[] of(Csc graph) {
        int[] parents = IntStream.range(0, graph.vertexCount()).toArray();
        for (int vertex = 0; vertex < parents.length; vertex++) {
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                int one = root(parents, vertex);
                int other = root(parents, graph.rowIndices().get(i));
                parents[Math.max(one, other)] = Math.min(one, other);
            }
        }
        Arrays.setAll(parents, vertex -> root(parents, vertex));
        return parents;
    }

    private static int root(int[] parents, int vertex) {
        int root = vertex;
        while (parents[root] != root) {
            // halves the way for those who come after
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }
}
