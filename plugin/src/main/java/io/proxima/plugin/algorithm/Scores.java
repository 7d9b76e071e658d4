// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.memory.HeapPart;
import java.util.Arrays;

/**
 * The scores of all nodes of a run, or of some.
 *
 * @param vertices the nodes, ascending; null for all
 * @param values the score of each of these nodes
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
public record Scores(int[] vertices, double[] values) {

    /** The scores of all nodes: {@code double[run.vertexCount()]}. */
    public static Scores ofAll(double[] values) {
        return new Scores(null, values);
    }

    /** Number of nodes that have a score. */
    public int count() {
        return values.length;
    }

    /** The vertex of the score at an index. */
    int vertex(int index) {
        return vertices == null ? index : vertices[index];
    }

    /** The score of a vertex that has one. */
    public double of(int vertex) {
        return values[vertices == null ? vertex : Arrays.binarySearch(vertices, vertex)];
    }

    /** The scores by vertex, NaN for nodes without one: {@code double[vertexCount]}. */
    public double[] byVertex(int vertexCount) {
        if (vertices == null) {
            return values;
        }
        double[] byVertex = new double[vertexCount];
        Arrays.fill(byVertex, Double.NaN);
        for (int i = 0; i < vertices.length; i++) {
            byVertex[vertices[i]] = values[i];
        }
        return byVertex;
    }

    /** The heap that rows of these scores hold. */
    public HeapPart[] heapParts() {
        return vertices == null
                ? new HeapPart[] {HeapPart.of(values)}
                : new HeapPart[] {HeapPart.of(values), HeapPart.of(vertices)};
    }
}
