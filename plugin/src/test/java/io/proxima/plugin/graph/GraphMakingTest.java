// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.Passing;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.projection.CypherGraphCollector;
import io.proxima.projection.GraphPart;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.csc.Orientation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.NotInTransactionException;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** Graphs that replace others, that are parts of others, and that are only estimated. */
class GraphMakingTest {

    private static final String DATA =
            "CREATE (a:A {name: 'a'}), (b:A:B {name: 'b'}), (c:B {name: 'c'}), (d:C {name: 'd'}),"
                    + " (a)-[:R]->(b), (b)-[:R]->(c), (c)-[:S]->(d), (a)-[:S]->(c)";

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run(DATA);
        run("CALL proxima.graph.project('g', ['A', 'B', 'C'], {R: {orientation: 'UNDIRECTED'}, S: {}})");
    }

    @Test
    void shouldKeepTheNodesAndRelationshipsThatPass() {
        assertThat(run("CALL proxima.graph.filter('part', 'g', 'n:A OR n:B', 'r:R')")
                        .get(0))
                .containsEntry("graphName", "part")
                .containsEntry("fromGraphName", "g")
                .containsEntry("nodeFilter", "n:A OR n:B")
                .containsEntry("relationshipFilter", "r:R")
                .containsEntry("nodeCount", 3L)
                .containsEntry("relationshipCount", 4L);
        assertThat(levels("part")).isEqualTo(Map.of("a", 0L, "b", 1L, "c", 2L));
        assertThat(run("CALL proxima.graph.list('part') YIELD schemaWithOrientation, stale, configuration"
                        + " RETURN keys(schemaWithOrientation.nodes) AS labels, schemaWithOrientation.relationships AS types,"
                        + " stale, configuration.fromGraphName AS origin, configuration.nodeFilter AS filter"))
                .containsExactly(Map.of(
                        "labels",
                        List.of("A", "B", "C"),
                        "types",
                        Map.of("R", Map.of("direction", "UNDIRECTED", "properties", Map.of())),
                        "stale",
                        false,
                        "origin",
                        "g",
                        "filter",
                        "n:A OR n:B"));
        // as the graph that it was taken from
        run("CREATE (:A)");
        run("CALL proxima.graph.filter('later', 'g', '*', '*')");
        assertThat(value("CALL proxima.graph.list('later') YIELD stale")).isEqualTo(true);
    }

    @Test
    void shouldFilterEverythingAwayAndNothing() {
        assertThat(counts("CALL proxima.graph.filter('all', 'g', '*', '*')")).isEqualTo(List.of(4L, 6L));
        assertThat(counts("CALL proxima.graph.filter('none', 'g', 'FALSE', '*')"))
                .isEqualTo(List.of(0L, 0L));
        assertThat(counts("CALL proxima.graph.filter('edgeless', 'g', '*', 'NOT TRUE')"))
                .isEqualTo(List.of(4L, 0L));
        assertThat(levels("edgeless")).isEqualTo(Map.of("a", 0L));
        assertThat(run("CALL proxima.closeness.stream('none')")).isEmpty();
        run("CALL proxima.graph.drop('g')");
        assertThat(levels("all")).hasSize(4);
    }

    @Test
    void shouldReplaceAGraphByAPartOfItself() {
        assertThatThrownBy(() -> run("CALL proxima.graph.filter('g', 'g', 'n:A', '*')"))
                .rootCause()
                .hasMessage("A graph with name 'g' already exists. Drop it, or set `replace: true`.");
        assertThat(counts("CALL proxima.graph.filter('g', 'g', 'n:A', '*', {replace: true})"))
                .isEqualTo(List.of(2L, 2L));
        assertThat(value("CALL proxima.graph.list() YIELD nodeCount")).isEqualTo(2L);
    }

    @Test
    void shouldKeepTheFormerGraphOrTheNewOneWheneverTheCallIsKilled() {
        GraphProjection projection = new CypherGraphCollector()
                .project(
                        type -> Orientation.NATURAL,
                        node -> List.of(),
                        1,
                        Stop.NEVER,
                        Progress.NONE,
                        HeapBudget.Reservation.UNLIMITED);
        boolean replaced = false;
        for (int looks = 0; !replaced; looks++) {
            AtomicInteger left = new AtomicInteger(looks);
            try (Transaction transaction = TestDbms.database().beginTx()) {
                Caller caller = TestDbms.caller(transaction, () -> {
                    if (left.getAndDecrement() <= 0) {
                        throw new NotInTransactionException();
                    }
                });
                NewGraph graph = NewGraph.read(
                        caller, Concurrency.CONCURRENCY, caller.read("configuration", Map.of("replace", true)));
                try (Job job = graph.begin("g", "Replace")) {
                    graph.keep(
                            projection,
                            List.of(),
                            Map.of(),
                            Map.of(),
                            caller.touched().lost(),
                            null,
                            null,
                            null);
                    job.succeed();
                    replaced = true;
                } catch (StoppedException e) {
                    assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount"))
                            .isEqualTo(4L);
                }
            }
        }
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(0L);
    }

    @Test
    void shouldLetARunOnAReplacedGraphFinishAndThenFreeIt() {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows =
                        transaction.execute("MATCH (n {name: 'a'}) CALL proxima.distances.stream('g', {sourceNodes: n})"
                                + " YIELD targetNode RETURN targetNode")) {
            rows.next();
            run("CALL proxima.graph.project('g', 'C', 'S', {replace: true})");
            assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(1L);
            assertThat(rows.stream().count()).isEqualTo(2);
        }
        assertThat(value("CALL proxima.graph.list('g') YIELD residentOn")).isEqualTo(List.of());
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    /** A kill of a filter of many terms must not wait for thousands of nodes or relationships. */
    @Test
    void shouldLookAtTheStopByTheLengthOfTheFilter() {
        run("MATCH ()-[r:R]->() SET r.w = 1");
        run("CALL proxima.graph.project('g', ['A', 'B', 'C'], {R: {properties: 'w'}}, {replace: true})");
        AtomicInteger asked = new AtomicInteger();
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            Caller caller = TestDbms.caller(transaction, asked::incrementAndGet);
            try (GraphEntry entry = GraphCatalog.acquire(caller.viewer(), "g")) {
                FilterExpression nodes = filter("nodeFilter", "n", Collections.nCopies(40_000, "n:A"));
                FilterExpression relationships =
                        filter("relationshipFilter", "r", Collections.nCopies(40_000, "r.w > 0"));
                GraphPart part = Passing.of(
                                caller, new GraphEntry.Filter(nodes, relationships), entry.projection(), Map.of())
                        .part();
                assertThat(part.vertexCount()).isEqualTo(2);
                assertThat(asked.get()).isGreaterThanOrEqualTo(4);
                int before = asked.get();
                GraphProjection whole = entry.projection();
                Passing.of(
                                caller,
                                new GraphEntry.Filter(filter("nodeFilter", "n", List.of("*")), relationships),
                                whole,
                                Map.of())
                        .part()
                        .make(1, Stop.NEVER);
                assertThat(asked.get() - before).isGreaterThanOrEqualTo((int) whole.relationshipCount());
            }
        }
    }

    private static FilterExpression filter(String argument, String variable, List<String> terms) {
        return FilterExpression.parse(
                new ArgumentBudget(Stop.NEVER, null), argument, variable, String.join(" OR ", terms), Map.of());
    }

    @Test
    void shouldEstimateAProjectionWithoutMakingIt() {
        Map<String, Object> row = run("CALL proxima.graph.project.estimate(['A', 'B', 'C'],"
                        + " {R: {orientation: 'UNDIRECTED'}, S: {}}, {readConcurrency: 1})")
                .get(0);
        assertThat(row).containsEntry("relationshipCount", 6L).containsEntry("deviceBytesMax", 0L);
        long held = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes");
        // names are not estimated
        assertThat((long) row.get("bytesMin")).isGreaterThanOrEqualTo(held - 6_000);
        assertThat((long) row.get("bytesMax")).isGreaterThanOrEqualTo((long) row.get("bytesMin"));
        assertThat((String) row.get("treeView")).contains("projection").contains("build graph");
        assertThat(run("CALL proxima.graph.list()")).hasSize(1);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    private static List<Object> counts(String call) {
        Map<String, Object> row = run(call).get(0);
        return List.of(row.get("nodeCount"), row.get("relationshipCount"));
    }

    private static Map<String, Object> levels(String graph) {
        return pairs(
                "MATCH (s {name: 'a'}) CALL proxima.bfs.stream('" + graph
                        + "', {sourceNode: s}) YIELD nodeId, distance RETURN proxima.util.asNode(nodeId).name AS name, distance");
    }
}
