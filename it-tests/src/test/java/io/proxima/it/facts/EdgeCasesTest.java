// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;
import org.neo4j.driver.Transaction;
import org.neo4j.driver.types.Path;

/**
 * What depends on the kernel of a line of Neo4j: transactions, locks, deleted nodes, texts of queries, and paths over
 * Bolt.
 */
@OnBothLines
class EdgeCasesTest {

    private final Cypher cypher = SharedServer.cypher();
    private FactGraph graph;

    @BeforeEach
    void createGraph() {
        graph = new FactGraph(cypher, "a b c d", "a>b b>c c>d");
    }

    @Test
    void shouldSkipNodesDeletedSinceTheProjection() {
        graph.project("NATURAL");
        assertThat(cypher.value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        cypher.rows("MATCH (n {name: 'c'}) DETACH DELETE n");
        assertThat(cypher.value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
        String bfs = "CALL proxima.bfs.stream('g', {sourceNode: $s})";
        assertThat(cypher.rows(bfs + " YIELD nodeId, distance, parent RETURN *", "s", graph.id("a")))
                .hasSize(4);
        assertThat(cypher.failure(bfs, "s", graph.id("a")))
                .as("its paths")
                .contains("The graph `g` is stale", "`proxima.graph.refresh`");
        assertThat(cypher.row("CALL proxima.closeness.write('g', {writeProperty: 'score'})"))
                .containsEntry("nodePropertiesWritten", 3L)
                .containsEntry("nodesSkipped", 1L);
        assertThat(graph.property("score")).containsOnlyKeys("a", "b", "d");
    }

    /** Lines of Neo4j differ in what they count as a change, but all of them lock the node. */
    @Test
    void shouldRefuseToWriteFromATransactionThatHasLockedANode() {
        graph.project("NATURAL");
        cypher.rows("CREATE ({absent: 1})");
        for (String change : List.of("SET n.name = 'new'", "SET n.name = 'a'", "SET n:Node", "REMOVE n.absent")) {
            assertThat(cypher.failure("MATCH (n {name: 'a'}) " + change + " WITH count(n) AS locked"
                            + " CALL proxima.closeness.write('g', {writeProperty: 'x'}) YIELD nodePropertiesWritten"
                            + " RETURN nodePropertiesWritten"))
                    .as(change)
                    .containsPattern("The calling transaction has (uncommitted changes|locked nodes)");
        }
        assertThat(cypher.value("MATCH (n {name: 'a'}) WITH n CALL proxima.bfs.write('g', {sourceNode: n,"
                        + " writeProperty: 'hops'}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(4L);
    }

    @Test
    void shouldSeeTheCallersUncommittedDataAndGoAtARollback() {
        try (Session session = cypher.driver().session();
                Transaction transaction = session.beginTransaction()) {
            transaction.run("CREATE (:Node)").consume();
            for (String projection : List.of(
                    // which is what the memory check of the projection expects
                    "CALL proxima.graph.project.estimate('Node', 'LINK') YIELD nodeCount",
                    "CALL proxima.graph.project('g', 'Node', 'LINK') YIELD nodeCount",
                    "MATCH (a:Node) RETURN proxima.graph.project('rows', a).nodeCount")) {
                assertThat(transaction.run(projection).single().get(0).asLong())
                        .as(projection)
                        .isEqualTo(5);
            }
            assertThat(cypher.rows("CALL proxima.graph.list() YIELD stale"))
                    .isEqualTo(List.of(Map.of("stale", true), Map.of("stale", true)));
            assertThat(cypher.failure("CALL proxima.wcc.write('g', {writeProperty: 'ghost'})"))
                    .contains("has uncommitted changes of a transaction that is open");
            transaction.rollback();
        }
        assertThat(cypher.rows("CALL proxima.graph.list()")).isEmpty();
    }

    @Test
    void shouldMakeAnEmptyGraphOfNoRows() {
        assertThat(cypher.value(
                        "MATCH (a:Nobody) RETURN proxima.graph.project($name, a, null, {}, {jobId: $job}).nodeCount",
                        "name",
                        "empty",
                        "job",
                        "j"))
                .isEqualTo(0L);
        assertThat(cypher.value("CALL proxima.graph.list() YIELD graphName")).isEqualTo("empty");
    }

    @Test
    void shouldSendPathsToTheClient() {
        cypher.rows("MATCH ()-[r]->() SET r.km = 1.5");
        cypher.row("CALL proxima.graph.project('g', 'Node', 'LINK', {relationshipProperties: 'km'})");
        Path path = (Path) cypher.value(
                "CALL proxima.allShortestPaths.delta.stream('g', {sourceNode: $s, relationshipWeightProperty: 'km'})"
                        + " YIELD totalCost, path WITH path WHERE totalCost = 4.5 RETURN path",
                "s",
                graph.id("a"));
        assertThat(path.nodes()).extracting(node -> node.get("name").asString()).containsExactly("a", "b", "c", "d");
        assertThat(path.relationships())
                .extracting(relationship -> relationship.get("km").asDouble())
                .containsExactly(1.5, 1.5, 1.5);
    }
}
