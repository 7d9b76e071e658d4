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
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.graphs.Airports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;

/** The examples of the README run as they stand, one after the other, on the airports of the demo. */
@OnBothLines
class ReadmeTest {

    private static final Pattern CYPHER_BLOCK = Pattern.compile("```cypher\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("proxima\\.[A-Za-z.]+");

    private final Cypher cypher = SharedServer.cypher();

    @Test
    void shouldRunEveryExample() throws IOException {
        cypher.clear();
        try (Session session = cypher.driver().session()) {
            Airports.read().loadInto(session);
        }
        List<String> statements = statements();
        assertThat(statements).hasSizeGreaterThan(15);
        for (String statement : statements) {
            boolean mayBeEmpty = statement.contains("listProgress");
            assertThat(cypher.rows(statement).isEmpty() && !mayBeEmpty)
                    .as("no row from %s", statement)
                    .isFalse();
        }
    }

    @Test
    void shouldShowEveryProcedureAndAnEstimate() throws IOException {
        // what needs a GPU is shown in a comment
        String examples = block();
        List<Object> procedures = cypher
                .rows("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'proxima.'"
                        + " AND NOT name ENDS WITH '.estimate' RETURN name")
                .stream()
                .map(row -> row.get("name"))
                .toList();
        List<String> shown = CALL.matcher(examples)
                .results()
                .map(result -> result.group())
                .distinct()
                .toList();
        assertThat(shown)
                .containsAll(procedures.stream().map(String::valueOf).toList())
                .contains("proxima.closeness.write.estimate");
    }

    private static List<String> statements() throws IOException {
        String text = block().replaceAll("(?m)^//.*$", "");
        return Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private static String block() throws IOException {
        Path readme = Path.of(System.getProperty("proxima.it.directory"), "../../README.md");
        Matcher block = CYPHER_BLOCK.matcher(Files.readString(readme, StandardCharsets.UTF_8));
        assertThat(block.find()).as("a cypher block in README.md").isTrue();
        return block.group(1);
    }
}
