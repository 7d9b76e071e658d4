// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;

/**
 * Sets of vertices as bits: vertex v is bit v % 64 of word v / 64. Invariant "clear tail": no bit at or above the count
 * is set.
 */
public final class VertexBits {

    private VertexBits() {}

    /** An empty set of {@code vertexCount} vertices. */
    public static long[] allocate(int vertexCount) {
        return new long[(int) ((vertexCount + 63L) >>> 6)];
    }

    /** Bytes of a set. */
    public static long bytes(long vertexCount) {
        return ((vertexCount + 63) >>> 6) * Long.BYTES;
    }

    public static void set(long[] bits, int vertex) {
        bits[vertex >>> 6] |= 1L << vertex;
    }

    public static void clear(long[] bits, int vertex) {
        bits[vertex >>> 6] &= ~(1L << vertex);
    }

    public static boolean get(long[] bits, int vertex) {
        return (bits[vertex >>> 6] & 1L << vertex) != 0;
    }

    /** Adds the vertices of {@code more}, which has the same length. */
    public static void or(long[] bits, long[] more) {
        for (int word = 0; word < bits.length; word++) {
            bits[word] |= more[word];
        }
    }

    /** Number of vertices in the set. */
    public static int count(long[] bits) {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The vertices of the set, ascending. */
    public static int[] toArray(long[] bits, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] vertices = new int[count(bits)];
        int length = 0;
        for (int word = 0; word < bits.length; word++) {
            for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
                paced.worked(1);
                vertices[length++] = (word << 6) + Long.numberOfTrailingZeros(rest);
            }
        }
        return vertices;
    }
}
