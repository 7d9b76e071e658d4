// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.CostSink;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Turns;
import io.proxima.memory.MemoryTree;

/**
 * For each vertex, over the sources of weighted searches that reach it, without itself: their number, and the sum of
 * their costs or of the reciprocal costs. Costs are added in the order of the sources by Neumaier's compensated sum,
 * so that every number of threads finds the same.
 */
public final class CostsFromSources implements CostSink {

    private final boolean reciprocal;
    private final double[] sums;
    private final double[] lost;
    private final int[] reach;
    private final Turns turns = new Turns();

    /**
     * Creates empty sums.
     *
     * @param reciprocal whether to sum reciprocal costs instead of costs
     */
    public CostsFromSources(int vertexCount, boolean reciprocal) {
        this.reciprocal = reciprocal;
        sums = new double[vertexCount];
        lost = new double[vertexCount];
        reach = new int[vertexCount];
    }

    /** Heap of the sums. */
    public static MemoryTree memory(int vertexCount) {
        return MemoryTree.exactly("costs from the sources", (2L * Double.BYTES + Integer.BYTES) * vertexCount);
    }

    @Override
    public void accept(int worker, int index, Costs found, Stop stop) {
        turns.take(index, stop, () -> add(found, stop));
    }

    private void add(Costs found, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int i = 1; i < found.reached(); i++) {
            int vertex = found.order()[i];
            double cost = found.costs()[vertex];
            double value = reciprocal ? 1 / cost : cost;
            lost[vertex] += roundedOff(sums[vertex], value);
            sums[vertex] += value;
            reach[vertex]++;
            paced.worked(2);
        }
    }

    /** A compensated sum: infinite, and not NaN, if it exceeds the greatest double. */
    private static double total(double sum, double lost) {
        return Double.isInfinite(sum) ? sum : sum + lost;
    }

    /** What the sum of two numbers that are not negative rounds off. */
    private static double roundedOff(double sum, double value) {
        double next = sum + value;
        return sum >= value ? sum - next + value : value - next + sum;
    }

    /** The sum for a vertex, after the run. Infinite if it exceeds the greatest double. */
    public double sum(int vertex) {
        return total(sums[vertex], lost[vertex]);
    }

    /** The number of sources that reach each vertex, without itself. */
    public int[] reach() {
        return reach;
    }
}
