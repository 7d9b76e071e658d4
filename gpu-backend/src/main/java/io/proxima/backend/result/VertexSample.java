// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A random sample of vertices. */
public final class VertexSample {

    private VertexSample() {}

    /** Heap of {@link #draw}: the drawn vertices, and the vertices that they are drawn from. */
    public static MemoryTree memory(int size, int vertexCount) {
        return MemoryTree.exactly("sample of sources", ((long) size + vertexCount) * Integer.BYTES);
    }

    /**
     * Draws vertices without replacement, all equally likely. The same seed draws the same vertices.
     *
     * @param size number of vertices to draw, at most {@code vertexCount}
     * @return {@code int[size]} in the order of drawing; vertex id space
     */
    public static int[] draw(int size, long seed, int vertexCount, Stop stop) {
        SplittableRandom random = new SplittableRandom(seed);
        PacedStop paced = new PacedStop(stop);
        int[] vertices = new int[vertexCount];
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            vertices[vertex] = vertex;
            paced.worked(1);
        }
        for (int i = 0; i < size; i++) {
            int drawn = i + random.nextInt(vertexCount - i);
            int source = vertices[drawn];
            vertices[drawn] = vertices[i];
            vertices[i] = source;
            paced.worked(1);
        }
        return Arrays.copyOf(vertices, size);
    }
}
