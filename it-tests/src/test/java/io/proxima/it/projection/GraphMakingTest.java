// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;
import org.neo4j.driver.Transaction;

/** Graphs made of rows, of other graphs and of nothing, over Bolt and in the sandbox. */
@OnBothLines
class GraphMakingTest {

    private final Cypher cypher = SharedServer.cypher();

    @BeforeEach
    void createData() {
        cypher.clear();
        cypher.rows("CREATE (a:N {name: 'a'}), (b:N:Late {name: 'b'}), (c:N {name: 'c'}), (a)-[:R]->(b), (b)-[:R]->(c),"
                + " (a)-[:S]->(c)");
    }

    @Test
    void shouldProjectRowsWithLabelsAndTypes() {
        assertThat(cypher.row("MATCH (a)-[r]->(b) WITH proxima.graph.project('g', a, b, {sourceNodeLabels: labels(a),"
                        + " targetNodeLabels: true, relationshipType: type(r)}, {undirectedRelationshipTypes: ['S']}) AS g"
                        + " RETURN g.graphName AS name, g.nodeCount AS nodes, g.relationshipCount AS relationships"))
                .isEqualTo(Map.of("name", "g", "nodes", 3L, "relationships", 4L));
        assertThat(cypher.rows(
                        "MATCH (c {name: 'c'}) CALL proxima.bfs.stream('g', {sourceNode: c}) YIELD nodeId, distance"
                                + " RETURN proxima.util.asNode(nodeId).name AS name, distance ORDER BY name"))
                .containsExactly(
                        Map.of("name", "a", "distance", 1L),
                        Map.of("name", "b", "distance", 2L),
                        Map.of("name", "c", "distance", 0L));
        assertThat(cypher.value("CALL proxima.bfs.stats('g', {sourceNode: 0, nodeLabels: ['Late']}) YIELD nodesReached"
                        .replace("0", String.valueOf(cypher.value("MATCH (n:Late) RETURN id(n)")))))
                .isEqualTo(1L);
    }

    @Test
    void shouldMakeAnEmptyGraphOfNoRows() {
        assertThat(cypher.value(
                        "MATCH (a:Nobody) RETURN proxima.graph.project($name, a, null, {}, {jobId: $job}).nodeCount",
                        "name",
                        "g",
                        "job",
                        "j"))
                .isEqualTo(0L);
        assertThat(cypher.value("CALL proxima.graph.list() YIELD graphName")).isEqualTo("g");
    }

    @Test
    void shouldSeeWhatTheTransactionHasNotCommittedAndLeaveNothingWhenItFails() {
        try (Session session = cypher.driver().session();
                Transaction transaction = session.beginTransaction()) {
            transaction.run("MATCH (a {name: 'c'}) CREATE (a)-[:NEW]->(:Fresh)").consume();
            assertThat(transaction
                            .run("MATCH (a)-[:NEW]->(b) RETURN proxima.graph.project('g', a, b).nodeCount AS n")
                            .single()
                            .get("n")
                            .asLong())
                    .isEqualTo(2);
            transaction.rollback();
        }
        assertThat(cypher.value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
        assertThat(cypher.failure(
                        "MATCH (a)-->(b) RETURN proxima.graph.project('h', a, CASE a.name WHEN 'b' THEN 0.5 ELSE b"
                                + " END)"))
                .contains("Failed to parse `targetNode`");
        assertThat(cypher.value("CALL proxima.graph.list() YIELD graphName")).isEqualTo("g");
        assertThat(cypher.rows("CALL proxima.listProgress() YIELD status WHERE status = 'RUNNING' RETURN status"))
                .isEmpty();
    }

    @Test
    void shouldKnowAfterAnImportWhetherTheStoreHasChanged() {
        cypher.rows("CALL proxima.graph.project('g', 'N', 'R')");
        String export = "CALL proxima.graph.export('g', 'made', {overwrite: true}) YIELD bytes";
        String reimport = "CALL proxima.graph.import('made', 'h', {replace: true}) YIELD graphName";
        String stale = "CALL proxima.graph.list('h') YIELD stale";
        cypher.rows(export);
        cypher.rows(reimport);
        assertThat(cypher.value(stale)).isEqualTo(false);
        cypher.rows("CREATE (:Other)");
        assertThat(cypher.value(stale)).isEqualTo(true);
        for (String call : List.of(reimport, export, reimport)) {
            cypher.rows(call);
            assertThat(cypher.value(stale)).as(call).isEqualTo(true);
        }
    }

    @Test
    void shouldEndAProjectionThatOutgrowsTheHeapAndGoOn() {
        Installation installation = Installation.built();
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("small-heap"))
                .heap("300m")
                .withoutOptimizingCompiler()
                .start()) {
            Cypher small = new Cypher(server.driver());
            small.rows("CREATE (:N {name: 'a'})-[:R]->(:N {name: 'b'})");
            String rows = "MATCH (a)-[:R]->(b) UNWIND range(1, $rows) AS i RETURN proxima.graph.project('g', a, b)";
            assertThat(small.failure(rows, "rows", 1_000_000_000))
                    .startsWith("Procedure was blocked since maximum estimated memory (");
            assertThat(small.rows("CALL proxima.memory.list()")).isEmpty();
            assertThat(small.value(rows + ".nodeCount", "rows", 1000)).isEqualTo(2L);
            assertThat(server.debugLog()).doesNotContain("java.lang.OutOfMemoryError");
        }
    }
}
