// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.memory.HeapLedger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Weights and the shortest paths over them: a, b, c, d with a cheap way of three steps and dear short cuts. */
class AllShortestPathsTest {

    private static final String DELTA = "CALL proxima.allShortestPaths.delta.";
    private static final String FROM_A = "MATCH (a:N {name: 'a'}) ";
    private static final String BY_KM = "{sourceNode: a, relationshipWeightProperty: 'km'}";

    @BeforeEach
    void roads() {
        TestDbms.clear();
        run("CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}), (d:N {name: 'd'}), (:N {name: 'island'}),"
                + " (a)-[:R {km: 1}]->(b), (a)-[:R {km: 9}]->(b), (a)-[:R {toll: 2.5}]->(b), (b)-[:R {km: 1.5}]->(c),"
                + " (c)-[:R {km: 1}]->(d), (a)-[:S {km: 10}]->(d), (a)-[:R {km: 4}]->(c), (d)-[:R {km: 1}]->(d)");
    }

    private static void project(String relationships, String configuration) {
        run("CALL proxima.graph.project('g', 'N', " + relationships + ", " + configuration + ")");
    }

    private static Map<String, Double> costs(String configuration) {
        return pairs(FROM_A + DELTA + "stream('g', " + configuration + ") YIELD targetNode, totalCost"
                + " RETURN proxima.util.asNode(targetNode).name AS name, totalCost");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", concurrency: 1", ", concurrency: 3, delta: 0.5", ", backend: 'cpu', delta: 100"})
    void shouldFindTheCheapestPaths(String keys) {
        project("['R', 'S']", "{relationshipProperties: {km: {property: 'km', defaultValue: 100}}}");

        List<Map<String, Object>> rows = run(FROM_A + DELTA
                + "stream('g', {sourceNode: a, relationshipWeightProperty: 'km'" + keys + "})"
                + " YIELD index, sourceNode, targetNode, totalCost, nodeIds, costs"
                + " RETURN index, proxima.util.asNode(sourceNode).name AS source,"
                + " proxima.util.asNode(targetNode).name AS target, totalCost,"
                + " [n IN proxima.util.asNodes(nodeIds) | n.name] AS names, costs ORDER BY index");

        assertThat(rows).extracting(row -> row.get("target")).containsExactlyInAnyOrder("a", "b", "c", "d");
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).containsEntry("index", (long) i).containsEntry("source", "a");
        }
        Map<String, Object> toD = rows.stream()
                .filter(row -> row.get("target").equals("d"))
                .findFirst()
                .orElseThrow();
        assertThat(toD)
                .containsEntry("totalCost", 3.5)
                .containsEntry("names", List.of("a", "b", "c", "d"))
                .containsEntry("costs", List.of(0.0, 1.0, 2.5, 3.5));
    }

    @Test
    void shouldCountRelationshipsWithoutAWeight() {
        project("['R', 'S']", "{}");
        assertThat(costs("{sourceNode: a}")).isEqualTo(Map.of("a", 0.0, "b", 1.0, "c", 1.0, "d", 1.0));
        assertThat(costs("{sourceNode: a, relationshipTypes: ['R']}"))
                .isEqualTo(Map.of("a", 0.0, "b", 1.0, "c", 1.0, "d", 2.0));
    }

    @Test
    void shouldReachOnlyTheSourceWithoutTypes() {
        project("['R', 'S']", "{relationshipProperties: {km: {property: 'km', defaultValue: 100}}}");
        String none = "{sourceNode: a, relationshipTypes: [], relationshipWeightProperty: 'km'}";
        assertThat(costs(none)).isEqualTo(Map.of("a", 0.0));
        assertThat(run(FROM_A + DELTA + "stats.estimate('g', " + none + ") YIELD bytesMax RETURN bytesMax > 0 AS some"))
                .containsExactly(Map.of("some", true));
    }

    @Test
    void shouldReturnAPathOfStoredRelationshipsOnlyIfYielded() {
        project("'R'", "{relationshipProperties: {km: {property: 'km', defaultValue: 7}}}");
        TestDbms.database()
                .executeTransactionally(
                        FROM_A + DELTA + "stream('g', " + BY_KM
                                + ") YIELD totalCost, path WITH path WHERE totalCost = 3.5"
                                + " RETURN path, [n IN nodes(path) | n.name] AS names,"
                                + " [r IN relationships(path) | type(r)] AS types",
                        Map.of(),
                        result -> {
                            Map<String, Object> row = result.next();
                            Path path = (Path) row.get("path");
                            assertThat(path.length()).isEqualTo(3);
                            assertThat(path.startNode().getProperty("name")).isEqualTo("a");
                            assertThat(path.endNode().getProperty("name")).isEqualTo("d");
                            assertThat(path.relationships())
                                    .extracting(step -> step.getProperty("km"))
                                    .containsExactly(1L, 1.5, 1L);
                            assertThat(row)
                                    .containsEntry("names", List.of("a", "b", "c", "d"))
                                    .containsEntry("types", List.of("R", "R", "R"));
                            return null;
                        });
        assertThat(run(FROM_A + DELTA + "stream('g', " + BY_KM + ") YIELD totalCost, index RETURN count(*) AS rows"))
                .containsExactly(Map.of("rows", 4L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{km: {property: 'km', aggregation: 'MIN'}} | 1.0 | MIN",
                "{km: {property: 'km', aggregation: 'single'}} | 1.0 | SINGLE",
                "{km: {property: 'km', aggregation: 'MAX'}} | 9.0 | MAX",
                "{km: {property: 'km', aggregation: 'SUM'}} | 10.0 | SUM",
                "{km: {property: 'km', aggregation: 'SUM', defaultValue: 0.5}} | 10.5 | SUM",
                "{km: {property: 'km', aggregation: 'COUNT'}} | 2.0 | COUNT",
                "{km: {property: '*', aggregation: 'COUNT'}} | 3.0 | COUNT"
            })
    void shouldAggregateParallelRelationships(String properties, double cost, String aggregation) {
        project("'R'", "{relationshipProperties: " + properties + "}");
        assertThat(run(FROM_A + DELTA + "stream('g', " + BY_KM + ") YIELD targetNode, totalCost WITH * WHERE"
                        + " proxima.util.asNode(targetNode).name = 'b' RETURN totalCost"))
                .containsExactly(Map.of("totalCost", cost));
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN schema.relationships.R.km")
                        .toString())
                .contains("Aggregation." + aggregation);
    }

    @Test
    void shouldShowPropertiesAsGdsDoes() {
        run("CALL proxima.graph.project('g', 'N', {R: {properties: ['km', {toll: {defaultValue: 5}}]}, S: {}},"
                + " {relationshipProperties: {price: 'km'}})");
        String km = "Float (DefaultValue(NaN), PERSISTENT, Aggregation.NONE)";
        String toll = "Float (DefaultValue(5), PERSISTENT, Aggregation.NONE)";
        Map<String, Object> ofR = Map.of("km", km, "toll", toll, "price", km);
        Map<String, Object> row = run("CALL proxima.graph.list('g') YIELD schema, schemaWithOrientation, configuration")
                .get(0);
        assertThat(((Map<?, ?>) row.get("schema")).get("relationships"))
                .isEqualTo(Map.of("R", ofR, "S", Map.of("price", km)));
        assertThat(((Map<?, ?>) row.get("schemaWithOrientation")).get("relationships"))
                .isEqualTo(Map.of(
                        "R", Map.of("direction", "DIRECTED", "properties", ofR),
                        "S", Map.of("direction", "DIRECTED", "properties", Map.of("price", km))));
        run("CALL proxima.graph.filter('part', 'g', 'n:N', 'r:R')");
        assertThat(value("CALL proxima.graph.list('part') YIELD schema RETURN schema.relationships"))
                .isEqualTo(Map.of("R", ofR));
    }

    @Test
    void shouldTakeWeightsFromTheRowsOfAQuery() {
        run("MATCH (x:N)-[r:R]->(y:N) WHERE r.km IS NOT NULL RETURN proxima.graph.project('g', x, y,"
                + " {relationshipProperties: r {.km}, relationshipType: type(r)})");
        assertThat(costs(BY_KM)).isEqualTo(Map.of("a", 0.0, "b", 1.0, "c", 2.5, "d", 3.5));
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN schema.relationships.R.km"))
                .isEqualTo("Float (DefaultValue(NaN), TRANSIENT, Aggregation.NONE)");
        run("MATCH (x:N)-[r:R|S]->(y:N) RETURN proxima.graph.project('g', x, y, {relationshipProperties:"
                + " CASE WHEN r.km IS NULL THEN {toll: r.toll} ELSE {km: r.km, twice: r.km * 2} END},"
                + " {undirectedRelationshipTypes: ['*'], replace: true})");
        assertThatThrownBy(() -> costs("{sourceNode: a, relationshipWeightProperty: 'twice'}"))
                .rootCause()
                .hasMessageContaining("has the weight NaN in `twice`");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{relationshipProperties: 'km'} | km | NaN in `km`",
                "{relationshipProperties: {km: {property: 'km', defaultValue: -2}}} | km | -2.0 in `km`",
                "{relationshipProperties: 'km'} | toll | Relationship weight property `toll` not found in relationship"
                        + " types ['R']. Properties existing on all relationship types: ['km']"
            })
    void shouldRefuseWhatCannotBeALength(String configuration, String property, String message) {
        project("'R'", configuration);
        assertThatThrownBy(() -> run(FROM_A + DELTA + "stats('g', {sourceNode: a, relationshipWeightProperty: '"
                        + property + "'}) YIELD nodesReached RETURN nodesReached"))
                .rootCause()
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream", "stats", "mutate", "write"})
    void shouldRefuseCostsAboveTheGreatestNumber(String mode) {
        run("MATCH (:N)-[r:R]->() SET r.km = 1e308");
        run("MATCH (n:N {name: 'd'}) SET n.p = 7");
        project("'R'", "{relationshipProperties: {km: {property: 'km', defaultValue: 1e308}}}");
        long d = (Long) value("MATCH (n:N {name: 'd'}) RETURN id(n)");
        String keys =
                mode.equals("mutate") ? ", mutateProperty: 'p'" : mode.equals("write") ? ", writeProperty: 'p'" : "";
        String column = mode.equals("stream") ? "totalCost" : "nodesReached";
        assertThatThrownBy(() -> run(FROM_A + DELTA + mode + "('g', {sourceNode: a, relationshipWeightProperty: 'km'"
                        + keys + "}) YIELD " + column + " RETURN " + column))
                .rootCause()
                .hasMessageContaining("The cost of the path to the node " + d + " is above the greatest FLOAT")
                .hasMessageContaining("has the weight 1.0E308 in `km`");
        assertThat(value("MATCH (n:N {name: 'd'}) RETURN n.p")).isEqualTo(7L);
    }

    @Test
    void shouldHoldTheHeapOfTheLongestPathWhileRowsAreRead() {
        TestDbms.clear();
        int nodes = 3000;
        run("UNWIND range(1, " + nodes + ") AS i CREATE (:Chain {i: i})");
        run("CREATE INDEX chain_i FOR (n:Chain) ON (n.i)");
        run("CALL db.awaitIndexes()");
        run("MATCH (a:Chain) MATCH (b:Chain {i: a.i + 1}) CREATE (a)-[:NEXT]->(b)");
        run("DROP INDEX chain_i");
        run("CALL proxima.graph.project('chain', 'Chain', 'NEXT')");
        String call = "MATCH (a:Chain {i: %d}) CALL proxima.allShortestPaths.delta.stream('chain', {sourceNode: a})"
                + " YIELD nodeIds RETURN size(nodeIds) AS length";
        long ofShort = heldBy(String.format(call, nodes - 1));
        long ofLong = heldBy(String.format(call, 1));
        assertThat(ofLong - ofShort)
                .as("a list of boxed ids in the row that is read, and one in that which is produced")
                .isGreaterThan(2L * (nodes - 2) * 2 * Long.BYTES);
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    private static long heldBy(String query) {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute(query)) {
            assertThat(rows.next()).containsKey("length");
            return HeapLedger.ofThisJvm().held();
        }
    }

    @Test
    void shouldNameTheEndsOfARelationshipWithoutWeight() {
        project("'R'", "{relationshipProperties: 'km'}");
        long a = (Long) value("MATCH (n:N {name: 'a'}) RETURN id(n)");
        long b = (Long) value("MATCH (n:N {name: 'b'}) RETURN id(n)");
        assertThatThrownBy(
                        () -> run(FROM_A + DELTA + "stats('g', " + BY_KM + ") YIELD nodesReached RETURN nodesReached"))
                .rootCause()
                .hasMessageContaining("from the node " + a + " to the node " + b);
    }

    @Test
    void shouldEstimateForNamedAndDescribedGraphs() {
        project("['R', 'S']", "{relationshipProperties: {km: {property: 'km', defaultValue: 7}}}");
        String weighted = "{sourceNode: 0, relationshipWeightProperty: 'km'}) YIELD bytesMin";
        assertThat((Long) value(DELTA + "stats.estimate('g', " + weighted))
                .isGreaterThan((Long) value(DELTA + "stats.estimate('g', {sourceNode: 0}) YIELD bytesMin"));
        assertThat((Long) value(DELTA
                        + "stats.estimate({nodeProjection: 'N', relationshipProjection: ['R', 'S'],"
                        + " relationshipProperties: 'km', nodeCount: 1000, relationshipCount: 9000}, " + weighted))
                .isGreaterThan(9000 * 12L);
        assertThat((Long) value(DELTA + "stats.estimate('g', {sourceNode: 0}) YIELD bytesMin"))
                .as("a cost and two marks for each node")
                .isGreaterThanOrEqualTo(5L * (Double.BYTES + 2));
    }
}
