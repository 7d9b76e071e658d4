// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import static io.proxima.plugin.TestDbms.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.ThreadShortage;
import io.proxima.concurrent.ThreadShortageException;
import io.proxima.plugin.Altered;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.StagedFailure;
import io.proxima.plugin.TestDbms;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.store.StoreSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListenerAdapter;
import org.neo4j.internal.kernel.api.exceptions.ProcedureException;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.monitoring.DatabaseHealth;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

class PropertyWriterTest {

    private static final GraphDatabaseAPI DATABASE = TestDbms.database();
    private static final int NODES = 95;
    private static final int BATCH = 10;

    @BeforeEach
    void createNodes() {
        TestDbms.clear();
        TestDbms.run("UNWIND range(0, " + (NODES - 1) + ") AS i CREATE (:W)");
        // ids of deleted nodes are given again in any order; let i be the vertex
        TestDbms.run("MATCH (n:W) WITH n ORDER BY id(n) WITH collect(n) AS nodes"
                + " UNWIND range(0, size(nodes) - 1) AS i WITH nodes[i] AS n, i SET n.i = i");
    }

    @Test
    void shouldWriteListsAndFractionsAndRemoveWhatHasNoValue() {
        TestDbms.run("MATCH (n:W) SET n.x = 'old'");
        PropertyWriter.Summary summary = write(ids(), 1, vertex -> switch (vertex % 3) {
            case 0 -> Values.longArray(new long[] {vertex, -1});
            case 1 -> Values.doubleValue(0.5);
            default -> null;
        });
        assertThat(summary.propertiesWritten()).isEqualTo(64);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.i % 3 = 0 AND n.x = [n.i, -1] RETURN count(*)"))
                .isEqualTo(32L);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.i % 3 = 1 AND n.x = 0.5 RETURN count(*)"))
                .isEqualTo(32L);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.x IS NULL RETURN count(*)"))
                .isEqualTo(31L);
    }

    @Test
    void shouldWriteTwoPropertiesOfANodeTogether() {
        IdMap ids = ids();
        TestDbms.run("MATCH (n:W {i: 17}) DELETE n");
        PropertyWriter.Summary summary = writeTwo(ids, vertex -> Values.longValue(vertex));
        assertThat(summary).isEqualTo(new PropertyWriter.Summary(NODES - 1 + 48, 1, 10, 0, Map.of()));
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.x = 1 RETURN count(*)")).isEqualTo(NODES - 1L);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.i % 2 = 0 AND n.y = n.i RETURN count(*)"))
                .isEqualTo(48L);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.y IS NULL RETURN count(*)"))
                .isEqualTo(46L);
        assertThatThrownBy(() -> writeTwo(ids, vertex -> {
                    if (vertex == 42) {
                        throw new IllegalStateException("no value for 42");
                    }
                    return null;
                }))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Failed to write the properties `x` and `y`: ")
                .hasMessageContaining(" of 190 properties were committed");
    }

    private static PropertyWriter.Summary writeTwo(IdMap ids, PropertyWriter.PropertyValues ofEven) {
        return withCaller(caller -> writer(caller)
                .write(
                        ids,
                        null,
                        Map.of(
                                "x",
                                vertex -> Values.longValue(1),
                                "y",
                                vertex -> vertex % 2 == 0 ? ofEven.value(vertex) : null),
                        2,
                        Progress.NONE));
    }

    @Test
    void shouldEndWhenAThreadCannotBeCreated() {
        IdMap ids = ids();
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            try (Transaction caller = DATABASE.beginTx()) {
                PropertyWriter writer = new PropertyWriter(DATABASE, (InternalTransaction) caller, Stop.NEVER, 1);
                assertThatThrownBy(() -> ThreadShortage.during(
                                1,
                                () -> writer.write(
                                        ids, null, Map.of("x", vertex -> Values.longValue(1)), NODES, Progress.NONE)))
                        .isInstanceOf(ThreadShortageException.class)
                        .hasMessageContaining("`concurrency`");
            }
        });
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.x = 1 RETURN count(*)")).isEqualTo(0L);
    }

    @Test
    void shouldRefuseACallerThatLocksANodeToRead() {
        IdMap ids = ids();
        try (Transaction caller = DATABASE.beginTx()) {
            caller.acquireReadLock(caller.execute("MATCH (n:W {i: 3}) RETURN n")
                    .<Node>columnAs("n")
                    .next());
            assertThatThrownBy(() -> writer(caller).requireWritable(ids, null, Map.of("x", WrittenValues.FLOATS)))
                    .isInstanceOf(ProximaException.class)
                    .hasMessageStartingWith("The calling transaction has locked nodes");
        }
    }

    @Test
    void shouldNotSpeakOfPrivilegesToACallerThatWasKilled() {
        IdMap ids = ids();
        try (InternalTransaction caller = (InternalTransaction) DATABASE.beginTx()) {
            InternalTransaction killed = Altered.of(InternalTransaction.class, caller, "securityContext", () -> {
                caller.terminate(Status.Transaction.Terminated);
                return null;
            });
            Stop stop = () -> caller.terminationReason().isPresent();
            assertThatThrownBy(() -> new PropertyWriter(DATABASE, killed, stop)
                            .requireWritable(ids, null, Map.of("x", WrittenValues.FLOATS)))
                    .isInstanceOf(StoppedException.class);
        }
    }

    /** Locks nodes without changing them, as those of APOC do. */
    public static final class LockProcedures {
        @Context
        public Transaction transaction;

        @Procedure("test.lock")
        public void lock(@Name("node") Node node) {
            transaction.acquireWriteLock(node);
        }

        @Procedure("test.lock.read")
        public void lockToRead(@Name("node") Node node) {
            transaction.acquireReadLock(node);
        }
    }

    @Test
    void shouldRefuseACallWithinATransactionThatHasLockedNodes() throws ProcedureException {
        TestDbms.component(GlobalProcedures.class).registerProcedure(LockProcedures.class);
        TestDbms.run("CALL proxima.graph.project('w', 'W', '*')");
        String write = " CALL (one) { CALL proxima.wcc.write('w', {writeProperty: 'c'}) YIELD nodePropertiesWritten"
                + " RETURN nodePropertiesWritten } IN TRANSACTIONS RETURN nodePropertiesWritten";
        for (String lock : List.of("test.lock", "test.lock.read")) {
            assertThatThrownBy(() -> TestDbms.run("MATCH (n:W) CALL " + lock + "(n) WITH count(n) AS one" + write))
                    .as(lock)
                    .hasMessageContaining("The transaction around `CALL {} IN TRANSACTIONS` has locked nodes");
        }
        assertThat(TestDbms.value("MATCH (n:W) WITH count(n) AS one" + write)).isEqualTo((long) NODES);
    }

    @Test
    void shouldWriteForACallerThatHasReadWhileAnotherTransactionHoldsLocks() {
        IdMap ids = ids();
        TestDbms.run("CREATE CONSTRAINT w_i FOR (n:W) REQUIRE n.i IS UNIQUE");
        TestDbms.run("CREATE (:Other)");
        try (Transaction caller = DATABASE.beginTx();
                Transaction other = DATABASE.beginTx()) {
            other.execute("MATCH (n:Other) SET n.other = 1").close();
            assertThat(caller.execute("MATCH (n:W {i: 3}) RETURN n").stream()).hasSize(1);
            PropertyWriter writer = writer(caller);
            writer.requireWritable(ids, null, Map.of("x", WrittenValues.FLOATS));
            assertThat(writer.write(ids, null, Map.of("x", vertex -> Values.longValue(1)), 2, Progress.NONE))
                    .extracting(PropertyWriter.Summary::propertiesWritten)
                    .isEqualTo((long) NODES);
        } finally {
            TestDbms.run("DROP CONSTRAINT w_i");
        }
    }

    @Test
    void shouldWriteLongValuesInSmallTransactions() {
        long bytes = PropertyWriter.BATCH_BYTES / 4;
        PropertyWriter.PropertyValues lists = new PropertyWriter.PropertyValues() {
            @Override
            public Value value(int vertex) {
                return Values.longArray(new long[] {vertex, -1});
            }

            @Override
            public long bytes() {
                return bytes;
            }
        };
        PropertyWriter.Summary summary = write(ids(), 3, lists);
        assertThat(summary).isEqualTo(new PropertyWriter.Summary(NODES, 0, 24, 0, Map.of()));
        assertThat(PropertyWriter.memory(NODES, bytes, 3).maxBytes())
                .isBetween(3 * PropertyWriter.BATCH_BYTES, 9 * PropertyWriter.BATCH_BYTES);
        assertThat(PropertyWriter.memory(NODES, 10 * bytes, 3).maxBytes())
                .as("a transaction has at least one node")
                .isBetween(30 * bytes, 90 * bytes);
        assertThat(PropertyWriter.memory(0, bytes, 3).maxBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, 1",
        "10000, 4, 10000",
        "10001, 2, 5001",
        "26475, 2, 6619",
        "65536, 2, 8192",
        "65536, 4, 8192",
        "2147483647, 3, 10000",
        "2147483647, 2147483647, 10000"
    })
    void shouldGiveAllWritersAsManyTransactions(int count, int concurrency, int nodes) {
        assertThat(PropertyWriter.nodesOfBatch(10_000, count, Long.BYTES, concurrency))
                .isEqualTo(nodes);
    }

    @Test
    void shouldRefuseANameThatNoPropertyCanHave() {
        Map<String, PropertyWriter.PropertyValues> refused = Map.of("", vertex -> null);
        assertThatThrownBy(() -> withCaller(caller -> writer(caller).write(ids(), null, refused, 1, Progress.NONE)))
                .hasMessageStartingWith("Failed to create the key of the property ``");
    }

    @Test
    void shouldTellThatEarlierPropertiesWereCommitted() {
        IdMap ids = ids();
        assertThatThrownBy(() -> withCaller(caller -> {
                    PropertyWriter writer = writer(caller);
                    writer.write(ids, null, Map.of("x", vertex -> Values.longValue(1)), 2, Progress.NONE);
                    return writer.write(
                            ids,
                            null,
                            Map.of("y", vertex -> {
                                throw new IllegalStateException("no value");
                            }),
                            1,
                            Progress.NONE);
                }))
                .hasMessage(
                        "Failed to write the property `y`: 0 of 95 properties were committed before a batch was rolled"
                                + " back, after all of the property `x`: no value");
    }

    @Test
    void shouldEndAllWritersAfterAnErrorAndTellHowManyWereCommitted() {
        IdMap ids = ids();
        CountDownLatch otherBegan = new CountDownLatch(1);
        AtomicReference<Thread> failing = new AtomicReference<>();
        assertThatThrownBy(() -> write(ids, 2, vertex -> {
                    if (vertex == 0) {
                        failing.set(Thread.currentThread());
                        await(otherBegan);
                        throw new OutOfMemoryError("no heap for a batch");
                    }
                    if (vertex == 2 * BATCH) {
                        // the second batch is committed, and the third one must not be
                        otherBegan.countDown();
                        awaitEnd(failing);
                    }
                    return Values.longValue(1);
                }))
                .isInstanceOf(ProximaException.class)
                .hasMessage(
                        "Failed to write the property `x`: 10 of 95 properties were committed before a batch was rolled"
                                + " back: no heap for a batch")
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.x = 1 RETURN count(*)")).isEqualTo((long) BATCH);
    }

    /** Otherwise the call waits as long as the other transaction, and then commits a batch after the failure. */
    @Test
    void shouldEndABatchThatWaitsForALockAfterAnotherHasFailed() {
        IdMap ids = ids();
        try (Transaction holder = DATABASE.beginTx()) {
            holder.execute("MATCH (n:W {i: " + (BATCH + 5) + "}) SET n.held = true")
                    .close();
            assertThatThrownBy(() -> write(ids, 2, vertex -> {
                        if (vertex == 0) {
                            await(PropertyWriterTest::isBatchWaiting);
                            throw new IllegalStateException("no value for 0");
                        }
                        return Values.longValue(1);
                    }))
                    .hasMessage("Failed to write the property `x`: 0 of 95 properties were committed before a batch was"
                            + " rolled back: no value for 0");
        }
        assertThat(TestDbms.value("MATCH (n:W) WHERE n.x = 1 RETURN count(*)")).isEqualTo(0L);
    }

    private static boolean isBatchWaiting() {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(stack -> isIn(stack, "ForsetiClient") && isIn(stack, "PropertyWriter"));
    }

    private static boolean isIn(StackTraceElement[] stack, String type) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().endsWith(type));
    }

    /** A transaction may be in the log although the commit has failed. */
    @Test
    void shouldNotSayHowManyWereCommittedIfTheDatabaseFailsDuringTheCommit() throws Exception {
        Path home = Files.createTempDirectory("failing-database");
        try (TestDbms.Other other = TestDbms.Other.open(home, Map.of())) {
            other.run("UNWIND range(1, 25) AS i CREATE (:W {i: i})");
            GraphDatabaseAPI database = other.database();
            IdMap ids = ids(database);
            other.dbms().registerTransactionEventListener("neo4j", new TransactionEventListenerAdapter<>() {
                @Override
                public Object beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService unused) {
                    for (var assigned : data.assignedNodeProperties()) {
                        if (assigned.value().equals(20L)) {
                            database.getDependencyResolver()
                                    .resolveDependency(DatabaseHealth.class)
                                    .panic(new IOException("the disk is full"));
                        }
                    }
                    return null;
                }
            });
            try (Transaction caller = database.beginTx()) {
                PropertyWriter writer = new PropertyWriter(database, (InternalTransaction) caller, Stop.NEVER, BATCH);
                assertThatThrownBy(() -> writer.write(
                                ids, null, Map.of("x", vertex -> Values.longValue(vertex)), 1, Progress.NONE))
                        .hasMessageStartingWith("Failed to write the property `x`: 18 of 25 properties were committed,"
                                + " and perhaps 7 more, before a batch failed with an unknown outcome: ")
                        .hasMessageContaining("the disk is full");
            }
        }
    }

    /** Waits until a writer has left its batch. */
    private static void awaitEnd(AtomicReference<Thread> writer) {
        await(() -> writer.get() != null
                && Arrays.stream(writer.get().getStackTrace())
                        .noneMatch(frame -> frame.getClassName().contains("PropertyWriter")));
    }

    @Test
    void shouldRetryTransientFailuresAndCountThem() {
        IdMap ids = ids();
        AtomicBoolean once = new AtomicBoolean();
        PropertyWriter.Summary summary = write(ids, 2, vertex -> {
            if (vertex == 55 && once.compareAndSet(false, true)) {
                throw new StagedFailure(Status.Transaction.DeadlockDetected, "staged");
            }
            return Values.longValue(1);
        });
        assertThat(summary.propertiesWritten()).isEqualTo(NODES);
        assertThat(summary.retries()).isEqualTo(1);
        assertThat(summary.errorMessages()).containsEntry("staged", 1L);
    }

    @Test
    void shouldGiveUpOnATransientFailureThatStays() {
        IdMap ids = ids();
        assertThatThrownBy(() -> write(ids, 1, vertex -> {
                    throw new StagedFailure(Status.Transaction.DeadlockDetected, "always");
                }))
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("0 of 95 properties were committed");
    }

    private static IdMap ids() {
        return ids(DATABASE);
    }

    private static IdMap ids(GraphDatabaseAPI database) {
        try (Transaction transaction = database.beginTx()) {
            return Projector.project(
                            StoreSource.of(transaction, Stop.NEVER),
                            new ProjectionSpec(
                                    Map.of("W", "W"), Map.of("R", new TypeProjection("*", Orientation.NATURAL))),
                            new Projector.Options(1, false),
                            Stop.NEVER,
                            Progress.NONE)
                    .idMap();
        }
    }

    private interface Work<T> {
        T with(InternalTransaction caller);
    }

    private static <T> T withCaller(Work<T> work) {
        try (Transaction caller = DATABASE.beginTx()) {
            return work.with((InternalTransaction) caller);
        }
    }

    private static PropertyWriter.Summary write(IdMap ids, int concurrency, PropertyWriter.PropertyValues values) {
        return withCaller(caller -> writer(caller).write(ids, null, Map.of("x", values), concurrency, Progress.NONE));
    }

    private static PropertyWriter writer(Transaction caller) {
        return new PropertyWriter(DATABASE, (InternalTransaction) caller, Stop.NEVER, BATCH);
    }
}
