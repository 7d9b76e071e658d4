// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Brandes' algorithm as published: one source after another, with lists of predecessors. */
public final class TextbookBrandes {

    private TextbookBrandes() {}

    /** For each vertex the sum of the dependencies of all vertices on it. */
    public static double[] scores(Csc graph) {
        return scores(graph, IntStream.range(0, graph.vertexCount()).toArray());
    }

    /** For each vertex the sum of the dependencies of the sources on it. */
    public static double[] scores(Csc graph, int... sources) {
        int n = graph.vertexCount();
        double[] scores = new double[n];
        for (int source : sources) {
            int[] distances = TextbookBfs.levels(graph, -1, source);
            List<Integer> order = IntStream.range(0, n)
                    .filter(v -> distances[v] >= 0)
                    .boxed()
                    .sorted((v, w) -> Integer.compare(distances[v], distances[w]))
                    .toList();
            List<List<Integer>> predecessors = new ArrayList<>();
            for (int v = 0; v < n; v++) {
                predecessors.add(new ArrayList<>());
            }
            double[] paths = new double[n];
            paths[source] = 1;
            for (int v : order) {
                for (long i = graph.columnStart(v); i < graph.columnEnd(v); i++) {
                    int w = graph.rowIndices().get(i);
                    if (distances[w] == distances[v] + 1) {
                        paths[w] += paths[v];
                        predecessors.get(w).add(v);
                    }
                }
            }
            double[] dependencies = new double[n];
            for (int i = order.size() - 1; i > 0; i--) {
                int w = order.get(i);
                for (int v : predecessors.get(w)) {
                    dependencies[v] += paths[v] / paths[w] * (1 + dependencies[w]);
                }
                scores[w] += dependencies[w];
            }
        }
        return scores;
    }
}
