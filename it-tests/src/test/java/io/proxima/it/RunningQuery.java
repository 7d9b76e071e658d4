// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.ServerProcess;
import io.proxima.testing.OwnTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.neo4j.driver.Session;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.exceptions.Neo4jException;

/** A query on a thread of its own, which other queries can watch and terminate. */
public final class RunningQuery implements AutoCloseable {

    /** How long a test waits for what should happen at once, on a machine that may be busy with other work. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Cypher cypher;
    private final String tag = UUID.randomUUID().toString();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<List<Map<String, Object>>> result;

    public RunningQuery(Cypher cypher, String query, Object... parameters) {
        this.cypher = cypher;
        this.result = thread.submit(() -> {
            try (Session session = cypher.driver().session()) {
                return session.run(
                                query,
                                Cypher.map(parameters),
                                TransactionConfig.builder()
                                        .withMetadata(Map.of("tag", tag))
                                        .build())
                        .list(org.neo4j.driver.Record::asMap);
            }
        });
    }

    /** Waits so long at most for the query's end. */
    public void awaitDone(long millis) {
        try {
            result.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // told by whoever asks for the result
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public boolean isDone() {
        return result.isDone();
    }

    /**
     * Terminates the query and waits for its error.
     *
     * @return the server's own time from the sending of TERMINATE TRANSACTION to the caller's error; empty if the query
     *     ended by itself
     * @throws AssertionError if it goes on for longer than {@code patience}
     */
    public Optional<Duration> kill(ServerProcess server, Duration patience) {
        List<Map<String, Object>> running = transactions();
        while (running.isEmpty() && !isDone()) {
            running = transactions();
        }
        if (running.isEmpty()) {
            return Optional.empty();
        }
        OwnTime sinceKill = server.ownTime();
        cypher.rows("TERMINATE TRANSACTION $id", "id", running.get(0).get("transactionId"));
        while (true) {
            try {
                result.get(1, TimeUnit.MILLISECONDS);
                return Optional.empty();
            } catch (TimeoutException e) {
                if (sinceKill.elapsed().compareTo(patience) > 0) {
                    throw new AssertionError("No end " + patience + " after TERMINATE TRANSACTION", e);
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Neo4jException && e.getMessage().contains("terminated")) {
                    return Optional.of(sinceKill.elapsed());
                }
                throw new AssertionError("A killed query failed otherwise", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    public void terminate() {
        for (Map<String, Object> transaction : transactions()) {
            cypher.rows("TERMINATE TRANSACTION $id", "id", transaction.get("transactionId"));
        }
    }

    /** The rows, or the failure as the cause. */
    public List<Map<String, Object>> get() throws ExecutionException {
        try {
            return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("No end in " + PATIENCE + ": " + cypher.rows("SHOW TRANSACTIONS"), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Terminates the query if it runs, and waits for its end. */
    @Override
    public void close() {
        if (!result.isDone()) {
            terminate();
        }
        thread.shutdown();
        await("the query's thread to end", thread::isTerminated);
    }

    /** Waits until no transaction is left but the asking one. */
    public static void awaitQuiet(Cypher cypher) {
        await("all transactions to end", () -> cypher.rows(
                        "SHOW TRANSACTIONS YIELD database, currentQuery WHERE database = 'neo4j'"
                                + " AND NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery")
                .isEmpty());
    }

    /** The server's transactions that belong to this query. */
    public List<Map<String, Object>> transactions() {
        return cypher.rows(
                "SHOW TRANSACTIONS YIELD transactionId, metaData, status, currentQuery WHERE metaData.tag = $tag"
                        + " RETURN transactionId, status, currentQuery",
                "tag",
                tag);
    }

    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Waited " + PATIENCE + " in vain for " + what);
            }
            Unchecked.run(() -> Thread.sleep(10));
        }
    }
}
