// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphProjection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A projected graph as a file holds it.
 *
 * @param origin where the graph comes from
 * @param fingerprint that of {@link GraphFingerprint#of(GraphProjection, int, io.proxima.concurrent.Stop)}
 * @param graph the graph
 * @param types the schema of each projected type, with exactly the types and properties of the graph
 * @param columns the node properties in memory
 */
public record ExportedGraph(
        Origin origin,
        GraphFingerprint fingerprint,
        GraphProjection graph,
        Map<String, TypeSchema> types,
        List<NodeColumn> columns) {

    /** Copies map and list, and keeps their order. */
    public ExportedGraph {
        types = new LinkedHashMap<>(types);
        columns = List.copyOf(columns);
    }

    /**
     * Where a graph comes from.
     *
     * @param graphName the name of the graph
     * @param owner the user who exported it
     * @param database the name of the database from which it was projected
     * @param elementIdPrefix an elementId of a node of this database is this text, followed by the neo4jId in decimal
     * @param created the time of the projection, to the millisecond
     * @param storeId tells the store of the database from others that have had its name and prefix, such as before it
     *     was overwritten; the neo4jIds are valid in this store only
     * @param lastTransaction the last transaction of the store, which the graph includes; empty if the graph was stale
     */
    public record Origin(
            String graphName,
            String owner,
            String database,
            String elementIdPrefix,
            Instant created,
            String storeId,
            String lastTransaction) {

        /** The elementId of a node. */
        public String elementId(long neo4jId) {
            return elementIdPrefix + neo4jId;
        }
    }

    /**
     * The schema of a projected type.
     *
     * @param undirected whether each relationship is an edge in both directions
     * @param properties the description of each projected property, as in GDS's schema
     */
    public record TypeSchema(boolean undirected, Map<String, String> properties) {}
}
