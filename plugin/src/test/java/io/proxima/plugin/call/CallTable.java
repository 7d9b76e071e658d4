// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A table of calls in a resource: a query a line, and its answer indented below. The actual answers are written to the
 * folder {@code target}; after an intended change, that file becomes the table.
 */
final class CallTable {

    private static final String INDENT = "    ";

    /** The answer of each query, its lines joined by line ends. */
    private final Map<String, String> answers = new LinkedHashMap<>();

    private CallTable() {}

    /**
     * Reads a table, and makes all of its calls.
     *
     * @param call returns the answer of a query
     */
    static CallTable of(String name, UnaryOperator<String> call) throws IOException {
        CallTable table = new CallTable();
        List<String> actual = new ArrayList<>();
        String query = null;
        for (String line : Files.readAllLines(Path.of("src/test/resources", name))) {
            if (line.startsWith(INDENT)) {
                table.answers.merge(
                        query,
                        line.substring(INDENT.length()),
                        (before, more) -> before.isEmpty() ? more : before + "\n" + more);
                continue;
            }
            actual.add(line);
            if (!line.isBlank() && !line.startsWith("#")) {
                query = line;
                table.answers.put(query, "");
                call.apply(query).lines().forEach(part -> actual.add(part.startsWith(INDENT) ? part : INDENT + part));
            }
        }
        Files.write(Path.of("target", name), actual);
        return table;
    }

    /** All queries. */
    Set<String> queries() {
        return answers.keySet();
    }

    /** The queries with their answers. */
    Stream<Arguments> calls() {
        return answers.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }
}
