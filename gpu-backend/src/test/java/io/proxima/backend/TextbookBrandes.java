// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Brandes' algorithm, one source after another. Numbers of paths are mantissas and exponents, so that none is too
 * large.
 */
public final class TextbookBrandes {

    private TextbookBrandes() {}

    /** For each vertex the sum of the dependencies of all vertices on it. */
    public static double[] scores(Csc graph) {
        return scores(graph, IntStream.range(0, graph.vertexCount()).toArray());
    }

    /** For each vertex the sum of the dependencies of the sources on it. */
    public static double[] scores(Csc graph, int... sources) {
        double[] scores = new double[graph.vertexCount()];
        for (int source : sources) {
            add(graph, source, 1, null, Integer.MAX_VALUE, scores);
        }
        return scores;
    }

    /**
     * Adds the dependencies of one source.
     *
     * @param times what they are multiplied by
     * @param weights {@code int[vertexCount]}: how many targets each vertex stands for; null for one each
     * @param mostExponent below 2 to the power of which the numbers of paths must be
     * @param scores {@code double[vertexCount]}: added to, unless there are too many paths
     * @return false if there are too many paths
     */
    public static boolean add(Csc graph, int source, int times, int[] weights, int mostExponent, double[] scores) {
        int n = graph.vertexCount();
        int[] levels = new int[n];
        Arrays.fill(levels, -1);
        double[] counts = new double[n];
        int[] exponents = new int[n];
        int[] queue = new int[n];
        int tail = 1;
        queue[0] = source;
        levels[source] = 0;
        counts[source] = 1;
        for (int head = 0; head < tail; head++) {
            int u = queue[head];
            int exponent = Math.getExponent(counts[u]);
            counts[u] = Math.scalb(counts[u], -exponent);
            exponents[u] += exponent;
            if (exponents[u] >= mostExponent) {
                return false;
            }
            for (long i = graph.columnStart(u); i < graph.columnEnd(u); i++) {
                int v = graph.rowIndices().get(i);
                if (levels[v] < 0) {
                    levels[v] = levels[u] + 1;
                    exponents[v] = exponents[u];
                    queue[tail++] = v;
                }
                if (levels[v] == levels[u] + 1) {
                    int greater = Math.max(exponents[u], exponents[v]);
                    counts[v] = Math.scalb(counts[v], exponents[v] - greater)
                            + Math.scalb(counts[u], exponents[u] - greater);
                    exponents[v] = greater;
                }
            }
        }
        double[] dependencies = new double[n];
        for (int q = tail - 1; q > 0; q--) {
            int v = queue[q];
            for (long i = graph.columnStart(v); i < graph.columnEnd(v); i++) {
                int w = graph.rowIndices().get(i);
                if (levels[w] == levels[v] + 1) {
                    double paths = Math.scalb(counts[v] / counts[w], exponents[v] - exponents[w]);
                    dependencies[v] += paths * ((weights == null ? 1 : weights[w]) + dependencies[w]);
                }
            }
            scores[v] += times * dependencies[v];
        }
        return true;
    }
}
