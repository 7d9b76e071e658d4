// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.RunningQuery;
import io.proxima.it.SharedServer;
import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BoltLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.Transaction;
import org.neo4j.driver.exceptions.Neo4jException;

/** A path of 70,000 nodes: distance sums beyond 32 bits (fact F14), and work that lasts long enough to be stopped. */
@OnBothLines
class LongPathTest {

    private static final int NODES = 70_000;

    private static final Cypher CYPHER = SharedServer.cypher();
    private static long[] ids;

    @BeforeAll
    static void load() {
        CYPHER.clear();
        ids = BoltLoader.load(CYPHER.driver(), "Path", "NEXT", EdgeList.path(NODES));
    }

    @AfterAll
    static void clear() {
        CYPHER.clear();
    }

    @BeforeEach
    void project() {
        CYPHER.rows("CALL proxima.graph.drop('path', false)");
        assertThat(CYPHER.row("CALL proxima.graph.project('path', 'Path', 'NEXT')"))
                .containsEntry("nodeCount", (long) NODES)
                .containsEntry("relationshipCount", 2L * (NODES - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NATURAL", "UNDIRECTED"})
    void shouldSumDistancesIn64BitsF14(String orientation) {
        CYPHER.row(
                "CALL proxima.graph.project('path', 'Path', {NEXT: {orientation: $o}}, {replace: true})",
                "o",
                orientation);
        double[] expected = new double[NODES];
        for (int k = 0; k < NODES; k++) {
            long before = k;
            long after = NODES - 1L - k;
            expected[k] = (NODES - 1.0) / (before * (before + 1) / 2 + after * (after + 1) / 2);
        }
        assertThat(expected[0]).isEqualTo(2.857142857142857e-5);
        List<Map<String, Object>> rows =
                CYPHER.rows("CALL proxima.closeness.stream('path') YIELD nodeId, score RETURN nodeId, score");
        assertThat(rows).hasSize(NODES);
        double[] actual = new double[(int) ids[NODES - 1] + 1];
        rows.forEach(row -> actual[Math.toIntExact((Long) row.get("nodeId"))] = (Double) row.get("score"));
        for (int k = 0; k < NODES; k++) {
            assertThat(actual[(int) ids[k]]).as("closeness of node %s", k).isCloseTo(expected[k], within(1e-17));
        }
    }

    @Test
    void shouldFollowThePathToItsEnd() {
        assertThat(CYPHER.row(
                        "CALL proxima.bfs.stats('path', {sourceNode: $end}) YIELD depth, nodesReached", "end", ids[0]))
                .isEqualTo(Map.of("depth", NODES - 1L, "nodesReached", (long) NODES));
    }

    @Test
    void shouldEndWhenKilledWhileComputing() {
        try (RunningQuery query = closeness().awaitStart()) {
            RunningQuery.await(
                    "the job to report progress", () -> !runningJobs().isEmpty());
            query.terminate();
            assertTerminated(query);
        }
        assertNothingRuns();
    }

    @Test
    void shouldEndWhenTheReaderStopsEarly() {
        assertThat(CYPHER.rows(everyDistance() + " LIMIT 3", "sources", sources(200)))
                .hasSize(3);
        assertNothingRuns();
        try (Driver slow = driver();
                Session session =
                        slow.session(SessionConfig.builder().withFetchSize(10).build())) {
            session.run(everyDistance(), Map.of("sources", sources(200))).next();
        }
        assertNothingRuns();
    }

    @Test
    void shouldEndWhenKilledWhileWaitingToWrite() {
        CYPHER.rows("MATCH (n:Path) REMOVE n.level");
        try (Session session = CYPHER.driver().session();
                Transaction holder = session.beginTransaction()) {
            holder.run("MATCH (n) WHERE id(n) = $id SET n.held = true", Map.of("id", ids[NODES - 1]))
                    .consume();
            try (RunningQuery query = new RunningQuery(
                            CYPHER,
                            "CALL proxima.bfs.write('path', {sourceNode: $s, writeProperty: 'level'})",
                            "s",
                            ids[0])
                    .awaitStart()) {
                RunningQuery.await(
                        "the write to wait for the lock",
                        () -> CYPHER.value("MATCH (n:Path) RETURN count(n.level)") instanceof Long written
                                && written > 0);
                assertThat(query.isDone()).isFalse();
                query.terminate();
                assertTerminated(query);
            }
            holder.rollback();
        }
        assertNothingRuns();
        assertThat((Long) CYPHER.value("MATCH (n:Path) RETURN count(n.level)")).isBetween(1L, NODES - 1L);
    }

    /** Work for many seconds: harmonic sums cannot leave out the path's tails. */
    private static RunningQuery closeness() {
        return new RunningQuery(
                CYPHER, "CALL proxima.closeness.stream('path', {harmonic: true}) YIELD score RETURN sum(score)");
    }

    private static String everyDistance() {
        return "CALL proxima.distances.stream('path', {sourceNodes: $sources})"
                + " YIELD sourceNode, targetNode, distance RETURN sourceNode, targetNode, distance";
    }

    private static List<Long> sources(int count) {
        List<Long> sources = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sources.add(ids[i]);
        }
        return sources;
    }

    private static Driver driver() {
        return org.neo4j.driver.GraphDatabase.driver(
                SharedServer.server().boltUri(),
                org.neo4j.driver.AuthTokens.basic("neo4j", io.proxima.it.server.ServerProcess.PASSWORD),
                Config.builder().withoutEncryption().build());
    }

    private static void assertTerminated(RunningQuery query) {
        assertThatThrownBy(query::get).hasCauseInstanceOf(Neo4jException.class).hasMessageContaining("terminated");
    }

    /** No transaction but the asking one is left, and no job. */
    private static void assertNothingRuns() {
        RunningQuery.awaitQuiet(CYPHER);
        RunningQuery.await("all jobs to end", () -> runningJobs().isEmpty());
    }

    private static List<Map<String, Object>> runningJobs() {
        return CYPHER.rows("CALL proxima.listProgress() YIELD status WHERE status = 'RUNNING' RETURN status");
    }
}
