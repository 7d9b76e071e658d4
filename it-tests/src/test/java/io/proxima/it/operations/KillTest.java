// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.RunningQuery;
import io.proxima.it.ServerVitals;
import io.proxima.it.Unchecked;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import io.proxima.projection.EdgeList;
import io.proxima.testing.OwnTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.Transaction;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * TERMINATE TRANSACTION: in every phase of a call, on a path so long that each phase can be met while it runs; and at
 * random moments of every call on graphs of all kinds. Every call must end within {@link #LIMIT} and leave nothing. The
 * times of the random ones go to target/kill.csv, their median and 99th percentile to the log.
 *
 * <p>{@code -Dproxima.kill.seed=} repeats the random choices of a failure, {@code -Dproxima.kill.rounds=} makes as many
 * rounds with seeds that follow.
 */
@Tag("full")
@Prints
class KillTest {

    private static final int NODES = 750_000;

    /** A node that is locked while others are written. */
    private static final int HELD = 70_000;

    /** A phase may be over before it is seen; then the call is made again. */
    private static final int TRIES = 20;

    private static final long SEED = Long.getLong("proxima.kill.seed", 1);
    private static final int ROUNDS = Integer.getInteger("proxima.kill.rounds", 1);
    private static final int NODES_OF_A_GRAPH = 100_000;
    private static final long MOST_MILLIS_TO_A_KILL = 400;

    /** Of the server's own time. The manual promises 200 ms; here the server compiles its code meanwhile. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final Duration PROMISED = Duration.ofMillis(200);

    private static final List<BulkImport.Graph> GRAPHS = KilledCalls.graphs(NODES_OF_A_GRAPH, SEED);

    private static final List<Kill> KILLS = new ArrayList<>();

    /** A call that was killed, so many milliseconds after it had begun, and the time that it took to end. */
    private record Kill(String call, String graph, String backend, long afterMillis, Duration taken) {}

    private static ServerProcess server;
    private static Cypher cypher;
    private static long first;

    @BeforeAll
    static void load() {
        Installation installation = Installation.built();
        Path home = installation.newHome("kill");
        List<BulkImport.Graph> graphs = new ArrayList<>(GRAPHS);
        EdgeList path = new EdgeList(NODES);
        for (int node = 1; node < NODES; node++) {
            path.add(node - 1, node).add(node, node - 1);
        }
        graphs.add(new BulkImport.Graph("Path", "NEXT", path));
        BulkImport.run(installation, home, graphs);
        ServerBuilder plan = ServerProcess.in(installation, home).heap("2g").withoutHttp();
        if (ROUNDS == 1) {
            // its start would take longer than its calls; more rounds are a measurement
            plan.withoutOptimizingCompiler();
        }
        server = plan.start();
        cypher = new Cypher(server.driver());
        first = (Long) cypher.value("MATCH (n:Path {key: 0}) RETURN id(n)");
        cypher.row("CALL proxima.graph.project('path', 'Path', 'NEXT')");
        GRAPHS.forEach(graph -> cypher.row(KilledCalls.projection(graph.label())));
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        List<String> lines = new ArrayList<>(List.of("call,graph,backend,after_ms,millis"));
        KILLS.forEach(kill -> lines.add(String.format(
                Locale.ROOT,
                "%s,%s,%s,%d,%.3f",
                kill.call,
                kill.graph,
                kill.backend,
                kill.afterMillis,
                kill.taken.toNanos() / 1e6)));
        Files.write(Path.of(System.getProperty("proxima.it.directory"), "kill.csv"), lines);
        if (!KILLS.isEmpty()) {
            System.out.printf(
                    "%d kills: median %d ms, 99th percentile %d ms, maximum %d ms%n",
                    KILLS.size(),
                    percentile(50).toMillis(),
                    percentile(99).toMillis(),
                    percentile(100).toMillis());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Scan nodes | CALL proxima.graph.project('other', 'Path', 'NEXT', {jobId: $job})",
                "Scan relationships | CALL proxima.graph.project('other', 'Path', 'NEXT', {jobId: $job})",
                "Build CSC | CALL proxima.graph.project('other', 'Path', {NEXT: {orientation: 'UNDIRECTED'}},"
                        + " {jobId: $job})",
                "Graph Projection | MATCH (a:Path)-[:NEXT]->(b) RETURN proxima.graph.project('other', a, b, {},"
                        + " {jobId: $job})",
                "BFS | CALL proxima.bfs.stats('path', {sourceNode: $first, backend: 'cpu', jobId: $job})",
                "Multi-source BFS | CALL proxima.distances.stream('path', {sourceNodes: [$first, $first + 1],"
                        + " backend: 'cpu', jobId: $job}) YIELD distance RETURN sum(distance)",
                "Nearest source | CALL proxima.distances.nearest.stream('path', {sourceNodes: [$first, $first + 1],"
                        + " backend: 'cpu', jobId: $job}) YIELD distance RETURN sum(distance)",
                "Farness | CALL proxima.closeness.stats('path', {harmonic: true, backend: 'cpu', jobId: $job})",
                "Write properties | CALL proxima.closeness.write('path', {writeProperty: 'score', backend: 'cpu',"
                        + " jobId: $job})",
            })
    void shouldEndAndLeaveNothing(String task, String query) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            String job = task + " " + attempt;
            try (RunningQuery running = new RunningQuery(cypher, query, "job", job, "first", first)) {
                while (!running.isDone() && !runs(job, task)) {
                    Thread.onSpinWait();
                }
                // one that has finished can still be killed before its transaction is committed
                if (running.kill(server, LIMIT).isPresent() && !ended(job).equals("FINISHED")) {
                    assertThat(ended(job)).isEqualTo("CANCELED");
                    assertNothingIsLeft();
                    return;
                }
            }
            cypher.rows("CALL proxima.graph.drop('other', false)");
        }
        throw new AssertionError("In " + TRIES + " calls the task was never met while it ran: " + task);
    }

    @Test
    void shouldEndAndLeaveNothingWhenTheReaderDoesNotComeBack() {
        String query = "CALL proxima.distances.stream('path', {sourceNodes: $first, backend: 'cpu', jobId: 'slow'})"
                + " YIELD distance RETURN distance";
        assertThat(cypher.rows(query + " LIMIT 3", "first", first)).hasSize(3);
        assertNothingIsLeft();
        try (Driver slow = GraphDatabase.driver(
                        server.boltUri(),
                        AuthTokens.basic("neo4j", ServerProcess.PASSWORD),
                        Config.builder().withoutEncryption().build());
                Session session =
                        slow.session(SessionConfig.builder().withFetchSize(10).build())) {
            Result rows = session.run(query, Map.of("first", first));
            rows.next();
            assertThat(states("slow")).contains("RUNNING");
            Object id = cypher.value("SHOW TRANSACTIONS YIELD transactionId, currentQuery"
                    + " WHERE currentQuery CONTAINS 'distances.stream' AND NOT currentQuery STARTS WITH 'SHOW'"
                    + " RETURN transactionId");
            OwnTime sinceKill = server.ownTime();
            cypher.rows("TERMINATE TRANSACTION $id", "id", id);
            RunningQuery.await("the job to end", () -> {
                assertThat(sinceKill.elapsed()).isLessThan(LIMIT);
                // so that the questions are no work of the server's
                Unchecked.run(() -> Thread.sleep(50));
                return !states("slow").contains("RUNNING");
            });
            assertThat(states("slow")).containsOnly("CANCELED");
            assertThat(new ServerVitals(server).threadsInProxima()).isEmpty();
            cypher.row("CALL proxima.graph.drop('path')");
            assertThatThrownBy(() -> rows.forEachRemaining(row -> {})).isInstanceOf(Neo4jException.class);
        }
        assertNothingIsLeft();
        cypher.row("CALL proxima.graph.project('path', 'Path', 'NEXT')");
    }

    @Test
    void shouldEndAndLeaveNothingWhileItWaitsForALock() {
        String write = "CALL proxima.bfs.write('path', {sourceNode: $first, writeProperty: 'level', backend: 'cpu'})";
        try (Session session = cypher.driver().session();
                Transaction holder = session.beginTransaction()) {
            holder.run("MATCH (n:Path {key: $key}) SET n.held = true", Map.of("key", HELD))
                    .consume();
            try (RunningQuery query = new RunningQuery(cypher, write, "first", first)) {
                RunningQuery.await("a batch to be written", () -> levels() > 0);
                assertThat(query.kill(server, LIMIT)).isPresent();
            }
            holder.rollback();
        }
        assertNothingIsLeft();
        assertThat(levels()).isBetween(1L, NODES - 1L);
    }

    private static long levels() {
        return (Long) cypher.value("MATCH (n:Path) RETURN count(n.level)");
    }

    @Test
    @Tag("gpu")
    void shouldEndSoonWheneverItIsKilled() {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            for (String backend : Backends.names(cypher)) {
                for (KilledCalls.Call call : KilledCalls.all(cypher, backend)) {
                    String label = GRAPHS.get(random.nextInt(GRAPHS.size())).label();
                    // more early than late
                    long millis = (long) (MOST_MILLIS_TO_A_KILL * Math.pow(random.nextDouble(), 3));
                    String what = "proxima.kill.seed=" + seed + ": " + call.name() + " of " + label + " on " + backend
                            + ", killed after " + millis + " ms";
                    Optional<Duration> time = kill(what, call, label, millis);
                    time.ifPresent(taken -> KILLS.add(new Kill(call.name(), label, backend, millis, taken)));
                }
            }
            assertNothingIsLeft();
        }
        // so that the net cannot go slack unseen
        assertThat(KILLS).as("calls that were killed before they had ended").hasSizeGreaterThan(5 * ROUNDS);
        assertThat(percentile(50)).as("median of %d kills", KILLS.size()).isLessThanOrEqualTo(PROMISED);
    }

    /** The time that the call took to end; empty if it ended before it was killed. */
    private static Optional<Duration> kill(String what, KilledCalls.Call call, String label, long millis) {
        long firstOfLabel = (Long) cypher.value("MATCH (n:" + label + " {key: 0}) RETURN id(n)");
        try (RunningQuery running =
                new RunningQuery(cypher, call.on(label), KilledCalls.parameters(label, firstOfLabel, what))) {
            running.awaitDone(millis);
            Optional<Duration> taken = running.kill(server, LIMIT);
            if (taken.isEmpty()) {
                assertThatCode(running::get)
                        .as("a call that is refused is never killed")
                        .doesNotThrowAnyException();
            }
            return taken;
        } catch (AssertionError e) {
            throw new AssertionError(what + "; threads in Proxima: " + new ServerVitals(server).threadsInProxima(), e);
        } finally {
            cypher.rows(KilledCalls.cleared());
        }
    }

    /** The time of the kills so far that so many percent of them did not exceed, by nearest rank. */
    private static Duration percentile(int percent) {
        List<Duration> sorted = KILLS.stream().map(Kill::taken).sorted().toList();
        return sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    private static boolean runs(String job, String task) {
        return cypher
                .rows("CALL proxima.listProgress($job) YIELD taskName, status RETURN taskName, status", "job", job)
                .stream()
                .anyMatch(row -> ((String) row.get("taskName")).endsWith("|-- " + task)
                        && row.get("status").equals("RUNNING"));
    }

    private static List<Object> states(String job) {
        return cypher.rows("CALL proxima.listProgress($job) YIELD status RETURN status", "job", job).stream()
                .map(row -> row.get("status"))
                .toList();
    }

    /** The state in which the job has ended. */
    private static Object ended(String job) {
        RunningQuery.await("the job to end", () -> !states(job).contains("RUNNING"));
        return states(job).get(0);
    }

    private static void assertNothingIsLeft() {
        RunningQuery.awaitQuiet(cypher);
        assertThat(cypher.rows("CALL proxima.listProgress()")).isEmpty();
        assertThat(new ServerVitals(server).threadsInProxima()).isEmpty();
        assertThat(cypher.rows("CALL proxima.graph.list() YIELD graphName WHERE graphName = 'other' RETURN graphName"))
                .isEmpty();
        assertThat(cypher.value("MATCH (n:Path) WHERE id(n) % 50021 = 0 SET n.touched = true RETURN count(n) > 1"))
                .as("nodes that nobody holds a lock on")
                .isEqualTo(true);
    }
}
