// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.apoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.ServerVitals;
import io.proxima.it.docs.Manual;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real APOC core in the same server: Proxima's procedures within APOC's, APOC's nodes as arguments, and the words that
 * both report batches in. The newest APOC core on Maven Central is for Neo4j 5.26, so the current line is left out.
 */
@Tag("full")
class ApocTest {

    private static final int LONG_PATH = 20_000;
    private static final int SHORT_PATH = 100;

    private static ServerProcess server;
    private static Cypher cypher;

    @BeforeAll
    static void start() {
        Installation installation = Installation.built();
        server = ServerProcess.in(installation, installation.newHome("apoc"))
                .withApoc()
                .withoutOptimizingCompiler()
                .withoutHttp()
                .start();
        cypher = new Cypher(server.driver());
        assertThat((String) cypher.value("RETURN apoc.version()")).startsWith("5.26.");
    }

    @AfterAll
    static void stop() {
        // an orderly stop waits ten seconds for APOC's threads
        server.kill();
    }

    /** A path of 100 places, 0 to 99. */
    @BeforeEach
    void project() {
        cypher.clear();
        cypher.rows("UNWIND range(0, $n - 1) AS number CREATE (:Place {number: number})", "n", SHORT_PATH);
        cypher.rows("MATCH (a:Place), (b:Place {number: a.number + 1}) CREATE (a)-[:NEXT]->(b)");
        cypher.row("CALL proxima.graph.project('places', 'Place', 'NEXT')");
    }

    @Test
    void shouldBehaveAsTheManualSays() throws IOException {
        Manual.read(Manual.page("apoc")).run(cypher);
    }

    @Test
    void shouldWriteFromPeriodicIterateAndReportBatchesInItsWords() {
        assertThat(cypher.row("CALL apoc.periodic.iterate("
                        + "'UNWIND [\"first\", \"second\"] AS property RETURN property',"
                        + " 'CALL proxima.closeness.write(\"places\", {writeProperty: property})"
                        + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten', {batchSize: 1})"
                        + " YIELD batches, failedBatches RETURN batches, failedBatches"))
                .isEqualTo(Map.of("batches", 2L, "failedBatches", 0L));
        assertThat(cypher.value("MATCH (p:Place) WHERE p.first = p.second RETURN count(p)"))
                .isEqualTo((long) SHORT_PATH);
        Map<String, Object> ours = cypher.row("CALL proxima.closeness.write('places', {writeProperty: 'third'})"
                + " YIELD batches, retries, errorMessages RETURN batches, retries, errorMessages");
        Map<String, Object> theirs = cypher.row("CALL apoc.periodic.iterate('MATCH (p:Place) RETURN p',"
                + " 'SET p.fourth = 1', {batchSize: 10000}) YIELD batches, retries, errorMessages"
                + " RETURN batches, retries, errorMessages");
        assertThat(ours)
                .as("the same words, of the same types, for the same work")
                .isEqualTo(theirs);
    }

    /** Otherwise the call and its own query would wait for each other forever. */
    @Test
    void shouldNotWaitForLocksOfItsOwnQuery() {
        String write = "CALL proxima.wcc.write('places', {writeProperty: 'component'}) YIELD nodePropertiesWritten"
                + " RETURN nodePropertiesWritten AS written";
        String inner = "CALL (one) { " + write + " } IN TRANSACTIONS RETURN written";
        String innermost = "CALL (one) { CALL apoc.cypher.doIt(\"" + write + "\", {}) YIELD value"
                + " RETURN value.written AS written } IN TRANSACTIONS RETURN written";
        for (String lock : List.of("apoc.lock.nodes", "apoc.lock.read.nodes")) {
            for (String call : List.of(write, inner, innermost)) {
                assertThat(cypher.failure("MATCH (p:Place) WITH collect(p) AS places CALL " + lock
                                + "(places) WITH 1 AS one " + call))
                        .as("%s, then %s", lock, call)
                        .contains(" has locked nodes, ");
            }
        }
        for (String call : List.of(write, inner, innermost)) {
            assertThat(cypher.value("MATCH (p:Place) WITH count(p) AS one " + call))
                    .as(call)
                    .isEqualTo((long) SHORT_PATH);
        }
    }

    @Test
    void shouldRefuseVirtualNodes() {
        String created = "CALL apoc.create.vNode(['Place'], {number: 7}) YIELD node WITH node ";
        String copied = "MATCH (p:Place {number: 7}) WITH apoc.create.virtual.fromNode(p, ['number']) AS node ";
        for (String virtual : List.of(created, copied)) {
            for (String call : List.of(
                    "bfs.stream('places', {sourceNode: node}) YIELD distance RETURN distance",
                    "bfs.stream('places', {sourceNode: 0, targetNodes: [node]}) YIELD distance RETURN distance",
                    "distances.stream('places', {sourceNodes: [node]}) YIELD distance RETURN distance",
                    "distances.nearest.stream('places', {sourceNodes: node}) YIELD distance RETURN distance",
                    "distances.write('places', {sourceNodes: node, writeProperty: 'x'}) YIELD batches RETURN batches")) {
                assertThat(cypher.failure(virtual + "CALL proxima." + call))
                        .as(virtual + call)
                        .startsWith("Virtual nodes are not supported for the field `")
                        .contains("only nodes of the database can be in a projection");
            }
            for (String row : List.of("node", "p, node")) {
                assertThat(cypher.failure(virtual
                                + "MATCH (p:Place {number: 3}) RETURN proxima.graph.project('virtual', " + row + ")"))
                        .startsWith("Virtual nodes are not supported for the field `");
            }
        }
        assertThat(cypher.failure(created + "CALL proxima.bfs.stream('places', {sourceNode: id(node)})"
                        + " YIELD distance RETURN distance"))
                .startsWith("Negative node ids are not supported for the field `sourceNode`.");
    }

    @Test
    void shouldEndAndFreeEverythingWhenTimeboxed() throws ExecutionException {
        cypher.createPath("Path", "STEP", LONG_PATH);
        cypher.row("CALL proxima.graph.project('path', 'Path', 'STEP')");
        List<Map<String, Object>> before = cypher.rows("CALL proxima.memory.list()");
        for (String call : List.of(
                // searched from every node: harmonic sums leave no tail of the path out
                "CALL proxima.closeness.stream(\"path\", {harmonic: true}) YIELD score RETURN score",
                "CALL proxima.distances.stream(\"path\", {sourceNodes: sources}) YIELD distance"
                        + " RETURN sum(distance) AS sum")) {
            List<Long> sources = Arrays.stream(cypher.ids("Path")).boxed().toList();
            try (RunningQuery query = new RunningQuery(
                    cypher,
                    "CALL apoc.cypher.runTimeboxed('" + call + "', {sources: $sources}, 300) YIELD value RETURN value",
                    "sources",
                    sources)) {
                assertThat(query.get()).as("rows of a call that was cut off").isEmpty();
            }
            RunningQuery.await("all jobs to end", () -> cypher.rows("CALL proxima.listProgress()")
                    .isEmpty());
            RunningQuery.awaitQuiet(cypher);
            assertThat(new ServerVitals(server).threadsInProxima()).isEmpty();
            assertThat(cypher.rows("CALL proxima.memory.list()")).isEqualTo(before);
        }
        assertThat(cypher.rows("CALL apoc.cypher.runTimeboxed("
                        + "'CALL proxima.closeness.stream(\"places\") YIELD score RETURN count(score) AS scores',"
                        + " {}, 60000) YIELD value RETURN value.scores AS scores"))
                .as("what ends in time is answered")
                .isEqualTo(List.of(Map.of("scores", (long) SHORT_PATH)));
    }
}
