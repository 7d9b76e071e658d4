// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.Set;

/**
 * The sums of exact closeness. For every vertex v, over the vertices u != v that reach v along the edges: their number,
 * the sum of their distances to v and, if requested, the sum of the reciprocals of these distances and the largest
 * distance. Over all ordered pairs, if requested: the number of pairs at each distance. The arrays are on the host. They
 * have a row for each vertex, in vertex id space, or only for chosen vertices; then row i stands for the i-th of them.
 * They belong to the caller, and hold what has been added so far.
 */
public final class Farness {

    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] eccentricity;

    /** Pairs by distance, then zeros; guarded by this. */
    private long[] hops;

    /**
     * Creates the result without copying the arrays.
     *
     * @param farness {@code long[rows]}: sum of the distances
     * @param reach {@code long[rows]}: number of vertices that reach v, without v
     * @param harmonic {@code double[rows]} or null: sum of the reciprocal distances, see {@link #addHarmonic}
     * @param eccentricity {@code int[rows]} or null: largest distance, 0 if no vertex reaches v
     * @param hops {@code long[largest distance + 1]} or null: ordered pairs by distance, see {@link #hops}
     */
    public Farness(long[] farness, long[] reach, double[] harmonic, int[] eccentricity, long[] hops) {
        this.farness = farness;
        this.reach = reach;
        this.harmonic = harmonic;
        this.eccentricity = eccentricity;
        this.hops = hops;
    }

    /** Heap of the sums of so many rows in a graph with this number of vertices. */
    static MemoryTree memory(int rows, int vertexCount, Set<DistanceMeasure> measures) {
        long ints = (long) rows * Integer.BYTES;
        long longs = (long) rows * Long.BYTES;
        long pairs = (long) vertexCount * Long.BYTES;
        return MemoryTree.together(
                "farness",
                MemoryTree.exactly("sum of distances by node", longs),
                MemoryTree.exactly("number of nodes by node", longs),
                MemoryTree.exactly("harmonic sum by node", measures.contains(DistanceMeasure.HARMONIC) ? longs : 0),
                MemoryTree.exactly("eccentricity by node", measures.contains(DistanceMeasure.ECCENTRICITY) ? ints : 0),
                measures.contains(DistanceMeasure.HOPS)
                        ? MemoryTree.between("pairs by distance", Math.min(longs, Long.BYTES), pairs)
                        : MemoryTree.NONE);
    }

    /** The result without any distances, to be added to. Every vertex has itself at distance 0. */
    public static Farness zeros(int rows, Set<DistanceMeasure> measures) {
        Farness zeros = new Farness(
                new long[rows],
                new long[rows],
                measures.contains(DistanceMeasure.HARMONIC) ? new double[rows] : null,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[rows] : null,
                measures.contains(DistanceMeasure.HOPS) ? new long[0] : null);
        zeros.addPairs(0, rows);
        return zeros;
    }

    /**
     * Adds the vertices at one distance, except to the hops. One thread adds to a vertex, in ascending order of
     * distances.
     *
     * @param row index into the arrays
     * @param count number of vertices at the distance, at least 1
     * @param distance at least 1
     */
    public void add(int row, long count, int distance) {
        farness[row] += count * distance;
        reach[row] += count;
        if (harmonic != null) {
            harmonic[row] = addHarmonic(harmonic[row], count, distance);
        }
        if (eccentricity != null) {
            eccentricity[row] = Math.max(eccentricity[row], distance);
        }
    }

    /** Copies the sums of one row to another, except the largest distance. */
    public void copySums(int from, int to) {
        farness[to] = farness[from];
        reach[to] = reach[from];
        if (harmonic != null) {
            harmonic[to] = harmonic[from];
        }
    }

    /** Adds the sums of other sources to the same vertices. */
    public void addAll(Farness other, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int row = 0; row < farness.length; row++) {
            paced.worked(1);
            farness[row] += other.farness[row];
            reach[row] += other.reach[row];
            if (harmonic != null) {
                // one of the two is 0 if each source has a row
                harmonic[row] += other.harmonic[row];
            }
            if (eccentricity != null) {
                eccentricity[row] = Math.max(eccentricity[row], other.eccentricity[row]);
            }
        }
        long[] pairs = other.hops();
        for (int distance = 0; pairs != null && distance < pairs.length; distance++) {
            addPairs(distance, pairs[distance]);
        }
    }

    /**
     * Adds ordered pairs to the hops, or removes some that were added too much, if hops were requested. Thread-safe.
     */
    public synchronized void addPairs(int distance, long pairs) {
        if (hops != null && pairs != 0) {
            if (distance >= hops.length) {
                hops = Arrays.copyOf(hops, Math.max(distance + 1, hops.length + hops.length / 2));
            }
            hops[distance] += pairs;
        }
    }

    /** The sum of the distances to v from the vertices that reach it. */
    public long[] farness() {
        return farness;
    }

    /** The number of vertices that reach v, without v. */
    public long[] reach() {
        return reach;
    }

    /** The sum of the reciprocal distances; null if it was not requested. */
    public double[] harmonic() {
        return harmonic;
    }

    /**
     * The largest distance to v from a vertex that reaches it, 0 if there is none: the eccentricity of v in the
     * transposed graph. Null if it was not requested.
     */
    public int[] eccentricity() {
        return eccentricity;
    }

    /**
     * The hop distribution: entry d is the number of ordered pairs (u, v) at distance d; entry 0 counts every vertex
     * with itself. Ends with the largest distance, and is empty without vertices. Null if it was not requested.
     */
    public synchronized long[] hops() {
        if (hops != null) {
            int length = hops.length;
            while (length > 0 && hops[length - 1] == 0) {
                length--;
            }
            hops = length == hops.length ? hops : Arrays.copyOf(hops, length);
        }
        return hops;
    }

    /**
     * Adds the contribution of one level to a harmonic sum. Every backend keeps integer counts per level and calls this
     * once for each level in ascending order, so that all return the same double.
     *
     * @param sum sum over the previous levels
     * @param count number of vertices at the distance
     * @param distance at least 1
     * @return the sum including this level
     */
    public static double addHarmonic(double sum, long count, int distance) {
        return sum + (double) count / distance;
    }
}
