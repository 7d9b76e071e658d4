// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;

/** Numbers, sizes and ids of the components of a graph. */
public final class Components {

    /** The id of vertices in components that are too small. */
    public static final int TOO_SMALL = -1;

    private Components() {}

    /**
     * The number of components.
     *
     * @param lowest {@code int[vertexCount]}: the lowest vertex of each vertex's component
     */
    public static int count(int[] lowest, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int count = 0;
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            paced.worked(1);
            count += lowest[vertex] == vertex ? 1 : 0;
        }
        return count;
    }

    /**
     * The number of vertices of each component. Takes another {@code int[vertexCount]}.
     *
     * @param lowest {@code int[vertexCount]}: the lowest vertex of each vertex's component
     * @return {@code int[number of components]}, by ascending lowest vertex
     */
    public static int[] sizes(int[] lowest, Stop stop) {
        int[] sizes = sizesByLowest(lowest, stop);
        PacedStop paced = new PacedStop(stop);
        int count = 0;
        for (int size : sizes) {
            paced.worked(1);
            if (size > 0) {
                sizes[count++] = size;
            }
        }
        return Arrays.copyOf(sizes, count);
    }

    /**
     * Replaces the lowest vertex of each vertex's component by the id of the component. Takes another
     * {@code int[vertexCount]} if components may be too small.
     *
     * @param lowest {@code int[vertexCount]}: the lowest vertex of each vertex's component; changed
     * @param minSize components with fewer vertices get the id {@link #TOO_SMALL}
     * @param consecutive whether the other ids are consecutive from 0, by ascending lowest vertex; else the lowest
     *     vertex
     * @return {@code lowest}
     */
    public static int[] toIds(int[] lowest, int minSize, boolean consecutive, Stop stop) {
        int[] sizes = minSize > 1 ? sizesByLowest(lowest, stop) : null;
        PacedStop paced = new PacedStop(stop);
        int next = 0;
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            paced.worked(2);
            if (lowest[vertex] != vertex) {
                // the lowest vertex comes first and has the id already
                lowest[vertex] = lowest[lowest[vertex]];
            } else if (sizes != null && sizes[vertex] < minSize) {
                lowest[vertex] = TOO_SMALL;
            } else if (consecutive) {
                lowest[vertex] = next++;
            }
        }
        return lowest;
    }

    /** The size of each component at its lowest vertex, 0 at the others. */
    private static int[] sizesByLowest(int[] lowest, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] sizes = new int[lowest.length];
        for (int vertex : lowest) {
            sizes[vertex]++;
            paced.worked(1);
        }
        return sizes;
    }
}
