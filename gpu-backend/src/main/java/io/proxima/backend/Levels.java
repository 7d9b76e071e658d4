// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.HeapPart;

/**
 * The result of one BFS. The levels lie in the narrowest array that holds them. The arrays belong to the caller.
 */
public final class Levels {

    // one of the three; the others are null
    private final byte[] bytes;
    private final short[] shorts;
    private final int[] ints;
    private final long[] frontierSizes;

    /**
     * Creates the result without copying the arrays.
     *
     * @param levels {@code int[vertexCount]}: hops from the source, {@link LoadedGraph#UNREACHED} if unreached; host,
     *     vertex id space
     * @param frontierSizes {@code long[deepest level + 1]}: number of vertices of each level; the first is 1
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

    /** Number of vertices. */
    public int vertexCount() {
        if (bytes != null) {
            return bytes.length;
        }
        return shorts != null ? shorts.length : ints.length;
    }

    /** The heap of the levels. */
    public HeapPart heapPart() {
        if (bytes != null) {
            return new HeapPart(bytes, bytes.length);
        }
        return shorts != null ? new HeapPart(shorts, (long) shorts.length * Short.BYTES) : HeapPart.of(ints);
    }

    /** The hops of a vertex from the source, {@link LoadedGraph#UNREACHED} if unreached. */
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
        int[] widened = new int[vertexCount()];
        // one loop per type, so that the type is not checked for each vertex
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
