// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Operation;
import io.proxima.concurrent.Task;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.bfs.BfsProcedures;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures;
import io.proxima.plugin.algorithm.nearest.NearestProcedures;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.write.PropertyWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.logging.Log;

/** The tasks that a call has done are those of its operation, in their order, and all have finished. */
class ProgressTest {

    @BeforeAll
    static void project() {
        TestDbms.createDiamonds();
        run("MATCH ()-[r]->() SET r.w = 1");
        run("CALL proxima.graph.project('g', '*', '*', {relationshipProperties: 'w'})");
        run("CALL proxima.graph.project('undirected', '*', {R: {orientation: 'UNDIRECTED'}})");
        run("MATCH (a:N)-[:R]-(b) WITH a, b RETURN proxima.graph.project('mutual', a, b)");
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bfs | BFS | {sourceNode: NODE}",
                "distances | MULTI_SOURCE_BFS | {sourceNodes: NODE}",
                "distances.nearest | NEAREST_SOURCE | {sourceNodes: NODE}",
                "betweenness | BETWEENNESS | {}",
                "closeness | FARNESS | {}",
                "closeness | FARNESS | {harmonic: true}",
                "closeness | FARNESS_OF_SOURCES | {targetNodes: NODE}",
                "closeness.sampled | MULTI_SOURCE_BFS | {samplingSize: 2}",
                "closeness.sampled | MULTI_SOURCE_BFS | {}",
                "eccentricity | FARNESS | {}",
                "allShortestPaths.delta | SHORTEST_PATHS | {sourceNode: NODE}",
                "shortestPath | BFS | {sourceNode: NODE, targetNode: NODE}",
                "connectionSubgraph | BFS | {sourceNode: NODE, targetNode: NODE}",
                "connectionSubgraph | BFS | {sourceNode: NODE, targetNode: NODE, maxDepth: 3}",
                "wcc | COMPONENTS | {}",
                "distances | WEIGHTED_SEARCHES | {sourceNodes: NODE, relationshipWeightProperty: 'w'}",
                "distances.nearest | SHORTEST_PATHS | {sourceNodes: NODE, relationshipWeightProperty: 'w'}",
                "betweenness | WEIGHTED_SEARCHES | {relationshipWeightProperty: 'w'}",
                "closeness | COST_SUMS | {targetNodes: NODE, relationshipWeightProperty: 'w'}",
                "closeness.sampled | WEIGHTED_SEARCHES | {samplingSize: 2, relationshipWeightProperty: 'w'}",
                "eccentricity | COST_SUMS | {relationshipWeightProperty: 'w'}",
            })
    void shouldDoTheTasksOfItsOperation(String algorithm, Operation operation, String keys) {
        List<String> modes = run("SHOW PROCEDURES YIELD name").stream()
                .map(row -> (String) row.get("name"))
                .filter(name ->
                        name.matches("proxima\\." + algorithm.replace(".", "\\.") + "\\.(stream|stats|mutate|write)"))
                .toList();
        assertThat(modes).hasSizeGreaterThan(1);
        String node = TestDbms.value("MATCH (n) RETURN min(id(n))").toString();
        for (String procedure : modes) {
            String job = procedure + " " + keys.length();
            String configuration = (keys.equals("{}") ? "{" : keys.replace("}", ", ")) + "backend: 'cpu', jobId: '"
                    + job + "'" + property(procedure, job) + "}";
            run("CALL " + procedure + "('g', " + configuration.replace("NODE", node) + ")");
            List<Map<String, Object>> shown = run("CALL proxima.listProgress('" + job + "') YIELD taskName, status");
            assertThat(shown).as(procedure).extracting(row -> row.get("status")).containsOnly("FINISHED");
            assertThat(shown.stream().skip(1).map(row -> row.get("taskName")))
                    .as(procedure)
                    .containsExactlyElementsOf(expected(operation, procedure, keys));
        }
    }

    /** The radius of a directed graph takes a second pass; a graph that proves to be symmetric needs none. */
    @ParameterizedTest
    @CsvSource({"g, 2", "undirected, 1", "mutual, 1"})
    void shouldExpectThePassesThatItMakes(String graph, int passes) {
        List<List<String>> plans = plans(
                " :: Farness :: Start", new ClosenessProcedures(), of -> of.stats(graph, Map.of("backend", "cpu")));
        List<String> plan = Collections.nCopies(passes, Operation.FARNESS.tasks()).stream()
                .flatMap(List::stream)
                .map(Task::name)
                .toList();
        assertThat(plans).hasSize(passes).containsOnly(plan);
    }

    /** The searches of a reversed graph take as long: without their time, half of the job would be done before them. */
    @Test
    void shouldExpectTheTimeOfSearchesOfTheReversedGraph() {
        String start = " :: Farness :: Start";
        Map<String, Object> keys = Map.of("backend", "cpu");
        assertThat(seen(start, new EccentricityProcedures(), of -> of.stats("g", keys), Job::fraction))
                .isEqualTo(seen(start, new ClosenessProcedures(), of -> of.stream("g", keys), Job::fraction));
    }

    /** What follows a search is expected, too: otherwise the job would be complete before it. */
    @Test
    void shouldExpectWhatFollowsASearch() {
        long node = (long) TestDbms.value("MATCH (n) RETURN min(id(n))");
        assertThat(plans(
                        " :: BFS :: Start",
                        new BfsProcedures(),
                        of -> of.stream("g", Map.of("sourceNode", node, "backend", "cpu"))))
                .containsExactly(List.of("BFS", "BFS parents"));
        assertThat(plans(
                        " :: BFS :: Start",
                        new NearestProcedures(),
                        of -> of.stream("g", Map.of("sourceNodes", node, "backend", "cpu"))))
                .containsExactly(List.of("BFS", "Nearest source", "Nearest ties", "BFS parents"));
    }

    /** Bounds do not pay on small graphs. What the call expected after its searches stays expected. */
    @Test
    void shouldExpectAllSearchesBeforeTheWriteIfBoundsDoNotPay() {
        List<String> first = List.of("Farness of chosen nodes");
        List<String> all = List.of("Order vertices", "Farness (7 searches)", "Write properties");
        Map<String, Object> keys = Map.of("topK", 9, "harmonic", true, "writeProperty", "best", "backend", "cpu");
        assertThat(plans(" searches) :: Start", new ClosenessProcedures(), of -> of.write("g", keys)))
                .containsExactly(Stream.concat(first.stream(), all.stream()).toList());
    }

    /** Both passes run within one reservation, which is made before the first of them. */
    @Test
    void shouldReserveInEveryPassWhatTheEstimateShows() {
        run("CALL proxima.graph.project('directed', 'N', 'R')");
        long most = (long) TestDbms.value("CALL proxima.closeness.stats.estimate('directed', {backend: 'cpu'})"
                + " YIELD bytesMax RETURN bytesMax");
        HeapLedger ledger = HeapLedger.ofThisJvm();
        long before = ledger.held();
        // the reversed graph stays with the graph, and is held from then on
        assertThat(seen(
                        " :: Farness :: Start",
                        new ClosenessProcedures(),
                        of -> of.stats("directed", Map.of("backend", "cpu")),
                        job -> job.heapBytes() + ledger.held()))
                .containsExactly(before + most, before + most);
    }

    /** The tasks of a call's job when lines are logged that end so. */
    private static <P extends ProximaProcedure> List<List<String>> plans(
            String line, P procedures, Function<P, Stream<?>> call) {
        return seen(line, procedures, call, job -> job.tasks().stream()
                .map(Job.TaskState::name)
                .toList());
    }

    /** What is seen of a call's job when lines are logged that end so. */
    private static <P extends ProximaProcedure, R> List<R> seen(
            String line, P procedures, Function<P, Stream<?>> call, Function<Job, R> look) {
        List<R> seen = new ArrayList<>();
        Log log =
                (Log) Proxy.newProxyInstance(Log.class.getClassLoader(), new Class<?>[] {Log.class}, (p, m, lines) -> {
                    if (String.valueOf(lines[0]).endsWith(line)) {
                        seen.add(look.apply(JobRegistry.running("", true).get(0)));
                    }
                    return null;
                });
        try (Transaction transaction = TestDbms.database().beginTx()) {
            procedures.transaction = transaction;
            procedures.databaseService = TestDbms.database();
            procedures.log = log;
            procedures.terminationGuard = () -> {};
            procedures.callContext = ProcedureCallContext.EMPTY;
            procedures.securityContext = SecurityContext.AUTH_DISABLED;
            try (Stream<?> rows = call.apply(procedures)) {
                rows.forEach(row -> {});
            }
        }
        return seen;
    }

    private static String property(String procedure, String job) {
        if (procedure.endsWith("write")) {
            return ", writeProperty: 'x'";
        }
        // a property of a graph in memory is not overwritten, so each call adds another
        return procedure.endsWith("mutate") ? ", mutateProperty: 'x" + Integer.toHexString(job.hashCode()) + "'" : "";
    }

    private static List<String> expected(Operation operation, String procedure, String keys) {
        List<Task> tasks = new ArrayList<>(operation.tasks());
        if (procedure.equals("proxima.closeness.stats") && operation == Operation.FARNESS) {
            // one pass for the closeness and one for the radius, as the graph is directed
            tasks.addAll(operation.tasks());
        }
        boolean byHops = !keys.contains("relationshipWeightProperty");
        if (byHops
                && (procedure.equals("proxima.distances.nearest.stats")
                        || procedure.equals("proxima.distances.nearest.stream"))) {
            // the columns that need them are read
            tasks.add(BackendTask.NEAREST_TIES);
        }
        if (procedure.startsWith("proxima.connectionSubgraph") && keys.contains("maxDepth")) {
            // from the sources, and from the targets
            tasks.addAll(operation.tasks());
        }
        if (procedure.equals("proxima.bfs.stream")
                || (byHops && procedure.equals("proxima.distances.nearest.stream"))) {
            tasks.add(BackendTask.BFS_PARENTS);
        }
        if (procedure.endsWith("write")) {
            tasks.add(PropertyWriter.TASK);
        }
        return tasks.stream().map(task -> "    |-- " + task.name()).toList();
    }
}
