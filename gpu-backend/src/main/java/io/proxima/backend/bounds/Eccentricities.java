// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

/**
 * What a run has found of the eccentricities along the edges: of each vertex, the greatest distance to a vertex that it
 * reaches.
 *
 * @param eccentricities {@code int[vertexCount]}; host, vertex id space. Null if they were not wanted
 * @param diameter the greatest of them; 0 if it was not wanted
 * @param radius the least among the vertices that reach the most vertices; 0 if it was not wanted
 * @param searches number of searches, those of both directions counted each; those that meet half way, which look at no
 *     more edges than one search, count as one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Eccentricities(int[] eccentricities, int diameter, int radius, long searches) {

    /** What a run is to find. */
    public enum Wanted {
        /** The eccentricity of each vertex, and therefore the others too. */
        ALL,
        /** The diameter. */
        DIAMETER,
        /** The radius. */
        RADIUS
    }
}
