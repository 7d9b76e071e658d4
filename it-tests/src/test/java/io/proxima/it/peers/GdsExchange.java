// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.data.DataServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A graph and a property from the Graph Data Science library to Proxima and back, by the queries of the manual. */
abstract class GdsExchange {

    private static final Path PAGE = Path.of("../docs/modules/ROOT/pages/migration-from-gds.adoc");

    private final Cypher cypher = DataServer.cypher();

    @BeforeEach
    void create() {
        cypher.rows(
                "CREATE (a:Person {i: 0})-[:KNOWS]->(b:Person {i: 1})-[:KNOWS]->(:Person {i: 2}), (a)-[:KNOWS]->(b),"
                        + " (:Person {i: 3})");
        cypher.rows("CALL gds.graph.project('social', 'Person', 'KNOWS')");
        cypher.rows("CALL gds.pageRank.mutate('social', {mutateProperty: 'rank'})");
    }

    @AfterEach
    void drop() {
        cypher.rows("CALL gds.graph.drop('social', false)");
        cypher.rows("CALL gds.graph.drop('theirs', false)");
        cypher.rows("CALL proxima.graph.drop('ours', false)");
        cypher.rows("MATCH (n:Person) DETACH DELETE n");
    }

    @Test
    void shouldPassGraphsAndPropertiesBothWays() throws IOException {
        List<String> queries = Pattern.compile("\n----\n(.*?)\n----\n", Pattern.DOTALL)
                .matcher(Files.readString(PAGE).split("\\[#exchange]", 2)[1].split("\n== ", 3)[1])
                .results()
                .map(query -> query.group(1))
                .toList();
        assertThat(queries).hasSize(3);

        assertThat(cypher.row(queries.get(0))).isEqualTo(Map.of("nodeCount", 4L, "relationshipCount", 2L));
        assertThat(cypher.value("CALL proxima.graph.list('ours') YIELD schema"
                        + " RETURN keys(schema.nodes) + keys(schema.relationships)"))
                .isEqualTo(List.of("Person", "KNOWS"));

        cypher.rows(queries.get(1));
        String values = ".graph.nodeProperty.stream($graph, $property) YIELD nodeId, propertyValue AS value"
                + " RETURN nodeId, value ORDER BY nodeId";
        assertThat(cypher.rows("CALL proxima" + values, "graph", "ours", "property", "rank"))
                .isEqualTo(cypher.rows("CALL gds" + values, "graph", "social", "property", "rank"))
                .hasSize(4);

        cypher.rows("CALL proxima.closeness.mutate('ours', {mutateProperty: 'score'})");
        assertThat(cypher.row(queries.get(2))).isEqualTo(Map.of("nodeCount", 4L, "relationshipCount", 3L));
        assertThat(cypher.rows("CALL gds" + values, "graph", "theirs", "property", "score"))
                .isEqualTo(cypher.rows("CALL proxima" + values, "graph", "ours", "property", "score"))
                .hasSize(4);
    }
}
