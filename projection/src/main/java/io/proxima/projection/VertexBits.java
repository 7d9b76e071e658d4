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
package io.proxima.projection;

/**
 * Sets of vertices as bits: vertex v is bit v % 64 of word v / 64. Invariant "clear tail": no bit at or above the count
 * is set.
 */
final class VertexBits {

    private VertexBits() {}

    /** An empty set of {@code vertexCount} vertices. */
    static long[] allocate(int vertexCount) {
        return new long[(int) ((vertexCount + 63L) >>> 6)];
    }

    /** Bytes of a set. */
    static long bytes(long vertexCount) {
        return ((vertexCount + 63) >>> 6) * Long.BYTES;
    }

    static void set(long[] bits, int vertex) {
        bits[vertex >>> 6] |= 1L << vertex;
    }

    static boolean get(long[] bits, int vertex) {
        return (bits[vertex >>> 6] & 1L << vertex) != 0;
    }

    /** Adds the vertices of {@code more}, which has the same length. */
    static void or(long[] bits, long[] more) {
        for (int word = 0; word < bits.length; word++) {
            bits[word] |= more[word];
        }
    }

    /** Number of vertices in the set. */
    static int count(long[] bits) {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The vertices of the set, ascending. */
    static int[] toArray(long[] bits) {
        int[] vertices = new int[count(bits)];
        int length = 0;
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                vertices[length++] = (word << 6) + Long.numberOfTrailingZeros(rest);
            }
        }
        return vertices;
    }
}
