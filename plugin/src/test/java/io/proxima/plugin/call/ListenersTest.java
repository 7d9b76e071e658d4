// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.plugin.StagedFailure;
import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListener;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.query.TransactionExecutionMonitor;
import org.neo4j.monitoring.Monitors;

/**
 * Every procedure that writes, beside the listener of another plugin that fails, waits or creates nodes. Whatever the
 * listener does, the call must not be wrong about what was committed.
 */
@Timeout(60)
class ListenersTest {

    private static final Label OTHER = Label.label("OfAListener");

    private final String property = RefusedWriteTest.newName();
    private final AtomicInteger heard = new AtomicInteger();

    @BeforeAll
    static void createGraph() {
        RefusedWriteTest.createGraph();
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    @AfterEach
    void deleteNodesOfListeners() {
        TestDbms.run("MATCH (n:OfAListener) DELETE n");
    }

    static List<String> procedures() {
        return RefusedWriteTest.procedures();
    }

    /** A listener of the transactions that set the property of the test. */
    private class Listener implements TransactionEventListener<Boolean> {

        @Override
        public final Boolean beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService database)
                throws Exception {
            for (var assigned : data.assignedNodeProperties()) {
                if (assigned.key().equals(property)) {
                    heard.incrementAndGet();
                    beforeCommit(transaction);
                    return true;
                }
            }
            return false;
        }

        @Override
        public final void afterCommit(TransactionData data, Boolean concerned, GraphDatabaseService database) {
            if (concerned) {
                afterCommit(database);
            }
        }

        @Override
        public final void afterRollback(TransactionData data, Boolean concerned, GraphDatabaseService database) {
            // the state of a listener that has failed before is null
            if (!Boolean.FALSE.equals(concerned)) {
                afterRollback(database);
            }
        }

        void beforeCommit(Transaction unused) throws Exception {}

        void afterCommit(GraphDatabaseService unused) {}

        void afterRollback(GraphDatabaseService unused) {}
    }

    private static void createNode(GraphDatabaseService database) {
        try (Transaction transaction = database.beginTx()) {
            transaction.createNode(OTHER);
            transaction.commit();
        }
    }

    private Throwable write(String procedure, TransactionEventListener<?> listener) {
        TestDbms.dbms().registerTransactionEventListener("neo4j", listener);
        try {
            return catchThrowable(() -> RefusedWriteTest.call(RefusedWriteTest.ADMIN, procedure, property, Map.of()));
        } finally {
            TestDbms.dbms().unregisterTransactionEventListener("neo4j", listener);
            assertThat(heard.get()).isPositive();
        }
    }

    private long written() {
        return RefusedWriteTest.holders(property);
    }

    private void assertRolledBack(Throwable failure, String message) {
        assertThat(failure)
                .hasStackTraceContaining("Failed to write the property `" + property + "`: 0 of ")
                .hasStackTraceContaining(" properties were committed before a batch was rolled back: ")
                .hasStackTraceContaining(message);
        assertThat(written()).isZero();
        assertThat(heard).as("attempts").hasValue(1);
    }

    private void assertCommitted(Throwable failure, String message) {
        long written = written();
        assertThat(written).isPositive();
        assertThat(failure)
                .hasStackTraceContaining("Failed to write the property `" + property + "`: " + written + " of ")
                .hasStackTraceContaining(" properties were committed before a batch failed after its commit: ")
                .hasStackTraceContaining(message);
        assertThat(heard).as("attempts").hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldReportThatNothingWasCommittedIfAListenerFailsBefore(String procedure) {
        assertRolledBack(
                write(procedure, new Listener() {
                    @Override
                    void beforeCommit(Transaction transaction) {
                        throw new IllegalStateException("the trigger refuses");
                    }
                }),
                "the trigger refuses");
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldCountWhatWasCommittedIfAListenerFailsAfterwards(String procedure) {
        boolean stale = stale();
        assertCommitted(
                write(procedure, new Listener() {
                    @Override
                    void afterCommit(GraphDatabaseService database) {
                        throw new IllegalStateException("the trigger came too late");
                    }
                }),
                "the trigger came too late");
        assertThat(stale()).isEqualTo(stale);
    }

    private static boolean stale() {
        return (boolean) TestDbms.value("CALL proxima.graph.list('g') YIELD stale");
    }

    /** A batch that was committed is not one to be repeated. */
    @ParameterizedTest
    @MethodSource("procedures")
    void shouldNotRetryACommittedBatch(String procedure) {
        assertCommitted(
                write(procedure, new Listener() {
                    @Override
                    void afterCommit(GraphDatabaseService database) {
                        throw new StagedFailure(Status.Transaction.Outdated, "try again");
                    }
                }),
                "try again");
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldReportARollbackIfAListenerFailsAfterIt(String procedure) {
        assertRolledBack(
                write(procedure, new Listener() {
                    @Override
                    void beforeCommit(Transaction transaction) {
                        throw new IllegalStateException("the trigger refuses");
                    }

                    @Override
                    void afterRollback(GraphDatabaseService database) {
                        createNode(database);
                        throw new IllegalStateException("and fails");
                    }
                }),
                "");
        assertThat(TestDbms.value("MATCH (n:OfAListener) RETURN count(n)")).isEqualTo(1L);
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldCountItsOwnPropertiesIfAListenerCreatesNodes(String procedure) {
        assertThat(write(procedure, new Listener() {
                    @Override
                    void beforeCommit(Transaction transaction) {
                        transaction.createNode(OTHER).setProperty("other", 1);
                    }

                    @Override
                    void afterCommit(GraphDatabaseService database) {
                        createNode(database);
                    }
                }))
                .isNull();
        assertThat(written()).isPositive();
        assertThat(TestDbms.value("MATCH (n:OfAListener) RETURN count(n)")).isEqualTo(2L);
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldWriteIfAMonitorOfTransactionsFails(String procedure) {
        TransactionExecutionMonitor failing = new TransactionExecutionMonitor() {
            @Override
            public void start(KernelTransaction transaction) {
                throw new IllegalStateException("fails at the start");
            }

            @Override
            public void commit(KernelTransaction transaction) {
                throw new IllegalStateException("fails after the commit");
            }

            @Override
            public void rollback(KernelTransaction transaction, Throwable failure) {
                throw new IllegalStateException("fails after the rollback");
            }
        };
        Monitors monitors = TestDbms.component(Monitors.class);
        monitors.addMonitorListener(failing);
        try {
            assertThat(write(procedure, new Listener())).isNull();
        } finally {
            monitors.removeMonitorListener(failing);
        }
        assertThat(written()).isPositive();
    }

    /** A trigger may wait for a lock of any other transaction. */
    @ParameterizedTest
    @MethodSource("procedures")
    void shouldEndAKilledCallWhoseListenerWaitsForALock(String procedure) throws Exception {
        String id = (String) TestDbms.value("CREATE (n:OfAListener) RETURN elementId(n)");
        Listener listener = new Listener() {
            @Override
            void beforeCommit(Transaction transaction) {
                transaction.acquireWriteLock(transaction.getNodeByElementId(id));
            }
        };
        TestDbms.dbms().registerTransactionEventListener("neo4j", listener);
        try (Transaction holder = TestDbms.database().beginTx();
                InternalTransaction killed = RefusedWriteTest.begin()) {
            holder.acquireWriteLock(holder.getNodeByElementId(id));
            CompletableFuture<Throwable> call = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> RefusedWriteTest.execute(killed, "g", procedure, property, Map.of())));
            await(() -> heard.get() > 0);
            killed.terminate();
            assertThat(call.join()).hasStackTraceContaining("terminated");
        } finally {
            TestDbms.dbms().unregisterTransactionEventListener("neo4j", listener);
        }
        assertThat(written()).isZero();
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldWaitForAListenerThatWaitsAfterTheCommit(String procedure) {
        assertThat(writeWhileListenerWaits(procedure, reached -> new Listener() {
                    @Override
                    void afterCommit(GraphDatabaseService database) {
                        reached.run();
                    }
                }))
                .isNull();
        assertThat(written()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldWaitForAListenerThatWaitsAfterARollback(String procedure) {
        assertRolledBack(
                writeWhileListenerWaits(procedure, reached -> new Listener() {
                    @Override
                    void beforeCommit(Transaction transaction) {
                        throw new IllegalStateException("the trigger refuses");
                    }

                    @Override
                    void afterRollback(GraphDatabaseService database) {
                        reached.run();
                    }
                }),
                "the trigger refuses");
    }

    private Throwable writeWhileListenerWaits(String procedure, Function<Runnable, Listener> listener) {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<Throwable> call = CompletableFuture.supplyAsync(() -> write(procedure, listener.apply(() -> {
            waiting.countDown();
            await(released);
        })));
        await(waiting);
        assertThat(call).isNotDone();
        released.countDown();
        return call.join();
    }
}
