// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server with a small heap, which is restarted with a read-only database, as replicas and archives are. */
@Tag("full")
@OnBothLines
class RestartTest {

    private static final int NODES = 1_000;

    @Test
    void shouldSurviveAProjectionThatOutgrowsTheHeapAndAfterARestartRefuseToWrite() throws Exception {
        Installation installation = Installation.built();
        ServerBuilder plan = ServerProcess.in(installation, installation.newHome("restart"))
                .heap("300m")
                .withoutOptimizingCompiler();
        try (ServerProcess server = plan.start()) {
            Cypher cypher = new Cypher(server.driver());
            cypher.createPath("N", "R", NODES);
            outgrowTheHeap(cypher);
            assertThat(server.debugLog()).doesNotContain("java.lang.OutOfMemoryError");
            HttpRequest browser = HttpRequest.newBuilder(server.httpUri().resolve("/browser/"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(browser, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
        try (ServerProcess server = plan.setting("server.databases.read_only", "neo4j")
                .withoutHttp()
                .start()) {
            refuseToWrite(new Cypher(server.driver()));
        }
    }

    private static void outgrowTheHeap(Cypher cypher) {
        // properties, so that the heap is full after fewer rows
        String rows =
                "MATCH (a:N {key: 0})-[:R]->(b) UNWIND range(1, $rows) AS i RETURN proxima.graph.project('g', a, b,"
                        + " {relationshipProperties: {p: i, q: i, r: i, s: i, t: i, u: i, v: i, w: i}})";
        assertThat(cypher.failure(rows, "rows", 1_000_000_000))
                .startsWith("Procedure was blocked since maximum estimated memory (");
        assertThat(cypher.rows("CALL proxima.memory.list()")).isEmpty();
        assertThat(cypher.value(rows + ".nodeCount", "rows", 1000)).isEqualTo(2L);
    }

    /** The test of the plugin has every procedure. */
    private static void refuseToWrite(Cypher cypher) {
        assertThat(cypher.value("RETURN proxima.graph.exists('g')")).isEqualTo(false);
        cypher.row("CALL proxima.graph.project('g', 'N', 'R')");
        Object keys = cypher.value("CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)");
        for (String property : List.of("key", "new")) {
            assertThat(cypher.failure(
                            "CALL proxima.closeness.write('g', {writeProperty: $property, jobId: $property})",
                            "property",
                            property))
                    .containsIgnoringCase("read-only");
            assertThat(cypher.rows(
                            "CALL proxima.listProgress($job) YIELD taskName, status WHERE taskName STARTS WITH ' '"
                                    + " AND status <> 'PENDING' RETURN taskName",
                            "job",
                            property))
                    .as("tasks of the refused call")
                    .isEmpty();
        }
        assertThat(cypher.value("CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)"))
                .isEqualTo(keys);
        assertThat(cypher.row("MATCH (n:N) RETURN count(n) AS nodes, sum(n.key) AS keys"))
                .isEqualTo(Map.of("nodes", (long) NODES, "keys", NODES * (NODES - 1L) / 2));
    }
}
