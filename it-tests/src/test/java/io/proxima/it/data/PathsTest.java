// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Paths between the airports of the world over Bolt, against what Cypher finds, and step by step in the database. */
@OnBothLines
@Tag("full")
class PathsTest {

    private static final long SEED = 20261128;
    private static final int ENDS = 6;

    private final Cypher cypher = SharedServer.cypher();

    @BeforeEach
    void load() {
        cypher.clear();
        Airports.loadInto(SharedServer.server());
    }

    @AfterEach
    void drop() {
        cypher.clear();
        cypher.rows("DROP CONSTRAINT airport_iata");
    }

    @Test
    void shouldFindThePathsThatCypherFinds() {
        check("NATURAL", "", ">");
        check("REVERSE", "<", "");
        check("UNDIRECTED", "", "");
    }

    private void check(String orientation, String left, String right) {
        cypher.row(
                "CALL proxima.graph.project('routes', 'Airport', {ROUTE: {orientation: $o, properties: 'miles'}},"
                        + " {replace: true})",
                "o",
                orientation);
        List<Long> ids = cypher.rows("MATCH (a:Airport) RETURN id(a) AS id ORDER BY a.iata").stream()
                .map(row -> (Long) row.get("id"))
                .toList();
        List<Long> ends = new Random(SEED)
                .ints(0, ids.size())
                .distinct()
                .limit(2 * ENDS)
                .mapToObj(ids::get)
                .toList();
        Map<String, Object> pairs = Map.of("s", ends.subList(0, ENDS), "t", ends.subList(ENDS, 2 * ENDS));
        String all = "UNWIND $s AS s UNWIND $t AS t MATCH (a), (b) WHERE id(a) = s AND id(b) = t"
                + " MATCH p = ALL SHORTEST (a)" + left + "-[:ROUTE]-" + right + "+(b) ";
        String call = "CALL proxima.shortestPath.stream('routes', {sourceNodes: $s, targetNodes: $t";

        List<Map<String, Object>> lengths = cypher.rows(
                call + "}) YIELD sourceNode, targetNode, totalCost, path, pathCount"
                        + " RETURN sourceNode, targetNode, length(path) AS length, pathCount ORDER BY sourceNode, targetNode",
                pairs);
        assertThat(lengths)
                .isNotEmpty()
                .isEqualTo(cypher.rows(
                        all + "RETURN s AS sourceNode, t AS targetNode, length(p) AS length,"
                                + " toFloat(count(DISTINCT [n IN nodes(p) | id(n)])) AS pathCount"
                                + " ORDER BY sourceNode, targetNode",
                        pairs));
        assertThat(cypher.rows(
                        call + ", paths: 'all', limit: 1000000}) YIELD nodeIds RETURN nodeIds ORDER BY nodeIds", pairs))
                .isEqualTo(cypher.rows(
                        all + "RETURN DISTINCT [n IN nodes(p) | id(n)] AS nodeIds ORDER BY nodeIds", pairs));

        String stepsAreStored = " RETURN all(i IN range(1, length(path)) WHERE"
                + " EXISTS { MATCH (a)" + left + "-[r:ROUTE]-" + right + "(b) WHERE a = nodes(path)[i - 1] AND"
                + " b = nodes(path)[i] AND r = relationships(path)[i - 1] }) AS stored, abs(reduce(sum = 0.0, r IN"
                + " relationships(path) | sum + %s) - totalCost) < 1e-6 AS added";
        for (String weight : List.of("1", "r.miles")) {
            String key = weight.equals("1") ? "" : ", relationshipWeightProperty: 'miles'";
            assertThat(cypher.rows(
                            call + key + "}) YIELD path, totalCost" + String.format(stepsAreStored, weight), pairs))
                    .hasSameSizeAs(lengths)
                    .containsOnly(Map.of("stored", true, "added", true));
        }
        for (int pair = 0; pair < ENDS; pair++) {
            Map<String, Object> ofPair = Map.of("s", List.of(ends.get(pair)), "t", List.of(ends.get(ENDS + pair)));
            assertThat(cypher.rows(
                            "CALL proxima.connectionSubgraph.stream('routes', {sourceNodes: $s, targetNodes: $t})"
                                    + " YIELD relationship RETURN id(relationship) AS id ORDER BY id",
                            ofPair))
                    .isEqualTo(cypher.rows(
                            all + "UNWIND relationships(p) AS r RETURN DISTINCT id(r) AS id ORDER BY id", ofPair));
        }
    }
}
