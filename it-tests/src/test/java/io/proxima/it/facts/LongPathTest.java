// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.RunningQuery;
import io.proxima.it.SharedServer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.Transaction;
import org.neo4j.driver.exceptions.Neo4jException;

/** A path of 70,000 nodes: work that lasts long enough to be stopped. */
@OnBothLines
class LongPathTest {

    private static final int NODES = 70_000;

    private static final String DISTANCES = "CALL proxima.distances.stream('path', {sourceNodes: $sources})"
            + " YIELD sourceNode, targetNode, distance RETURN sourceNode, targetNode, distance";
    private static final Cypher CYPHER = SharedServer.cypher();
    private static long[] ids;

    @BeforeAll
    static void load() {
        CYPHER.clear();
        CYPHER.createPath("Path", "NEXT", NODES);
        ids = CYPHER.ids("Path");
        CYPHER.row("CALL proxima.graph.project('path', 'Path', 'NEXT')");
    }

    @AfterAll
    static void clear() {
        CYPHER.clear();
    }

    @Test
    void shouldEndWhenKilledWhileComputing() {
        // for many seconds: harmonic sums cannot leave out the path's tails
        try (RunningQuery query = new RunningQuery(
                CYPHER, "CALL proxima.closeness.stream('path', {harmonic: true}) YIELD score RETURN sum(score)")) {
            RunningQuery.await(
                    "the job to report progress", () -> !runningJobs().isEmpty());
            query.terminate();
            assertTerminated(query);
        }
        assertNothingRuns();
    }

    @Test
    void shouldEndWhenTheReaderStopsEarly() {
        List<Long> sources = Arrays.stream(ids, 0, 200).boxed().toList();
        assertThat(CYPHER.rows(DISTANCES + " LIMIT 3", "sources", sources)).hasSize(3);
        assertNothingRuns();
        try (Session session = CYPHER.driver()
                .session(SessionConfig.builder().withFetchSize(10).build())) {
            session.run(DISTANCES, Map.of("sources", sources)).next();
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
