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

/** The nearest of several sources of every vertex. The arrays belong to the caller. */
public final class NearestSources {

    private final int[] distances;
    private final int[] sources;

    /**
     * Creates the result without copying the arrays.
     *
     * @param distances {@code int[vertexCount]}: hops from the nearest source, {@link LoadedGraph#UNREACHED} if no source
     *     reaches the vertex; host, vertex id space
     * @param sources {@code int[vertexCount]}: index of that source in the run's source array, -1 if none
     */
    public NearestSources(int[] distances, int[] sources) {
        this.distances = distances;
        this.sources = sources;
    }

    /** The hops from the nearest source, {@link LoadedGraph#UNREACHED} if no source reaches the vertex. */
    public int[] distances() {
        return distances;
    }

    /** The index of the nearest source in the run's source array, -1 if no source reaches the vertex. */
    public int[] sources() {
        return sources;
    }
}
