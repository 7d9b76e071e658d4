// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of the README runs as it stands on an empty database, and its links lead to files. */
@OnBothLines
class ReadmeTest {

    private static final Pattern EXAMPLE =
            Pattern.compile("```cypher\\n(.*?)```\\n((?:\\|[^\\n]*\\n)+)", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)");

    private final Path readme = Path.of(System.getProperty("proxima.it.directory"), "../../README.md")
            .normalize();

    @Test
    void shouldReturnTheRowsThatItShows() throws IOException {
        Cypher cypher = SharedServer.cypher();
        cypher.clear();
        List<MatchResult> examples =
                EXAMPLE.matcher(Files.readString(readme)).results().toList();
        assertThat(examples).hasSize(1);
        String[] statements = examples.get(0).group(1).split(";\\s*\\n", -1);
        List<Map<String, Object>> rows = List.of();
        for (String statement : statements) {
            rows = cypher.rows(statement);
        }
        List<List<String>> shown = examples.get(0)
                .group(2)
                .lines()
                .map(line -> Arrays.stream(line.split("\\|", -1))
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty())
                        .toList())
                .toList();
        assertThat(rows.get(0).keySet()).containsExactlyElementsOf(shown.get(0));
        assertThat(rows.stream()
                        .map(row -> row.values().stream().map(String::valueOf).toList()))
                .containsExactlyElementsOf(shown.subList(2, shown.size()));
    }

    @Test
    void shouldLeadToFilesThatExist() throws IOException {
        List<String> links = LINK.matcher(Files.readString(readme))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.startsWith("http") && !link.equals("../../releases"))
                .toList();
        assertThat(links).hasSizeGreaterThan(5).allSatisfy(link -> assertThat(readme.resolveSibling(link))
                .exists());
    }
}
