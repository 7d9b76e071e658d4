// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.it.Cypher;
import io.proxima.it.NodeJs;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.server.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;

/** Tables over Bolt: from the server to clients, and back. */
@OnBothLines
class TablesTest {

    private static final Path SCRIPTS = Path.of(System.getProperty("proxima.it.directory"), "../src/test/js")
            .normalize();

    private static final int NODES = 5;

    private final Cypher cypher = SharedServer.cypher();

    @BeforeEach
    void createGraph() {
        cypher.clear();
        cypher.rows("UNWIND range(0, $last) AS i CREATE (:N {name: 'n' + i})", "last", NODES - 1);
        cypher.rows("MATCH (a:N), (b:N) WHERE b.name > a.name AND a.name <= 'n2' CREATE (a)-[:R]->(b)");
        project(cypher, "g");
        cypher.rows("MATCH (n {name: 'n1'}) CALL proxima.bfs.mutate('g', {sourceNode: n, mutateProperty: 'hops'})"
                + " YIELD mutateMillis RETURN mutateMillis");
        cypher.rows("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'})");
    }

    private static void project(Cypher cypher, String graph) {
        cypher.rows("CALL proxima.graph.project($graph, 'N', 'R')", "graph", graph);
    }

    private byte[] table(String query, Object... parameters) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        cypher.rows(query, parameters).forEach(row -> all.writeBytes((byte[]) row.get("arrow")));
        return all.toByteArray();
    }

    @Test
    void shouldBringATableToADriverAndBack() {
        project(cypher, "h");
        byte[] bytes = table("CALL proxima.graph.nodeProperties.arrow('g', ['hops', 'score'], {key: 'elementId'})");
        cypher.rows("CALL proxima.graph.nodeProperties.load('h', $bytes, {key: 'elementId'})", "bytes", bytes);
        String stream = "CALL proxima.graph.nodeProperties.stream($graph, ['hops', 'score'])"
                + " YIELD nodeId, nodeProperty, propertyValue WITH * WHERE propertyValue >= 0"
                + " RETURN nodeId, nodeProperty, propertyValue";
        assertThat(cypher.rows(stream, "graph", "h"))
                .isEqualTo(cypher.rows(stream, "graph", "g"))
                .hasSize(2 * NODES - 1);
        assertThat(table("CALL proxima.graph.nodeProperties.arrow('h', ['hops', 'score'], {key: 'elementId'})"))
                .isEqualTo(bytes);
    }

    @Test
    void shouldRefuseBytesWithoutATable() {
        assertThat(cypher.failure(
                        "CALL proxima.graph.nodeProperties.load('g', $bytes)",
                        "bytes",
                        "nodeId".getBytes(StandardCharsets.UTF_8)))
                .startsWith("The Arrow bytes cannot be loaded: ");
    }

    /** A reader that stops holds what it has requested, and what was made ahead. */
    @Test
    void shouldReadNoFurtherThanItsReader() {
        cypher.rows("UNWIND range(1, 100000) AS i CREATE (:N)");
        cypher.rows("CALL proxima.graph.drop('g')");
        project(cypher, "g");
        cypher.rows("MATCH (n {name: 'n1'}) CALL proxima.bfs.mutate('g', {sourceNode: n, mutateProperty: 'hops'})"
                + " YIELD mutateMillis RETURN mutateMillis");
        try (Session session = cypher.driver()
                .session(SessionConfig.builder().withFetchSize(16).build())) {
            Result rows = session.run(
                    "CALL proxima.graph.nodeProperties.arrow('g', 'hops', {batchSize: 100, jobId: 'table'})");
            rows.next();
            assertThat((Double) cypher.value("CALL proxima.listProgress('table') YIELD taskName, progress"
                            + " WHERE taskName CONTAINS 'Write columns'"
                            + " RETURN toFloat(replace(progress, '%', ''))"))
                    .isLessThan(5.0);
        }
    }

    @Test
    void shouldExchangeTablesWithJavaScript() throws IOException, InterruptedException {
        ServerProcess server = SharedServer.server();
        String output = NodeJs.run(
                SCRIPTS,
                SCRIPTS.resolve("node_modules/apache-arrow"),
                "tables.mjs",
                server.boltUri().toString(),
                ServerProcess.PASSWORD);
        JsonNode printed = new ObjectMapper().readTree(output);
        assertThat(values(printed.get("properties").get("name"))).isEqualTo(List.of("n0", "n1", "n2", "n3", "n4"));
        assertThat(values(printed.get("properties").get("hops"))).isEqualTo(Arrays.asList(null, 0, 1, 1, 1));
        List<Object> scores = new ArrayList<>();
        cypher.rows("CALL proxima.graph.nodeProperty.stream('g', 'score') YIELD propertyValue RETURN propertyValue")
                .forEach(row -> scores.add(row.get("propertyValue")));
        assertThat(values(printed.get("properties").get("score")))
                .usingElementComparator(
                        (a, b) -> Double.compare(((Number) a).doubleValue(), ((Number) b).doubleValue()))
                .isEqualTo(scores);
        assertThat(values(printed.get("distance"))).isEqualTo(List.of(1, 1, 1, 1));
        assertThat(cypher.rows("CALL proxima.graph.nodeProperties.stream('g', ['doubled', 'list'])"
                        + " YIELD nodeProperty, propertyValue RETURN nodeProperty, propertyValue"))
                .hasSize(2 * NODES)
                .contains(
                        Map.of("nodeProperty", "doubled", "propertyValue", 2 * (Double) scores.get(3)),
                        Map.of("nodeProperty", "list", "propertyValue", List.of(scores.get(3), 3.0)));
    }

    private static List<Object> values(JsonNode array) {
        return new ObjectMapper().convertValue(array, new TypeReference<List<Object>>() {});
    }
}
