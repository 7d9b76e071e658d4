// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static io.proxima.projection.store.RestrictedAccess.hiding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.JobKeys;
import io.proxima.plugin.catalog.CatalogExtension;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.Live;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.file.NodeColumn;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.NotInTransactionException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** Graphs that each call on them refreshes. */
class LiveGraphTest {

    private static final int NO_TYPE = -2;
    private static final int MOST_COLLECTIONS = 50;
    private static final String COMPONENTS = "CALL proxima.wcc.stats('g') YIELD componentCount";

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}}, {live: true})");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldShowEachCommitToTheNextCall() {
        assertThat(value(COMPONENTS)).isEqualTo(2L);
        run("CREATE (:N), (:N)");
        assertThat(value(COMPONENTS)).isEqualTo(4L);
        run("MATCH (n:N) WHERE n.name IS NULL DELETE n");
        run("MATCH (d {name: 'd'}) DETACH DELETE d");
        assertThat(value(COMPONENTS)).isEqualTo(3L);
        run("CREATE (:N)");
        run("CALL proxima.graph.filter('part', 'g', '*', '*')");
        assertThat(value("CALL proxima.graph.list('part') YIELD nodeCount")).isEqualTo(8L);
        assertThat(value("CALL proxima.graph.list('g') YIELD stale, configuration RETURN [stale, configuration.live]"))
                .isEqualTo(List.of(false, true));
    }

    @Test
    void shouldFreeAGraphWhoseCallWasKilledBeforeItsRefresh() {
        run("CALL proxima.graph.drop('g')");
        long held = HeapLedger.ofThisJvm().held();
        project();
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Caller caller = TestDbms.caller(transaction, () -> {});
            JobKeys keys = JobKeys.read(caller.read("configuration", Map.of()));
            transaction.terminate();
            assertThatThrownBy(() -> keys.acquire(caller, "g")).isInstanceOf(TransactionTerminatedException.class);
        }
        run("CALL proxima.graph.drop('g')");
        assertThat(HeapLedger.ofThisJvm().held()).isEqualTo(held);
    }

    @Test
    void shouldCarryPropertiesAlong() {
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'component'})");
        run("MATCH (a {name: 'a'}) CREATE (:N)-[:R]->(a)");
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'component') YIELD propertyValue"
                        + " RETURN count(propertyValue)"))
                .isEqualTo(9L);
        run("CALL proxima.graph.nodeProperties.write('g', 'component')");
        assertThat(value("MATCH (n:N) RETURN count(n.component)")).isEqualTo(8L);
    }

    @Test
    void shouldServeSeveralUsersWhileOthersCommit() {
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
            int commits = 0;
            while (!ends.get()) {
                run("MATCH (i {name: 'i'}) CREATE (:N {later: true})-[:R]->(i)");
                commits++;
            }
            return commits;
        });
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            String property = "of reader " + reader;
            readers.add(CompletableFuture.runAsync(() -> {
                long last = 0;
                for (int i = 0; i < 5; i++) {
                    long nodes = (long)
                            value(
                                    "CALL proxima.wcc.stats('g') YIELD componentDistribution RETURN toInteger(componentDistribution.max)");
                    assertThat(nodes).isGreaterThanOrEqualTo(last);
                    last = nodes;
                }
                run("CALL proxima.wcc.mutate('g', {mutateProperty: $name})", Map.of("name", property));
                assertThat(value("CALL proxima.graph.nodeProperty.stream('g', '" + property
                                + "') YIELD nodeId RETURN count(*) > 0"))
                        .isEqualTo(true);
            }));
        }
        readers.forEach(CompletableFuture::join);
        ends.set(true);
        long commits = writer.join();
        assertThat(value("CALL proxima.bfs.stats('g', {sourceNode: $i}) YIELD nodesReached".replace("$i", i())))
                .isEqualTo(commits + 1);
    }

    private static String i() {
        return value("MATCH (i {name: 'i'}) RETURN id(i)").toString();
    }

    /** What others may not read is in no merged graph: theirs are projected as a whole. */
    @Test
    void shouldProjectTheGraphsOfRestrictedUsersAsAWhole() {
        run("CREATE (:Secret:N)");
        int secret;
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            secret = transaction.kernelTransaction().tokenRead().nodeLabel("Secret");
        }
        AccessMode traversal = changed(AccessMode.Static.FULL, hiding(secret, NO_TYPE));
        AccessMode mode = changed(
                traversal,
                // what the mode FULL does of its own is a right of administrators
                (method, given) -> method.startsWith("shouldBoost") ? PermissionState.NOT_GRANTED : null);
        SecurityContext eve = TestUsers.user("eve", mode, Set.of());
        TestUsers.run(eve, "CALL proxima.graph.project('g', 'N', 'R', {live: true})");
        run("MATCH (a {name: 'a'}) CREATE (:N)-[:R]->(a), (:Secret:N)-[:R]->(a)");
        assertThat(TestUsers.run(eve, "CALL proxima.wcc.stats('g') YIELD componentCount"))
                .containsExactly(Map.of("componentCount", 2L));
        assertThat(TestUsers.run(eve, "CALL proxima.graph.refresh('g') YIELD nodeCount, mode, reason"))
                .containsExactly(Map.of(
                        "nodeCount",
                        9L,
                        "mode",
                        "projected",
                        "reason",
                        "The caller may not read everything that is projected."));
        assertThat(TestUsers.run(
                                eve,
                                "CALL proxima.graph.list('g') YIELD configuration RETURN configuration.refreshReason AS reason")
                        .get(0))
                .containsEntry("reason", "The caller may not read everything that is projected.");
        TestUsers.run(eve, "CALL proxima.graph.drop('g')");
    }

    @Test
    void shouldExportTheLastStateAndImportItAsAGraphOfItsOwn() throws Exception {
        Files.createDirectories(TestDbms.exportFolder());
        run("CREATE (:N)");
        run("CALL proxima.graph.export('g', 'live', {overwrite: true})");
        run("CALL proxima.graph.import('live', 'h')");
        assertThat(value("CALL proxima.graph.list('h') YIELD nodeCount, stale, configuration"
                        + " RETURN [nodeCount, stale, configuration.live]"))
                .isEqualTo(Arrays.asList(9L, false, null));
        run("CREATE (:N)");
        assertThat(value("CALL proxima.wcc.stats('h') YIELD componentCount")).isEqualTo(3L);
        assertThat(value(COMPONENTS)).isEqualTo(4L);
    }

    /** A graph with changes that may be rolled back is as stale as without this. */
    @Test
    void shouldIncludeUncommittedChangesOfTheCaller() {
        assertThat(value("CREATE (:N) WITH count(*) AS created CALL proxima.wcc.stats('g') YIELD componentCount"
                        + " RETURN componentCount"))
                .isEqualTo(3L);
        assertThat(value(COMPONENTS)).isEqualTo(3L);
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
    }

    /** Otherwise a call that only reads would lose the graph with its transaction. */
    @Test
    void shouldOutliveARollbackOfChangesThatItHad() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute("CREATE (:N)").close();
            assertThat(nodes(transaction, () -> {})).isEqualTo(9);
            transaction
                    .execute("CALL proxima.graph.filter('part', 'g', '*', '*')")
                    .resultAsString();
            transaction.rollback();
        }
        assertThatThrownBy(() -> TestUsers.run(TestUsers.admin("eve"), COMPONENTS))
                .hasMessageContaining("The graph `g` has changes of a transaction that was rolled back.");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
        assertThat(value(COMPONENTS)).isEqualTo(2L);
        assertThat(run("CALL proxima.graph.list('part')")).isEmpty();
    }

    /** A call that waits for a refresh takes what it has read, unless that has uncommitted changes or lacks its own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShowUncommittedChangesToTheirTransactionOnly(boolean waitsWithChanges) {
        run("CREATE (:N)");
        try (Transaction changing = TestDbms.database().beginTx();
                Transaction other = TestDbms.database().beginTx()) {
            changing.execute("CREATE (:N)").close();
            Transaction waiting = waitsWithChanges ? changing : other;
            Transaction refreshing = waitsWithChanges ? other : changing;
            CountDownLatch waits = new CountDownLatch(1);
            CompletableFuture<Integer> nodes = live().alone(Stop.NEVER, () -> {
                CompletableFuture<Integer> found =
                        CompletableFuture.supplyAsync(() -> nodes(waiting, waits::countDown));
                TestDbms.await(waits);
                refreshing.execute("CALL proxima.graph.refresh('g')").resultAsString();
                return found;
            });
            assertThat(nodes.join()).isEqualTo(waitsWithChanges ? 10 : 9);
        }
    }

    /** A refresh waits for one that a call has begun, which would find the graph replaced otherwise. */
    @Test
    void shouldBeRefreshedByOneCallAtATime() {
        run("CREATE (:N)");
        List<CompletableFuture<?>> refreshes = new ArrayList<>();
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Runnable looks = () -> {
                if (refreshes.isEmpty() && !JobRegistry.running("", true).isEmpty()) {
                    refreshes.add(CompletableFuture.runAsync(() -> run("CALL proxima.graph.refresh('g')")));
                    TestDbms.await(() -> refreshes.get(0).isDone() || areTwoIn(Live.class));
                }
            };
            assertThat(nodes(transaction, looks)).isEqualTo(9);
        }
        refreshes.get(0).join();
    }

    private static boolean areTwoIn(Class<?> type) {
        return Thread.getAllStackTraces().values().stream()
                        .filter(frames -> Arrays.stream(frames)
                                .anyMatch(frame -> frame.getClassName().equals(type.getName())))
                        .count()
                == 2;
    }

    /** Runs on an old version may last while the graph is refreshed many times. */
    @Test
    void shouldNotKeepTheVersionsBetweenAnOldOneAndThePresent() throws JMException {
        try (Transaction transaction = TestDbms.database().beginTx();
                GraphEntry old = acquire(TestDbms.caller(transaction, () -> {}))) {
            run("CREATE (:N)");
            run(COMPONENTS);
            WeakReference<GraphProjection> between = new WeakReference<>(entry().projection());
            run("MATCH (n:N) WHERE n.name IS NULL DELETE n");
            run("CREATE (:N)");
            run(COMPONENTS);
            // a thread of the last call may still hold it
            for (int collection = 0; collection < MOST_COLLECTIONS && !between.refersTo(null); collection++) {
                collectGarbage();
            }
            assertThat(between.refersTo(null)).isTrue();
            NodeColumn column = new NodeColumn("p", Set.of("N"), NodeColumn.Kind.INTEGER, -1, vertex -> vertex);
            assertThat(GraphCatalog.addProperties(old, List.of(new NodeProperty(column, 8L * Long.BYTES)), Stop.NEVER))
                    .isSameAs(entry());
        }
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'p') YIELD propertyValue"
                        + " WITH propertyValue ORDER BY propertyValue RETURN collect(propertyValue)"))
                .isEqualTo(List.of(-1L, 0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L));
    }

    /** Counts the live objects, because the JVM has the flag DisableExplicitGC. */
    private static void collectGarbage() throws JMException {
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
    }

    @Test
    void shouldBeRefreshedByACallThatOverridesTheCheckOfMemory() {
        run("CREATE (:N)");
        try (HeapLedger.Promise all = HeapLedger.ofThisJvm().open(1)) {
            all.override();
            all.require(HeapLedger.ofThisJvm().max());
            assertThatThrownBy(() -> run(COMPONENTS)).hasMessageContaining("use 'sudo: true'");
            assertThat(value("CALL proxima.wcc.stats('g', {sudo: true}) YIELD componentCount"))
                    .isEqualTo(3L);
        }
    }

    @Test
    void shouldForgetAVersionWhoseRefreshWasKilled() {
        run("UNWIND range(1, 20000) AS i CREATE (:N)");
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'component'})");
        run("CREATE (:N)");
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Runnable looks = () -> {
                if (StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(frame -> frame.getMethodName().equals("carried")))) {
                    throw new NotInTransactionException();
                }
            };
            assertThatThrownBy(() -> nodes(transaction, looks)).isInstanceOf(StoppedException.class);
        }
        run("CALL proxima.graph.drop('g')");
        assertThat(CatalogExtension.touched(TestDbms.database()).isUsed()).isFalse();
    }

    private static Live live() {
        return entry().details().nativeProjection().live();
    }

    private static GraphEntry entry() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            return GraphCatalog.find(TestDbms.caller(transaction, () -> {}).viewer(), "g");
        }
    }

    private static GraphEntry acquire(Caller caller) {
        return JobKeys.read(caller.read("configuration", Map.of())).acquire(caller, "g");
    }

    /**
     * The number of nodes that a call finds.
     *
     * @param looks done when the call looks whether it was killed
     */
    private static int nodes(Transaction transaction, Runnable looks) {
        try (GraphEntry entry = acquire(TestDbms.caller(transaction, looks::run))) {
            return entry.projection().vertexCount();
        }
    }
}
