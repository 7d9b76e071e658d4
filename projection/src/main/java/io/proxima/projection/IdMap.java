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
 * The vertices of a projection and the Neo4j nodes they stand for. Vertices are dense, 0 to size() - 1, in ascending
 * order of their neo4jId. Immutable and thread-safe.
 */
public final class IdMap {

    /** What {@link #toVertex} gives for a node outside the projection. */
    public static final int ABSENT = -1;

    private final long[] neo4jIds;

    IdMap(long[] neo4jIds) {
        this.neo4jIds = neo4jIds;
    }

    /** Number of vertices. */
    public int size() {
        return neo4jIds.length;
    }

    /** The neo4jId of a vertex. */
    public long toNeo4jId(int vertex) {
        return neo4jIds[vertex];
    }

    /** The vertex of a neo4jId, {@link #ABSENT} if the node is not projected; any long is allowed. */
    public int toVertex(long neo4jId) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of the arrays. */
    public long bytes() {
        throw new UnsupportedOperationException();
    }
}
