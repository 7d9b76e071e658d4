// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * The nearest of several sources of every vertex. The arrays belong to the caller.
 *
 * @param distances {@code int[vertexCount]}: hops from the nearest source, {@link LoadedGraph#UNREACHED} if no source
 *     reaches the vertex; host, vertex id space
 * @param sources {@code int[vertexCount]}: index of that source in the run's source array, -1 if none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NearestSources(int[] distances, int[] sources) {}
