// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.PriorityQueue;

/** Dijkstra's algorithm as in a textbook: the oracle of weighted shortest paths. */
public final class TextbookDijkstra {

    private TextbookDijkstra() {}

    /** The least floating-point sum along a path, infinite without one; edges without weights cost 1 each. */
    public static double[] costs(WeightedCsc graph, int source) {
        record Entry(double cost, int vertex) {}
        double[] costs = new double[graph.vertexCount()];
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
        costs[source] = 0;
        PriorityQueue<Entry> queue = new PriorityQueue<>((a, b) -> Double.compare(a.cost, b.cost));
        queue.add(new Entry(0, source));
        while (!queue.isEmpty()) {
            Entry next = queue.remove();
            if (next.cost > costs[next.vertex]) {
                continue;
            }
            for (long i = graph.columnStart(next.vertex); i < graph.columnEnd(next.vertex); i++) {
                int row = graph.rowIndices().get(i);
                double cost = next.cost
                        + (graph.weights() == null ? 1 : graph.weights().get(i));
                if (cost < costs[row]) {
                    costs[row] = cost;
                    queue.add(new Entry(cost, row));
                }
            }
        }
        return costs;
    }
}
