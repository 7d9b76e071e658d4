// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.job.JobRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.logging.NullLog;
import org.neo4j.procedure.Procedure;

/** Graphs that are replaced, refreshed or dropped while a procedure works on them. */
class ChangedGraphTest {

    private static final String GONE = "The graph `g` was dropped or replaced during the call, so ";
    private static final String LOST = GONE + "its new node properties are not kept. Repeat the call.";
    private static final String FILE = "ChangedGraphTest.csv";
    private static final String CHANGE = "MATCH (a:N {name: 'a'}) CREATE (:N)-[:R]->(a)";

    private enum Change {
        REPLACE("CALL proxima.graph.project('g', 'N', '*', {replace: true}) YIELD nodeCount AS count"),
        MERGE(CHANGE, "CALL proxima.graph.refresh('g') YIELD nodePropertiesDropped AS dropped"),
        DROP("CALL proxima.graph.drop('g') YIELD graphName AS name");

        private final String before;
        private final String query;

        Change(String query) {
            this("RETURN 0", query);
        }

        Change(String before, String query) {
            this.before = before;
            this.query = query;
        }

        List<Map<String, Object>> make() {
            run(before);
            return run(query);
        }
    }

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
    }

    static List<Arguments> mutatingProceduresAndChanges() {
        return withChanges(Stream.concat(procedures(".mutate"), Stream.of("proxima.graph.nodeProperties.load")));
    }

    static List<Arguments> writingProceduresAndChanges() {
        return withChanges(procedures(".write"));
    }

    private static List<Arguments> withChanges(Stream<String> procedures) {
        return procedures
                .flatMap(name -> Arrays.stream(Change.values()).map(change -> Arguments.of(name, change)))
                .toList();
    }

    private static Stream<String> procedures(String ending) {
        return run("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'proxima.' AND name ENDS WITH '" + ending + "'"
                        + " RETURN name")
                .stream()
                .map(row -> (String) row.get("name"));
    }

    @ParameterizedTest
    @MethodSource("mutatingProceduresAndChanges")
    void shouldFailIfTheGraphOfNewPropertiesIsGone(String procedure, Change change) throws Exception {
        Files.createDirectories(TestDbms.exportFolder());
        Object id = value("MATCH (n:N {name: 'a'}) RETURN elementId(n)");
        Files.writeString(TestDbms.exportFolder().resolve(FILE), "elementId,p\n" + id + ",2\n");
        Object[] others = procedure.endsWith(".load") ? new Object[] {FILE} : new Object[0];
        List<Map<String, Object>> changed = new ArrayList<>();
        if (change == Change.MERGE) {
            call(procedure, others, () -> changed.addAll(change.make()));
            assertThat(changed).containsExactly(Map.of("dropped", List.of()));
            assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'p') YIELD nodeId RETURN count(*)"))
                    .isEqualTo(9L);
            return;
        }
        assertThatThrownBy(() -> call(procedure, others, () -> changed.addAll(change.make())))
                .hasMessage(LOST);
        assertThat(changed).hasSize(1);
        if (change == Change.DROP) {
            assertThat(run("CALL proxima.graph.list()")).isEmpty();
        } else {
            assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN schema.nodes.N"))
                    .isEqualTo(Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("writingProceduresAndChanges")
    void shouldWriteTheResultsOfTheGraphAsItWas(String procedure, Change change) throws Exception {
        run("CALL proxima.eccentricity.mutate('g', {mutateProperty: 'p'})");
        boolean ofKept = procedure.startsWith("proxima.graph");
        Object[] others = ofKept ? new Object[] {"p", "*"} : new Object[0];
        Record row = call(procedure, others, change::make);
        String column = ofKept ? "propertiesWritten" : "nodePropertiesWritten";
        assertThat(row.getClass().getMethod(column).invoke(row))
                .isEqualTo(value("MATCH (n) RETURN count(n.p)"))
                .isNotEqualTo(0L);
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldNotDropPropertiesOfAnotherGraph(Change change) {
        run("CALL proxima.eccentricity.mutate('g', {mutateProperty: 'p'})");
        assertThatThrownBy(() -> call("proxima.graph.nodeProperties.drop", new Object[] {"p"}, change::make))
                .hasMessage(GONE + "the change of its node properties is not kept. Repeat the call.");
    }

    /** Otherwise a refresh would bring back a graph that was dropped, or remove one that its user has just made. */
    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldRefreshOnlyTheGraphThatItBeganWith(Change change) {
        run(CHANGE);
        assertThatThrownBy(() -> call("proxima.graph.refresh", new Object[0], change::make))
                .hasMessage(GONE + "the refreshed graph is not kept. Repeat the call.");
        if (change == Change.DROP) {
            assertThat(run("CALL proxima.graph.list()")).isEmpty();
        } else {
            assertThat(value("CALL proxima.graph.list('g') YIELD relationshipCount"))
                    .isEqualTo(10L);
        }
    }

    @Test
    void shouldReplaceWhateverHasTheName() throws Exception {
        for (Change change : Change.values()) {
            call("proxima.graph.project", new Object[] {"N", "S"}, change::make);
            assertThat(value("CALL proxima.graph.list('g') YIELD relationshipCount"))
                    .isEqualTo(1L);
        }
    }

    /** Its transaction has ended after the mark of the graph, so the refresh reads the node again. */
    @Test
    void shouldKeepThePropertiesOfANodeThatWasCreatedWhileTheGraphWasRead() throws Exception {
        call("proxima.graph.project", new Object[] {"N", "R"}, () -> run("CREATE (:N)"));
        assertThat(value("CALL proxima.graph.list('g') YIELD nodeCount")).isEqualTo(9L);
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'p'})");
        run(CHANGE);
        assertThat(value("CALL proxima.graph.refresh('g') YIELD mode")).isEqualTo("merged");
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'p') YIELD propertyValue"
                        + " WHERE propertyValue >= 0 RETURN count(*)"))
                .isEqualTo(9L);
    }

    /**
     * Calls a procedure on the graph, and does something while it runs.
     *
     * @param others the arguments between the name of the graph and the configuration
     * @return the one row
     */
    private static Record call(String name, Object[] others, Runnable meanwhile) throws Exception {
        Map<String, Object> configuration = new HashMap<>();
        List<String> keys = RefusedWriteTest.keys(name);
        Object node = value("MATCH (n:N {name: 'a'}) RETURN id(n)");
        for (String key : List.of("sourceNode", "sourceNodes")) {
            if (keys.contains(key)) {
                configuration.put(key, node);
            }
        }
        for (String key : List.of("mutateProperty", "writeProperty")) {
            if (keys.contains(key)) {
                configuration.put(key, "p");
            }
        }
        if (name.endsWith(".project")) {
            configuration.put("replace", true);
        }
        Method method = method(name);
        ProximaProcedure procedure =
                (ProximaProcedure) method.getDeclaringClass().getConstructor().newInstance();
        procedure.databaseService = TestDbms.database();
        procedure.log = NullLog.getInstance();
        procedure.callContext = ProcedureCallContext.EMPTY;
        procedure.securityContext = SecurityContext.AUTH_DISABLED;
        AtomicBoolean done = new AtomicBoolean();
        procedure.terminationGuard = () -> {
            // the job begins after the graph was found
            if (!JobRegistry.running("", true).isEmpty() && done.compareAndSet(false, true)) {
                meanwhile.run();
            }
        };
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            procedure.transaction = transaction;
            Object[] arguments = Stream.of(Stream.of("g"), Stream.of(others), Stream.of(configuration))
                    .flatMap(part -> part)
                    .toArray();
            return (Record)
                    ((Stream<?>) method.invoke(procedure, arguments)).findAny().orElseThrow();
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } finally {
            assertThat(done).isTrue();
        }
    }

    private static Method method(String procedure) {
        return TestDbms.procedureClasses().stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.isAnnotationPresent(Procedure.class)
                        && method.getAnnotation(Procedure.class).name().equals(procedure))
                .findAny()
                .orElseThrow();
    }
}
