/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.kernel.api.exceptions.Status;

/**
 * The table of bad calls in {@code bad-calls.txt}, each with the message that it is answered with, to the letter. What is
 * really said is written to {@code target/bad-calls.txt}; when a change is meant, that file becomes the table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadCallsTest {

    private static final String INDENT = "    ";
    private static final Set<Status> TYPED =
            Set.of(Status.Statement.ArgumentError, Status.Procedure.ProcedureCallFailed);

    private final List<String> lines = new ArrayList<>();

    /** By the call the message; the lines of a message are joined by line ends. */
    private final Map<String, String> table = new LinkedHashMap<>();

    private final Map<String, Throwable> failures = new LinkedHashMap<>();

    @BeforeAll
    void makeAllCalls() throws IOException {
        readTable();
        TestDbms.clear();
        run(ProceduresTest.DIAMONDS);
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("CALL proxima.graph.project('two', ['N', 'Alone'], ['R', 'S'])");
        List<String> actual = new ArrayList<>();
        for (String line : lines) {
            if (!line.startsWith(INDENT)) {
                actual.add(line);
            }
            if (table.containsKey(line)) {
                failures.put(line, failure(line));
                actual.addAll((INDENT + messageOf(line))
                        .lines()
                        .map(part -> part.startsWith(INDENT) ? part : INDENT + part)
                        .toList());
            }
        }
        Files.write(Path.of("target", "bad-calls.txt"), actual);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldTellExactlyWhatIsWrong(String call, String message) {
        assertThat(messageOf(call)).isEqualTo(message);
        assertThat(Status.statusCodeOf(failures.get(call))).isIn(TYPED);
    }

    @Test
    void shouldBeAskedForEveryProcedureAndFunctionWithArguments() {
        Set<String> missing = new TreeSet<>();
        for (String kind : List.of("PROCEDURES", "FUNCTIONS")) {
            for (Map<String, Object> row : run("SHOW " + kind + " YIELD name, argumentDescription AS arguments"
                    + " WHERE name STARTS WITH 'proxima.' AND size(arguments) > 0 RETURN name")) {
                String name = (String) row.get("name");
                if (table.keySet().stream().noneMatch(call -> call.contains(name + "("))) {
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
        return table.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
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

    private void readTable() throws IOException {
        try (InputStream file = BadCallsTest.class.getResourceAsStream("/bad-calls.txt")) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
        String call = null;
        for (String line : lines) {
            if (line.startsWith(INDENT)) {
                table.merge(
                        call,
                        line.substring(INDENT.length()),
                        (before, more) -> before.isEmpty() ? more : before + "\n" + more);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                call = line;
                table.put(call, "");
            }
        }
    }
}
