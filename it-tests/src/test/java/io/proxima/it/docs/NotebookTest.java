// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.it.Cypher;
import io.proxima.it.SharedServer;
import io.proxima.it.data.Airports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The notebook of the airports: its format, and its queries in their order. Its Python is not run. */
@Tag("full")
class NotebookTest {

    private static final Path NOTEBOOK = Path.of(
                    System.getProperty("proxima.it.directory"), "../../examples/airports.ipynb")
            .normalize();

    /** A query in a cell. */
    private static final Pattern QUERY = Pattern.compile("(run|frame)\\(\"\"\"(.*?)\"\"\"", Pattern.DOTALL);

    private static final int AIRPORTS = 3503;

    private final Cypher cypher = SharedServer.cypher();

    @BeforeEach
    void clear() {
        cypher.clear();
        Airports.copyTo(SharedServer.server().home().resolve("import"));
    }

    @Test
    void shouldRunTheQueriesOfTheNotebook() throws IOException {
        JsonNode notebook = new ObjectMapper().readTree(NOTEBOOK.toFile());
        assertThat(notebook.get("nbformat").asInt()).isEqualTo(4);
        assertThat(notebook.get("metadata").get("kernelspec").get("language").asText())
                .isEqualTo("python");
        int tables = 0;
        for (String cell : cells(notebook)) {
            assertThat(cell.split("\"\"\"", -1).length % 2)
                    .as("quotes in %s", cell)
                    .isEqualTo(1);
            Matcher query = QUERY.matcher(cell);
            while (query.find()) {
                String text = query.group(2).strip();
                if (text.contains("$bytes")) {
                    assertThat(cypher.row(text, "bytes", ranks())).containsEntry("nodeCount", (long) AIRPORTS);
                } else if (query.group(1).equals("frame")) {
                    assertThat(table(text)).hasSizeGreaterThan(AIRPORTS * Long.BYTES);
                    tables++;
                } else {
                    cypher.rows(text);
                }
            }
        }
        assertThat(tables).isEqualTo(2);
        assertThat(cypher.value("MATCH (a:Airport) RETURN count(a.rank)")).isEqualTo((long) AIRPORTS);
        assertThat(cypher.rows("CALL proxima.graph.list()")).isEmpty();
    }

    private static List<String> cells(JsonNode notebook) {
        List<String> cells = new ArrayList<>();
        for (JsonNode cell : notebook.get("cells")) {
            assertThat(cell.get("cell_type").asText()).isIn("code", "markdown");
            StringBuilder source = new StringBuilder();
            cell.get("source").forEach(line -> source.append(line.asText()));
            if (cell.get("cell_type").asText().equals("code")) {
                assertThat(cell.get("outputs")).as("outputs of %s", source).isEmpty();
                cells.add(source.toString());
            }
        }
        return cells;
    }

    /** What the notebook computes in Python. */
    private byte[] ranks() {
        cypher.rows("CALL proxima.graph.project('ranks', 'Airport', '*')");
        cypher.rows("CALL proxima.wcc.mutate('ranks', {mutateProperty: 'rank'})");
        byte[] ranks = table("CALL proxima.graph.nodeProperties.arrow('ranks', 'rank', {key: 'iata'})");
        cypher.rows("CALL proxima.graph.drop('ranks')");
        return ranks;
    }

    private byte[] table(String query) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        cypher.rows(query).forEach(row -> all.writeBytes((byte[]) row.get("arrow")));
        return all.toByteArray();
    }
}
