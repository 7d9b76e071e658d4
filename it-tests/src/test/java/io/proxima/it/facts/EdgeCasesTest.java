// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;
import org.neo4j.driver.Transaction;
import org.neo4j.driver.exceptions.Neo4jException;

/** Fact F15 and the promises of the interface about wrong input, other users and a store that has moved on. */
@OnBothLines
class EdgeCasesTest {

    private final Cypher cypher = SharedServer.cypher();
    private FactGraph graph;

    @BeforeEach
    void createGraph() {
        graph = new FactGraph(cypher, "a b c d", "a>b b>c c>d");
    }

    @Test
    void shouldTakeSourcesAsNodeIdOrElementId() {
        graph.project("NATURAL");
        for (String source : List.of("n", "id(n)", "elementId(n)", "[n]", "[id(n)]", "[elementId(n)]")) {
            assertThat(cypher.value("MATCH (n {name: 'b'}) CALL proxima.bfs.stream('g', {sourceNode: " + source
                            + "}) YIELD nodeId RETURN count(nodeId)"))
                    .as(source)
                    .isEqualTo(3L);
        }
        assertThat(cypher.rows("MATCH (a {name: 'a'}), (b {name: 'b'}), (d {name: 'd'})"
                        + " CALL proxima.distances.stream('g', {sourceNodes: [a, id(b)], targetNodeFilter: elementId(d)})"
                        + " YIELD sourceNode, distance RETURN sourceNode = id(a) AS a, distance ORDER BY distance"))
                .isEqualTo(List.of(Map.of("a", false, "distance", 2L), Map.of("a", true, "distance", 3L)));
    }

    @Test
    void shouldJoinRowsWithNodes() {
        graph.project("NATURAL");
        assertThat(
                        cypher.rows(
                                "MATCH (a {name: 'a'}) CALL proxima.bfs.stream('g', {sourceNode: a})"
                                        + " YIELD nodeId, distance RETURN proxima.util.asNode(nodeId).name AS name, distance ORDER BY distance"))
                .extracting(row -> row.get("name"))
                .containsExactly("a", "b", "c", "d");
        assertThat(cypher.value("RETURN proxima.util.asNode(9999999)")).isNull();
    }

    @Test
    void shouldRefuseSourcesOutsideTheProjectionOrTheFilter() {
        cypher.rows("MATCH (n) WHERE n.name IN ['a', 'b'] SET n:Front");
        cypher.rows("CREATE (:Other)");
        cypher.row("CALL proxima.graph.project('g', ['Node', 'Front'], 'LINK')");
        Object other = cypher.value("MATCH (n:Other) RETURN id(n)");
        assertThat(cypher.failure("CALL proxima.bfs.stream('g', {sourceNode: $s})", "s", other))
                .contains("sourceNode")
                .contains("[" + other + "]");
        assertThat(cypher.failure(
                        "CALL proxima.bfs.stream('g', {sourceNode: $s, nodeLabels: ['Front']})", "s", graph.id("c")))
                .contains("sourceNode")
                .contains("['Front']")
                .contains("[" + graph.id("c") + "]");
        assertThat(cypher.rows(
                        "CALL proxima.bfs.stream('g', {sourceNode: $s, nodeLabels: ['Front']})", "s", graph.id("a")))
                .extracting(row -> graph.name(row.get("nodeId")) + row.get("distance"))
                .containsExactlyInAnyOrder("a0", "b1");
    }

    @Test
    void shouldSkipNodesDeletedSinceTheProjection() {
        graph.project("NATURAL");
        assertThat(cypher.value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        cypher.rows("MATCH (n {name: 'c'}) DETACH DELETE n");
        assertThat(cypher.value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
        assertThat(cypher.rows("CALL proxima.bfs.stream('g', {sourceNode: $s})", "s", graph.id("a")))
                .hasSize(4);
        assertThat(cypher.row("CALL proxima.closeness.write('g', {writeProperty: 'score'})"))
                .containsEntry("nodePropertiesWritten", 3L)
                .containsEntry("nodesSkipped", 1L);
        assertThat(graph.property("score")).containsOnlyKeys("a", "b", "d");
    }

    @Test
    void shouldRefuseToWriteFromATransactionThatHasWritten() {
        graph.project("NATURAL");
        try (Session session = cypher.driver().session();
                Transaction transaction = session.beginTransaction()) {
            transaction.run("MATCH (n:Node) SET n.touched = true").consume();
            assertThatThrownBy(() -> transaction
                            .run("CALL proxima.closeness.write('g', {writeProperty: 'score'})")
                            .consume())
                    .isInstanceOf(Neo4jException.class)
                    .hasMessageContaining("transaction");
        }
        assertThat(graph.property("score")).isEmpty();
    }

    /** Lines of Neo4j differ in what they count as a change, but all of them lock the node. */
    @Test
    void shouldRefuseToWriteFromATransactionThatHasLockedANodeWithoutAChange() {
        graph.project("NATURAL");
        cypher.rows("CREATE ({absent: 1})");
        for (String nothing : List.of("SET n.name = 'a'", "SET n:Node", "REMOVE n.absent")) {
            assertThat(cypher.failure("MATCH (n {name: 'a'}) " + nothing + " WITH count(n) AS locked"
                            + " CALL proxima.closeness.write('g', {writeProperty: 'x'}) YIELD nodePropertiesWritten"
                            + " RETURN nodePropertiesWritten"))
                    .as(nothing)
                    .containsPattern("The calling transaction has (uncommitted changes|locked nodes)");
        }
        assertThat(cypher.value("MATCH (n {name: 'a'}) WITH n CALL proxima.bfs.write('g', {sourceNode: n,"
                        + " writeProperty: 'hops'}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(4L);
    }

    @Test
    void shouldSeeTheCallersUncommittedData() {
        try (Session session = cypher.driver().session();
                Transaction transaction = session.beginTransaction()) {
            transaction.run("CREATE (:Node)").consume();
            // which is what the memory check of the projection expects
            assertThat(transaction
                            .run("CALL proxima.graph.project.estimate('Node', 'LINK') YIELD nodeCount")
                            .single()
                            .get(0)
                            .asLong())
                    .isEqualTo(5);
            assertThat(transaction
                            .run("CALL proxima.graph.project('g', 'Node', 'LINK') YIELD nodeCount")
                            .single()
                            .get(0)
                            .asLong())
                    .isEqualTo(5);
            transaction.rollback();
        }
    }
}
