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
 * What one breadth-first search found. Levels lie in as narrow an array as the backend has brought them in. The arrays are the
 * caller's.
 */
public final class Levels {

    // one of the three; the others are null
    private final byte[] bytes;
    private final short[] shorts;
    private final int[] ints;
    private final long[] frontierSizes;

    /**
     * Takes the arrays over.
     *
     * @param levels {@code int[vertexCount]}: hops from the source, {@link LoadedGraph#UNREACHED} if not reached; host,
     *     vertex id space
     * @param frontierSizes {@code long[deepest level + 1]}: how many vertices lie in each level; first 1
     */
    public Levels(int[] levels, long[] frontierSizes) {
        this(null, null, levels, frontierSizes);
    }

    /** The same for levels that fit two bytes. */
    public Levels(short[] levels, long[] frontierSizes) {
        this(null, levels, null, frontierSizes);
    }

    /** The same for levels that fit a byte. */
    public Levels(byte[] levels, long[] frontierSizes) {
        this(levels, null, null, frontierSizes);
    }

    private Levels(byte[] bytes, short[] shorts, int[] ints, long[] frontierSizes) {
        this.bytes = bytes;
        this.shorts = shorts;
        this.ints = ints;
        this.frontierSizes = frontierSizes;
    }

    /** Hops of a vertex from the source, {@link LoadedGraph#UNREACHED} if not reached. */
    public int level(int vertex) {
        if (bytes != null) {
            return bytes[vertex];
        }
        return shorts != null ? shorts[vertex] : ints[vertex];
    }

    /**
     * The levels as an array of ints: the one that holds them, or a new one if they are narrower.
     *
     * @return {@code int[vertexCount]}; host, vertex id space
     */
    public int[] levels() {
        if (ints != null) {
            return ints;
        }
        int[] widened = new int[bytes != null ? bytes.length : shorts.length];
        // a loop an array type, so that none asks for each vertex what the array is
        if (bytes != null) {
            for (int vertex = 0; vertex < widened.length; vertex++) {
                widened[vertex] = bytes[vertex];
            }
        } else {
            for (int vertex = 0; vertex < widened.length; vertex++) {
                widened[vertex] = shorts[vertex];
            }
        }
        return widened;
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
