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

import io.proxima.concurrent.Stop;
import java.util.Collection;
import java.util.Set;

/** A projected graph: id map, labels and one CSC a projected type. Immutable to its users and thread-safe. */
public final class GraphProjection {

    private final IdMap idMap;

    GraphProjection(IdMap idMap) {
        this.idMap = idMap;
    }

    /** The vertices and their neo4jIds. */
    public IdMap idMap() {
        return idMap;
    }

    /** Number of vertices. */
    public int vertexCount() {
        return idMap.size();
    }

    /** Projected labels, in the order of the spec. */
    public Set<String> labels() {
        throw new UnsupportedOperationException();
    }

    /** Projected types, in the order of the spec. */
    public Set<String> types() {
        throw new UnsupportedOperationException();
    }

    /** Directed edges over all projected types: the sum of their entries. */
    public long relationshipCount() {
        throw new UnsupportedOperationException();
    }

    /** Directed edges of one projected type. */
    public long relationshipCount(String type) {
        throw new UnsupportedOperationException();
    }

    /** Whether {@code vertex} carries the projected label. */
    public boolean hasLabel(int vertex, String label) {
        throw new UnsupportedOperationException();
    }

    /** The edges of all projected types as one graph; for a single type its own CSC. Made at the first call and kept. */
    public Csc csc(int concurrency, Stop stop) {
        throw new UnsupportedOperationException();
    }

    /**
     * The subgraph of the vertices with at least one of the labels and the edges of the types between them, with an id
     * map of its own. This projection itself if nothing is left out.
     *
     * @param labels projected labels, all known to {@link #labels()}
     * @param types projected types, all known to {@link #types()}; empty means no edges
     */
    public GraphProjection filter(Collection<String> labels, Collection<String> types, int concurrency, Stop stop) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of every array held. */
    public long bytes() {
        throw new UnsupportedOperationException();
    }

    /** Checks every invariant of this graph and its parts. */
    public void validate() {
        throw new UnsupportedOperationException();
    }
}
