// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * The closeness scores. Each is computed once, from integers, so that every backend returns the same double. For a
 * vertex v let reach be the number of other vertices that reach v, farness the sum of their distances to v, and n the
 * number of vertices of the graph. In an estimate, the sums and n - 1 cover only a sample of the other vertices.
 */
public enum ClosenessFormula {
    /** reach / farness: Bavelas' closeness among the vertices that reach v. */
    DEFAULT,
    /** reach / farness * reach / (n - 1): Wasserman and Faust, Social Network Analysis (1994), chapter 5. */
    WASSERMAN_FAUST,
    /** (sum of 1 / distance) / (n - 1): Marchiori and Latora, Harmony in the small-world (2000). */
    HARMONIC;

    /** The optional measures that the scores need. */
    public Set<DistanceMeasure> measures() {
        return this == HARMONIC ? Set.of(DistanceMeasure.HARMONIC) : Set.of();
    }

    /**
     * The score of a vertex; 0 if no other vertex reaches it.
     *
     * @param sums sums with the harmonic sums for {@link #HARMONIC}
     * @param vertex the vertex's index in the sums
     * @param others number of vertices that the sums would cover if all of them reached the vertex, without itself: n -
     *     1
     */
    public double score(Farness sums, int vertex, long others) {
        double harmonic = this == HARMONIC ? sums.harmonic()[vertex] : 0;
        return score((double) sums.farness()[vertex], sums.reach()[vertex], harmonic, others);
    }

    /**
     * The score of a vertex from its sums, which may be of costs instead of distances; 0 if no other vertex reaches it,
     * or all do at no cost.
     *
     * @param farness the sum of the distances
     * @param reach number of other vertices that reach the vertex
     * @param harmonic the sum of the reciprocal distances, for {@link #HARMONIC}
     * @param others see {@link #score(Farness, int, long)}
     */
    public double score(double farness, long reach, double harmonic, long others) {
        double closeness = farness == 0 ? 0 : reach / farness;
        return switch (this) {
            case DEFAULT -> closeness;
            case WASSERMAN_FAUST -> others == 0 ? 0 : closeness * ((double) reach / others);
            case HARMONIC -> others == 0 ? 0 : harmonic / others;
        };
    }

    /**
     * The scores of all vertices that there are sums of, in the order of the sums.
     *
     * @param sums sums with the harmonic sums for {@link #HARMONIC}
     * @param others by the index in the sums, see {@link #score}
     * @param stop ends the work early
     */
    public double[] scores(Farness sums, IntToLongFunction others, Stop stop) {
        double[] scores = new double[sums.farness().length];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < scores.length; vertex++) {
            scores[vertex] = score(sums, vertex, others.applyAsLong(vertex));
            paced.worked(1);
        }
        return scores;
    }
}
