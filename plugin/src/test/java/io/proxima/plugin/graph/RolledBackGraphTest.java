// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.TransactionEnd;
import io.proxima.plugin.catalog.TransactionEnd.Outcome;
import io.proxima.plugin.job.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** Graphs with the uncommitted changes of a transaction: Neo4j reuses the ids of the nodes after a rollback. */
class RolledBackGraphTest {

    private static final String NATIVE = "CALL proxima.graph.project('g', 'Draft', '*', {replace: true})";
    private static final String OF_ROWS =
            "MATCH (n:Draft) RETURN proxima.graph.project('g', n, null, {}, {replace: true})";
    private static final String REFRESH = "CALL proxima.graph.refresh('g')";

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run("CREATE (:Draft)");
        run(NATIVE);
        run("MATCH (n:Draft) DELETE n");
    }

    private static Transaction withDrafts(String projection) {
        Transaction transaction = TestDbms.database().beginTx();
        transaction.execute("UNWIND range(1, 3) AS k CREATE (:Draft {k: k})").close();
        transaction.execute(projection).resultAsString();
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(3L);
        return transaction;
    }

    private static List<Object> graphs() {
        return run("CALL proxima.graph.list() YIELD graphName RETURN graphName ORDER BY graphName").stream()
                .map(row -> row.get("graphName"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {NATIVE, OF_ROWS, REFRESH})
    void shouldGoWithTheTransaction(String projection) {
        try (Transaction transaction = withDrafts(projection)) {
            run("CALL proxima.graph.filter('part', 'g', '*', '*')");
            run("CALL proxima.wcc.mutate('g', {mutateProperty: 'kept'})");
            for (String call : List.of(
                    "CALL proxima.wcc.write('g', {writeProperty: 'ghost'})",
                    "CALL proxima.wcc.write('part', {writeProperty: 'ghost'})",
                    "CALL proxima.graph.nodeProperties.write('g', 'kept')",
                    "CALL proxima.graph.export('g', 'ghosts.proxima')")) {
                assertThatThrownBy(() -> run(call))
                        .as(call)
                        .hasMessageContaining("has uncommitted changes of a transaction that is open. Commit the"
                                + " transaction, then write or export the graph; a rollback drops it.");
            }
            transaction.rollback();
        }
        assertThat(graphs()).isEmpty();
        run("UNWIND range(1, 2000) AS i CREATE (:Later {i: i})");
        assertThatThrownBy(() -> run("CALL proxima.wcc.write('g', {writeProperty: 'ghost'})"))
                .hasMessageContaining("Graph with name `g` does not exist");
        assertThat(value("MATCH (n) RETURN count(n.ghost)")).isEqualTo(0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {NATIVE, OF_ROWS, REFRESH})
    void shouldGoWithATransactionThatFailsOrIsTerminated(String projection) {
        try (Transaction transaction = withDrafts(projection)) {
            transaction.terminate();
            assertThatThrownBy(transaction::commit).hasMessageContaining("terminated");
        }
        assertThat(graphs()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {NATIVE, OF_ROWS, REFRESH})
    void shouldStayAfterTheCommit(String projection) {
        try (Transaction transaction = withDrafts(projection)) {
            run("CALL proxima.graph.filter('part', 'g', '*', '*')");
            transaction.commit();
        }
        assertThat(graphs()).isEqualTo(List.of("g", "part"));
        for (String graph : List.of("g", "part")) {
            assertThat(run("CALL proxima.wcc.write('" + graph + "', {writeProperty: 'component'})"
                            + " YIELD nodePropertiesWritten, nodesSkipped"))
                    .containsExactly(Map.of("nodePropertiesWritten", 3L, "nodesSkipped", 0L));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NATIVE, OF_ROWS, REFRESH})
    void shouldStayAfterTheRollbackOfATransactionWithoutChanges(String projection) {
        run("UNWIND range(1, 3) AS k CREATE (:Draft {k: k})");
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute(projection).resultAsString();
            // what follows the projection is not in the graph
            transaction.execute("CREATE (:Draft)").close();
            transaction.rollback();
        }
        assertThat(graphs()).isEqualTo(List.of("g"));
        assertThat(value("CALL proxima.wcc.write('g', {writeProperty: 'component'}) YIELD nodePropertiesWritten"))
                .isEqualTo(3L);
    }

    @ParameterizedTest
    @ValueSource(strings = {NATIVE, OF_ROWS, REFRESH})
    void shouldNotTakeTheGraphAlongThatHasReplacedIt(String projection) {
        try (Transaction transaction = withDrafts(projection)) {
            run("CREATE (:Draft)");
            run(NATIVE);
            transaction.rollback();
        }
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(1L);
    }

    /** As a filter whose graph has gone while it filtered. */
    @Test
    void shouldNotBeKeptAfterTheRollback() {
        TransactionEnd changes;
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            changes = TransactionEnd.of(TestDbms.database(), transaction, GraphCatalog::dropRolledBack);
            assertThat(changes.outcome()).isEqualTo(Outcome.UNKNOWN);
        }
        assertThat(changes.outcome()).isEqualTo(Outcome.ROLLED_BACK);
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Caller caller = TestDbms.caller(transaction, () -> {});
            NewGraph part = NewGraph.read(
                    caller, Concurrency.CONCURRENCY, caller.read("configuration", Map.of("replace", true)));
            try (GraphEntry entry = GraphCatalog.acquire(caller.viewer(), "g");
                    Job job = part.begin("part", "Graph Filter")) {
                assertThatThrownBy(() -> part.keep(
                                entry.projection(),
                                List.of(),
                                Map.of(),
                                Map.of(),
                                caller.touched().lost(),
                                changes,
                                null,
                                null))
                        .hasMessage("The transaction whose uncommitted changes the graph 'part' has was rolled back, so"
                                + " the graph is not kept.");
                job.succeed();
            }
        }
        assertThat(graphs()).isEqualTo(List.of("g"));
    }
}
