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

/**
 * For every vertex v the sums over the vertices u != v that reach v along the edges: how many they are, the sum of their
 * distances to v and, if asked for, the sum of the reciprocals of these distances. The arrays are the caller's.
 */
public final class Farness {

    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;

    /**
     * Takes the arrays over.
     *
     * @param farness {@code long[vertexCount]}: sum of distances, 64-bit; host, vertex id space
     * @param reach {@code long[vertexCount]}: number of vertices that reach v, v itself not counted
     * @param harmonic {@code double[vertexCount]} or null: sum of the reciprocal distances, see {@link #addHarmonic}
     */
    public Farness(long[] farness, long[] reach, double[] harmonic) {
        this.farness = farness;
        this.reach = reach;
        this.harmonic = harmonic;
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
