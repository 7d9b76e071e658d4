// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.proxima.backend.Operation;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.write.WrittenValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.TokenSet;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/**
 * Every procedure that writes, called by those who cannot write: it must refuse the call before it computes anything,
 * and create no property key. The procedures are those of SHOW PROCEDURES, with the mandatory keys that proxima.help
 * names.
 */
class RefusedWriteTest {

    private static final String OF_KEPT_PROPERTIES = "proxima.graph.nodeProperties.write";
    private static final String GRAPH = "g";

    /** A key that exists in the database. */
    private static final String KNOWN = "known";

    static final SecurityContext ADMIN = user(AccessMode.Static.FULL);

    private static long source;

    @BeforeAll
    static void createGraph() {
        TestDbms.createDiamonds();
        run("CREATE (n {known: 0}) DELETE n");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("CALL proxima.eccentricity.mutate('g', {mutateProperty: 'kept'})");
        source = (Long) TestDbms.value("MATCH (n:N {name: 'a'}) RETURN id(n)");
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    static List<String> procedures() {
        return run("SHOW PROCEDURES YIELD name, mode WHERE name STARTS WITH 'proxima.' AND mode = 'WRITE' RETURN name")
                .stream()
                .map(row -> (String) row.get("name"))
                .toList();
    }

    /** So that the other tests cannot pass because their calls are wrong. */
    @ParameterizedTest
    @MethodSource("procedures")
    void shouldComputeAndWriteForOneWhoMay(String procedure) {
        String property = newName() + "`'\"{}\\";
        String job = newName();
        call(ADMIN, procedure, property, Map.of("jobId", job));
        assertThat(tasks(job)).hasSizeGreaterThan(procedure.equals(OF_KEPT_PROPERTIES) ? 0 : 1);
        assertThat(holders(property)).isPositive();
        assertThat(propertyKeys()).contains(property);
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldRefuseBeforeItComputesOnAReadOnlyDatabase(String procedure) {
        setReadOnly(Set.of("neo4j"));
        try {
            assertRefused(ADMIN, procedure, KNOWN, Map.of(), "read-only");
            assertRefused(ADMIN, procedure, newName(), Map.of(), "read-only");
        } finally {
            setReadOnly(Set.of());
        }
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldRefuseBeforeItComputesForAUserWhoMayOnlyRead(String procedure) {
        assertRefused(user(AccessMode.Static.READ), procedure, KNOWN, Map.of(), "not allowed");
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldRefuseBeforeItComputesForAUserWhoMayNotCreateTheName(String procedure) {
        String property = newName();
        SecurityContext writer = user(AccessMode.Static.WRITE);
        assertRefused(writer, procedure, property, Map.of(), "property name");
        secondProperties(procedure)
                .forEach(second -> assertRefused(writer, procedure, KNOWN, Map.of(second, property), "property name"));
        call(writer, procedure, KNOWN, Map.of());
    }

    @ParameterizedTest
    @MethodSource("procedures")
    void shouldRefuseBeforeItComputesForAUserWhoMayNotSetTheProperty(String procedure) {
        run("CREATE (n {salary: 0}) DELETE n");
        SecurityContext ann = user(withoutSetting("salary"));
        assertRefused(ann, procedure, "salary", Map.of(), "salary");
        secondProperties(procedure)
                .forEach(second -> assertRefused(ann, procedure, KNOWN, Map.of(second, "salary"), "salary"));
        call(ann, procedure, KNOWN, Map.of());
    }

    /** Distances, ids and scores are the same for several nodes; costs, lists and kept values need not be. */
    @Test
    void shouldRefuseBeforeItComputesWhereAConstraintForbidsEqualResults() {
        underConstraint("N", "n.unique", procedure -> {
            if (List.of(OF_KEPT_PROPERTIES, "proxima.distances.write", "proxima.allShortestPaths.delta.write")
                    .contains(procedure)) {
                assertThat(catchThrowable(() -> call(ADMIN, procedure, "unique", Map.of())))
                        .as(procedure)
                        .hasStackTraceContaining("properties were committed before a batch was rolled back");
            } else {
                assertRefused(ADMIN, procedure, "unique", Map.of(), "several nodes can have the same result");
                secondProperties(procedure)
                        .forEach(second -> assertRefused(
                                ADMIN,
                                procedure,
                                KNOWN,
                                Map.of(second, "unique"),
                                "several nodes can have the same result"));
            }
        });
        for (String[] other :
                new String[][] {{"Alone", "n.unique"}, {"Other", "n.unique"}, {"N", "n.unique, n.name"}}) {
            underConstraint(
                    other[0], other[1], procedure -> assertThatCode(() -> call(ADMIN, procedure, "unique", Map.of()))
                            .as(procedure)
                            .doesNotThrowAnyException());
        }
    }

    /** Checks each procedure, and removes what it has written. */
    private static void underConstraint(String label, String properties, Consumer<String> check) {
        constrain(label, properties);
        try {
            for (String procedure : procedures()) {
                check.accept(procedure);
                run("MATCH (n) REMOVE n.unique");
            }
        } finally {
            run("DROP CONSTRAINT constrained");
            run("MATCH (n) REMOVE n.unique");
        }
    }

    private static void constrain(String label, String properties) {
        run("CREATE CONSTRAINT constrained FOR (n:" + label + ") REQUIRE (" + properties + ") IS UNIQUE");
    }

    /** Only the nodes to be written count, for rights and for constraints. */
    @Test
    void shouldWriteWhereOnlyOtherNodesOfTheGraphForbidIt() {
        run("CALL proxima.graph.project('h', ['N', 'Alone'], 'R')");
        run("CALL proxima.eccentricity.mutate('h', {mutateProperty: 'kept'})");
        run("MATCH (n) REMOVE n.known");
        constrain("N", "n.known");
        try {
            AccessMode ofAlone = changed(AccessMode.Static.FULL, (method, given) -> switch (method) {
                case "allowsSetProperty" -> ((TokenSet) ((Supplier<?>) given[0]).get()).contains(label("Alone"));
                default -> method.startsWith("shouldBoost") ? PermissionState.NOT_GRANTED : null;
            });
            for (String call : List.of(
                    "MATCH (n:Alone) CALL proxima.closeness.write('h', {targetNodes: n, writeProperty: 'known'})"
                            + " YIELD nodePropertiesWritten AS count RETURN count",
                    "CALL proxima.graph.nodeProperties.write('h', {kept: 'known'}, 'Alone')"
                            + " YIELD propertiesWritten AS count RETURN count")) {
                assertThat(TestUsers.run(user(ofAlone), call)).as(call).containsExactly(Map.of("count", 1L));
            }
        } finally {
            run("DROP CONSTRAINT constrained");
            run("CALL proxima.graph.drop('h')");
            run("MATCH (n) REMOVE n.known");
        }
    }

    private static int label(String name) {
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            return transaction.kernelTransaction().tokenRead().nodeLabel(name);
        }
    }

    /** Neo4j has no names that are empty or have a null character. */
    @ParameterizedTest
    @MethodSource("procedures")
    void shouldRefuseBeforeItComputesWhereTheNameIsNotOneOfNeo4j(String procedure) {
        for (String name : List.of("", "a\u0000b")) {
            assertRefused(ADMIN, procedure, name, Map.of(), "propert");
        }
        secondProperties(procedure)
                .forEach(second -> assertRefused(ADMIN, procedure, KNOWN, Map.of(second, "a\u0000b"), "propert"));
    }

    static final List<Map<String, Object>> FAULTS = List.of(
            Map.of("colour", "red"),
            Map.of("concurrency", 0),
            Map.of("writeConcurrency", 0),
            Map.of("username", "bob"),
            Map.of("jobId", 7));

    @ParameterizedTest
    @FieldSource("FAULTS")
    void shouldCreateNoKeyWhereTheCallIsRefusedForItsConfiguration(Map<String, Object> fault) {
        for (String procedure : procedures()) {
            assertCreatesNothing(procedure, property -> call(ADMIN, procedure, property, fault));
        }
    }

    @Test
    void shouldCreateNoKeyWhereTheCallIsRefusedForItsGraphOrItsNodesOrItsTransaction() {
        for (String procedure : procedures()) {
            assertCreatesNothing(
                    procedure, property -> call(ADMIN, "nope", procedure, property, Map.of("jobId", newName())));
            List<String> keys = keys(procedure);
            for (String key : List.of("nodeLabels", "relationshipTypes")) {
                if (keys.contains(key)) {
                    assertCreatesNothing(
                            procedure, property -> call(ADMIN, procedure, property, Map.of(key, List.of("Nope"))));
                }
            }
            for (String key : List.of("sourceNode", "sourceNodes", "targetNodes", "targetNodeFilter")) {
                if (keys.contains(key)) {
                    assertCreatesNothing(
                            procedure, property -> call(ADMIN, procedure, property, Map.of(key, 999_999L)));
                }
            }
            assertCreatesNothing(procedure, property -> {
                try (InternalTransaction transaction = TestUsers.begin(ADMIN)) {
                    transaction
                            .execute("MATCH (n:N {name: 'a'}) SET n.name = 'a'")
                            .close();
                    execute(transaction, GRAPH, procedure, property, Map.of());
                }
            });
        }
    }

    private static void assertCreatesNothing(String procedure, Consumer<String> call) {
        String property = newName();
        assertThat(catchThrowable(() -> call.accept(property)))
                .as(procedure)
                .hasRootCauseInstanceOf(ProximaException.class);
        assertThat(propertyKeys()).as(procedure).doesNotContain(property);
    }

    private static void assertRefused(
            SecurityContext user, String procedure, String property, Map<String, Object> keys, String word) {
        Set<String> before = propertyKeys();
        String job = newName();
        Map<String, Object> configuration = new HashMap<>(keys);
        configuration.put("jobId", job);
        ThrowingCallable call = () -> call(user, procedure, property, configuration);
        Throwable failure = catchThrowable(call);
        String what = procedure + " of " + property + " with " + keys;
        assertThat(failure).as(what).isNotNull();
        List<String> messages = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.add(String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT));
        }
        assertThat(Status.statusCodeOf(failure))
                .as("status of the refused %s, which said %s", what, messages)
                .isNotNull()
                .extracting(status -> status.code().classification())
                .isEqualTo(Status.Classification.ClientError);
        assertThat(messages).as(what).anyMatch(message -> message.contains(word));
        assertThat(tasks(job))
                .as("tasks of the refused %s, which said %s", what, messages)
                .isEmpty();
        assertThat(propertyKeys()).as("keys after the refused %s", what).isEqualTo(before);
    }

    /** The tasks of a job that have begun. */
    private static List<Object> tasks(String job) {
        return TestUsers.run(
                        TestUsers.admin("root"),
                        "CALL proxima.listProgress($job) YIELD taskName, status WHERE taskName STARTS WITH ' '"
                                + " AND status <> 'PENDING' RETURN taskName",
                        Map.of("job", job))
                .stream()
                .map(row -> row.get("taskName"))
                .toList();
    }

    private static Set<String> propertyKeys() {
        Set<String> keys = new TreeSet<>();
        run("CALL db.propertyKeys()").forEach(row -> keys.add((String) row.get("propertyKey")));
        return keys;
    }

    static long holders(String property) {
        return (Long)
                run("MATCH (n) WHERE n[$property] IS NOT NULL RETURN count(n) AS count", Map.of("property", property))
                        .get(0)
                        .get("count");
    }

    static void call(SecurityContext user, String procedure, String property, Map<String, Object> configuration) {
        call(user, GRAPH, procedure, property, configuration);
    }

    static InternalTransaction begin() {
        return TestUsers.begin(ADMIN);
    }

    private static void call(
            SecurityContext user, String graph, String procedure, String property, Map<String, Object> configuration) {
        try (InternalTransaction transaction = TestUsers.begin(user)) {
            execute(transaction, graph, procedure, property, configuration);
            transaction.commit();
        }
    }

    static void execute(
            Transaction transaction,
            String graph,
            String procedure,
            String property,
            Map<String, Object> configuration) {
        Map<String, Object> all = new HashMap<>();
        if (keys(procedure).contains("sourceNode")) {
            all.put("sourceNode", source);
        }
        if (keys(procedure).contains("sourceNodes")) {
            all.put("sourceNodes", source);
        }
        String arguments = "($graph, $configuration)";
        if (procedure.equals(OF_KEPT_PROPERTIES)) {
            arguments = "($graph, {kept: $property}, '*', $configuration)";
        } else {
            all.put("writeProperty", property);
        }
        all.putAll(configuration);
        transaction
                .execute(
                        "CALL " + procedure + arguments,
                        Map.of("graph", graph, "property", property, "configuration", all))
                .resultAsString();
    }

    static List<String> keys(String procedure) {
        List<String> keys = new ArrayList<>();
        run(
                        "CALL proxima.help($name) YIELD name, keys WHERE name = $name UNWIND keys AS key RETURN key.key AS key",
                        Map.of("name", procedure))
                .forEach(row -> keys.add((String) row.get("key")));
        assertThat(keys).as(procedure).isNotEmpty();
        return keys;
    }

    /** The keys that name a property beside {@code writeProperty}. */
    private static List<String> secondProperties(String procedure) {
        return keys(procedure).stream()
                .filter(key -> key.endsWith("Property"))
                .filter(key -> !key.equals("writeProperty") && !key.equals("relationshipWeightProperty"))
                .toList();
    }

    /** The Community edition has no constraint of types, by which a call of both types could be tried. */
    @Test
    void shouldKnowThatTheSecondPropertyHasIdsEvenIfTheFirstHasCosts() {
        Algorithm<Object> search = new Algorithm<>() {
            @Override
            public Traits traits() {
                return new Traits("Nearest", Operation.SHORTEST_PATHS, WrittenValues.SHARED_FLOATS);
            }

            @Override
            public CallPlan plan(CallSize size) {
                throw new UnsupportedOperationException();
            }

            @Override
            public RunResult<Object> run(GraphRun run, CallPlan plan) {
                throw new UnsupportedOperationException();
            }

            @Override
            public String secondProperty() {
                return "source";
            }
        };
        assertThat(new Call.Given<>(search, "cost", 1, null).written())
                .containsExactly(
                        Map.entry("cost", WrittenValues.SHARED_FLOATS),
                        Map.entry("source", WrittenValues.SHARED_INTEGERS));
    }

    static String newName() {
        return "new" + UUID.randomUUID();
    }

    private static void setReadOnly(Set<String> databases) {
        TestDbms.component(Config.class).setDynamic(GraphDatabaseSettings.read_only_databases, databases, "test");
    }

    private static SecurityContext user(AccessMode mode) {
        return TestUsers.user("", mode, Set.of());
    }

    private static AccessMode withoutSetting(String property) {
        int key;
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            key = transaction.kernelTransaction().tokenRead().propertyKey(property);
        }
        return RestrictedUserTest.without(key, AccessMode.Static.FULL);
    }
}
