// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.types.Path;

/** Weights of relationships, and what is computed from them, by hand. */
@OnBothLines
class WeightsTest {

    private static final String FROM_A = "MATCH (a:Node {name: 'a'}) ";
    private static final String DELTA = "CALL proxima.allShortestPaths.delta.";

    private final Cypher cypher = SharedServer.cypher();

    /** From a to d: 1 + 1.5 + 1 = 3.5 by b and c, 5 by c, 10 directly. */
    @BeforeEach
    void create() {
        cypher.clear();
        cypher.rows("CREATE (a:Node {name: 'a'}), (b:Node {name: 'b'}), (c:Node {name: 'c'}), (d:Node {name: 'd'}),"
                + " (:Node {name: 'i'}), (a)-[:LINK {km: 1}]->(b), (a)-[:LINK {km: 9.5}]->(b),"
                + " (b)-[:LINK {km: 1.5}]->(c), (c)-[:LINK {km: 1}]->(d), (a)-[:LINK {km: 4}]->(c),"
                + " (a)-[:LINK {km: 10}]->(d)");
    }

    private void project(String orientation) {
        cypher.rows("CALL proxima.graph.drop('g', false)");
        cypher.row(
                "CALL proxima.graph.project('g', 'Node', {LINK: {orientation: $o}}, {relationshipProperties: 'km'})",
                "o",
                orientation);
    }

    private Map<String, Object> costs(String configuration) {
        return cypher.row(FROM_A + DELTA + "stream('g', " + configuration + ") YIELD targetNode, totalCost, nodeIds"
                + " WITH proxima.util.asNode(targetNode).name AS target, totalCost,"
                + " [n IN proxima.util.asNodes(nodeIds) | n.name] AS names ORDER BY target"
                + " RETURN collect(target) AS targets, collect(totalCost) AS costs, collect(names) AS paths");
    }

    @Test
    void shouldFindTheCheapestPathsInEachOrientation() {
        project("NATURAL");
        assertThat(costs("{sourceNode: a, relationshipWeightProperty: 'km'}"))
                .isEqualTo(Map.of(
                        "targets",
                        List.of("a", "b", "c", "d"),
                        "costs",
                        List.of(0.0, 1.0, 2.5, 3.5),
                        "paths",
                        List.of(List.of("a"), List.of("a", "b"), List.of("a", "b", "c"), List.of("a", "b", "c", "d"))));
        assertThat(costs("{sourceNode: a}"))
                .containsEntry("costs", List.of(0.0, 1.0, 1.0, 1.0))
                .containsEntry("paths", List.of(List.of("a"), List.of("a", "b"), List.of("a", "c"), List.of("a", "d")));
        project("REVERSE");
        assertThat(costs("{sourceNode: a, relationshipWeightProperty: 'km'}")).containsEntry("costs", List.of(0.0));
        project("UNDIRECTED");
        assertThat(cypher.value("MATCH (d:Node {name: 'd'}) " + DELTA
                        + "stream('g', {sourceNode: d, relationshipWeightProperty: 'km'}) YIELD totalCost"
                        + " RETURN collect(totalCost)"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrder(0.0, 1.0, 2.5, 3.5);
    }

    @Test
    void shouldSendPathsToTheClient() {
        project("NATURAL");
        Path path = (Path) cypher.value(FROM_A + DELTA
                + "stream('g', {sourceNode: a, relationshipWeightProperty: 'km'}) YIELD totalCost, path"
                + " WITH path WHERE totalCost = 3.5 RETURN path");
        assertThat(path.length()).isEqualTo(3);
        assertThat(path.start().get("name").asString()).isEqualTo("a");
        assertThat(path.end().get("name").asString()).isEqualTo("d");
        assertThat(path.relationships())
                .extracting(relationship -> relationship.get("cost").asDouble())
                .containsExactly(1.0, 1.5, 1.0);
    }

    @Test
    void shouldWriteCostsAndRemoveThemFromUnreachedNodes() {
        project("NATURAL");
        cypher.rows("MATCH (n:Node) SET n.cost = -1");
        assertThat(cypher.row(FROM_A + DELTA
                        + "write('g', {sourceNode: a, relationshipWeightProperty: 'km', writeProperty: 'cost'})"
                        + " YIELD nodePropertiesWritten, nodesReached RETURN nodePropertiesWritten, nodesReached"))
                .isEqualTo(Map.of("nodePropertiesWritten", 4L, "nodesReached", 4L));
        assertThat(cypher.value("MATCH (n:Node) WITH n ORDER BY n.name RETURN collect([n.name, n.cost])"))
                .isEqualTo(List.of(
                        List.of("a", 0.0),
                        List.of("b", 1.0),
                        List.of("c", 2.5),
                        List.of("d", 3.5),
                        Arrays.asList("i", null)));
    }
}
