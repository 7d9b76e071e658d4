// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.KernelArguments;
import java.util.Set;

/**
 * The sums of closeness: device addresses, 0 for those that are not wanted. Sums by vertex have an entry for each slot,
 * to which the searches from all sources add. Sums by source have an entry for each source, in the order of the
 * searches.
 *
 * @param sources {@code int[]}: the slots to search from; 0 if the kernels number the sources
 * @param farness {@code long[count]}
 * @param reach {@code long[count]}
 * @param harmonic {@code double[count]}; added to by the searches if by source, else from the counts of levels
 * @param levelCounts {@code int[levelCapacity][count]}: sources that reach a vertex at a level, from {@code firstLevel}
 *     on
 * @param depths {@code int[count]}: raised to the largest distance
 * @param pairs {@code long[vertexCount]}: pairs of source and vertex by level, from level 1 on
 * @param weight the vertices that each source counts for in {@code farness} and {@code reach} by vertex
 * @param searched the number of slots that are searched: later ones may be left out, with their edges. Their sums by
 *     vertex are undefined
 */
public record Sums(
        long sources,
        long farness,
        long reach,
        long harmonic,
        long levelCounts,
        int levelCapacity,
        int firstLevel,
        long depths,
        long pairs,
        int weight,
        int searched) {

    private static final long NULL = 0;
    private static final int FIRST_LEVEL = 1;
    private static final int ITSELF = 1;
    private static final int ALL = Integer.MAX_VALUE;

    /** No sums. */
    public static final Sums NONE = new Sums(NULL, NULL, NULL, NULL, NULL, 0, FIRST_LEVEL, NULL, NULL, ITSELF, ALL);

    /**
     * Room for sums. The array "places" of sums by source has the entry of each chosen vertex.
     *
     * @param count number of vertices, or of chosen vertices for sums by source
     * @param listed whether the kernels search from sources that are listed, at most {@code count}
     * @param levels maximum number of levels
     */
    public static ArrayLayout layout(
            int count, boolean listed, int levels, Set<DistanceMeasure> measures, boolean bySource) {
        return new ArrayLayout()
                .add("sources", listed ? count : 0, Integer.BYTES)
                .add("places", bySource ? count : 0, Integer.BYTES)
                .add("farness", count, Long.BYTES)
                .add("reach", count, Long.BYTES)
                .add("harmonic", measures.contains(DistanceMeasure.HARMONIC) ? count : 0, Double.BYTES)
                .add("depths", measures.contains(DistanceMeasure.ECCENTRICITY) ? count : 0, Integer.BYTES)
                .add("pairs", measures.contains(DistanceMeasure.HOPS) ? levels : 0, Long.BYTES);
    }

    /** The sums in an array with this layout. */
    public static Sums at(ArrayLayout layout, long address) {
        return new Sums(
                layout.addressOf("sources", address),
                layout.addressOf("farness", address),
                layout.addressOf("reach", address),
                layout.addressOf("harmonic", address),
                NULL,
                0,
                FIRST_LEVEL,
                layout.addressOf("depths", address),
                layout.addressOf("pairs", address),
                ITSELF,
                ALL);
    }

    /** Bytes of the counts of {@code levelCapacity} levels: 4 per level and vertex. */
    public static long levelCountBytes(int vertexCount, int levelCapacity) {
        return ArrayLayout.bytesOf((long) levelCapacity * vertexCount, Integer.BYTES);
    }

    /** Sums by vertex, with a window of level counts. */
    public Sums withLevelCounts(long at, int capacity, int first) {
        return new Sums(sources, farness, reach, harmonic, at, capacity, first, depths, pairs, weight, searched);
    }

    /** The same sources without sums. */
    public Sums withoutSums() {
        return new Sums(sources, NULL, NULL, NULL, NULL, 0, FIRST_LEVEL, NULL, NULL, weight, searched);
    }

    /** Sums by vertex, over the first slots. */
    public Sums over(int slots) {
        return with(weight, slots);
    }

    /** Sums by vertex, of sources that each count for so many vertices. */
    public Sums weighing(int vertices) {
        return with(vertices, searched);
    }

    private Sums with(int vertices, int slots) {
        return new Sums(
                sources,
                farness,
                reach,
                harmonic,
                levelCounts,
                levelCapacity,
                firstLevel,
                depths,
                pairs,
                vertices,
                slots);
    }

    /** Sums by source, of the sources from this one on. */
    public Sums from(int source) {
        return new Sums(
                sources + (long) source * Integer.BYTES,
                farness + (long) source * Long.BYTES,
                reach + (long) source * Long.BYTES,
                harmonic == NULL ? NULL : harmonic + (long) source * Double.BYTES,
                levelCounts,
                levelCapacity,
                firstLevel,
                depths == NULL ? NULL : depths + (long) source * Integer.BYTES,
                pairs,
                weight,
                searched);
    }

    /** Sets the arguments of a kernel that adds to these sums. */
    public KernelArguments set(KernelArguments arguments) {
        return arguments
                .set("far", farness)
                .set("reach", reach)
                .set("harmonic", harmonic)
                .set("levelCounts", levelCounts)
                .set("levelCapacity", levelCapacity)
                .set("firstLevel", firstLevel)
                .set("weight", weight)
                .set("depths", depths)
                .set("pairs", pairs);
    }
}
