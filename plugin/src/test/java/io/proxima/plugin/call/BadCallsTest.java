// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.kernel.api.exceptions.Status;

/**
 * The table of bad calls in {@code bad-calls.txt}, each with the message that it is answered with, to the letter. The
 * table is made by the code that it tests, so every message must also keep the rules of all messages.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadCallsTest {

    private static final Set<Status> TYPED =
            Set.of(Status.Statement.ArgumentError, Status.Procedure.ProcedureCallFailed);

    private static final Pattern PROCEDURE = Pattern.compile("(proxima\\.[\\w.]+)\\(");
    private static final Pattern LITERAL = Pattern.compile("'([^']*)'|\\d+|\\w+(?=:)");
    private static final int MOST_CHARACTERS = 2_000;
    private static final String SEVERAL = "Multiple errors in configuration arguments:";

    /** Names of classes and packages, and Java's notations of objects, arrays and maps. */
    private static final Pattern JAVA = Pattern.compile(
            "Exception|\\b(java|javax|scala|org\\.neo4j|io\\.proxima)\\.|@[0-9a-f]{5,}|\\[[JDIL]\\b|\\{\\w+=|\\b(Boolean|Byte"
                    + "|Short|Integer|Long|Float|Double|Character|String|Number|Object|Optional|Iterable|Collection"
                    + "|(Linked|Array)?List|(Linked|Hash|Tree)?Map|(Hash|Tree)?Set|[A-Z]\\w*(Entity|Value))\\b");

    /** What is allowed, or what to do. */
    private static final Pattern REMEDY = Pattern.compile(
            "(?i)\\b(must|can not be|give|leave|did you mean|a similar parameter exists|available|defined keys|existing on"
                    + " all|use|project|set|commit|can be parsed|mandatory|at most|requires|filters are|types in the rows"
                    + " are|only|is not the (elementId|id) of)\\b");

    /** The words of GDS for the same faults, which name no remedy. Its users know them. */
    private static final Pattern OF_GDS = Pattern.compile("Unexpected configuration keys?: .*"
            + "|Graphs? with names? .* do(es)? not exist on database .*"
            + "|Negative node ids are not supported for the field .*"
            + "|Invalid (node|relationship) projection, one or more (labels|relationship types) not found: .*"
            + "|Duplicate property key .*"
            + "|The key .* is given twice in .*: keys are case-insensitive\\."
            + "|Incompatible relationship projection and relationship property specification.*"
            + "|Conflicting relationship property aggregations, it is not allowed to mix .*");

    private CallTable table;
    private final Map<String, Throwable> failures = new LinkedHashMap<>();

    /** By procedure, in lower case. */
    private final Map<String, Set<String>> parameters = new TreeMap<>();

    @BeforeAll
    void makeAllCalls() throws IOException {
        readParameters();
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("CALL proxima.graph.project('two', ['N', 'Alone'], ['R', 'S'])");
        table = CallTable.of("bad-calls.txt", call -> {
            failures.put(call, failure(call));
            return messageOf(call);
        });
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldTellExactlyWhatIsWrong(String call, String message) {
        assertThat(messageOf(call)).isEqualTo(message);
        assertThat(Status.statusCodeOf(failures.get(call))).isIn(TYPED);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldNameTheFaultAndTheRemedyInTheWordsOfCypher(String call) {
        Throwable root = failures.get(call);
        while (root.getCause() != null) {
            root = root.getCause();
        }
        assertThat(root).isInstanceOf(ProximaException.class);
        String message = messageOf(call);
        assertThat(message).hasSizeBetween(1, MOST_CHARACTERS).doesNotContainPattern(JAVA);
        List<String> faults = message.lines()
                .map(String::strip)
                .filter(line -> !line.equals(SEVERAL))
                .toList();
        Set<String> names = names(call);
        assertThat(faults)
                .allMatch(fault ->
                        REMEDY.matcher(fault).find() || OF_GDS.matcher(fault).matches())
                .allMatch(
                        // of no argument, but of the query around the call
                        fault -> call.contains(" SET ") || names.stream().anyMatch(squeezed(fault)::contains),
                        "names one of " + names);
    }

    /** The names of the arguments and keys of the call's procedures, and the names, texts and numbers in the call. */
    private Set<String> names(String call) {
        Set<String> names = new TreeSet<>();
        Matcher procedure = PROCEDURE.matcher(call);
        while (procedure.find()) {
            names.addAll(parameters.getOrDefault(procedure.group(1), Set.of()));
        }
        Matcher literal = LITERAL.matcher(PROCEDURE.matcher(call).replaceAll(""));
        while (literal.find()) {
            String name = squeezed(literal.group(1) == null ? literal.group() : literal.group(1));
            names.addAll(name.length() > 1 ? Set.of(name) : Set.of("`" + name + "`", "'" + name + "'"));
        }
        return names;
    }

    /** As compared: some messages have blanks in the name of an argument, as GDS's have. */
    private static String squeezed(String text) {
        return text.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private void readParameters() {
        for (String kind : List.of("PROCEDURES", "FUNCTIONS")) {
            run("SHOW " + kind + " YIELD name, argumentDescription AS arguments WHERE name STARTS WITH 'proxima.'"
                            + " RETURN name, [argument IN arguments | argument.name] AS parameters")
                    .forEach(this::addParameters);
        }
        run("CALL proxima.help('proxima.') YIELD name, keys RETURN name, [key IN keys | key.key] AS parameters")
                .forEach(this::addParameters);
    }

    private void addParameters(Map<String, Object> row) {
        Set<String> known = parameters.computeIfAbsent((String) row.get("name"), name -> new TreeSet<>());
        ((List<?>) row.get("parameters")).forEach(parameter -> known.add(squeezed((String) parameter)));
    }

    @Test
    void shouldBeAskedForEveryProcedureAndFunctionWithArguments() {
        Set<String> missing = new TreeSet<>();
        for (String kind : List.of("PROCEDURES", "FUNCTIONS")) {
            for (Map<String, Object> row : run("SHOW " + kind + " YIELD name, argumentDescription AS arguments"
                    + " WHERE name STARTS WITH 'proxima.' AND size(arguments) > 0 RETURN name")) {
                String name = (String) row.get("name");
                if (table.queries().stream().noneMatch(call -> call.contains(name + "("))) {
                    missing.add(name);
                }
            }
        }
        // a wrong argument of these is no error: they give null
        assertThat(missing).isSubsetOf("proxima.util.asNode", "proxima.util.asNodes");
    }

    @Test
    void shouldLeaveNothingBehind() {
        assertThat(run("CALL proxima.graph.list() YIELD graphName RETURN graphName ORDER BY graphName"))
                .containsExactly(Map.of("graphName", "g"), Map.of("graphName", "two"));
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(run("MATCH (n) WHERE n.x IS NOT NULL RETURN n")).isEmpty();
    }

    Stream<Arguments> calls() {
        return table.calls();
    }

    /** What the client is told. */
    private String messageOf(String call) {
        Throwable failure = failures.get(call);
        return failure == null ? "(no failure)" : failure.getMessage();
    }

    private static Throwable failure(String call) {
        try {
            run(call);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }
}
