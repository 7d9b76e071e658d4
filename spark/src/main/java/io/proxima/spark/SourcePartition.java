// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The sources of a task.
 *
 * @param from the first vertex that may be a source
 * @param to the vertex after the last one
 * @param vertices the sources, vertex id space; null for all in the bounds, or for {@code neo4jIds}
 * @param neo4jIds the sources by id in Neo4j, of which those outside the graph or the bounds are none; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // sent to one executor, never compared
record SourcePartition(int from, int to, int[] vertices, long[] neo4jIds) implements InputPartition {

    private static final long serialVersionUID = 1L;

    static SourcePartition ofRange(int from, int to) {
        return new SourcePartition(from, to, null, null);
    }

    static SourcePartition ofVertices(int[] vertices) {
        return new SourcePartition(0, 0, vertices, null);
    }

    static SourcePartition ofIds(long[] neo4jIds, int from, int to) {
        return new SourcePartition(from, to, null, neo4jIds);
    }
}
