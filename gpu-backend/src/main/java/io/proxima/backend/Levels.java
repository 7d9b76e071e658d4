// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.HeapPart;

/**
 * The result of one BFS. The levels lie in the narrowest type that holds them, and those narrower than an int in pages:
 * several threads allocate and fill them side by side. The arrays belong to the caller.
 */
public final class Levels {

    /** Vertices of a page; only the last has fewer. */
    public static final int PAGE = 1 << 17;

    // one of the three; the others are null
    private final byte[][] bytes;
    private final short[][] shorts;
    private final int[] ints;
    private final int vertexCount;
    private final long[] frontierSizes;

    /**
     * Creates the result without copying the arrays.
     *
     * @param levels {@code int[vertexCount]}: hops from the source, {@link LoadedGraph#UNREACHED} if unreached; host,
     *     vertex id space
     * @param frontierSizes {@code long[deepest level + 1]}: number of vertices of each level; the first is 1
     */
    public Levels(int[] levels, long[] frontierSizes) {
        this(null, null, levels, levels.length, frontierSizes);
    }

    /**
     * The same for levels that fit two bytes.
     *
     * @param levels {@code short[pages][PAGE]}
     */
    public Levels(short[][] levels, int vertexCount, long[] frontierSizes) {
        this(null, levels, null, vertexCount, frontierSizes);
    }

    /**
     * The same for levels that fit a byte.
     *
     * @param levels {@code byte[pages][PAGE]}
     */
    public Levels(byte[][] levels, int vertexCount, long[] frontierSizes) {
        this(levels, null, null, vertexCount, frontierSizes);
    }

    private Levels(byte[][] bytes, short[][] shorts, int[] ints, int vertexCount, long[] frontierSizes) {
        this.bytes = bytes;
        this.shorts = shorts;
        this.ints = ints;
        this.vertexCount = vertexCount;
        this.frontierSizes = frontierSizes;
    }

    /** Number of vertices. */
    public int vertexCount() {
        return vertexCount;
    }

    /** The heap of the levels. */
    public HeapPart heapPart() {
        if (bytes != null) {
            return new HeapPart(bytes, vertexCount);
        }
        return shorts != null ? new HeapPart(shorts, (long) vertexCount * Short.BYTES) : HeapPart.of(ints);
    }

    /** The hops of a vertex from the source, {@link LoadedGraph#UNREACHED} if unreached. */
    public int level(int vertex) {
        if (bytes != null) {
            return bytes[vertex / PAGE][vertex % PAGE];
        }
        return shorts != null ? shorts[vertex / PAGE][vertex % PAGE] : ints[vertex];
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
        int[] widened = new int[vertexCount];
        int vertex = 0;
        // one loop per type, so that the type is not checked for each vertex
        if (bytes != null) {
            for (byte[] page : bytes) {
                for (byte level : page) {
                    widened[vertex++] = level;
                }
            }
        } else {
            for (short[] page : shorts) {
                for (short level : page) {
                    widened[vertex++] = level;
                }
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
