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
 * What one breadth-first search found. The arrays are the caller's.
 */
public final class Levels {

    private final int[] levels;
    private final long[] frontierSizes;

    /**
     * Takes the arrays over.
     *
     * @param levels {@code int[vertexCount]}: hops from the source, {@link LoadedGraph#UNREACHED} if not reached; host,
     *     vertex id space
     * @param frontierSizes {@code long[deepest level + 1]}: how many vertices lie in each level; first 1
     */
    public Levels(int[] levels, long[] frontierSizes) {
        this.levels = levels;
        this.frontierSizes = frontierSizes;
    }

    /** Hops of each vertex from the source, {@link LoadedGraph#UNREACHED} if not reached. */
    public int[] levels() {
        return levels;
    }

    /** How many vertices lie in each level, from 0 to the deepest. */
    public long[] frontierSizes() {
        return frontierSizes;
    }

    /** The deepest level reached: the source's eccentricity if nothing ended the search early. */
    public int depth() {
        return frontierSizes.length - 1;
    }

    /** How many vertices were reached, the source included. */
    public long reached() {
        long reached = 0;
        for (long size : frontierSizes) {
            reached += size;
        }
        return reached;
    }
}
