// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import static io.proxima.plugin.TestDbms.await;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Orientation;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListener;
import org.neo4j.graphdb.event.TransactionEventListenerAdapter;
import org.neo4j.storageengine.api.TransactionIdStore;

/** What makes a graph stale: what a commit has changed, whoever made it. */
class TouchedTest {

    private static final String STALE = "CALL proxima.graph.list('g') YIELD stale";
    private static final String REFRESH = "CALL proxima.graph.refresh('g') YIELD mode, pairsTouched, nodesTouched";

    private TransactionEventListenerAdapter<Object> listener;

    @BeforeEach
    void project() {
        TestDbms.clear();
        run(
                "CREATE (a:N {name: 'a'})-[:R {w: 1}]->(b:N {name: 'b'}), (a)-[:S {v: 1}]->(b), (b)-[:R]->(:M {name: 'm'})");
        run("CALL proxima.graph.project('g', 'N', {R: {properties: 'w'}})");
    }

    @AfterEach
    void clear() {
        if (listener != null) {
            TestDbms.dbms().unregisterTransactionEventListener("neo4j", listener);
        }
        TestDbms.clear();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE (:M)",
                "MATCH (m:M) CREATE (m)-[:R {w: 1}]->(:M)",
                "MATCH (a:N), (b:M) CREATE (a)-[:R]->(b)",
                "MATCH (a {name: 'a'}), (b {name: 'b'}) CREATE (a)-[:S]->(b)",
                "MATCH ()-[r:R]->(:M) DELETE r",
                "MATCH (m:M) DETACH DELETE m",
                "MATCH (a:N) SET a.name = 'c', a:Other",
                "MATCH (a:N)-[r:S]->() SET r.w = 2",
                "MATCH (a:N)-[r:R]->() SET r.other = 2",
                "MATCH (a {name: 'a'}) CREATE (a)-[:R]->(a)",
                "CREATE INDEX FOR (n:N) ON n.ofTouchedTest",
                "CREATE (n:N) DELETE n",
                "CALL proxima.closeness.write('g', {writeProperty: 'written by TouchedTest'})"
            })
    void shouldStayFreshAfterChangesOfOtherThings(String change) {
        run(change);
        run("DROP INDEX ofTouchedTest IF EXISTS");
        assertThat(value(STALE)).isEqualTo(false);
        assertThat(run(REFRESH)).containsExactly(Map.of("mode", "merged", "pairsTouched", 0L, "nodesTouched", 0L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE (:N)",
                "MATCH (m:M) SET m:N",
                "MATCH (a {name: 'a'}) REMOVE a:N",
                "MATCH (a {name: 'a'}) DETACH DELETE a",
                "MATCH (a {name: 'b'}), (b {name: 'a'}) CREATE (a)-[:R]->(b)",
                "MATCH (:N)-[r:R]->(:N) DELETE r",
                "MATCH (:N)-[r:R]->(:N) SET r.w = 2",
                "MATCH (:N)-[r:R]->(:N) REMOVE r.w"
            })
    void shouldBecomeStaleByWhatItShows(String change) {
        run(change);
        assertThat(value(STALE)).isEqualTo(true);
        assertThat(run(REFRESH).get(0)).containsEntry("mode", "merged");
        assertThat(value(STALE)).isEqualTo(false);
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount, relationshipCount RETURN"
                        + " nodeCount = COUNT { (:N) } AND relationshipCount = COUNT { (:N)-[:R]->(:N) }"))
                .isEqualTo(true);
    }

    @Test
    void shouldStayFreshAfterRollbacksAndVetoes() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.createNode(Label.label("N"));
        }
        assertThat(value(STALE)).isEqualTo(false);
        listen(transaction -> {
            throw new IllegalStateException("vetoed");
        });
        assertThatThrownBy(() -> run("CREATE (:N)")).hasStackTraceContaining("vetoed");
        assertThat(value(STALE)).isEqualTo(false);
    }

    /** What a trigger adds is not in the data that other listeners were passed. */
    @Test
    void shouldJudgeAWriteBackByWhatATriggerAddsToIt() {
        listen(transaction -> {
            for (int i = 0; i < 5; i++) {
                Node node = transaction.createNode(Label.label("N"));
                node.createRelationshipTo(transaction.createNode(Label.label("N")), RelationshipType.withName("R"));
            }
        });
        run("CALL proxima.closeness.write('g', {writeProperty: 'x'}) YIELD nodePropertiesWritten");
        unlisten();
        assertThat(value(STALE)).isEqualTo(true);
        run("CALL proxima.graph.refresh('g', {onlyIfStale: true})");
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount RETURN nodeCount = COUNT { (:N) }"))
                .isEqualTo(true);
        assertThat(value(STALE)).isEqualTo(false);
    }

    @Test
    void shouldNotMaskACommitByAWriteBackInFlight() {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch goes = new CountDownLatch(1);
        listener = new TransactionEventListenerAdapter<>() {
            @Override
            public Object beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService database) {
                if (data.assignedNodeProperties().iterator().hasNext()
                        && !data.createdNodes().iterator().hasNext()) {
                    waits.countDown();
                    await(goes);
                }
                return null;
            }
        };
        TestDbms.dbms().registerTransactionEventListener("neo4j", listener);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(
                () -> run("CALL proxima.closeness.write('g', {writeProperty: 'y'}) YIELD nodePropertiesWritten"));
        await(waits);
        run("CREATE (:N {id: -7})");
        assertThat(value(STALE)).isEqualTo(true);
        assertThat(value("CALL proxima.graph.refresh('g', {onlyIfStale: true}) YIELD nodeCount"))
                .isEqualTo(3L);
        goes.countDown();
        writer.join();
        assertThat(value(STALE)).isEqualTo(false);
        run("CREATE (:N)");
        assertThat(value(STALE)).isEqualTo(true);
    }

    @Test
    void shouldForgetTooManyChangesAndSaySo() {
        run("UNWIND range(0, " + Touched.MOST + ") AS i CREATE (:N)");
        assertThat(value(STALE)).isEqualTo(true);
        assertThat(run("CALL proxima.graph.refresh('g') YIELD mode, reason").get(0))
                .isEqualTo(Map.of(
                        "mode",
                        "projected",
                        "reason",
                        "Not all changes are known. At most 65536 are remembered: refresh more often, after smaller"
                                + " transactions. Changes by triggers of other plugins and by other servers of a"
                                + " cluster are unknown."));
        assertThat(value(STALE)).isEqualTo(false);
        run("MATCH (n:N) WHERE n.name IS NULL CALL (n) { DELETE n } IN TRANSACTIONS OF 1000 ROWS");
    }

    @Test
    void shouldNotKnowWhatFollowedUncommittedChanges() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute("CREATE (:N)").close();
            transaction.execute("CALL proxima.graph.project('later', 'N', 'R')").resultAsString();
            transaction.commit();
        }
        assertThat((String) value("CALL proxima.graph.refresh('later') YIELD reason"))
                .startsWith("Not all changes are known.");
    }

    @Test
    void shouldKeepFewChangesBesideManyOfOtherThings() {
        run("CREATE (:N)");
        for (int i = 0; i < 3; i++) {
            run("UNWIND range(1, " + Touched.MOST / 3 + ") AS i CREATE (:M)");
        }
        assertThat(run(REFRESH)).containsExactly(Map.of("mode", "merged", "pairsTouched", 0L, "nodesTouched", 1L));
    }

    @Test
    void shouldHearEachDatabaseOfAJvmAlone(@TempDir Path home) throws Exception {
        try (TestDbms.Other other = TestDbms.Other.open(home, Map.of())) {
            other.run("CREATE (:N)-[:R]->(:N)");
            assertThat(value(STALE)).isEqualTo(false);
            run("CREATE (:N)");
            assertThat(value(STALE)).isEqualTo(true);
        }
    }

    /** A transaction can be closed, and visible in part or as a whole, before Neo4j reports its commit. */
    @Test
    void shouldReadATransactionAgainThatWasPending() {
        AtomicLong closed = new AtomicLong(5);
        Touched touched = alone(closed::get);
        Selection all = Selection.of(
                List.of("*"), List.of(new TypeProjection("R", Orientation.NATURAL)), IdMap.consecutive(0, 2), false);
        Mark mark = touched.mark();
        mark.watch(all);
        Object committed = touched.beforeCommit(creating(7, 6), null, null);
        Object rolledBack = touched.beforeCommit(creating(8, 0), null, null);
        assertThat(mark.isStale()).isTrue();
        touched.afterRollback(creating(8, 0), rolledBack, null);
        closed.set(6);
        assertThat(mark.isStale()).isTrue();
        Touched.Update first = mark.update();
        assertThat(first.touches().nodes()).containsExactly(7);
        first.mark().watch(all);
        touched.afterCommit(creating(7, 6), committed, null);
        assertThat(first.mark().isStale()).isTrue();
        Touched.Update again = first.mark().update();
        assertThat(again.touches().nodes()).containsExactly(7);
        assertThat(again.touches().reborn())
                .as("the first reading may have seen this very node")
                .isEmpty();
        again.mark().watch(all);
        assertThat(again.mark().isStale()).isFalse();
        assertThat(again.mark().update().touches().nodes()).isEmpty();
    }

    /** The changes that one graph needs are too many, but not those that the other needs. */
    @Test
    void shouldForgetNoMoreThanIsTooMuch() {
        AtomicLong closed = new AtomicLong(5);
        Touched touched = alone(closed::get);
        Mark older = touched.mark();
        commit(touched, creating(0, Touched.MOST / 2, closed.incrementAndGet()));
        Mark newer = touched.mark();
        commit(touched, creating(0, Touched.MOST, closed.incrementAndGet()));
        for (Mark mark : List.of(older, newer)) {
            mark.watch(Selection.of(List.of("*"), List.of(), IdMap.consecutive(0, 2), false));
        }
        assertThat(older.update().touches()).isNull();
        assertThat(newer.update().touches().nodes()).hasSize(Touched.MOST);
    }

    private static void commit(Touched touched, TransactionData data) {
        touched.afterCommit(data, touched.beforeCommit(data, null, null), null);
    }

    @Test
    void shouldNotKnowWhatWasReadWhileACommitWasReported() {
        Touched touched = alone(() -> 6);
        long begin = System.currentTimeMillis();
        touched.afterCommit(creating(7, 6), touched.beforeCommit(creating(7, 6), null, null), null);
        assertThat(touched.markSince(begin).isStale()).isTrue();
        assertThat(touched.markSince(System.currentTimeMillis() + 1).isStale()).isFalse();
    }

    private static Touched alone(LongSupplier lastClosed) {
        Touched[] alone = new Touched[1];
        alone[0] = new Touched(lastClosed, true, () -> List.<TransactionEventListener<?>>of(alone[0])
                .iterator());
        return alone[0];
    }

    /** The data of a transaction that creates a node. */
    private static TransactionData creating(long neo4jId, long transaction) {
        return creating(neo4jId, 1, transaction);
    }

    private static TransactionData creating(long first, int count, long transaction) {
        List<Node> nodes = LongStream.range(first, first + count)
                .mapToObj(neo4jId -> (Node) Proxy.newProxyInstance(
                        Node.class.getClassLoader(), new Class<?>[] {Node.class}, (proxy, method, given) -> neo4jId))
                .toList();
        return (TransactionData) Proxy.newProxyInstance(
                TransactionData.class.getClassLoader(),
                new Class<?>[] {TransactionData.class},
                (proxy, method, given) -> switch (method.getName()) {
                    case "getTransactionId" -> transaction;
                    case "createdNodes" -> nodes;
                    default -> List.of();
                });
    }

    /** As on a member of a cluster, where transactions of other members are applied without a call. */
    @Test
    void shouldCountATransactionThatIsNotHeardAsAChangeOfEverything() {
        TransactionIdStore ids = TestDbms.component(TransactionIdStore.class);
        LongSupplier last = () -> ids.getClosedTransactionSnapshot().highestEverSeen();
        Touched[] heard = new Touched[1];
        heard[0] = new Touched(last, false, () -> List.<TransactionEventListener<?>>of(heard[0])
                .iterator());
        TypeProjection type = new TypeProjection("R", Orientation.NATURAL);
        try (Mark mark = heard[0].mark()) {
            mark.watch(Selection.of(List.of("N"), List.of(type), IdMap.consecutive(0, 2), false));
            TestDbms.dbms().registerTransactionEventListener("neo4j", heard[0]);
            run("CREATE (:M)");
            assertThat(mark.isStale()).isFalse();
            run("CREATE (:M)");
            assertThat(mark.isStale()).isFalse();
            TestDbms.dbms().unregisterTransactionEventListener("neo4j", heard[0]);
            run("CREATE (:M)");
            assertThat(mark.isStale()).isTrue();
            Touched.Update update = mark.update();
            assertThat(update.touches()).isNull();
            update.mark().close();
        }
    }

    private void listen(Consumer<Transaction> work) {
        listener = new TransactionEventListenerAdapter<>() {
            @Override
            public Object beforeCommit(TransactionData data, Transaction transaction, GraphDatabaseService database) {
                work.accept(transaction);
                return null;
            }
        };
        TestDbms.dbms().registerTransactionEventListener("neo4j", listener);
    }

    private void unlisten() {
        TestDbms.dbms().unregisterTransactionEventListener("neo4j", listener);
        listener = null;
    }
}
