/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
