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

/** The result of one BFS. The arrays belong to the caller. */
public final class Levels {

    private final int[] levels;
    private final long[] frontierSizes;

    /**
     * Creates the result without copying the arrays.
     *
     * @param levels {@code int[vertexCount]}: hops from the source, {@link LoadedGraph#UNREACHED} if unreached; host,
     *     vertex id space
     * @param frontierSizes {@code long[deepest level + 1]}: number of vertices of each level; the first is 1
     */
    public Levels(int[] levels, long[] frontierSizes) {
        this.levels = levels;
        this.frontierSizes = frontierSizes;
    }

    /** The hops of each vertex from the source, {@link LoadedGraph#UNREACHED} if unreached. */
    public int[] levels() {
        return levels;
    }

    /** The number of vertices of each level, from 0 to the deepest. */
    public long[] frontierSizes() {
        return frontierSizes;
    }

    /** The deepest level: the eccentricity of the source, unless the search ended early. */
    public int depth() {
        return frontierSizes.length - 1;
    }

    /** The number of reached vertices, including the source. */
    public long reached() {
        long reached = 0;
        for (long size : frontierSizes) {
            reached += size;
        }
        return reached;
    }
}
