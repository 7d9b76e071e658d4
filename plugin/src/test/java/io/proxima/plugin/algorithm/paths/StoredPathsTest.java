// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestUsers.user;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.store.RestrictedAccess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** The relationships of paths where the database has changed since the projection, or hides or lacks them. */
class StoredPathsTest {

    private static final String NODES = "MATCH (a:N {i: 0}), (c:N {i: 2}) ";
    private static final String STALE = "proxima.graph.refresh";
    private static final SecurityContext ANN = user("ann", AccessMode.Static.FULL, Set.of());

    /** Every procedure whose rows have relationships of the database. */
    private enum Columns {
        PATH("shortestPath.stream('g', {sourceNode: a, targetNode: c})", "path", "nodeIds, costs, pathCount"),
        WEIGHTED_PATH(
                "shortestPath.stream('g', {sourceNode: a, targetNode: c, relationshipWeightProperty: 'km'})",
                "path",
                "nodeIds, costs, pathCount"),
        ALL_PATHS(
                "shortestPath.stream('g', {sourceNodes: [a, c], targetNodes: [a, c], paths: 'all', limit: 2})",
                "path",
                "nodeIds, totalCost"),
        BFS("bfs.stream('g', {sourceNode: a})", "path", "nodeId, parent"),
        DISTANCES("distances.stream('g', {sourceNodes: [a, c]})", "path", "sourceNode, targetNode, parent"),
        NEAREST("distances.nearest.stream('g', {sourceNodes: a})", "path", "nodeId, parent"),
        DELTA(
                "allShortestPaths.delta.stream('g', {sourceNode: a, relationshipWeightProperty: 'km'})",
                "path",
                "nodeIds, costs"),
        SUBGRAPH(
                "connectionSubgraph.stream('g', {sourceNode: a, targetNode: c})",
                "relationship",
                "startNode, endNode, fromSource, toTarget");

        private final String stored;
        private final String others;

        Columns(String call, String column, String others) {
            String start = NODES + "CALL proxima." + call + " YIELD ";
            this.stored = start + column + " RETURN " + column + " AS stored";
            this.others = start + others + " RETURN " + others;
        }
    }

    @BeforeEach
    void createGraph() {
        TestDbms.clear();
        run(
                "CREATE (:N {i: 0})-[:R {km: 1.5}]->(:N {i: 1})-[:S {km: 1}]->(:N {i: 2}), (:Secret), (:N)-[:HIDDEN]->(:N)");
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'], {relationshipProperties: 'km'})");
    }

    @AfterEach
    void clear() {
        TestUsers.run(ANN, "CALL proxima.graph.drop('g', false)");
        TestDbms.clear();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Columns.class)
    void shouldFailOnlyIfADeletedRelationshipIsRead(Columns columns) {
        List<Map<String, Object>> before = run(columns.others);
        assertThat(stored(columns.stored)).containsExactlyInAnyOrder("R 1.5", "S 1");
        String delete = "MATCH (:N {i: 1})-[r]->() DELETE r";
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute(delete).close();
            requireStale(
                    catchThrowable(() -> transaction.execute(columns.stored).resultAsString()));
        }
        assertThat(stored(columns.stored)).containsExactlyInAnyOrder("R 1.5", "S 1");
        run(delete);
        Throwable failure = catchThrowable(() -> run(columns.stored));
        requireStale(failure);
        assertThat(failure)
                .rootCause()
                .matches(root -> root.getMessage().contains("leave `path` out") == (columns != Columns.SUBGRAPH));
        requireOthers(columns, before, () -> run(columns.others));
        run("CALL proxima.graph.refresh('g')");
        assertThat(stored(columns.stored)).doesNotContain("S 1");
    }

    @ParameterizedTest
    @EnumSource(Columns.class)
    void shouldFailIfACallerMayNotSeeARelationshipOrItsEnd(Columns columns) {
        TestUsers.run(ANN, "CALL proxima.graph.project('g', 'N', ['R', 'S'], {relationshipProperties: 'km'})");
        List<Map<String, Object>> before = TestUsers.run(ANN, columns.others);
        assertThat(TestUsers.run(ANN, columns.stored)).isNotEmpty();
        for (String hidden : List.of("S", "Secret")) {
            if (hidden.equals("Secret")) {
                run("MATCH (n {i: 1}) SET n:Secret");
            }
            SecurityContext restricted = restricted("Secret", hidden.equals("S") ? "S" : "HIDDEN");
            requireStale(catchThrowable(() -> TestUsers.run(restricted, columns.stored)));
            requireOthers(columns, before, () -> TestUsers.run(restricted, columns.others));
        }
    }

    /** Ids and costs of paths need no relationships, but a subgraph has a row for each relationship. */
    private static void requireOthers(
            Columns columns, List<Map<String, Object>> before, Supplier<List<Map<String, Object>>> call) {
        if (columns == Columns.SUBGRAPH) {
            requireStale(catchThrowable(call::get));
        } else {
            assertThat(call.get()).isEqualTo(before).isNotEmpty();
        }
    }

    private static SecurityContext restricted(String label, String type) {
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            int labelId = transaction.kernelTransaction().tokenRead().nodeLabel(label);
            int typeId = transaction.kernelTransaction().tokenRead().relationshipType(type);
            RestrictedAccess.Answers hiding = RestrictedAccess.hiding(labelId, typeId);
            return user(
                    "ann",
                    changed(
                            AccessMode.Static.FULL,
                            // what the mode FULL does of its own is a right of administrators
                            (method, given) -> method.startsWith("shouldBoost")
                                    ? PermissionState.NOT_GRANTED
                                    : hiding.answer(method, given)),
                    Set.of());
        }
    }

    private static void requireStale(Throwable failure) {
        assertThat(failure)
                .rootCause()
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("stale")
                .hasMessageContaining(STALE);
    }

    /** The types and weights of all relationships in the first column. */
    private static Set<String> stored(String query) {
        Set<String> stored = new TreeSet<>();
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute(query)) {
            while (rows.hasNext()) {
                Object value = rows.next().get("stored");
                Iterable<Relationship> steps =
                        value instanceof Path path ? path.relationships() : List.of((Relationship) value);
                for (Relationship step : steps) {
                    boolean virtual = step.getElementId().startsWith("-");
                    assertThat(step.getType().name().matches("PATH_\\d+")).isEqualTo(virtual);
                    stored.add(
                            virtual
                                    ? "virtual " + step.getProperty("cost")
                                    : step.getType().name() + " " + step.getProperty("km"));
                }
            }
        }
        return stored;
    }

    @ParameterizedTest
    @EnumSource(Columns.class)
    void shouldMakeVirtualRelationshipsOnlyWhereNoneAreStored(Columns columns) {
        run("CALL proxima.graph.drop('g')");
        String rows = "MATCH (a:N)-[r]->(b:N) WITH a, b, r ORDER BY id(r) RETURN proxima.graph.project('g', a, b,"
                + " {relationshipType: %s, relationshipProperties: {km: coalesce(r.km, 7)}}, {replace: true})";
        run(String.format(rows, "type(r)"));
        assertThat(stored(columns.stored)).containsExactlyInAnyOrder("R 1.5", "S 1");
        run(String.format(rows, "CASE type(r) WHEN 'S' THEN 'COMPUTED' ELSE type(r) END"));
        assertThat(stored(columns.stored)).containsExactlyInAnyOrder("R 1.5", "virtual 1.0");
        run("MATCH (:N {i: 0})-[r]->() DELETE r");
        assertThat(stored(columns.stored)).isNotEmpty().allMatch(step -> step.startsWith("virtual"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"R", "ROAD"})
    void shouldKnowTheTypesOfAnImportedGraphByName(String name) {
        run("CALL proxima.graph.project('g', 'N', {S: {type: 'S', properties: 'km'}, " + name
                + ": {type: 'R', orientation: 'UNDIRECTED', properties: 'km'}}, {replace: true})");
        run("CALL proxima.graph.export('g', 'paths.proxima', {overwrite: true})");
        run("CALL proxima.graph.drop('g')");
        run("CALL proxima.graph.import('paths.proxima', 'g')");
        run("CALL proxima.file.drop('paths.proxima')");
        assertThat(stored(Columns.WEIGHTED_PATH.stored))
                .containsExactlyInAnyOrder(name.equals("R") ? "R 1.5" : "virtual 1.5", "S 1");
    }

    /** Each call either answers from what was there, or says that the graph is stale. */
    @Test
    void shouldAnswerOrFailAsStaleWhileRelationshipsAreDeleted() {
        Random random = new Random(57);
        run("UNWIND range(3, 40) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE b.i - a.i IN [1, 2, 5] CREATE (a)-[:R {km: b.i - a.i}]->(b),"
                + " (a)-[:R {km: b.i - a.i}]->(b)");
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}}, {relationshipProperties: 'km',"
                + " replace: true})");
        Map<Long, Set<Object>> ends = new HashMap<>();
        run("MATCH (a)-[r:R]->(b) RETURN id(r) AS id, id(a) AS a, id(b) AS b")
                .forEach(row -> ends.put((Long) row.get("id"), Set.of(row.get("a"), row.get("b"))));
        List<Long> deleted = new ArrayList<>(ends.keySet());
        Collections.shuffle(deleted, random);
        int[] outcomes = new int[2];
        for (Columns columns : Columns.values()) {
            outcomes[requireAnswerOrStale(columns, ends)]++;
        }
        assertThat(outcomes).containsExactly(Columns.values().length, 0);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(
                () -> deleted.forEach(id -> run("MATCH ()-[r:R]->() WHERE id(r) = $id DELETE r", Map.of("id", id))));
        while (!writer.isDone()) {
            Columns columns = List.of(Columns.values()).get(random.nextInt(Columns.values().length));
            outcomes[requireAnswerOrStale(columns, ends)]++;
        }
        writer.join();
        for (Columns columns : Columns.values()) {
            assertThat(requireAnswerOrStale(columns, ends)).as("%s", columns).isOne();
        }
        assertThat(outcomes[1]).isPositive();
    }

    /** Returns 0 for an answer, and 1 for an error that says that the graph is stale. */
    private static int requireAnswerOrStale(Columns columns, Map<Long, Set<Object>> ends) {
        String ofPath = " WITH [r IN relationships(stored) | id(r)] AS steps, [n IN nodes(stored) | id(n)] AS nodes"
                + " RETURN steps, nodes";
        String query = columns == Columns.SUBGRAPH
                ? columns.stored.replace(" RETURN relationship AS stored", ", startNode, endNode")
                        + " RETURN [id(relationship)] AS steps, [startNode, endNode] AS nodes"
                : columns.stored.replace("RETURN path AS stored", "WITH path AS stored") + ofPath;
        List<Map<String, Object>> rows = new ArrayList<>();
        Throwable failure = catchThrowable(() -> rows.addAll(run(query)));
        if (failure != null) {
            requireStale(failure);
            return 1;
        }
        assertThat(rows).isNotEmpty();
        for (Map<String, Object> row : rows) {
            List<?> steps = (List<?>) row.get("steps");
            List<?> nodes = (List<?>) row.get("nodes");
            assertThat(nodes).hasSize(steps.size() + 1);
            for (int i = 0; i < steps.size(); i++) {
                assertThat(ends.get((Long) steps.get(i))).containsExactlyInAnyOrder(nodes.get(i), nodes.get(i + 1));
            }
        }
        return 0;
    }

    /** A path that was cheap over one of several relationships is not shown over another that is dearer. */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE r", "SET r.km = 3"})
    void shouldFailIfTheCheapestOfSeveralRelationshipsIsGone(String change) {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 1}]->(b)");
        run("CALL proxima.graph.refresh('g')");
        run("MATCH (:N {i: 0})-[r:R {km: 1}]->(:N {i: 1}) " + change);
        for (Columns columns : List.of(Columns.WEIGHTED_PATH, Columns.DELTA)) {
            assertThat(catchThrowable(() -> run(columns.stored))).hasMessageContaining("stale");
        }
        assertThat(catchThrowable(() -> run(NODES + "CALL proxima.connectionSubgraph.stream('g', {sourceNode: a,"
                        + " targetNode: c, relationshipWeightProperty: 'km'}) YIELD relationship RETURN relationship")))
                .hasMessageContaining("stale");
    }

    /** The calls whose rows have weights, and the relationships of the rows. */
    private static final Map<String, String> WEIGHTED = Map.of(
            "shortestPath.stream('g', {sourceNode: a, targetNode: c, ", "path",
            "allShortestPaths.delta.stream('g', {sourceNode: a, ", "path",
            "distances.stream('g', {sourceNodes: a, ", "path",
            "distances.nearest.stream('g', {sourceNodes: a, ", "path",
            "connectionSubgraph.stream('g', {sourceNode: a, targetNode: c, maxCost: 9, ", "relationship");

    private static String weighted(String call, String column) {
        return NODES + "CALL proxima." + call + "relationshipWeightProperty: 'km'}) YIELD " + column + " RETURN "
                + column + " AS stored";
    }

    /** A query may select the dearer one of parallel relationships, such as the road without a toll. */
    @ParameterizedTest
    @ValueSource(strings = {"[]", "['R']"})
    void shouldReturnTheParallelRelationshipThatAQueryHasSelected(String undirected) {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 1}]->(b), (b)-[:R {km: 1.25}]->(a)");
        run("MATCH (a:N)-[r]->(b:N) WHERE r:S OR r.km = 1.5 RETURN proxima.graph.project('g', a, b,"
                + " {relationshipType: type(r), relationshipProperties: r {.km}},"
                + " {replace: true, undirectedRelationshipTypes: " + undirected + "})");
        WEIGHTED.forEach((call, column) ->
                assertThat(stored(weighted(call, column))).as(call).containsExactlyInAnyOrder("R 1.5", "S 1"));
    }

    @Test
    void shouldReturnTheRelationshipThatAnAggregationHasChosen() {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 1}]->(b)");
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'],"
                + " {relationshipProperties: {km: {aggregation: 'MAX'}}, replace: true})");
        assertThat(stored(Columns.WEIGHTED_PATH.stored)).containsExactlyInAnyOrder("R 1.5", "S 1");
    }

    @Test
    void shouldReturnNoRelationshipThatIsCheaperThanThoseOfTheGraph() {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 0.5}]->(b), (a)-[:R]->(b)");
        WEIGHTED.forEach((call, column) ->
                assertThat(stored(weighted(call, column))).as(call).containsExactlyInAnyOrder("R 1.5", "S 1"));
    }

    @Test
    void shouldReturnRelationshipsThatPassAFilterByValue() {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 0.5}]->(b)");
        run("CALL proxima.graph.project('all', 'N', {ROAD: {type: 'R'}, S: {}}, {relationshipProperties: 'km'})");
        run("CALL proxima.graph.filter('g', 'all', '*', 'r.km >= 1', {replace: true})");
        WEIGHTED.forEach((call, column) ->
                assertThat(stored(weighted(call, column))).as(call).containsExactlyInAnyOrder("R 1.5", "S 1"));
        for (Columns columns : Columns.values()) {
            assertThat(stored(columns.stored))
                    .as("%s", columns)
                    .isNotEmpty()
                    .noneMatch(step -> step.startsWith("virtual"));
        }
    }

    /** Two types may read different properties, of which a filter leaves out the lower one. */
    @Test
    void shouldKnowEachWeightThatTypesReadOfARelationship() {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {km: 0.5, toll: 0.5}]->(b)");
        run("MATCH (:N)-[r:R {km: 1.5}]->(:N) SET r.toll = 0.25");
        run("CALL proxima.graph.project('all', 'N', {KM: {type: 'R', properties: 'km'}, S: {properties: 'km'},"
                + " TOLL: {type: 'R', properties: {km: {property: 'toll'}}}})");
        run("CALL proxima.graph.filter('g', 'all', '*', 'r.km >= 1', {replace: true})");
        WEIGHTED.forEach((call, column) ->
                assertThat(stored(weighted(call, column))).as(call).containsExactlyInAnyOrder("R 1.5", "S 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET r.km = 1", "SET r.km = 2", "REMOVE r.km"})
    void shouldFailIfAWeightHasChanged(String change) {
        run("MATCH (:N {i: 0})-[r:R]->(:N {i: 1}) " + change);
        WEIGHTED.forEach((call, column) -> {
            Throwable failure = catchThrowable(() -> stored(weighted(call, column)));
            requireStale(failure);
            assertThat(failure).rootCause().hasMessageContaining("of the weight 1.5 from the node");
        });
    }

    @Test
    void shouldShowTheComputedWeightsOfStoredRelationships() {
        run("MATCH (a:N)-[r:R]->(b:N) UNWIND [2, 7] AS km RETURN proxima.graph.project('g', a, b,"
                + " {relationshipType: 'R', relationshipProperties: {km: km}}, {replace: true})");
        assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 1}) CALL proxima.connectionSubgraph.stream('g', {sourceNode: a,"
                        + " targetNode: b, relationshipWeightProperty: 'km', maxCost: 9}) YIELD relationship, weight"
                        + " RETURN type(relationship) AS type, weight"))
                .containsExactly(Map.of("type", "R", "weight", 2.0));
    }

    @ParameterizedTest
    @EnumSource(Columns.class)
    void shouldFindSeveralRelationshipsAgainstTheirDirection(Columns columns) {
        run("MATCH (a:N)-[r:R|S]->(b:N) CREATE (b)-[:BACK {km: 2 * r.km}]->(a), (b)-[:BACK {km: r.km}]->(a)");
        run("MATCH (a:N)-[r:BACK]->(b:N) RETURN proxima.graph.project('g', b, a, {relationshipType: 'BACK',"
                + " relationshipProperties: {km: r.km}}, {replace: true})");
        Set<String> found = stored(columns.stored);
        assertThat(found).isNotEmpty().allMatch(step -> step.startsWith("BACK"));
        if (columns == Columns.WEIGHTED_PATH || columns == Columns.DELTA) {
            assertThat(found).containsExactly("BACK 1", "BACK 1.5");
        }
    }

    /** The graph has a weight for each type then, which no relationship has. */
    @Test
    void shouldReturnRelationshipsWhoseWeightsAreAggregatedByType() {
        run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R]->(b), (a)-[:S]->(b), (a)-[:S]->(b), (a)-[:S]->(b)");
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'],"
                + " {relationshipProperties: {n: {property: '*', aggregation: 'COUNT'}}, replace: true})");
        assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 1}) CALL proxima.connectionSubgraph.stream('g', {sourceNode: a,"
                        + " targetNode: b, relationshipWeightProperty: 'n'}) YIELD relationship, weight"
                        + " RETURN weight, count(*) AS count"))
                .containsExactly(Map.of("weight", 2.0, "count", 5L));
    }

    /** A relationship that lacks the property of one type has the weight of the other one. */
    @ParameterizedTest
    @CsvSource({"km, toll", "toll, km"})
    void shouldKnowTheWeightOfARelationshipThatTwoTypesRead(String one, String other) {
        run("MATCH (:N {i: 0})-[r:R]->(b) DELETE r");
        for (String weights : List.of("toll: 3", "km: 5")) {
            run("MATCH (a:N {i: 0}), (b:N {i: 1}) CREATE (a)-[:R {" + weights + "}]->(b)");
        }
        String type = "%s: {type: 'R', properties: {w: {property: '%s', aggregation: 'MIN'}}}";
        run("CALL proxima.graph.project('g', 'N', {" + String.format(type, "ONE", one) + ", "
                + String.format(type, "OTHER", other) + "}, {replace: true})");
        String call = "MATCH (a:N {i: 0}), (b:N {i: 1}) CALL proxima.%s.stream('g', {sourceNode: a, targetNode: b,"
                + " relationshipWeightProperty: 'w'%s}) YIELD ";
        assertThat(run(String.format(call, "shortestPath", "")
                        + "totalCost, path RETURN totalCost, [r IN relationships(path) | r.toll] AS tolls"))
                .containsExactly(Map.of("totalCost", 3.0, "tolls", List.of(3L)));
        run("MATCH (:N {i: 0})-[r:R {km: 5}]->() SET r.km = 1");
        run("CALL proxima.graph.refresh('g')");
        assertThat(run(String.format(call, "connectionSubgraph", ", maxCost: 9")
                        + "relationship, weight RETURN relationship.toll AS toll, weight ORDER BY weight DESC LIMIT 1"))
                .containsExactly(Map.of("toll", 3L, "weight", 3.0));
    }

    @Test
    void shouldReturnEachRelationshipOnceWhereTheGraphHasBothDirections() {
        run("MATCH (a:N)-[r:R|S]-(b:N) RETURN proxima.graph.project('g', a, b, {relationshipType: type(r)},"
                + " {replace: true})");
        assertThat(
                        run(
                                NODES
                                        + "CALL proxima.connectionSubgraph.stream('g', {sourceNode: a, targetNode: c, maxDepth: 4})"
                                        + " YIELD relationship, fromSource RETURN type(relationship) AS type, fromSource ORDER BY type"))
                .containsExactly(Map.of("type", "R", "fromSource", 0.0), Map.of("type", "S", "fromSource", 1.0));
    }

    @Test
    void shouldTakeTheSmallestIdOfRelationshipsThatCostNothing() {
        for (double zero : new double[] {0.0, -0.0}) {
            run("MATCH (a:N {i: 1}), (c:N {i: 2}) CREATE (a)-[:S {km: $km}]->(c)", Map.of("km", zero));
        }
        run("CALL proxima.graph.refresh('g')");
        String steps = " YIELD path UNWIND relationships(path) AS r WITH r WHERE r:S RETURN id(r) = $id AS isLowest";
        Object lowest = run("MATCH (:N)-[r:S {km: 0}]->() RETURN min(id(r)) AS id")
                .get(0)
                .get("id");
        assertThat(run(Columns.WEIGHTED_PATH.stored.replaceAll(" YIELD.*", "") + steps, Map.of("id", lowest)))
                .containsExactly(Map.of("isLowest", true));
    }

    /** Otherwise the paths to all nodes of a deep graph would take the time of all their steps. */
    @Test
    void shouldReadEachStepOfASearchOnce() {
        for (Columns columns : List.of(Columns.BFS, Columns.NEAREST, Columns.DELTA)) {
            Set<Relationship> steps = Collections.newSetFromMap(new IdentityHashMap<>());
            try (Transaction transaction = TestDbms.database().beginTx();
                    Result rows = transaction.execute(columns.stored)) {
                rows.forEachRemaining(
                        row -> ((Path) row.get("stored")).relationships().forEach(steps::add));
            }
            assertThat(steps).as("%s", columns).hasSize(2);
        }
    }

    @Test
    void shouldNotTakeAStepForThatToAnotherNode() {
        run("UNWIND range(0, 65536) AS i CREATE (:Many)");
        run(
                "MATCH (n:Many) WITH n ORDER BY id(n) WITH collect(n) AS all, 65536 AS remembered"
                        + " UNWIND [0, remembered] AS i WITH all[1] AS source, all[i] AS target CREATE (source)-[:R]->(target)");
        run("CALL proxima.graph.project('g', 'Many', 'R', {replace: true})");
        assertThat(
                        run(
                                "MATCH (source:Many)-->() WITH DISTINCT source CALL proxima.bfs.stream('g', {sourceNode: source})"
                                        + " YIELD nodeId, distance, path WHERE distance = 1"
                                        + " RETURN id(last(nodes(path))) = nodeId AS ends, id(endNode(relationships(path)[0])) = nodeId AS leads"))
                .hasSize(2)
                .containsOnly(Map.of("ends", true, "leads", true));
    }
}
