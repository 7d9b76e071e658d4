// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;

/**
 * Several users of one server, as the community edition has them: with all rights, and each with graphs of their own.
 */
@OnBothLines
class UsersTest {

    private static final String PASSWORD = "ann's own password";

    private final Cypher neo = SharedServer.cypher();
    private Driver annsDriver;
    private Cypher ann;

    @BeforeEach
    void createUser() {
        neo.clear();
        neo.rows("CREATE (:N {name: 'a'})-[:R]->(:N {name: 'b'})");
        system("CREATE USER ann IF NOT EXISTS SET PASSWORD $password CHANGE NOT REQUIRED");
        annsDriver = SharedServer.server().driverAs("ann", PASSWORD);
        ann = new Cypher(annsDriver);
    }

    @AfterEach
    void dropUser() {
        annsDriver.close();
        system("DROP USER ann IF EXISTS");
        neo.clear();
    }

    @Test
    void shouldKeepTheGraphsOfUsersApart() {
        neo.row("CALL proxima.graph.project('diary', 'N', '*')");
        assertThat(ann.rows("CALL proxima.graph.list()")).isEmpty();
        assertThat(ann.rows("CALL proxima.memory.list()")).isEmpty();
        assertThat(ann.value("RETURN proxima.graph.exists('diary')")).isEqualTo(false);
        for (String call :
                List.of("closeness.stream('diary')", "graph.drop('diary')", "bfs.stats('diary', {sourceNode: 0})")) {
            assertThat(ann.failure("CALL proxima." + call))
                    .isEqualTo("Graph with name `diary` does not exist on database `neo4j`. It might exist on another"
                            + " database: `proxima.graph.list` lists your graphs.");
        }
        assertThat(ann.failure("CALL proxima.graph.drop('diary', true, '', 'neo4j')"))
                .isEqualTo("Cannot override the username as a non-admin: `username` is `neo4j`. Leave it out.");
        assertThat(ann.failure("CALL proxima.closeness.stream('diary', {username: 'neo4j'})"))
                .isEqualTo("Cannot override the username as a non-admin: `username` is `neo4j`. Leave it out.");

        assertThat(ann.row("CALL proxima.graph.project('diary', ['N'], 'R') YIELD nodeCount"))
                .isEqualTo(Map.of("nodeCount", 2L));
        assertThat(ann.rows("CALL proxima.memory.list() YIELD user, name"))
                .containsExactly(Map.of("user", "ann", "name", "diary"));
        ann.row("CALL proxima.graph.drop('diary')");
        assertThat(neo.rows("CALL proxima.graph.list() YIELD graphName")).containsExactly(Map.of("graphName", "diary"));
        neo.row("CALL proxima.graph.drop('diary')");
    }

    private void system(String query) {
        try (Session session = neo.driver().session(SessionConfig.forDatabase("system"))) {
            session.run(query, Map.of("password", PASSWORD)).consume();
        }
    }
}
