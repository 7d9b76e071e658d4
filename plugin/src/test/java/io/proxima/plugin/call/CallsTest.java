// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of calls in {@code calls.txt}, each with its rows. The facts are shown on a real server in it-tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallsTest {

    private final Map<String, String> answers = new HashMap<>();
    private CallTable table;

    @BeforeAll
    void makeAllCalls() throws IOException {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("CALL proxima.graph.project('two', ['N', 'Alone'], ['R', 'S'])");
        run("CALL proxima.graph.project('both', 'N', {R: {orientation: 'UNDIRECTED'}, S: {}})");
        table = CallTable.of("calls.txt", query -> {
            String rows = run(query).stream().map(Object::toString).collect(Collectors.joining("\n"));
            answers.put(query, rows);
            return rows;
        });
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldAnswer(String query, String rows) {
        assertThat(answers.get(query)).isEqualTo(rows);
    }

    Stream<Arguments> calls() {
        return table.calls();
    }
}
