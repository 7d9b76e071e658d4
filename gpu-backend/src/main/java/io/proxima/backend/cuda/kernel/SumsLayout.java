// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.cuda.device.ArrayLayout;
import java.util.Set;

/**
 * The layout of the sums of closeness: farness and reach as 64-bit integers and, where wanted, harmonic sums
 * as doubles, depths as 32-bit integers, and pairs by level as 64-bit integers.
 */
public record SumsLayout(long farness, long reach, long harmonic, long depths, long pairs, long bytes) {

    /**
     * Room for the sums of so many vertices.
     *
     * @param levels maximum number of levels
     */
    public static SumsLayout of(int count, int levels, Set<DistanceMeasure> measures) {
        return of(new ArrayLayout(), count, levels, measures);
    }

    static SumsLayout of(ArrayLayout plan, int count, int levels, Set<DistanceMeasure> measures) {
        return new SumsLayout(
                plan.add(count, Long.BYTES),
                plan.add(count, Long.BYTES),
                plan.add(measures.contains(DistanceMeasure.HARMONIC) ? count : 0, Double.BYTES),
                plan.add(measures.contains(DistanceMeasure.ECCENTRICITY) ? count : 0, Integer.BYTES),
                plan.add(measures.contains(DistanceMeasure.HOPS) ? levels : 0, Long.BYTES),
                plan.bytes());
    }

    /** Bytes of the counts of {@code levelCapacity} levels: 4 per level and vertex. */
    public static long levelCountBytes(int vertexCount, int levelCapacity) {
        return ArrayLayout.bytesOf((long) levelCapacity * vertexCount, Integer.BYTES);
    }
}
