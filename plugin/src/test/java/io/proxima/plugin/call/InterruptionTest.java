// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.api.exceptions.Status;

/**
 * Calls that are killed, abandoned or raced by others while they compute, stream or write. A killed call ends within 200 ms
 * on idle processors; the limit here leaves room for other work on the machine.
 */
@Timeout(120)
class InterruptionTest {

    private static final int NODES = 60_000;
    private static final Duration MOST_AFTER_A_KILL = Duration.ofSeconds(1);

    /** A ring: as many levels as nodes allow, so that closeness takes far longer than the test waits. */
    @BeforeAll
    static void createRing() {
        TestDbms.clear();
        run("UNWIND range(0, " + (NODES - 1) + ") AS i CREATE (:K {i: i})");
        run("CREATE INDEX k_i FOR (n:K) ON (n.i)");
        run("CALL db.awaitIndexes()");
        run("MATCH (a:K) MATCH (b:K {i: (a.i + 1) % " + NODES + "}) CREATE (a)-[:NEXT]->(b)");
        run("CALL proxima.graph.project('ring', 'K', 'NEXT')");
    }

    @AfterAll
    static void dropRing() {
        run("DROP INDEX k_i");
        run("MATCH (n:K) CALL (n) { DETACH DELETE n }");
        TestDbms.clear();
    }

    @Test
    void shouldEndAKilledComputationAsATerminatedQuery() {
        requireEndSoon("CALL proxima.closeness.stats('ring', {jobId: 'slow run'})", "slow run", "    |-- ", tree -> {
            assertThat(tree.get(0))
                    .containsEntry("taskName", "|-- Closeness")
                    .containsEntry("status", "RUNNING")
                    .containsEntry("username", "");
            assertThat(run("CALL proxima.listProgress() YIELD jobId, taskName"))
                    .containsExactly(Map.of("jobId", "slow run", "taskName", "Closeness"));
        });
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(run("CALL proxima.graph.drop('ring')")).hasSize(1);
        run("CALL proxima.graph.project('ring', 'K', 'NEXT')");
    }

    @Test
    void shouldEndAKilledStreamAndGiveTheGraphBack() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Result rows = transaction.execute("MATCH (n:K) WHERE n.i < 40 WITH collect(n) AS sources"
                    + " CALL proxima.distances.stream('ring', {sourceNodes: sources, jobId: 'stream'})"
                    + " YIELD distance RETURN distance");
            for (int i = 0; i < 10; i++) {
                rows.next();
            }
            assertThat(JobRegistry.running("", true)).hasSize(1);
            long killed = System.nanoTime();
            transaction.terminate();
            assertThatThrownBy(() -> {
                        while (rows.hasNext()) {
                            rows.next();
                        }
                    })
                    .extracting(Status::statusCodeOf)
                    .isEqualTo(Status.Transaction.Terminated);
            assertEndedSoon(killed, System.nanoTime());
        }
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldGiveTheGraphBackWhenAKilledQuerysReaderDoesNotComeBack() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Result rows = transaction.execute("MATCH (n:K) WHERE n.i < 3 WITH collect(n) AS sources"
                    + " CALL proxima.distances.stream('ring', {sourceNodes: sources, jobId: 'idle'})"
                    + " YIELD distance RETURN distance");
            rows.next();
            assertThat(states("idle")).contains("RUNNING");
            assertThatThrownBy(() -> run("CALL proxima.bfs.stats('ring', {sourceNode: 0, jobId: 'idle'})"))
                    .rootCause()
                    .hasMessage("The `jobId` `idle` belongs to a running job. Choose another one, or leave it out"
                            + " to use a random one.");
            long killed = System.nanoTime();
            transaction.terminate();
            for (int i = 0; i < 1000 && !JobRegistry.running("", true).isEmpty(); i++) {
                pause();
            }
            assertEndedSoon(killed, System.nanoTime());
            assertThat(JobRegistry.running("", true)).isEmpty();
            assertThat(states("idle")).containsOnly("CANCELED");
            assertThatThrownBy(rows::next).extracting(Status::statusCodeOf).isEqualTo(Status.Transaction.Terminated);
        }
    }

    @Test
    void shouldEndAKilledWriteThatWaitsForALockAndLeaveNoTransaction() {
        try (Transaction holder = TestDbms.database().beginTx()) {
            holder.execute("MATCH (n:K {i: 0}) SET n.held = true").close();
            requireEndSoon(
                    "MATCH (n:K {i: 1}) CALL proxima.distances.nearest.write('ring', {sourceNodes: n, maxDepth: 1,"
                            + " writeProperty: 'near', jobId: 'write'}) YIELD writeMillis RETURN writeMillis",
                    "write",
                    "    |-- Write properties",
                    tree -> {});
            assertThat(JobRegistry.running("", true)).isEmpty();
            assertThat(run("SHOW TRANSACTIONS YIELD transactionId"))
                    .as("this query's and the lock holder's")
                    .hasSize(2);
        }
    }

    @Test
    void shouldLetOneOfSeveralCallersProjectAName() {
        AtomicInteger made = new AtomicInteger();
        Workers.run(4, Stop.NEVER, (worker, stop) -> {
            try {
                run("CALL proxima.graph.project('race', 'K', 'NEXT')");
                made.incrementAndGet();
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("A graph with name 'race' already exists.");
            }
        });
        assertThat(made).hasValue(1);
        run("CALL proxima.graph.drop('race')");
    }

    @Test
    void shouldGiveTheGraphBackWhenAReaderStopsEarly() {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("MATCH (n:K) WHERE n.i < 3 WITH collect(n) AS sources"
                        + " CALL proxima.distances.stream('ring', {sourceNodes: sources}) YIELD distance"
                        + " RETURN distance LIMIT 5")) {
            assertThat(rows.stream().count()).isEqualTo(5);
        }
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldLetARunGoOnWhenItsGraphIsDropped() {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("MATCH (n:K) WHERE n.i < 2 WITH collect(n) AS sources"
                        + " CALL proxima.distances.stream('ring', {sourceNodes: sources}) YIELD distance"
                        + " RETURN distance")) {
            assertThat(rows.next()).containsKey("distance");
            run("CALL proxima.graph.drop('ring')");
            run("CALL proxima.graph.project('ring', 'K', 'NEXT')");
            assertThat(rows.stream().count()).isEqualTo(2L * (NODES - 1) - 1);
        }
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    /** Kills a query once its job works on a task whose name begins so, and looks at the tree of its tasks before. */
    private static void requireEndSoon(
            String query, String jobId, String task, Consumer<List<Map<String, Object>>> look) {
        AtomicLong killed = new AtomicLong();
        AtomicLong ended = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicReference<Transaction> victim = new AtomicReference<>();
        Workers.run(2, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                try (Transaction transaction = TestDbms.database().beginTx()) {
                    victim.set(transaction);
                    transaction.execute(query).next();
                } catch (RuntimeException e) {
                    ended.set(System.nanoTime());
                    failure.set(e);
                }
            } else {
                look.accept(awaitTask(jobId, task));
                killed.set(System.nanoTime());
                victim.get().terminate();
            }
        });
        assertEndedSoon(killed.get(), ended.get());
        assertThat(Status.statusCodeOf(failure.get())).isEqualTo(Status.Transaction.Terminated);
    }

    private static List<Object> states(String jobId) {
        return run("CALL proxima.listProgress('" + jobId + "') YIELD status").stream()
                .map(row -> row.get("status"))
                .toList();
    }

    private static void assertEndedSoon(long killedNanos, long endedNanos) {
        assertThat(Duration.ofNanos(endedNanos - killedNanos))
                .as("from the kill to the end")
                .isLessThan(MOST_AFTER_A_KILL);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the job works on a task whose name begins so, and returns its tree. */
    private static List<Map<String, Object>> awaitTask(String jobId, String task) {
        for (int i = 0; i < 1000; i++) {
            List<Map<String, Object>> rows = run("CALL proxima.listProgress('" + jobId + "')");
            if (rows.stream().anyMatch(row -> ((String) row.get("taskName")).startsWith(task))) {
                return rows;
            }
            pause();
        }
        throw new AssertionError("the job never came to " + task);
    }
}
