// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;

/**
 * For each source of weighted searches, over the other vertices that it reaches: their number, the sum of their costs,
 * that of the reciprocal costs if requested, and the greatest cost. Each sum is a {@link FixedSum}: it depends only on
 * the costs, not on the backend, the number of threads or the numbers of the vertices.
 */
public final class CostSums implements CostSink {

    private final double[] sums;
    private final double[] reciprocals;
    private final double[] greatest;
    private final int[] reach;

    /**
     * Creates empty sums.
     *
     * @param sources number of sources
     * @param withReciprocals whether to sum the reciprocal costs
     */
    public CostSums(int sources, boolean withReciprocals) {
        sums = new double[sources];
        reciprocals = withReciprocals ? new double[sources] : null;
        greatest = new double[sources];
        reach = new int[sources];
    }

    /** Heap of the sums. */
    public static MemoryTree memory(int sources, boolean withReciprocals) {
        return MemoryTree.exactly(
                "sums by node", ((withReciprocals ? 3L : 2L) * Double.BYTES + Integer.BYTES) * sources);
    }

    @Override
    public void accept(int worker, int index, Costs found, Stop stop) {
        int others = found.reached() - 1;
        if (others > 0) {
            double last = found.costs()[found.order()[others]];
            double reciprocal = reciprocals == null ? 0 : sum(found, true, 1 / found.costs()[found.order()[1]], stop);
            put(index, others, last, sum(found, false, last, stop), reciprocal);
        }
    }

    private static double sum(Costs found, boolean reciprocal, double greatest, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        FixedSum sum = new FixedSum(greatest);
        for (int i = 1; i < found.reached(); i++) {
            double cost = found.costs()[found.order()[i]];
            sum.add(reciprocal ? 1 / cost : cost);
            paced.worked(1);
        }
        return sum.value();
    }

    /**
     * Sets what a source has found; called once for each source that reaches another vertex.
     *
     * @param index index of the source
     * @param others number of other vertices that it reaches, above 0
     * @param last the greatest cost
     * @param sum the sum of the costs
     * @param reciprocal the sum of the reciprocal costs; ignored if it was not requested
     */
    public void put(int index, int others, double last, double sum, double reciprocal) {
        reach[index] = others;
        greatest[index] = last;
        sums[index] = sum;
        if (reciprocals != null) {
            reciprocals[index] = reciprocal;
        }
    }

    /** The sum of the costs, by source. Infinite if it exceeds the greatest double. */
    public double[] sums() {
        return sums;
    }

    /** The sum of the reciprocal costs, by source; null if it was not requested. */
    public double[] reciprocals() {
        return reciprocals;
    }

    /** The greatest cost, by source; 0 if it reaches no other vertex. */
    public double[] greatest() {
        return greatest;
    }

    /** The number of other vertices reached, by source. */
    public int[] reach() {
        return reach;
    }

    /** The greatest of all costs; 0 without any. */
    public double diameter(Stop stop) {
        PacedStop paced = new PacedStop(stop);
        double diameter = 0;
        for (double cost : greatest) {
            diameter = Math.max(diameter, cost);
            paced.worked(1);
        }
        return diameter;
    }

    /** The smallest of the greatest costs, among the sources that reach the most vertices; 0 without sources. */
    public double radius(Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int most = -1;
        double radius = 0;
        for (int index = 0; index < reach.length; index++) {
            if (reach[index] > most || (reach[index] == most && greatest[index] < radius)) {
                most = reach[index];
                radius = greatest[index];
            }
            paced.worked(1);
        }
        return radius;
    }

    /** The mean cost over all pairs of a source and another vertex that it reaches; 0 without pairs. */
    public double mean(Stop stop) {
        PacedStop paced = new PacedStop(stop);
        double sum = 0;
        long pairs = 0;
        for (int index = 0; index < reach.length; index++) {
            sum += sums[index];
            pairs += reach[index];
            paced.worked(1);
        }
        return pairs == 0 ? 0 : sum / pairs;
    }
}
