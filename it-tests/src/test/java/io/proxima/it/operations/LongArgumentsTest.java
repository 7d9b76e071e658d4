// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.RunningQuery;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * Calls with millions of wrong or repeated arguments in a server of 1 GB: each ends in a typed, short error, is heard when
 * it is killed, and leaves the server as it was.
 */
@OnBothLines
public class LongArgumentsTest {

    /** The documented time is 200 ms; the machine that runs this test may be shared. */
    private static final long LATEST_END_MILLIS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KILLS = 4;

    private static final String RIGHT = "bfs.stats, nodeLabels: one name 1,000,000 times";

    /** The calls, by a name for them; each needs the graph 'g' of a label A. */
    public static final Map<String, String> CALLS = new LinkedHashMap<>();

    static {
        CALLS.put(
                "graph.project of 3,000 types x 3,000 properties",
                "CALL proxima.graph.project('x', '*', [i IN range(1, 3000) | 'T' + i],"
                        + " {relationshipProperties: [i IN range(1, 3000) | 'p' + i]})");
        CALLS.put(
                "graph.project of one type 20,000 times x 1,000 properties",
                "CALL proxima.graph.project('x', '*', [i IN range(1, 20000) | 'R'],"
                        + " {relationshipProperties: [i IN range(1, 1000) | 'p' + i]})");
        CALLS.put(
                "bfs.stats, nodeLabels: 8,000,000 numbers",
                "CALL proxima.bfs.stats('g', {sourceNode: 0, nodeLabels: range(1, 8000000)})");
        CALLS.put(RIGHT, "CALL proxima.bfs.stats('g', {sourceNode: 0, nodeLabels: [i IN range(1, 1000000) | 'A']})");
        CALLS.put(
                "distances.stats, sourceNodes: 8,000,000 numbers",
                "CALL proxima.distances.stats('g', {sourceNodes: range(0, 8000000)})");
        CALLS.put(
                "bfs.write, writeProperty = parentProperty, 400,000 characters",
                "WITH reduce(s = 'x', i IN range(1, 18) | s + s) AS name CALL proxima.bfs.write('g',"
                        + " {sourceNode: 0, writeProperty: name, parentProperty: name}) YIELD writeMillis RETURN writeMillis");
        CALLS.put(
                "graph.drop of 1,000,000 unknown names", "CALL proxima.graph.drop([i IN range(1, 1000000) | 'g' + i])");
    }

    private static ServerProcess server;
    private static Cypher cypher;

    @BeforeAll
    static void start() {
        Installation installation = Installation.built();
        server = ServerProcess.in(installation, installation.newHome("long-arguments"))
                .heap("1g")
                .start();
        cypher = new Cypher(server.driver());
        cypher.rows("UNWIND range(1, 1000) AS i CREATE (:A)-[:R]->(:B)");
        cypher.rows("CALL proxima.graph.project('g', ['A', 'B'], 'R')");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void shouldEndInAShortErrorAndHearAKill(TestReporter reporter) {
        CALLS.forEach((name, query) -> {
            if (name.equals(RIGHT)) {
                assertThat(cypher.rows(query)).hasSize(1);
                return;
            }
            assertThatThrownBy(() -> cypher.rows(query))
                    .as(name)
                    .isInstanceOfSatisfying(Neo4jException.class, failure -> {
                        assertThat(failure.code())
                                .isIn(
                                        "Neo.ClientError.Statement.ArgumentError",
                                        "Neo.ClientError.Procedure.ProcedureCallFailed");
                        assertThat(failure.getMessage()).hasSizeLessThan(2_500);
                    });
        });
        long[] millis = CALLS.values().stream()
                .flatMap(query -> IntStream.range(0, KILLS).mapToObj(kill -> {
                    try (RunningQuery running = new RunningQuery(cypher, query)) {
                        running.awaitDone(100L * kill);
                        return running.kill(PATIENCE);
                    } catch (AssertionError e) {
                        // the call ended by itself, in its error
                        return Optional.<Duration>empty();
                    }
                }))
                .flatMap(Optional::stream)
                .mapToLong(Duration::toMillis)
                .sorted()
                .toArray();
        reporter.publishEntry("ms from kill to end", Arrays.toString(millis));
        assertThat(millis).isNotEmpty();
        assertThat(millis[millis.length - 1]).isLessThan(LATEST_END_MILLIS);
        assertThat(cypher.rows("CALL proxima.memory.list()")).as("the graph").hasSize(1);
        assertThat(server.isAlive()).isTrue();
    }
}
