// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.Unchecked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;

/**
 * The scripts in {@code examples} print what the file beside them says, as cypher-shell's plain format has it. What
 * they print is also written to {@code target/example-outputs}; when a change is meant, that file becomes the expected
 * one.
 */
@OnBothLines
class ExampleAnalysisTest {

    private static final Path IT = Path.of(System.getProperty("proxima.it.directory"));

    private final Cypher cypher = SharedServer.cypher();

    static List<Path> examples() throws IOException {
        try (Stream<Path> folders = Files.list(IT.resolve("../../examples").normalize())) {
            return folders.filter(Files::isDirectory).sorted().toList();
        }
    }

    @Test
    void shouldHaveAnExample() throws IOException {
        assertThat(examples()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldPrintWhatItSays(Path example) throws IOException {
        cypher.clear();
        Path imports = SharedServer.server().home().resolve("import");
        for (Path table : Unchecked.list(example)) {
            if (table.toString().endsWith(".csv")) {
                Files.copy(table, imports.resolve(table.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        String output = run(Files.readString(example.resolve("analysis.cypher")));
        Path written = Files.createDirectories(IT.resolve("example-outputs")).resolve(example.getFileName() + ".txt");
        Files.writeString(written, output);
        assertThat(output)
                .as("the output of %s, as written to %s", example, written)
                .isEqualTo(Files.readString(example.resolve("output.txt")));
        assertThat(cypher.rows("CALL proxima.graph.list()")).as("graphs left").isEmpty();
    }

    private String run(String script) {
        StringBuilder output = new StringBuilder();
        try (Session session = cypher.driver().session()) {
            for (String statement : script.replaceAll("(?m)^//.*$", "").split(";\\s*(\\n|$)", -1)) {
                if (!statement.isBlank()) {
                    print(session.run(statement), output);
                }
            }
        }
        return output.toString();
    }

    private static void print(Result result, StringBuilder output) {
        if (!result.keys().isEmpty()) {
            output.append(String.join(", ", result.keys())).append('\n');
        }
        result.forEachRemaining(
                row -> output.append(row.values().stream().map(Object::toString).collect(Collectors.joining(", ")))
                        .append('\n'));
    }
}
