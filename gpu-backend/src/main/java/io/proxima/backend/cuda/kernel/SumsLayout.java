// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.cuda.device.ArrayLayout;
import java.util.Set;

/**
 * The layout of the sums of all-pairs searches: farness and reach as 64-bit integers and, where wanted, harmonic sums
 * as doubles, depths as 32-bit integers, and pairs by level as 64-bit integers.
 */
public record SumsLayout(long farness, long reach, long harmonic, long depths, long pairs, long bytes) {

    public static SumsLayout of(int vertexCount, Set<DistanceMeasure> measures) {
        ArrayLayout plan = new ArrayLayout();
        return new SumsLayout(
                plan.add(vertexCount, Long.BYTES),
                plan.add(vertexCount, Long.BYTES),
                plan.add(measures.contains(DistanceMeasure.HARMONIC) ? vertexCount : 0, Double.BYTES),
                plan.add(measures.contains(DistanceMeasure.ECCENTRICITY) ? vertexCount : 0, Integer.BYTES),
                plan.add(measures.contains(DistanceMeasure.HOPS) ? vertexCount : 0, Long.BYTES),
                plan.bytes());
    }

    /** Bytes of the counts of {@code levelCapacity} levels: 4 per level and vertex. */
    public static long levelCountBytes(int vertexCount, int levelCapacity) {
        return ArrayLayout.bytesOf((long) levelCapacity * vertexCount, Integer.BYTES);
    }
}
