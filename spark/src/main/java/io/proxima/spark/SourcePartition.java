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
package io.proxima.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The sources of a task.
 *
 * @param from the first vertex that may be a source
 * @param to the vertex after the last one
 * @param vertices the sources, vertex id space; null for all in the bounds, or for {@code neo4jIds}
 * @param neo4jIds the sources by id in Neo4j; null for none
 * @param strict whether it is an error if one of the ids is not in the graph
 */
@SuppressWarnings("ArrayRecordComponent") // sent to one executor, never compared
record SourcePartition(int from, int to, int[] vertices, long[] neo4jIds, boolean strict) implements InputPartition {

    private static final long serialVersionUID = 1L;

    static SourcePartition ofRange(int from, int to) {
        return new SourcePartition(from, to, null, null, false);
    }

    int size() {
        return vertices != null ? vertices.length : neo4jIds != null ? neo4jIds.length : to - from;
    }
}
