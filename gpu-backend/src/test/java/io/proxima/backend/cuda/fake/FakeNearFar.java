// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The near queue, the far pile and the width of near_far.cuh, one vertex at a time. The warps relax no batches by
 * themselves.
 */
final class FakeNearFar {

    private static final int FEW_EDGES = 16;
    private static final int NARROW_BUCKETS = 4;

    private final WeightedCsc graph;
    private final boolean integers;
    private final double leastWidth;
    private final long few;
    final double[] costs;

    private final BitSet inNear = new BitSet();
    private final BitSet inFar = new BitSet();
    private double before;
    private double limit;
    private double width;
    private int narrowBuckets;
    private long excess;

    /** The number of relaxed edges. */
    long relaxations;

    /**
     * Creates a search.
     *
     * @param integers whether costs are integers, which can be no closer than 1
     * @param warps of the grid
     */
    FakeNearFar(WeightedCsc graph, boolean integers, double width, int warps) {
        this.graph = graph;
        this.integers = integers;
        this.leastWidth = width;
        this.width = width;
        this.limit = width;
        this.few = (long) FEW_EDGES * warps;
        this.costs = new double[graph.vertexCount()];
    }

    void run(int source) {
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
        costs[source] = 0;
        int[] near = graph.degree(source) > 0 ? new int[] {source} : new int[0];
        int[] far = {};
        while (near.length > 0 || far.length > 0) {
            if (near.length == 0) {
                double[] least = {Double.POSITIVE_INFINITY};
                IntStream.of(far)
                        .filter(vertex -> costs[vertex] >= limit)
                        .forEach(vertex -> least[0] = Math.min(least[0], costs[vertex]));
                IntStream.Builder due = IntStream.builder();
                IntStream.Builder later = IntStream.builder();
                for (int vertex : far) {
                    if (costs[vertex] >= limit) {
                        later.add(vertex);
                    } else {
                        inFar.clear(vertex);
                        if (costs[vertex] >= before && graph.degree(vertex) > 0) {
                            inNear.set(vertex);
                            due.add(vertex);
                        }
                    }
                }
                near = due.build().toArray();
                far = later.build().toArray();
                if (near.length == 0) {
                    before = limit;
                    limit = above(least[0]);
                }
            } else {
                IntStream.Builder next = IntStream.builder();
                IntStream.Builder later = IntStream.builder();
                excess -= few;
                for (int vertex : near) {
                    inNear.clear(vertex);
                    relax(vertex, next, later);
                }
                near = next.build().toArray();
                far = IntStream.concat(IntStream.of(far), later.build()).toArray();
                if (near.length == 0) {
                    endBucket();
                }
            }
        }
    }

    private void relax(int vertex, IntStream.Builder near, IntStream.Builder far) {
        relaxations += graph.degree(vertex);
        excess += graph.degree(vertex);
        for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
            int row = graph.rowIndices().get(entry);
            double cost = costs[vertex] + graph.weights().get(entry);
            if (cost < costs[row]) {
                costs[row] = cost;
                if (cost >= limit) {
                    if (!inFar.get(row)) {
                        inFar.set(row);
                        far.add(row);
                    }
                } else if (!inNear.get(row) && graph.degree(row) > 0) {
                    inNear.set(row);
                    near.add(row);
                }
            }
        }
    }

    private void endBucket() {
        if (excess <= 0) {
            narrowBuckets++;
            if (narrowBuckets == NARROW_BUCKETS) {
                width *= 2;
                narrowBuckets = 0;
            }
        } else {
            narrowBuckets = 0;
            width = Math.max(leastWidth, integers ? Math.floor(width / 2) : width / 2);
        }
        excess = 0;
        before = limit;
        limit = above(limit);
    }

    private double above(double cost) {
        return Math.max(cost + width, Math.nextUp(cost));
    }
}
