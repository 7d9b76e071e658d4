// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.DistanceBatch;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.Set;

/**
 * The {@link Farness} of all vertices over the sources of a multi-source BFS instead of all vertices. With sources
 * drawn at random, these are the sums of the estimator of Eppstein and Wang [1].
 *
 * <p>Let m be the mean distance to v of the vertices that reach it, and D the greatest. With r of these vertices among
 * the sources, {@code farness / reach} differs from m by {@code e * D} or more with a probability of at most
 * {@code 2 exp(-2 r e^2)}. This is Hoeffding's bound, which also holds for sampling without replacement [2, section 6].
 * For all n vertices of a strongly connected graph together, {@code r = ln(2 n / p) / (2 e^2)} sources suffice for a
 * probability of p.
 *
 * <p>[1] D. Eppstein, J. Wang: Fast Approximation of Centrality, Journal of Graph Algorithms and Applications 8(1),
 * 2004.
 *
 * <p>[2] W. Hoeffding: Probability Inequalities for Sums of Bounded Random Variables, Journal of the American
 * Statistical Association 58(301), 1963.
 */
public final class FarnessFromSources implements DistanceSink {

    private static final int GRAIN = 1 << 12;

    private final RunContext control;
    private final Farness sums;

    /**
     * Creates empty sums.
     *
     * @param vertexCount number of vertices of the graph
     * @param withHarmonic whether to sum reciprocal distances too
     * @param control concurrency and stop of the summing
     */
    public FarnessFromSources(int vertexCount, boolean withHarmonic, RunContext control) {
        this.control = control;
        sums = Farness.zeros(vertexCount, withHarmonic ? Set.of(DistanceMeasure.HARMONIC) : Set.of());
    }

    /** Heap of the sums. */
    public static MemoryTree memory(int vertexCount, boolean withHarmonic) {
        return MemoryTree.exactly(
                "farness from the sources", (2L * Long.BYTES + (withHarmonic ? Double.BYTES : 0)) * vertexCount);
    }

    @Override
    public void accept(DistanceBatch batch) {
        long[] farness = sums.farness();
        long[] reach = sums.reach();
        double[] harmonic = sums.harmonic();
        Workers.forRanges(control.concurrency(), farness.length, GRAIN, control.stop(), (worker, from, to) -> {
            PacedStop paced = new PacedStop(control.stop());
            int sources = batch.sourceCount();
            for (int vertex = (int) from; vertex < to; vertex++) {
                long sum = 0;
                int reached = 0;
                for (int source = 0; source < sources; source++) {
                    int distance = batch.distance(source, vertex);
                    if (distance > 0) {
                        sum += distance;
                        reached++;
                        if (harmonic != null) {
                            harmonic[vertex] += 1.0 / distance;
                        }
                    }
                }
                farness[vertex] += sum;
                reach[vertex] += reached;
                paced.worked(sources);
            }
        });
    }

    /**
     * The sums after the run, by vertex, over the sources other than the vertex itself. Reciprocal distances are summed
     * in the order of the sources, so that every backend returns the same double.
     */
    public Farness farness() {
        return sums;
    }
}
