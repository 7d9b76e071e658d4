// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.assertNothingIsLeft;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.Statement;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.util.ValueUtils;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserFunction;
import org.neo4j.storageengine.api.TransactionIdStore;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.VirtualValues;

/** The aggregation function, through Cypher. */
class CypherProjectionTest {

    private static final String DIAMONDS = "CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}),"
            + " (d:N:Late {name: 'd'}), (e:N:Late {name: 'e'}), (i:Alone {name: 'i'}),"
            + " (a)-[:R]->(b), (a)-[:R]->(c), (b)-[:R]->(d), (c)-[:R]->(d), (d)-[:R]->(e), (a)-[:S]->(e)";

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run(DIAMONDS);
    }

    @Test
    void shouldFindACallBetweenLongGaps() {
        String gap = " ".repeat(100_000);
        String query = "CALL" + gap + "{ RETURN 1 } RETURN f" + gap + "('g', x)";
        assertThat(AggregationCall.find(query, "f")).containsExactly(List.of("'g'", " x"));
    }

    @Test
    void shouldProjectTheRowsOfAQuery() {
        Map<String, Object> answer =
                answer("MATCH (a)-[:R]->(b) RETURN proxima.graph.project('g', a, b, {}, {jobId: 'j'})");
        assertThat(answer)
                .containsOnlyKeys(
                        "graphName",
                        "nodeCount",
                        "relationshipCount",
                        "relationshipsLeftOut",
                        "projectMillis",
                        "configuration");
        assertThat(answer)
                .containsEntry("graphName", "g")
                .containsEntry("nodeCount", 5L)
                .containsEntry("relationshipCount", 5L);
        assertThat(asMap(answer.get("configuration")))
                .isEqualTo(Map.of(
                        "undirectedRelationshipTypes",
                        List.of(),
                        "inverseIndexedRelationshipTypes",
                        List.of(),
                        "readConcurrency",
                        (long) Runtime.getRuntime().availableProcessors(),
                        "replace",
                        false,
                        "jobId",
                        "j",
                        "logProgress",
                        true,
                        "sudo",
                        false));
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldGiveTheGraphThatTheNativeProjectionGives() {
        run("MATCH (a:N)-[r]->(b:N) RETURN proxima.graph.project('g', a, b, {sourceNodeLabels: labels(a),"
                + " targetNodeLabels: labels(b), relationshipType: type(r)}, {undirectedRelationshipTypes: ['R']})");
        run("CALL proxima.graph.project('native', ['N', 'Late'], {R: {orientation: 'UNDIRECTED'}, S: {}})");
        for (String part :
                List.of("", "nodeLabels: ['Late'], ", "relationshipTypes: ['S'], ", "relationshipTypes: ['R'], ")) {
            String query = ", {" + part + "backend: 'cpu'}) YIELD nodeId, score RETURN nodeId, score ORDER BY nodeId";
            assertThat(run("CALL proxima.closeness.stream('g'" + query))
                    .isEqualTo(run("CALL proxima.closeness.stream('native'" + query))
                    .isNotEmpty();
        }
        assertThat(value("CALL proxima.graph.list('g') YIELD schemaWithOrientation"))
                .isEqualTo(value("CALL proxima.graph.list('native') YIELD schemaWithOrientation"));
    }

    @Test
    void shouldRefuseNodesThatTheCallerHasDeleted() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Object id =
                    transaction.execute("CREATE (n) RETURN id(n) AS id").next().get("id");
            assertThatThrownBy(() -> transaction
                            .execute(
                                    "MATCH (n) WHERE id(n) = $id WITH n, id(n) AS id DELETE n WITH id"
                                            + " RETURN proxima.graph.project('g', id)",
                                    Map.of("id", id))
                            .next())
                    .rootCause()
                    .hasMessage("Nodes of the rows do not exist in the database: [" + id + "]. They were deleted, or an"
                            + " INTEGER was given that is not the id of a node.");
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void shouldNotLookForEverForTheLabelsOfANodeThatCannotExist(long id) {
        String labels = "{sourceNodeLabels: true, targetNodeLabels: true}";
        assertThatThrownBy(() -> run("RETURN proxima.graph.project('g', $id, 0, " + labels + ")", Map.of("id", id)))
                .rootCause()
                .hasMessageContaining("do not exist in the database: [")
                .hasMessageContaining(Long.toString(id));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MATCH (a:Nobody)-->(b) RETURN proxima.graph.project('g', a, b, {sourceNodeLabels: labels(a)})",
                "MATCH (a:Nobody) RETURN proxima.graph.project ( \"g\" , a)",
                "MATCH (a:Nobody) /* CALL proxima.graph.project('x', a) */ WITH proxima . graph . project($name, a) AS p"
                        + " RETURN p // proxima.graph.project('y', a)",
                "MATCH (a:Nobody) RETURN proxima./* 1 */graph.project // 2\n ($name, a)",
                "MATCH (a:Nobody {text: ', proxima.graph.project(\\'x\\')'}) RETURN proxima.graph.project("
                        + "substring($name, 0), a, null, {}, {replace: true, jobId: ')'})",
            })
    void shouldMakeAnEmptyGraphOfNoRows(String query) {
        assertThat(asMap(run(query, Map.of("name", "g"))
                        .get(0)
                        .values()
                        .iterator()
                        .next()))
                .containsEntry("graphName", "g")
                .containsEntry("nodeCount", 0L)
                .containsEntry("relationshipCount", 0L);
        assertThat(run("CALL proxima.closeness.stream('g')")).isEmpty();
    }

    @Test
    void shouldReadTheConfigurationWhenThereAreNoRows() {
        run("MATCH (a) RETURN proxima.graph.project('g', a)");
        String query = "MATCH (a:Nobody) RETURN proxima.graph.project('g', a, null, {}, ";
        assertThatThrownBy(() -> run(query + "{})"))
                .rootCause()
                .hasMessage("A graph with name 'g' already exists. Drop it, or set `replace: true`.");
        assertThatThrownBy(() -> run(query + "{replaces: true})"))
                .rootCause()
                .hasMessage("Unexpected configuration key: replaces (Did you mean [replace]?)");
        assertThat(answer(query + "{replace: true})")).containsEntry("nodeCount", 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{replace: true}"})
    void shouldMakeNoGraphIfSeveralGroupsOfRowsHaveItsName(String configuration) {
        String query =
                "MATCH (a) RETURN a.name AS name, proxima.graph.project('g', a, null, {}, " + configuration + ")";
        assertThatThrownBy(() -> run(query))
                .rootCause()
                .hasMessage(
                        "Another group of rows makes the graph `g`. Give each group a name of its own, or leave out the"
                                + " columns that group the rows.");
        assertThat(run("CALL proxima.graph.list() YIELD graphName")).isEmpty();
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(run(query.replace("'g'", "a.name"))).hasSizeGreaterThan(1);
    }

    @Test
    void shouldLeaveTheGraphThatWasToBeReplacedWhenTheQueryFails() {
        run("MATCH (a) RETURN proxima.graph.project('g', a)");
        assertThatThrownBy(() -> run("MATCH (a) RETURN proxima.graph.project('g', CASE a.name WHEN 'i' THEN null"
                        + " ELSE a END, null, {}, {replace: true})"))
                .hasMessageContaining("but this `null` cannot.");
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(6L);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldLeaveNothingOfAQueryThatFails() {
        assertThatThrownBy(() -> run("MATCH (a {name: 'a'}) UNWIND range(0, 99999) AS i"
                        + " RETURN proxima.graph.project('g', CASE i WHEN 99999 THEN 1 / (i - i) ELSE a END)"))
                .hasMessageContaining("/ by zero");
        assertNothingIsLeft();
        try (Transaction transaction = TestDbms.database().beginTx()) {
            assertThatThrownBy(() -> transaction
                            .execute("MATCH (a) RETURN proxima.graph.project('g', CASE a.name WHEN 'i' THEN 0.5 ELSE a"
                                    + " END)")
                            .next())
                    .hasMessageContaining("but this `FLOAT` 0.5 cannot.");
            // before the transaction ends
            assertThat(JobRegistry.running("", true)).isEmpty();
        }
        assertNothingIsLeft();
    }

    /** Otherwise, the transaction could not project the graph again, or a job or a promise would stay. */
    @Test
    void shouldLeaveNothingIfTheHeapIsFullWhenItBegins() {
        try (FullHeap heap = new FullHeap()) {
            int resources = 0;
            while (isFull(heap.after(resources))) {
                assertThat(JobRegistry.running("", true))
                        .as("after %d", resources)
                        .isEmpty();
                assertThat(HeapLedger.ofThisJvm().promised()).isZero();
                resources++;
            }
            assertThat(resources).isPositive();
            AnyValue types = VirtualValues.fromList(IntStream.range(0, 40_000)
                    .mapToObj(type -> (AnyValue) Values.stringValue("Type" + type))
                    .toList());
            ProjectAggregation estimate = new ProjectAggregation(TestDbms.caller(heap.after(0), () -> {}), true);
            assertThatThrownBy(() -> estimate.update(
                            "g",
                            VirtualValues.node(0),
                            Values.NO_VALUE,
                            VirtualValues.EMPTY_MAP,
                            VirtualValues.map(new String[] {"undirectedRelationshipTypes"}, new AnyValue[] {types})))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(HeapLedger.ofThisJvm().promised()).isZero();
        }
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(1L);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    private static boolean isFull(InternalTransaction transaction) {
        ProjectAggregation rows = new ProjectAggregation(TestDbms.caller(transaction, () -> {}), false);
        try {
            rows.update("g", VirtualValues.node(0), Values.NO_VALUE, VirtualValues.EMPTY_MAP, VirtualValues.EMPTY_MAP);
        } catch (OutOfMemoryError e) {
            return true;
        }
        assertThat(rows.result()).containsEntry("nodeCount", 1L);
        return false;
    }

    @Test
    void shouldTakeRowsFromSeveralThreads() {
        int rows = 50_000;
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement()) {
            long node = (long) transaction
                    .execute("MATCH (n {name: 'a'}) RETURN id(n) AS id")
                    .next()
                    .get("id");
            ProjectAggregation aggregation = new ProjectAggregation(TestDbms.caller(transaction, () -> {}), false);
            Workers.run(4, Stop.NEVER, (worker, stop) -> {
                for (int i = 0; i < rows; i++) {
                    aggregation.update(
                            "g",
                            VirtualValues.node(node),
                            VirtualValues.node(node + 1 + i % 4),
                            VirtualValues.map(
                                    new String[] {"relationshipType"},
                                    new AnyValue[] {Values.of("T" + (worker + i) % 2)}),
                            VirtualValues.EMPTY_MAP);
                }
            });
            assertThat(statement).isNotNull();
            assertThat(aggregation.result()).containsEntry("nodeCount", 5L).containsEntry("relationshipCount", 8L);
        }
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldRefuseAListOfPropertiesAfterAMap() {
        for (String function : List.of("project", "project.estimate")) {
            assertThatThrownBy(() -> run("UNWIND [{w: 1}, ['w']] AS p MATCH (a {name: 'a'}) RETURN proxima.graph."
                            + function + "('g', a, a, {relationshipProperties: p})"))
                    .as(function)
                    .rootCause()
                    .hasMessage(
                            "The value of `relationshipProperties` must be a MAP from property to number, but it was"
                                    + " `LIST`.");
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldRefuseANodeOfAnotherDatabase() {
        try (Transaction ofSystem = TestDbms.dbms().database("system").beginTx();
                ResourceIterable<Node> nodes = ofSystem.getAllNodes();
                InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement()) {
            assertThat(statement).isNotNull();
            Node node = nodes.iterator().next();
            ProjectAggregation aggregation = new ProjectAggregation(TestDbms.caller(transaction, () -> {}), false);
            // not as a parameter, which Neo4j itself refuses
            AnyValue value = ValueUtils.fromNodeEntity(node);
            assertThatThrownBy(() -> aggregation.update(
                            "g", value, Values.NO_VALUE, VirtualValues.EMPTY_MAP, VirtualValues.EMPTY_MAP))
                    .hasMessageContaining(
                            "`" + node.getElementId() + "` is not the elementId of a node of this database.");
        }
        assertNothingIsLeft();
    }

    /** 6.5 GB, in a JVM of 3 GiB. */
    @Test
    void shouldReserveTheHeapOfPropertiesBeforeItIsTaken() {
        Map<String, Object> properties = new HashMap<>();
        for (int property = 0; property < 100_000; property++) {
            properties.put("p" + property, 1.0);
        }
        assertThatThrownBy(() -> run(
                        "MATCH (a {name: 'a'}), (b {name: 'b'}) RETURN proxima.graph.project('g', a, b,"
                                + " {relationshipProperties: $properties})",
                        Map.of("properties", properties)))
                .rootCause()
                .hasMessageContaining("Procedure was blocked since maximum estimated memory (");
        assertNothingIsLeft();
    }

    @Test
    void shouldReserveTheHeapOfNamesBeforeItIsTaken() {
        int names = 500;
        HeapLedger ledger = HeapLedger.ofThisJvm();
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement()) {
            assertThat(statement).isNotNull();
            Caller caller = TestDbms.caller(transaction, () -> {});
            ProjectAggregation aggregation = new ProjectAggregation(caller, false);
            ProjectAggregation estimate = new ProjectAggregation(TestDbms.caller(transaction, () -> {}), true);
            for (int row = 0; row < 100; row++) {
                int first = row;
                // another combination of the same names in each row
                AnyValue labels = VirtualValues.fromList(IntStream.range(0, names)
                        .filter(name -> name != first)
                        .mapToObj(name -> (AnyValue) Values.stringValue("Label" + name))
                        .toList());
                AnyValue data = VirtualValues.map(new String[] {"sourceNodeLabels"}, new AnyValue[] {labels});
                aggregation.update("g", Values.longValue(row), Values.NO_VALUE, data, VirtualValues.EMPTY_MAP);
                // 64 bytes a name, of two kinds that each row may have, with two ends each
                assertThat(ledger.promised()).as("row %d", row).isGreaterThan((row + 1L) * (names - 1) * 64 * 3);
            }
            long projecting = ledger.promised();
            for (int row = 0; row < 100; row++) {
                AnyValue label = Values.stringValue("Label".repeat(10_000) + row);
                AnyValue data = VirtualValues.map(new String[] {"sourceNodeLabels"}, new AnyValue[] {label});
                estimate.update("g", Values.longValue(row), Values.NO_VALUE, data, VirtualValues.EMPTY_MAP);
            }
            assertThat(ledger.promised()).isGreaterThan(projecting + 100 * 50_000);
            assertThat(estimate.result()).containsEntry("nodeCount", 100L);
            assertThat(ledger.promised()).isEqualTo(projecting);
        }
        assertThat(ledger.promised()).isZero();
        assertNothingIsLeft();
    }

    /** Commits a transaction in the middle of a query, as another client would. */
    public static final class Committing {
        /** Required by Neo4j. */
        public Committing() {}

        /** Commits, and returns its argument. */
        @UserFunction("test.commitOther")
        public Object commit(@Name("value") Object value) {
            CompletableFuture.runAsync(() -> run("CREATE (:Other)")).join();
            awaitNextMilli();
            return value;
        }
    }

    @Test
    void shouldBeStaleIfAnotherTransactionWasCommittedAfterTheQueryHadBegunToRead() throws Exception {
        TestDbms.component(GlobalProcedures.class).registerFunction(Committing.class);
        run("MATCH (n:N) WITH collect(n) AS nodes WITH test.commitOther(nodes) AS nodes UNWIND nodes AS n"
                + " RETURN proxima.graph.project('g', n)");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
        run("MATCH (n:None) WITH collect(n) AS nodes WITH test.commitOther(nodes) AS nodes UNWIND nodes AS n"
                + " RETURN proxima.graph.project('empty', n)");
        assertThat(value("CALL proxima.graph.list('empty') YIELD stale")).isEqualTo(true);
        run("MATCH (n:N) WITH collect(n) AS nodes WITH test.commitOther(nodes) AS nodes CALL (nodes) {"
                + " UNWIND nodes AS n RETURN proxima.graph.project('inner', n) AS inner"
                + " } IN TRANSACTIONS RETURN inner");
        assertThat(value("CALL proxima.graph.list('inner') YIELD stale")).isEqualTo(true);
    }

    /** Time is in milliseconds, so that a commit in the one in which a transaction begins may have been missed. */
    private static void awaitNextMilli() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
    }

    /** A large transaction gets its time and its id, and then becomes visible step by step. */
    @Test
    void shouldBeStaleIfAnEarlierCommitBecameVisibleWhileTheQueryRead() {
        TransactionIdStore ids = TestDbms.component(TransactionIdStore.class);
        // the names of the store are transactions of their own
        run("CREATE (:Late)-[:R]->(:Late)");
        boolean missed = false;
        for (int attempt = 0; attempt < 50 && !missed; attempt++) {
            run("MATCH (n:Late) DETACH DELETE n");
            long before = ids.getLastCommittedTransaction().id();
            CompletableFuture<?> writer =
                    CompletableFuture.runAsync(() -> run("UNWIND range(1, 10000) AS i CREATE (:Late)-[:R]->(:Late)"));
            TestDbms.await(() -> ids.getLastCommittedTransaction().id() > before);
            awaitNextMilli();
            try (Transaction transaction = TestDbms.database().beginTx()) {
                List<Object> found =
                        transaction
                                .execute("MATCH (a:Late)-[:R]->(b:Late) RETURN [a, b] AS ends")
                                .columnAs("ends")
                                .stream()
                                .toList();
                writer.join();
                transaction
                        .execute(
                                "UNWIND $found AS ends RETURN proxima.graph.project('late', ends[0], ends[1], {},"
                                        + " {replace: true})",
                                Map.of("found", found))
                        .next();
                missed = found.size() < 10_000;
                transaction.commit();
            }
        }
        assertThat(missed).isTrue();
        assertThat(value("CALL proxima.graph.list('late') YIELD stale")).isEqualTo(true);
    }

    @Test
    void shouldNotBeStaleIfNothingWasCommittedSinceTheTransactionBegan() {
        awaitNextMilli();
        run("MATCH (n:N) RETURN proxima.graph.project('g', n)");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        run("CREATE (:Other)");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
    }

    private static Map<String, Object> answer(String query) {
        return asMap(value(query));
    }

    @SuppressWarnings("unchecked") // Cypher maps have string keys
    private static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }

    /** A misspelt name is null in every row. */
    @Test
    void shouldRefuseAPropertyWithoutAnyValue() {
        TestDbms.clear();
        run(
                "CREATE (a:Town)-[:ROAD {haulage: 3}]->(b:Town)-[:ROAD]->(a), (a)-[:RAIL]->(b), (b)-[:ROAD {loop: 1}]->(b)");
        String rows = "MATCH (a:Town)-[r]->(b) WITH a, b, r RETURN proxima.graph.project";
        for (String call : List.of("('g', a, b, ", ".estimate('g', a, b, ")) {
            assertThatThrownBy(() -> run(rows + call + "{relationshipProperties: r {.hualage, .haulage}})"))
                    .hasMessageContaining("No row has a value for the relationship properties ['hualage']"
                            + " (Did you mean [haulage]?). Correct the name, give a default as in"
                            + " `{km: coalesce(r.km, 1)}`, or leave it out of `relationshipProperties`.");
        }
        assertThatThrownBy(
                        () -> run(rows + "('g', a, b, {relationshipProperties: {haulage: r.hualage, loop: r.loop}})"))
                .hasMessageContaining("['haulage', 'loop']. Correct");
        TestDbms.assertNothingIsLeft();
        String types = "{relationshipType: type(r), relationshipProperties: r {.haulage}}";
        run(rows + "('g', a, b, " + types + ")");
        run(rows + "('g', a, b, CASE type(r) WHEN 'RAIL' THEN {} ELSE " + types + " END, {replace: true})");
        run(rows
                + "('g', a, CASE type(r) WHEN '' THEN b END, {relationshipProperties: r {.hualage}}, {replace: true})");
        TestDbms.clear();
    }
}
