// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;
import org.neo4j.driver.exceptions.Neo4jException;

/** Queries over Bolt, each in an own auto-commit transaction, with answers as plain Java values. */
public final class Cypher {

    private final Driver driver;

    /** Parameters of every query. */
    private final Map<String, Object> common;

    public Cypher(Driver driver) {
        this(driver, Map.of());
    }

    private Cypher(Driver driver, Map<String, Object> common) {
        this.driver = driver;
        this.common = common;
    }

    /** The same, with a parameter that every query has. */
    public Cypher with(String name, Object value) {
        return new Cypher(driver, Map.of(name, value));
    }

    public Driver driver() {
        return driver;
    }

    /** All rows; {@code parameters} are names and values in turn. */
    public List<Map<String, Object>> rows(String query, Object... parameters) {
        return rows(query, map(parameters));
    }

    /** All rows. */
    public List<Map<String, Object>> rows(String query, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(common);
        all.putAll(parameters);
        try (Session session = driver.session()) {
            return session.run(query, all).list(Record::asMap);
        }
    }

    /** The only row. */
    public Map<String, Object> row(String query, Object... parameters) {
        List<Map<String, Object>> rows = rows(query, parameters);
        if (rows.size() != 1) {
            throw new AssertionError("Wanted one row of: " + query + "\nbut got " + rows.size() + ": " + rows);
        }
        return rows.get(0);
    }

    /** The only value of the only row. */
    public Object value(String query, Object... parameters) {
        Map<String, Object> row = row(query, parameters);
        if (row.size() != 1) {
            throw new AssertionError("Wanted one column of: " + query + "\nbut got " + row);
        }
        return row.values().iterator().next();
    }

    /** The message with which the query fails. */
    public String failure(String query, Object... parameters) {
        Neo4jException failure = catchThrowableOfType(Neo4jException.class, () -> rows(query, parameters));
        if (failure == null) {
            throw new AssertionError("Wanted a failure of: " + query);
        }
        return failure.getMessage();
    }

    /** Deletes every node, and the caller's projected graphs. */
    public void clear() {
        rows("CALL proxima.graph.list() YIELD graphName CALL proxima.graph.drop(graphName) YIELD nodeCount"
                + " RETURN nodeCount");
        rows("MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 50000 ROWS");
        rows("MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS OF 50000 ROWS");
    }

    /**
     * Creates a path whose neighbours have relationships in both directions. Each node has its number as the property
     * {@code key}.
     */
    public void createPath(String label, String type, int nodes) {
        rows("UNWIND range(0, $nodes - 1) AS key CREATE (:" + label + " {key: key})", "nodes", nodes);
        rows("MATCH (n:" + label
                + ") WITH n ORDER BY n.key WITH collect(n) AS nodes UNWIND range(1, size(nodes) - 1) AS i"
                + " WITH nodes[i - 1] AS a, nodes[i] AS b CREATE (a)-[:" + type + "]->(b), (b)-[:" + type + "]->(a)");
    }

    /** The Neo4j ids of the nodes with a label, by their property {@code key}. */
    public long[] ids(String label) {
        return rows("MATCH (n:" + label + ") RETURN id(n) AS id ORDER BY n.key").stream()
                .mapToLong(row -> (Long) row.get("id"))
                .toArray();
    }

    /** Names and values in turn, as a map that may hold null. */
    public static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
