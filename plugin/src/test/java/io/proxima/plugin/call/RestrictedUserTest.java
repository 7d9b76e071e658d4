// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestUsers.admin;
import static io.proxima.plugin.TestUsers.begin;
import static io.proxima.plugin.TestUsers.run;
import static io.proxima.plugin.TestUsers.user;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.files.KeptFiles;
import io.proxima.plugin.files.KeptFiles.Owner;
import io.proxima.projection.store.RestrictedAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.configuration.Config;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.security.AuthorizationViolationException;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/**
 * Users with the rights that roles of the enterprise edition give: one label, one relationship type and one property
 * are out of bounds. Each user is a name and an access mode, set on the transaction as the server would set it.
 */
class RestrictedUserTest {

    private static final String PROJECT = "CALL proxima.graph.project('g', '*', '*')";
    private static final String CYPHER_PROJECT =
            "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) WITH proxima.graph.project('g', n, m) AS g"
                    + " RETURN g.nodeCount AS nodeCount, g.relationshipCount AS relationshipCount";

    private static final SecurityContext BOB = user("bob", AccessMode.Static.FULL, Set.of());
    private static final SecurityContext ROOT = admin("root");
    private static final long NO_NODE = 999_999;

    private int secret;
    private int hidden;
    private int salary;
    private long secretId;
    private String secretElementId;

    @BeforeEach
    void createGraph() {
        TestDbms.clear();
        TestDbms.run("CREATE (a:Person {name: 'a'})-[:KNOWS]->(:Person {name: 'b'})"
                + "-[:KNOWS]->(:Person:Secret {name: 's', salary: 7})-[:KNOWS]->(c:Person {name: 'c'}),"
                + " (a)-[:HIDDEN]->(c)");
        TestDbms.run("CREATE (n {salary: 0, hops: 0}) DELETE n");
        Map<String, Object> node = TestDbms.run("MATCH (s:Secret) RETURN id(s) AS id, elementId(s) AS elementId")
                .get(0);
        secretId = (Long) node.get("id");
        secretElementId = (String) node.get("elementId");
        try (InternalTransaction transaction = begin(SecurityContext.AUTH_DISABLED)) {
            secret = transaction.kernelTransaction().tokenRead().nodeLabel("Secret");
            hidden = transaction.kernelTransaction().tokenRead().relationshipType("HIDDEN");
            salary = transaction.kernelTransaction().tokenRead().propertyKey("salary");
        }
    }

    @AfterEach
    void dropGraphsOfAll() {
        run(
                ROOT,
                "CALL proxima.graph.list() YIELD graphName, database, configuration"
                        + " WITH graphName UNWIND ['ann', 'bob', 'root'] AS user"
                        + " CALL proxima.graph.drop(graphName, false, '', user) YIELD nodeCount RETURN nodeCount");
        TestDbms.clear();
    }

    @Test
    void shouldProjectOnlyWhatTheCallerMayTraverse() {
        for (String projection : List.of(PROJECT, CYPHER_PROJECT)) {
            Map<String, Object> row = run(restricted("ann"), projection).get(0);
            assertThat(row).as(projection).containsEntry("nodeCount", 3L).containsEntry("relationshipCount", 1L);
            assertThat(run(restricted("ann"), "CALL proxima.closeness.stream('g') YIELD nodeId RETURN nodeId"))
                    .extracting(found -> found.get("nodeId"))
                    .hasSize(3)
                    .doesNotContain(secretId);
            run(restricted("ann"), "CALL proxima.graph.drop('g')");
        }
    }

    @Test
    void shouldTreatHiddenLabelsAndTypesAsThoseThatAreNotThere() {
        for (String call : List.of("project('g', %s)", "project.estimate(%s)")) {
            for (String name : List.of("Secret", "Secrets", "NoSuchLabel", "HIDDEN")) {
                assertThatThrownBy(() -> run(
                                restricted("ann"), "CALL proxima.graph." + String.format(call, "'" + name + "', '*'")))
                        .rootCause()
                        .hasMessage("Invalid node projection, one or more labels not found: '" + name + "'");
            }
            for (String name : List.of("HIDDEN", "HIDDENS", "NO_SUCH_TYPE", "Secret")) {
                assertThatThrownBy(() -> run(
                                restricted("ann"), "CALL proxima.graph." + String.format(call, "'*', '" + name + "'")))
                        .rootCause()
                        .hasMessage("Invalid relationship projection, one or more relationship types not found: '"
                                + name + "'");
            }
        }
        run(ROOT, "CALL proxima.graph.project('g', 'Secret', 'HIDDEN')");
    }

    /** A role with EXECUTE BOOSTED PROCEDURE. */
    @Test
    void shouldProjectTheSameWithMoreRightsHoweverLargeTheStoreIs() {
        SecurityContext ann = user("ann", boosted(restricted("ann").mode()), Set.of());
        TestDbms.run("MATCH (:Person)-[r:KNOWS]->(:Person) SET r.salary = 2");
        requireAll(ann, 4, 4);
        // more than one thread reads at once
        TestDbms.run("UNWIND range(1, 20000) AS i CREATE (:Person)-[:KNOWS {salary: 2}]->(:Person)");
        requireAll(ann, 40_004, 20_004);
    }

    private static void requireAll(SecurityContext user, long nodes, long relationships) {
        assertThat(run(user, PROJECT).get(0))
                .containsEntry("nodeCount", nodes)
                .containsEntry("relationshipCount", relationships);
        run(user, "CALL proxima.graph.project('weighted', '*', 'KNOWS', {relationshipProperties: 'salary'})");
        assertThat(run(
                        user,
                        "MATCH (s {name: 'a'}) CALL proxima.allShortestPaths.delta.stream('weighted',"
                                + " {sourceNode: s, relationshipWeightProperty: 'salary'}) YIELD totalCost"
                                + " RETURN max(totalCost) AS most"))
                .containsExactly(Map.of("most", 6.0));
        run(user, "CALL proxima.graph.drop(['g', 'weighted'])");
    }

    private static AccessMode boosted(AccessMode mode) {
        return changed(
                mode, (method, given) -> method.equals("shouldBoostProcedure") ? PermissionState.EXPLICIT_GRANT : null);
    }

    /** As Cypher gives null for what the caller may not read. */
    @Test
    void shouldProjectWeightsThatTheCallerMayNotReadAsMissing() {
        TestDbms.run("MATCH (:Person)-[r:KNOWS]->(:Person) SET r.salary = 70, r.miles = 5");
        String project = "CALL proxima.graph.project('g', 'Person', 'KNOWS', {relationshipProperties:"
                + " {salary: {defaultValue: 1}, miles: {defaultValue: 1}}})";
        List<String> costs = List.of(
                "allShortestPaths.delta.stream('g', {sourceNode: s, %s}) YIELD totalCost",
                "distances.stream('g', {sourceNodes: s, %s}) YIELD cost",
                "distances.nearest.stream('g', {sourceNodes: s, %s}) YIELD cost",
                "eccentricity.stream('g', {%s}) YIELD eccentricity",
                "closeness.stats('g', {%s}) YIELD diameter");
        for (SecurityContext user : List.of(restricted("ann"), BOB)) {
            boolean ann = user.subject().hasUsername("ann");
            run(user, project);
            for (String call : costs) {
                assertThat(greatest(user, call, "salary")).as(call).isEqualTo(ann ? 1.0 : 210.0);
                assertThat(greatest(user, call, "miles")).as(call).isEqualTo(ann ? 5.0 : 15.0);
            }
            assertThat(greatest(user, "betweenness.stream('g', {%s}) YIELD score", "salary"))
                    .isEqualTo(ann ? 0.0 : 2.0);
        }
    }

    private static Object greatest(SecurityContext user, String call, String property) {
        String weight = "relationshipWeightProperty: '" + property + "'";
        return run(
                        user,
                        "MATCH (s {name: 'a'}) CALL proxima." + String.format(call, weight)
                                + " AS value RETURN max(value) AS greatest")
                .get(0)
                .get("greatest");
    }

    @Test
    void shouldEstimateOnlyWhatTheCallerMayTraverse() {
        String counts = " YIELD nodeCount, relationshipCount RETURN nodeCount, relationshipCount";
        assertThat(run(restricted("ann"), "CALL proxima.graph.project.estimate('*', '*')" + counts))
                .containsExactly(Map.of("nodeCount", 3L, "relationshipCount", 1L));
        assertThat(run(
                        restricted("ann"),
                        "CALL proxima.closeness.stats.estimate({nodeProjection: 'Person'}, {})" + counts))
                .containsExactly(Map.of("nodeCount", 3L, "relationshipCount", 1L));
        assertThat(run(BOB, "CALL proxima.graph.project.estimate('*', 'HIDDEN')" + counts))
                .containsExactly(Map.of("nodeCount", 4L, "relationshipCount", 1L));
        // no relationship of this type starts at a node of the label
        assertThat(run(BOB, "CALL proxima.graph.project.estimate('Secret', 'HIDDEN')" + counts))
                .containsExactly(Map.of("nodeCount", 1L, "relationshipCount", 0L));
    }

    /** Each count is a scan of the store. */
    @Test
    void shouldCountADescribedGraphOnceForAnEstimateWithWeights() {
        String call = "CALL proxima.allShortestPaths.delta.stats.estimate({nodeProjection: 'Person',"
                + " relationshipProjection: {KNOWS: {properties: 'salary'}}}, {sourceNode: 0%s}) YIELD bytesMin"
                + " RETURN bytesMin";
        AtomicLong looks = new AtomicLong();
        SecurityContext ann = user("ann", counting(restricted("ann").mode(), looks), Set.of());
        run(ann, String.format(call, ""));
        long withoutWeights = looks.getAndSet(0);
        run(ann, String.format(call, ", relationshipWeightProperty: 'salary'"));
        assertThat(looks).hasValue(withoutWeights).hasPositiveValue();
    }

    @Test
    void shouldStopTheSearchForNamesThatTheCallerMayHaveMeant() {
        TestDbms.run("UNWIND range(1, 20000) AS i CREATE (:Person)-[:KNOWS]->(:Person)");
        for (String names : List.of("'Persn', '*'", "'*', 'KNWS'")) {
            AtomicLong looks = new AtomicLong();
            AtomicReference<InternalTransaction> stopped = new AtomicReference<>();
            AccessMode mode = changed(counting(restricted("ann").mode(), looks), (method, given) -> {
                if (looks.get() == 10) {
                    stopped.get().terminate(Status.Transaction.Terminated);
                }
                return null;
            });
            try (InternalTransaction transaction = begin(user("ann", mode, Set.of()))) {
                stopped.set(transaction);
                assertThatThrownBy(() -> transaction
                                .execute("CALL proxima.graph.project('g', " + names + ")")
                                .resultAsString())
                        .as(names)
                        .hasMessageContaining("The transaction has been terminated");
            }
            assertThat(looks.get()).as(names).isBetween(10L, 5000L);
        }
    }

    /** Counts the nodes and relationships whose rights are looked up. */
    private static AccessMode counting(AccessMode mode, AtomicLong looks) {
        return changed(mode, (method, given) -> {
            if (method.equals("allowsTraverseNode") || method.equals("allowsTraverseRelType")) {
                looks.incrementAndGet();
            }
            return null;
        });
    }

    @Test
    void shouldTreatANodeThatTheCallerMayNotSeeAsOneThatIsNotThere() {
        SecurityContext ann = restricted("ann");
        run(ann, PROJECT);
        TestDbms.run("CREATE (:Gone) WITH 1 AS x MATCH (n:Gone) DELETE n");
        String remedy = ". Project their labels, too, or refresh the graph if they are newer."
                + " An INTEGER is read as the id of a node, not as a property.";
        for (Object source : List.of(secretElementId, secretId)) {
            assertFails(
                    ann,
                    "CALL proxima.bfs.stream('g', {sourceNode: $source})",
                    source,
                    "sourceNode nodes do not exist in the in-memory graph: [" + secretId + "]" + remedy);
            assertFails(
                    ann,
                    "CALL proxima.distances.stream('g', {sourceNodes: [$source]})",
                    source,
                    "sourceNodes nodes do not exist in the in-memory graph: [" + secretId + "]" + remedy);
        }
        assertThat(run(ann, "RETURN proxima.util.asNode(" + secretId + ") IS NULL AS gone"))
                .containsExactly(Map.of("gone", true));
        assertThat(run(ann, "RETURN proxima.util.asNodes([" + secretId + "]) AS nodes")
                        .get(0)
                        .get("nodes"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsOnlyNulls();
    }

    /** The error is that of an id which no node has. */
    @Test
    void shouldNotLetACypherProjectionNameANodeThatTheCallerMayNotSee() {
        SecurityContext ann = restricted("ann");
        String query = "RETURN proxima.graph.project('g', $source) AS g";
        for (Object source : List.of(secretElementId, secretId, NO_NODE)) {
            long id = source.equals(NO_NODE) ? NO_NODE : secretId;
            assertFails(
                    ann,
                    query,
                    source,
                    "Nodes of the rows do not exist in the database: [" + id + "]. They were deleted, or an INTEGER was"
                            + " given that is not the id of a node.");
            assertThat(run(ann, "CALL proxima.graph.list()")).as("%s", source).isEmpty();
        }
        for (Object source : List.of(secretElementId, secretId)) {
            assertThat(run(BOB, query, Map.of("source", source)))
                    .as("%s of one who may see it", source)
                    .hasSize(1);
            run(BOB, "CALL proxima.graph.drop('g')");
        }
    }

    @Test
    void shouldShowOthersTheirOwnGraphsAndAdminsAll() {
        SecurityContext ann = restricted("ann");
        run(ann, "CALL proxima.graph.project('diary', '*', '*')");

        assertThat(run(BOB, "CALL proxima.graph.list()")).isEmpty();
        assertThat(run(BOB, "CALL proxima.memory.list()")).isEmpty();
        assertThat(run(BOB, "CALL proxima.help('bfs.stream') YIELD name")).hasSize(2);
        assertThat(run(BOB, "CALL proxima.graph.exists('diary') YIELD exists").get(0))
                .containsEntry("exists", false);
        assertThat(run(BOB, "CALL proxima.debug.sysInfo()").toString()).doesNotContainPattern("\\b(diary|ann)\\b");
        for (String call : List.of(
                "CALL proxima.graph.drop('diary')",
                "CALL proxima.closeness.stream('diary')",
                "CALL proxima.graph.drop('diary', true, '', 'ann')",
                "CALL proxima.closeness.stream('diary', {username: 'ann'})",
                "CALL proxima.graph.project('x', '*', '*', {username: 'ann'})")) {
            assertThatThrownBy(() -> run(BOB, call))
                    .as(call)
                    .rootCause()
                    .message()
                    .isIn(
                            "Graph with name `diary` does not exist on database `neo4j`. It might exist on another"
                                    + " database: `proxima.graph.list` lists your graphs.",
                            "Cannot override the username as a non-admin: `username` is `ann`. Leave it out.");
        }
        assertThat(run(BOB, "CALL proxima.graph.project('diary', 'Secret', '*')")
                        .get(0))
                .containsEntry("nodeCount", 1L);

        assertThat(run(ROOT, "CALL proxima.memory.list() YIELD user, name"))
                .containsExactlyInAnyOrder(
                        Map.of("user", "ann", "name", "diary"), Map.of("user", "bob", "name", "diary"));
        String graphs = "CALL proxima.memory.summary() YIELD user, totalGraphsMemory, totalTasksMemory"
                + " RETURN user, totalGraphsMemory > 0 AS graphs, totalTasksMemory AS tasks";
        assertThat(run(ROOT, graphs))
                .containsExactly(
                        Map.of("user", "ann", "graphs", true, "tasks", 0L),
                        Map.of("user", "bob", "graphs", true, "tasks", 0L),
                        Map.of("user", "root", "graphs", false, "tasks", 0L));
        assertThat(run(BOB, graphs)).containsExactly(Map.of("user", "bob", "graphs", true, "tasks", 0L));
        assertThat(run(ROOT, "CALL proxima.graph.list() YIELD graphName")).hasSize(2);
        assertThatThrownBy(() -> run(ROOT, "CALL proxima.closeness.stream('diary')"))
                .rootCause()
                .hasMessageContaining("[ann, bob]");
        assertThat(run(ROOT, "CALL proxima.closeness.stream('diary', {username: 'ann'})"))
                .hasSize(3);
        run(ROOT, "CALL proxima.graph.drop('diary', true, '', 'ann')");
        assertThat(run(ann, "CALL proxima.graph.list()")).isEmpty();
        assertThat(run(BOB, "CALL proxima.graph.list()")).hasSize(1);
    }

    @Test
    void shouldShowOthersTheirOwnJobsAndAdminsAll() {
        SecurityContext ann = restricted("ann");
        String all = " CALL proxima.listProgress() YIELD username RETURN DISTINCT username";
        run(ann, "CALL proxima.graph.project('g', '*', '*')");
        run(ann, "CALL proxima.closeness.stats('g', {jobId: 'done'}) YIELD computeMillis");
        assertThat(run(ann, "CALL proxima.listProgress('done')")).isNotEmpty();
        assertThat(run(BOB, "CALL proxima.listProgress('done')")).isEmpty();
        assertThat(run(ROOT, "CALL proxima.listProgress('done') YIELD status"))
                .isNotEmpty()
                .containsOnly(Map.of("status", "FINISHED"));
        try (InternalTransaction transaction = begin(ann);
                Result open = transaction.execute("MATCH (a {name: 'a'})"
                        + " CALL proxima.distances.stream('g', {sourceNodes: a, includeUnreached: true, jobId: 'mine'})"
                        + " YIELD distance RETURN distance")) {
            open.next();
            assertThat(run(BOB, all)).isEmpty();
            assertThat(run(ann, all)).containsExactly(Map.of("username", "ann"));
            assertThat(run(ROOT, all)).containsExactly(Map.of("username", "ann"));
            run(BOB, PROJECT);
            assertThat(run(BOB, "CALL proxima.closeness.stats('g', {jobId: 'mine'}) YIELD computeMillis"))
                    .as("an id that another user has in use")
                    .hasSize(1);
        }
    }

    private static void assertFails(SecurityContext user, String query, Object source, String message) {
        ThrowingCallable call = () -> run(user, query, Map.of("source", source));
        assertThatThrownBy(call)
                .as("%s with %s", query, source)
                .rootCause()
                .isInstanceOf(ProximaException.class)
                .hasMessage(message);
    }

    private SecurityContext restricted(String name) {
        AccessMode traversal = changed(AccessMode.Static.FULL, RestrictedAccess.hiding(secret, hidden));
        return user(name, without(salary, traversal), Set.of());
    }

    /** The rights of a mode, but not to a property, of which this is the id of the key. */
    static AccessMode without(int property, AccessMode mode) {
        return changed(mode, (method, given) -> switch (method) {
            case "allowsSetProperty", "allowsReadRelationshipProperty" -> (int) given[1] == property ? false : null;
            case "allowsReadPropertyAllRelTypes" -> (int) given[0] == property ? false : null;
            // what the mode FULL does of its own is a right of administrators
            default -> method.startsWith("shouldBoost") ? PermissionState.NOT_GRANTED : null;
        });
    }

    @Test
    void shouldExportWhatTheCallerSeesAndLetOnlyAdministratorsImport() throws IOException {
        SecurityContext ann = restricted("ann");
        String file = "rights.proxima";
        Files.deleteIfExists(TestDbms.exportFolder().resolve(file));
        run(ann, PROJECT);
        run(BOB, PROJECT);

        assertThat(run(ann, "CALL proxima.graph.export('g', '" + file + "')").get(0))
                .containsEntry("nodeCount", 3L)
                .containsEntry("relationshipCount", 1L);
        assertThatThrownBy(() -> run(BOB, "CALL proxima.graph.export('g', '" + file + "', {overwrite: true})"))
                .rootCause()
                .hasMessageContaining("was exported by another user")
                .hasMessageNotContaining("ann");
        assertThatThrownBy(() -> run(BOB, "CALL proxima.graph.export('g', 'x', {username: 'ann'})"))
                .rootCause()
                .hasMessageContaining("Cannot override the username as a non-admin");
        String names = "CALL proxima.file.list() YIELD fileName, user WHERE fileName = '" + file + "' RETURN user";
        assertThat(run(ann, "CALL proxima.file.list() YIELD user RETURN user"))
                .isNotEmpty()
                .allMatch(row -> row.get("user").equals("ann"));
        assertThat(run(BOB, names)).isEmpty();
        assertThat(run(ROOT, names)).containsExactly(Map.of("user", "ann"));
        assertThatThrownBy(() -> run(BOB, "CALL proxima.file.drop('" + file + "')"))
                .rootCause()
                .hasMessage(
                        "You have no file `" + file + "` on the server. Use a name that `proxima.file.list` returns.");
        for (SecurityContext user : List.of(ann, BOB)) {
            assertThatThrownBy(() -> run(user, "CALL proxima.graph.import('" + file + "', 'mine')"))
                    .isInstanceOf(AuthorizationViolationException.class)
                    .hasMessageContaining("Executing admin procedure");
        }
        AccessMode restrictedMode = ann.mode();
        assertThatThrownBy(() -> run(
                        user("eve", restrictedMode, Set.of("admin")),
                        "CALL proxima.graph.import('" + file + "', 'mine')"))
                .rootCause()
                .hasMessageContaining("Only a user who may traverse all labels and types");
        assertThat(run(ROOT, "CALL proxima.graph.import('" + file + "', 'restored', {username: 'ann'})")
                        .get(0))
                .containsEntry("nodeCount", 3L);
        assertThat(run(ann, "CALL proxima.graph.exists('restored') YIELD exists")
                        .get(0))
                .containsEntry("exists", true);
        run(ROOT, "CALL proxima.graph.export('g', '" + file + "', {overwrite: true, username: 'bob'})");
        // whoever exports a graph owns the file
        assertThat(run(BOB, names)).isEmpty();
        assertThat(run(ROOT, names)).containsExactly(Map.of("user", "root"));
        run(ROOT, "CALL proxima.file.drop('" + file + "')");
        assertThat(TestDbms.exportFolder().resolve(file)).doesNotExist();
    }

    @Test
    void shouldShowDamagedFilesToTheirOwnersAndForeignFilesToAdmins() throws IOException {
        KeptFiles files = KeptFiles.of(TestDbms.component(Config.class), Stop.NEVER);
        Files.createDirectories(files.runs());
        Files.createDirectories(files.exports());
        Owner job = new Owner("neo4j", "ann", "night");
        files.recordOwner(job);
        String damaged =
                Files.write(files.ofRun(job), new byte[100]).getFileName().toString();
        Path foreign = Files.writeString(files.exports().resolve("foreign"), "somebody else's");
        SecurityContext ann = restricted("ann");
        String states = "CALL proxima.file.list() YIELD fileName, state WHERE fileName IN ['" + damaged
                + "', 'foreign'] RETURN state ORDER BY state";
        assertThat(run(ann, states)).containsExactly(Map.of("state", "damaged"));
        assertThat(run(BOB, states)).isEmpty();
        assertThat(run(ROOT, states)).containsExactly(Map.of("state", "damaged"), Map.of("state", "foreign"));
        assertThatThrownBy(() -> run(BOB, "CALL proxima.file.drop('" + damaged + "')"))
                .rootCause()
                .hasMessageStartingWith("You have no file");
        run(ann, "CALL proxima.file.drop('" + damaged + "')");
        assertThat(run(ROOT, states)).containsExactly(Map.of("state", "foreign"));
        Files.delete(foreign);
    }
}
