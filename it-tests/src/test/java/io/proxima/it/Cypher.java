// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.proxima.it.server.BoltLoader;
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
        BoltLoader.clear(driver);
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
