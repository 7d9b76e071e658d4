// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.memory.HeapPart;
import java.util.Map;

/**
 * The scores of all nodes of a run, or of some.
 *
 * @param vertices the nodes, ascending, vertex id space of the run; null for all
 * @param values the score of each of these nodes
 * @param figures what else the row of a mode says of the result, by column
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
public record Scores(int[] vertices, double[] values, Map<String, Object> figures) {

    /** The scores of all nodes: {@code double[run.vertexCount()]}. */
    public static Scores ofAll(double[] values) {
        return new Scores(null, values, Map.of());
    }

    /** These scores with figures. */
    public Scores with(Map<String, Object> columns) {
        return new Scores(vertices, values, columns);
    }

    /** The vertex of the score at an index. */
    int vertex(int index) {
        return vertices == null ? index : vertices[index];
    }

    /** The heap that rows of these scores hold. */
    HeapPart[] heapParts() {
        return vertices == null
                ? new HeapPart[] {HeapPart.of(values)}
                : new HeapPart[] {HeapPart.of(values), HeapPart.of(vertices)};
    }
}
