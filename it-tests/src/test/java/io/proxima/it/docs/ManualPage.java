// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the manual as something to run. These blocks of AsciiDoc count:
 *
 * <ul>
 *   <li>{@code [source,cypher,role=setup]}: statements, each but the last ended by a semicolon at the end of its line;
 *   <li>{@code [source,cypher,role=query]}: one statement, followed by a table {@code [role=result]} whose first line
 *       names the columns. The rows are compared in order if the query says ORDER BY, as a bag otherwise; see
 *       {@link ResultCell} for the cells. A table {@code [role=result,when=no-gpu]} is compared on a server without a
 *       GPU only; on others the query is run and the columns are compared;
 *   <li>a table {@code [role=signature,procedure=name]}: the first column lists the columns of the procedure, in order,
 *       a second one headed Type their types. Several procedures with the same columns are separated by blanks.
 * </ul>
 *
 * A block of Cypher with neither role is an error: every example of the manual is run. {@link ManualTest} reads the
 * blocks that show how a procedure is called.
 */
public final class ManualPage {

    private static final Pattern ATTRIBUTES = Pattern.compile("\\[(.*)]");
    private static final Pattern ATTRIBUTE = Pattern.compile("(?:(\\w+)=)?(\"[^\"]*\"|[^,\"]+)");
    private static final Pattern ORDERED = Pattern.compile("\\border\\s+by\\b", Pattern.CASE_INSENSITIVE);

    private final String name;
    private final List<String> lines;
    private int at;

    /**
     * A page.
     *
     * @param name for messages
     * @param text the whole page
     */
    public ManualPage(String name, String text) {
        this.name = name;
        this.lines = text.lines().toList();
    }

    /** Runs the page on the emptied database; an {@link AssertionError} names the line that is not true. */
    public void run(Cypher cypher) {
        cypher.clear();
        String query = null;
        int queryLine = 0;
        for (at = 0; at < lines.size(); at++) {
            Matcher matcher = ATTRIBUTES.matcher(lines.get(at).strip());
            if (!matcher.matches()) {
                continue;
            }
            Map<String, String> attributes = attributes(matcher.group(1));
            String role = attributes.getOrDefault("role", "");
            if (attributes.containsKey("source") && attributes.containsKey("cypher")) {
                assertThat(query)
                        .as("%s:%s: no result table follows this query", name, queryLine)
                        .isNull();
                int line = at + 1;
                String block = block("----");
                switch (role) {
                    case "setup" -> setUp(cypher, block, line);
                    case "query" -> {
                        query = block;
                        queryLine = line;
                    }
                    default ->
                        throw new AssertionError(name + ":" + line
                                + ": a block of Cypher has role=setup or role=query, but this has '" + role + "'");
                }
            } else if (role.equals("result")) {
                assertThat(query)
                        .as("%s:%s: no query comes before this result", name, at + 1)
                        .isNotNull();
                boolean otherRows = "no-gpu".equals(attributes.get("when"))
                        && Backends.names(cypher).contains("cuda");
                compare(cypher, query, queryLine, table(), otherRows);
                query = null;
            } else if (role.equals("signature")) {
                int line = at + 1;
                List<List<String>> table = table();
                for (String procedure : attributes.getOrDefault("procedure", "").split("\\s+", -1)) {
                    checkSignature(cypher, procedure, line, table);
                }
            }
        }
        assertThat(query)
                .as("%s:%s: no result table follows this query", name, queryLine)
                .isNull();
    }

    /** Runs the setup blocks before the first query, on the database as it is. */
    public void setUp(Cypher cypher) {
        for (at = 0; !lines.get(at).contains("role=query"); at++) {
            if (lines.get(at).contains("role=setup")) {
                int line = at + 1;
                setUp(cypher, block("----"), line);
            }
        }
    }

    private void setUp(Cypher cypher, String block, int line) {
        for (String statement : block.split(";\\s*(\\n|$)", -1)) {
            if (!statement.isBlank()) {
                rows(cypher, statement, line);
            }
        }
    }

    private void compare(Cypher cypher, String query, int line, List<List<String>> table, boolean otherRows) {
        List<Map<String, Object>> actual = new ArrayList<>(rows(cypher, query, line));
        List<String> columns = table.get(0);
        List<List<String>> expected = table.subList(1, table.size());
        String difference = name + ":" + line + ": expected " + expected + "\nbut the rows are " + actual;
        if (otherRows) {
            actual.forEach(
                    row -> assertThat(List.copyOf(row.keySet())).as(difference).isEqualTo(columns));
            return;
        }
        assertThat(actual).as(difference).hasSameSizeAs(expected);
        boolean ordered = ORDERED.matcher(query).find();
        for (List<String> row : expected) {
            int match = -1;
            for (int i = 0; match < 0 && i < (ordered ? 1 : actual.size()); i++) {
                if (matches(columns, row, actual.get(i), difference)) {
                    match = i;
                }
            }
            assertThat(match).as("%s\nno row is like %s", difference, row).isNotNegative();
            actual.remove(match);
        }
    }

    private static boolean matches(
            List<String> columns, List<String> expected, Map<String, Object> actual, String difference) {
        assertThat(List.copyOf(actual.keySet())).as(difference).isEqualTo(columns);
        for (int column = 0; column < columns.size(); column++) {
            if (!new ResultCell(expected.get(column)).matches(actual.get(columns.get(column)))) {
                return false;
            }
        }
        return true;
    }

    private void checkSignature(Cypher cypher, String procedure, int line, List<List<String>> table) {
        boolean typed = table.get(0).size() > 1 && table.get(0).get(1).equals("Type");
        List<List<String>> documented = table.subList(1, table.size()).stream()
                .map(row -> row.subList(0, typed ? 2 : 1).stream()
                        .map(cell -> cell.replace("`", "").replace(" or ", " | "))
                        .toList())
                .toList();
        List<Map<String, Object>> procedures = cypher.rows(
                "SHOW PROCEDURES YIELD name, returnDescription WHERE name = $name RETURN returnDescription AS columns",
                "name",
                procedure);
        assertThat(procedures)
                .as("%s:%s: the procedure %s", name, line, procedure)
                .hasSize(1);
        List<List<String>> real = new ArrayList<>();
        for (Object column : (List<?>) procedures.get(0).get("columns")) {
            Map<?, ?> of = (Map<?, ?>) column;
            real.add(
                    typed
                            ? List.of((String) of.get("name"), (String) of.get("type"))
                            : List.of((String) of.get("name")));
        }
        assertThat(documented)
                .as("%s:%s: the columns of %s", name, line, procedure)
                .isEqualTo(real);
    }

    /** The procedures whose signature tables are on the page. */
    Set<String> signatures() {
        Set<String> procedures = new TreeSet<>();
        for (String line : lines) {
            Matcher matcher = ATTRIBUTES.matcher(line.strip());
            if (matcher.matches()) {
                Map<String, String> attributes = attributes(matcher.group(1));
                if ("signature".equals(attributes.get("role"))) {
                    procedures.addAll(List.of(attributes.get("procedure").split("\\s+", -1)));
                }
            }
        }
        return procedures;
    }

    private List<Map<String, Object>> rows(Cypher cypher, String statement, int line) {
        try {
            return cypher.rows(statement);
        } catch (RuntimeException e) {
            throw new AssertionError(name + ":" + line + ": " + e.getMessage(), e);
        }
    }

    /** The lines between the next two delimiters. */
    private String block(String delimiter) {
        int start = at + 1;
        while (!lines.get(start).strip().equals(delimiter)) {
            start++;
        }
        int end = start + 1;
        while (!lines.get(end).strip().equals(delimiter)) {
            end++;
        }
        at = end;
        return String.join("\n", lines.subList(start + 1, end));
    }

    /** The next table: as many cells a row as its first line has. */
    private List<List<String>> table() {
        int line = at + 1;
        List<String> cells = new ArrayList<>();
        int columns = 0;
        for (String row : block("|===").lines().toList()) {
            String text = row.strip();
            if (!text.isEmpty()) {
                List<String> parts = new ArrayList<>();
                for (String cell : text.split("(?<!\\\\)\\|", -1)) {
                    parts.add(cell.strip().replace("\\|", "|"));
                }
                assertThat(parts.remove(0))
                        .as("%s:%s: each line of a table begins with a bar", name, line)
                        .isEmpty();
                cells.addAll(parts);
                columns = columns == 0 ? parts.size() : columns;
            }
        }
        List<List<String>> rows = new ArrayList<>();
        for (int cell = 0; cell < cells.size(); cell += columns) {
            rows.add(cells.subList(cell, cell + columns));
        }
        return rows;
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new HashMap<>();
        Matcher matcher = ATTRIBUTE.matcher(text);
        while (matcher.find()) {
            String value = matcher.group(2).replace("\"", "").strip();
            attributes.put(matcher.group(1) == null ? value : matcher.group(1), value);
        }
        return attributes;
    }
}
