// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BoltLoader;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

@OnBothLines
class ServerProcessTest {

    private final Installation installation = Installation.built();

    @Test
    void shouldKeepProximaOffTheServersClassPath() {
        assertThat(installation.serverClassPath().split(":"))
                .hasSizeGreaterThan(200)
                .noneMatch(jar -> jar.contains("proxima") || jar.contains("junit") || jar.contains("/gds/"));
    }

    @Test
    void shouldAdvertiseTheAddressOfBoltAndAnswerQueriesOverHttp() throws Exception {
        ServerProcess server = SharedServer.server();
        assertThat(send(HttpRequest.newBuilder(server.httpUri()).header("Accept", "application/json"))
                        .body())
                .contains("\"" + server.boltUri() + "\"");
        String login = "neo4j:" + ServerProcess.PASSWORD;
        assertThat(send(HttpRequest.newBuilder(server.httpUri().resolve("/db/neo4j/query/v2"))
                                .header(
                                        "Authorization",
                                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)))
                                .header("Content-Type", "application/json")
                                .header("Accept", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"statement\": \"RETURN proxima.graph.exists('none') AS found\"}")))
                        .body())
                .contains("\"values\":[[false]]");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldServeBrowserAndLoadedGraphsAndKeepThemOverARestart() throws Exception {
        EdgeList path = EdgeList.path(10);
        Path home = installation.newHome("own");
        BulkImport.run(installation, home, List.of(new BulkImport.Graph("Imported", "LINK", path)));
        try (ServerProcess first =
                ServerProcess.in(installation, home).withoutOptimizingCompiler().start()) {
            Cypher cypher = new Cypher(first.driver());
            BoltLoader.load(first.driver(), "Loaded", "LINK", path);
            for (String label : List.of("Imported", "Loaded")) {
                assertThat(cypher.value("MATCH (n:" + label + " {key: 0})-[:LINK*9]->(m {key: 9}) RETURN count(*)"))
                        .isEqualTo(1L);
            }
            cypher.row("CALL proxima.graph.project('g', 'Loaded', 'LINK')");
            assertThat(send(HttpRequest.newBuilder(first.httpUri().resolve("/browser/")))
                            .statusCode())
                    .isEqualTo(200);
            try (ServerProcess second = first.restart()) {
                assertThat(first.isAlive()).isFalse();
                Cypher again = new Cypher(second.driver());
                assertThat(again.value("MATCH (n) RETURN count(n)")).isEqualTo(20L);
                assertThat(again.value("RETURN proxima.graph.exists('g')")).isEqualTo(false);
                BoltLoader.clear(second.driver());
                assertThat(again.value("MATCH (n) RETURN count(n)")).isEqualTo(0L);
            }
        }
    }
}
