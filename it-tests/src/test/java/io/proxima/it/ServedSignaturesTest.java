// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The plugin's API is its Cypher signatures and what is said of them: any change shows in the golden file
 * {@code served-signatures.txt}. What the server says is written to {@code target/served-signatures.txt}; when a change
 * is meant, that file becomes the golden one.
 */
@OnBothLines
class ServedSignaturesTest {

    private final Cypher cypher = SharedServer.cypher();

    @Test
    void shouldHaveTheSignaturesOfTheGoldenFile() throws IOException {
        StringBuilder actual = new StringBuilder();
        append(
                actual,
                "SHOW PROCEDURES YIELD name, signature, mode, description, argumentDescription, returnDescription"
                        + " WHERE name STARTS WITH 'proxima.' RETURN mode AS kind, signature, description,"
                        + " argumentDescription AS arguments, returnDescription AS columns ORDER BY name");
        append(
                actual,
                "SHOW FUNCTIONS YIELD name, signature, aggregating, description, argumentDescription"
                        + " WHERE name STARTS WITH 'proxima.'"
                        + " RETURN CASE aggregating WHEN true THEN 'AGGREGATION' ELSE 'FUNCTION' END AS kind,"
                        + " signature, description, argumentDescription AS arguments, [] AS columns ORDER BY name");
        Path written = Path.of(System.getProperty("proxima.it.directory"), "served-signatures.txt");
        Files.writeString(written, actual);
        try (InputStream golden = ServedSignaturesTest.class.getResourceAsStream("/served-signatures.txt")) {
            assertThat(actual.toString())
                    .as("signatures, as written to %s", written)
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldNeedNoSecuritySetting() throws IOException {
        List<String> configuration =
                Files.readAllLines(SharedServer.server().home().resolve("conf/neo4j.conf"));
        assertThat(configuration).isNotEmpty().noneMatch(line -> line.startsWith("dbms.security"));
        // a sandboxed procedure is listed but fails when called
        assertThat(cypher.rows("CALL proxima.backend.list() YIELD name")).isNotEmpty();
        assertThat(cypher.rows("CALL proxima.version()")).hasSize(1);
        assertThat(SharedServer.server().debugLog()).doesNotContain("is sandboxed");
    }

    private void append(StringBuilder text, String query) {
        cypher.rows(query).forEach(row -> {
            text.append(row.get("kind"))
                    .append(' ')
                    .append(row.get("signature"))
                    .append("\n    ")
                    .append(row.get("description"))
                    .append('\n');
            append(text, "argument ", row.get("arguments"));
            append(text, "column ", row.get("columns"));
        });
    }

    private static void append(StringBuilder text, String kind, Object fields) {
        for (Object field : (List<?>) fields) {
            Map<?, ?> described = (Map<?, ?>) field;
            text.append("    ")
                    .append(kind)
                    .append(described.get("name"))
                    .append(": ")
                    .append(described.get("description"))
                    .append('\n');
        }
    }
}
