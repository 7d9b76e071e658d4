// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.Csc;

/** Union-find as in a textbook: the oracle of components. */
public final class TextbookComponents {

    private final int[] parents;

    private TextbookComponents(int vertexCount) {
        parents = new int[vertexCount];
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            parents[vertex] = vertex;
        }
    }

    /** The lowest vertex of each vertex's weakly connected component. */
    public static int[] of(Csc graph) {
        int n = graph.vertexCount();
        TextbookComponents sets = new TextbookComponents(n);
        for (int vertex = 0; vertex < n; vertex++) {
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                sets.unite(vertex, graph.rowIndices().get(i));
            }
        }
        int[] lowest = new int[n];
        int[] lowestOfSet = new int[n];
        for (int vertex = n - 1; vertex >= 0; vertex--) {
            lowestOfSet[sets.find(vertex)] = vertex;
        }
        for (int vertex = 0; vertex < n; vertex++) {
            lowest[vertex] = lowestOfSet[sets.find(vertex)];
        }
        return lowest;
    }

    private int find(int vertex) {
        int root = vertex;
        while (parents[root] != root) {
            root = parents[root];
        }
        int at = vertex;
        while (parents[at] != root) {
            int above = parents[at];
            parents[at] = root;
            at = above;
        }
        return root;
    }

    private void unite(int one, int other) {
        parents[find(one)] = find(other);
    }
}
