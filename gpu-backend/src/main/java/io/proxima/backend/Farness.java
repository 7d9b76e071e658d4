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

import java.util.Set;

/**
 * For every vertex v the sums over the vertices u != v that reach v along the edges: how many they are, the sum of their
 * distances to v and, if asked for, the sum of the reciprocals of these distances and the greatest of them; and, over all
 * ordered pairs, how many there are at each distance. The arrays are the caller's.
 */
public final class Farness {

    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] eccentricity;
    private final long[] hops;

    /**
     * Takes the arrays over.
     *
     * @param farness {@code long[vertexCount]}: sum of distances, 64-bit; host, vertex id space
     * @param reach {@code long[vertexCount]}: number of vertices that reach v, v itself not counted
     * @param harmonic {@code double[vertexCount]} or null: sum of the reciprocal distances, see {@link #addHarmonic}
     * @param eccentricity {@code int[vertexCount]} or null: greatest distance, 0 if nothing reaches v
     * @param hops null, or by distance the number of ordered pairs, see {@link #hops}
     */
    public Farness(long[] farness, long[] reach, double[] harmonic, int[] eccentricity, long[] hops) {
        this.farness = farness;
        this.reach = reach;
        this.harmonic = harmonic;
        this.eccentricity = eccentricity;
        this.hops = hops;
    }

    /** That of a graph without vertices. */
    public static Farness none(Set<DistanceMeasure> measures) {
        return new Farness(
                new long[0],
                new long[0],
                measures.contains(DistanceMeasure.HARMONIC) ? new double[0] : null,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[0] : null,
                measures.contains(DistanceMeasure.HOPS) ? new long[0] : null);
    }

    /** Sum of the distances from the vertices that reach v to v. */
    public long[] farness() {
        return farness;
    }

    /** Number of vertices, v left out, that reach v. */
    public long[] reach() {
        return reach;
    }

    /** Sum of the reciprocal distances; null unless the run was asked for it. */
    public double[] harmonic() {
        return harmonic;
    }

    /**
     * Greatest distance from a vertex that reaches v to v, 0 if none does: v's eccentricity against the edges. null unless
     * the run was asked for it.
     */
    public int[] eccentricity() {
        return eccentricity;
    }

    /**
     * Entry d: the number of ordered pairs (u, v) with a path from u to v whose shortest has d edges, 64-bit; entry 0 are
     * the vertices themselves. Ends with the greatest distance, empty without vertices. null unless the run was asked for
     * it.
     */
    public long[] hops() {
        return hops;
    }

    /**
     * Adds one level's part of a harmonic sum. Backends keep integer counts a level and call this once for each level, in
     * ascending order, so that all of them give the same double.
     *
     * @param sum the sum over the levels before
     * @param count how many vertices lie at distance {@code level}
     * @param level the distance, at least 1
     * @return the sum with this level's part
     */
    public static double addHarmonic(double sum, long count, int level) {
        return sum + (double) count / level;
    }
}
