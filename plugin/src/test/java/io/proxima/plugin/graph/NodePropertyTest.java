// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures;
import io.proxima.plugin.algorithm.distances.DistancesProcedures;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeColumn;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.common.DependencyResolver;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.logging.NullLog;
import org.neo4j.scheduler.JobScheduler;

/** The mutate modes and the properties that they add to graphs in memory. */
class NodePropertyTest {

    private static final String SOURCE = "MATCH (s {name: 'a'}) ";

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run("CREATE (a:N:Odd {name: 'a'}), (b:N {name: 'b'}), (c:N:Odd {name: 'c'}), (d:M {name: 'd'}),"
                + " (a)-[:R]->(b), (b)-[:R]->(c)");
        run("CALL proxima.graph.project('g', ['N', 'M', 'Odd'], 'R')");
    }

    @Test
    void shouldReadAndDropValuesAsJobs() {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'level'}) YIELD mutateMillis"
                + " RETURN mutateMillis");
        String tasks = " YIELD taskName, status RETURN collect(taskName + ' ' + status)";
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("CALL proxima.graph.nodeProperty.stream('g', 'level', ['*'],"
                        + " {jobId: 'read'}) YIELD propertyValue RETURN propertyValue")) {
            rows.next();
            assertThat(value("CALL proxima.listProgress('read')" + tasks))
                    .isEqualTo(List.of("|-- Node Properties Stream RUNNING"));
            assertThatThrownBy(
                            () -> run("CALL proxima.graph.nodeProperties.stream('g', 'level', ['*'], {jobId: 'read'})"))
                    .rootCause()
                    .hasMessageContaining("belongs to a running job");
            rows.resultAsString();
        }
        assertThat(value("CALL proxima.listProgress('read')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Stream FINISHED"));
        run("CALL proxima.graph.nodeProperties.stream('g', 'level', ['*'], {jobId: 'part'}) YIELD nodeId"
                + " RETURN nodeId LIMIT 1");
        assertThat(value("CALL proxima.listProgress('part')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Stream CANCELED"));
        run("CALL proxima.graph.nodeProperties.drop('g', 'level', {jobId: 'drop'})");
        assertThat(value("CALL proxima.listProgress('drop')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Drop FINISHED"));
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldReleaseTheGraphOnceIfRowsCannotBeWatched() {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'level'}) YIELD mutateMillis"
                + " RETURN mutateMillis");
        Map<String, Object> keys = Map.of("jobId", "rows");
        NodePropertyProcedures properties = new NodePropertyProcedures();
        assertReleased(properties, () -> properties.streamOne("g", "level", List.of("*"), keys));
        assertReleased(properties, () -> properties.arrow("g", "level", keys));
        DistancesProcedures distances = new DistancesProcedures();
        assertReleased(
                distances,
                () -> distances.stream(
                        "g", Map.of("jobId", "rows", "sourceNodes", value("MATCH (s {name: 'a'}) RETURN id(s)"))));
        ClosenessProcedures closeness = new ClosenessProcedures();
        assertReleased(closeness, () -> closeness.stream("g", keys));
        assertThat(run("CALL proxima.graph.drop('g') YIELD graphName")).hasSize(1);
        assertThat(HeapLedger.ofThisJvm().held()).isZero();
    }

    private static void assertReleased(ProximaProcedure procedure, ThrowingCallable call) {
        DependencyResolver known = TestDbms.database().getDependencyResolver();
        DependencyResolver components = changed(DependencyResolver.class, known, (method, wanted) -> {
            assertThat(wanted[0]).as("the scheduler has ended").isNotEqualTo(JobScheduler.class);
            return null;
        });
        procedure.databaseService = changed(
                GraphDatabaseAPI.class,
                TestDbms.database(),
                (method, given) -> method.equals("getDependencyResolver") ? components : null);
        procedure.log = NullLog.getInstance();
        procedure.terminationGuard = () -> {};
        procedure.callContext = ProcedureCallContext.EMPTY;
        procedure.securityContext = SecurityContext.AUTH_DISABLED;
        try (Transaction transaction = TestDbms.database().beginTx()) {
            procedure.transaction = transaction;
            assertThatThrownBy(call).hasMessageContaining("the scheduler has ended");
        }
        assertThat(run("CALL proxima.listProgress('rows') YIELD status"))
                .first()
                .isEqualTo(Map.of("status", "FAILED"));
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @Test
    void shouldCountPropertiesAsMemoryOfTheGraph() {
        // which leaves the reversed graph behind
        run("CALL proxima.closeness.stats('g') YIELD computeMillis RETURN computeMillis");
        long before = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN computeMillis");
        Object with = value("CALL proxima.graph.list('g') YIELD sizeInBytes, modificationTime, creationTime"
                + " WHERE modificationTime > creationTime RETURN sizeInBytes");
        assertThat((long) with - before).isBetween(4L * Double.BYTES, 4L * Double.BYTES + 500);
        assertThat(value("CALL proxima.memory.list() YIELD memoryInBytes RETURN memoryInBytes"))
                .isEqualTo(with);
        run("CALL proxima.graph.nodeProperties.drop('g', 'score')");
        assertThat(value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes"))
                .isEqualTo(before);
    }

    @Test
    void shouldCountADroppedPropertyUntilItHasBeenWritten() {
        run("UNWIND range(1, 1000) AS i CREATE (:N)");
        run("CALL proxima.graph.project('g', 'N', 'R', {replace: true})");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN 1");
        CompletableFuture<Void> write;
        try (Transaction locking = TestDbms.database().beginTx()) {
            locking.execute(SOURCE + "SET s.x = 1").close();
            write = CompletableFuture.runAsync(() -> run("CALL proxima.graph.nodeProperties.write('g', 'score')"));
            TestDbms.await(() -> JobRegistry.running("", true).stream().anyMatch(job -> job.tasks().stream()
                    .anyMatch(task -> task.name().equals("Write properties"))));
            long held = HeapLedger.ofThisJvm().held();
            run("CALL proxima.graph.nodeProperties.drop('g', 'score')");
            assertThat(held - HeapLedger.ofThisJvm().held()).isLessThan(1000);
        }
        write.join();
    }

    @Test
    void shouldRefuseANameTwice() {
        String mutate = "CALL proxima.closeness.mutate('g', {mutateProperty: 'c'}) YIELD computeMillis RETURN 1";
        AtomicInteger refused = new AtomicInteger();
        Workers.run(4, Stop.NEVER, (worker, stop) -> {
            try {
                run(mutate);
            } catch (RuntimeException e) {
                assertThat(e)
                        .hasMessageContaining(
                                "Node property `c` already exists in the in-memory graph. Choose another");
                refused.incrementAndGet();
            }
        });
        assertThat(refused).hasValue(3);
        assertThatThrownBy(() -> run(SOURCE + "CALL proxima.distances.nearest.mutate('g', {sourceNodes: s,"
                        + " mutateProperty: 'new', nearestSourceProperty: 'c'}) YIELD computeMillis RETURN 1"))
                .hasMessageContaining("Node property `c` already exists in the in-memory graph. Choose another");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('g', 'new')"))
                .hasMessageContaining("Expecting at least one node projection to contain property key(s) ['new'].");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{hops: 'x'}, {score: 'x'}]", "['hops', {score: 'hops'}]", "{hops: 'x', score: 'x'}"})
    void shouldNotWriteTwoPropertiesToOneName(String properties) {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'hops'}) YIELD depth RETURN depth");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN 1");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.write('g', " + properties + ")"))
                .hasMessageContaining("`nodeProperties` writes both `")
                .hasMessageContaining("`: give them different names.");
        assertThat(value("MATCH (n) WHERE n.x IS NOT NULL OR n.hops IS NOT NULL RETURN count(n)"))
                .isEqualTo(0L);
    }

    @Test
    void shouldCountTheElementsOfListsInOtherVersions() {
        NodeColumn column = new NodeColumn(
                "v",
                Set.of("N"),
                NodeColumn.Kind.FLOAT_LIST,
                NodeColumn.NO_LIST,
                vertex -> NodeColumn.list(3 * vertex, 3),
                new double[24]);
        NodeProperty property = new NodeProperty(column, column.heapBytes(8));
        NodeProperty carried =
                property.carried(IdMap.consecutive(0, 8), IdMap.consecutive(0, 9), new long[0], Stop.NEVER);
        assertThat(carried.bytes()).isEqualTo(9 * Long.BYTES + 24 * Double.BYTES);
        assertThat(carried.valueOrNull(8)).isNull();
    }
}
