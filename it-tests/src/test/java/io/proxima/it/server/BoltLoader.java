// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.graphs.EdgeList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Session;

/** Fills the database of a running server over Bolt, in batches; for graphs of up to some hundred thousand edges. */
public final class BoltLoader {

    private static final int BATCH = 20_000;

    private BoltLoader() {}

    /**
     * Creates a graph. Each node has its number as the property {@code key}.
     *
     * @param driver where to
     * @param label the label of the nodes
     * @param type the type of the relationships
     * @param edges the graph
     * @return the Neo4j id of each node, by its number
     */
    public static long[] load(Driver driver, String label, String type, EdgeList edges) {
        long[] ids = new long[edges.nodeCount()];
        try (Session session = driver.session()) {
            for (int from = 0; from < ids.length; from += BATCH) {
                int to = Math.min(ids.length, from + BATCH);
                session.run(
                                "UNWIND range($from, $to - 1) AS key CREATE (n:`" + label
                                        + "` {key: key}) RETURN key, id(n) AS id",
                                Map.of("from", from, "to", to))
                        .forEachRemaining(row ->
                                ids[row.get("key").asInt()] = row.get("id").asLong());
            }
            List<List<Long>> pairs = new ArrayList<>(BATCH);
            for (int edge = 0; edge < edges.edgeCount(); edge++) {
                pairs.add(List.of(ids[edges.source(edge)], ids[edges.target(edge)]));
                if (pairs.size() == BATCH || edge == edges.edgeCount() - 1) {
                    session.run(
                                    "UNWIND $pairs AS pair MATCH (a), (b) WHERE id(a) = pair[0] AND id(b) = pair[1]"
                                            + " CREATE (a)-[:`" + type + "`]->(b)",
                                    Map.of("pairs", pairs))
                            .consume();
                    pairs.clear();
                }
            }
        }
        return ids;
    }

    /**
     * Deletes every node and relationship.
     *
     * @param driver where
     */
    public static void clear(Driver driver) {
        try (Session session = driver.session()) {
            session.run("MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 50000 ROWS")
                    .consume();
            session.run("MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS OF 50000 ROWS")
                    .consume();
        }
    }
}
