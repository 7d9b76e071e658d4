// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.UserAggregationFunction;

/**
 * What {@code proxima.help} says is what the code of the calls reads, and the tables and descriptions that are written
 * by hand say the same.
 */
class HelpTest {

    private static final Path MANUAL = Path.of("..", "docs", "modules", "ROOT", "pages");

    /** The modes whose names are a key's only ones, as the manual shows them. */
    private static final Pattern ONLY = Pattern.compile("Only `(\\w+)`(?:, `(\\w+)`)?(?: and `(\\w+)`)?\\. ");

    private static final Pattern TABLE = Pattern.compile(
            "\\[role=(keys|some-keys),of=\"([^\"]+)\",argument=(\\w+),[^]]*]\\R\\|===\\R(.*?)\\R\\|===",
            Pattern.DOTALL);

    /** By type, name and argument the keys with type, default and meaning. */
    private static final Map<String, Map<String, Map<String, String>>> KEYS = new LinkedHashMap<>();

    @BeforeAll
    static void readHelp() {
        for (Map<String, Object> row : run("CALL proxima.help('proxima.')")) {
            for (Object element : (List<?>) row.get("keys")) {
                Map<String, String> key = new TreeMap<>();
                ((Map<?, ?>) element).forEach((name, value) -> key.put((String) name, (String) value));
                KEYS.computeIfAbsent(
                                row.get("type") + " " + row.get("name") + " " + key.get("argument"),
                                call -> new LinkedHashMap<>())
                        .put(key.get("key"), key);
            }
        }
    }

    @Test
    void shouldDescribeEveryProcedureAndFunction() {
        List<Map<String, Object>> listed = shown();
        listed.forEach(row -> row.keySet().removeAll(List.of("arguments", "fields")));
        assertThat(run("CALL proxima.help('proxima.') YIELD type, name, signature, description"))
                .containsExactlyInAnyOrderElementsOf(listed)
                .hasSizeGreaterThan(40);
        assertThat(run("CALL proxima.list()")).containsExactlyInAnyOrderElementsOf(listed);
    }

    /** Neo4j does not run them on several threads of the parallel runtime, and aggregation functions never. */
    @Test
    void shouldMarkAllAsNotThreadSafe() {
        for (Map<String, Object> row : shown()) {
            boolean isFunction = row.get("type").equals("function");
            Method method = Declared.of((String) row.get("name"), isFunction).method();
            assertThat(method.isAnnotationPresent(NotThreadSafe.class)
                            || method.isAnnotationPresent(UserAggregationFunction.class))
                    .as("%s", row.get("name"))
                    .isTrue();
        }
    }

    @Test
    void shouldGiveExamplesThatRunAndPagesThatDescribeTheCall() throws IOException {
        TestDbms.clear();
        run("CREATE (a:Person {name: 'Ann'})-[:KNOWS]->(b:Person:Teacher {name: 'Bea'}), (a)-[:KNOWS]->(:Person)");
        run("CALL proxima.graph.project('people', ['Person', 'Teacher'], 'KNOWS')");
        run("CALL proxima.closeness.mutate('people', {mutateProperty: 'score'})");
        Files.writeString(Files.createDirectories(TestDbms.exportFolder()).resolve("people.csv"), "elementId,rank\n");
        List<Map<String, Object>> rows = run("CALL proxima.help('proxima.')");
        for (Map<String, Object> row : rows) {
            String name = (String) row.get("name");
            String example = (String) row.get("example");
            assertThat(example).contains(name + "(");
            assertThat(run(example)).as(example).isNotNull();
            String page = Files.readString(Path.of("..").resolve((String) row.get("manual")));
            assertThat(page).as("the page of %s", name).contains(name);
            if (name.endsWith(".mutate")) {
                run(
                        "CALL proxima.graph.list('people') YIELD schema UNWIND keys(schema.nodes.Person) AS property"
                                + " WITH property WHERE property <> 'score'"
                                + " CALL proxima.graph.nodeProperties.drop('people', property) YIELD graphName RETURN graphName");
            }
        }
        TestDbms.clear();
    }

    @Test
    void shouldListAllNamesWithoutTheirKeys() {
        assertThat(run("CALL proxima.help()"))
                .allSatisfy(row -> {
                    assertThat((List<?>) row.get("keys")).isEmpty();
                    assertThat((String) row.get("description")).endsWith(".");
                    assertThat((String) row.get("example")).contains((String) row.get("name"));
                })
                .hasSameSizeAs(run("CALL proxima.help('proxima.')"));
    }

    @Test
    void shouldFindAPartOfANameInAnyCase() {
        assertThat(run("CALL proxima.help('CLOSENESS.St') YIELD name"))
                .extracting(row -> row.get("name"))
                .containsExactly(
                        "proxima.closeness.stats",
                        "proxima.closeness.stats.estimate",
                        "proxima.closeness.stream",
                        "proxima.closeness.stream.estimate");
        assertThat(run("CALL proxima.help('proxima.graph.exists') YIELD type"))
                .extracting(row -> row.get("type"))
                .containsExactly("procedure", "function");
        assertThat(run("CALL proxima.list('no such name')")).isEmpty();
        assertThat(run("CALL proxima.list('gds.WCC.st') YIELD name"))
                .extracting(row -> row.get("name"))
                .containsExactly(
                        "proxima.wcc.stats",
                        "proxima.wcc.stats.estimate",
                        "proxima.wcc.stream",
                        "proxima.wcc.stream.estimate");
    }

    @ParameterizedTest
    @CsvSource({
        "pagerank, gds.pageRank",
        "gds.pageRank.stream, gds.pageRank",
        "proxima.shortestPath.dijkstra, proxima.shortestPath",
        "gds.beta.kcore, gds.kcore",
        "apoc.path.subgraphNodes, proxima.bfs",
        "LOUV, gds.louvain",
    })
    void shouldSayWhatToCallInsteadOfANameOfAnotherLibrary(String name, String instead) {
        List<Map<String, Object>> hints = run("CALL proxima.help('" + name + "')").stream()
                .filter(row -> row.get("type").equals("hint"))
                .toList();
        assertThat(hints).hasSize(1);
        assertThat((String) hints.get(0).get("description")).contains("`" + instead);
        assertThat(Path.of("..").resolve((String) hints.get(0).get("manual"))).exists();
    }

    @Test
    void shouldSayWhereToLookForANameThatNothingHas() {
        assertThat(run("CALL proxima.help('No such name') YIELD type, name, description, example, manual"))
                .singleElement()
                .satisfies(hint -> {
                    assertThat(hint).containsEntry("type", "hint").containsEntry("name", "no such name");
                    assertThat((String) hint.get("description")).contains("`proxima.help()`");
                    assertThat(run((String) hint.get("example"))).isNotEmpty();
                    assertThat(Path.of("..").resolve((String) hint.get("manual")))
                            .exists();
                });
    }

    @Test
    void shouldProposeTheNameForAMisspeltOne() {
        assertThat(run("CALL proxima.help('proxima.eccentricty.stream') YIELD description"))
                .singleElement()
                .satisfies(hint ->
                        assertThat((String) hint.get("description")).contains("(Did you mean [eccentricity]?)"));
    }

    @Test
    void shouldShowNodesAndNoPathsToAllOfThem() {
        assertThat(run("CALL proxima.help('proxima.') YIELD name, example WHERE name IN ['proxima.bfs.stream',"
                        + " 'proxima.closeness.stream'] RETURN example"))
                .extracting(row -> row.get("example"))
                .containsExactly(
                        "MATCH (person:Person {name: 'Ann'}) CALL proxima.bfs.stream('people', {sourceNode: person})"
                                + " YIELD nodeId, distance, parent RETURN proxima.util.asNode(nodeId).name AS name,"
                                + " distance, parent",
                        "CALL proxima.closeness.stream('people') YIELD nodeId, score"
                                + " RETURN proxima.util.asNode(nodeId).name AS name, score ORDER BY score DESC LIMIT 10");
    }

    @Test
    void shouldHintToCallsThatExist() {
        Set<String> procedures =
                shown().stream().map(row -> (String) row.get("name")).collect(Collectors.toSet());
        Set<String> hints = Stream.of("a", "e", "i", "o", "c", "k")
                .flatMap(letter -> OtherNames.answers(letter, Set.of("none")))
                .map(HelpProcedure.HelpRow::description)
                .collect(Collectors.toSet());
        assertThat(hints).hasSizeGreaterThan(20);
        for (String hint : hints) {
            Matcher called = Pattern.compile("`(proxima\\.[\\w.]+)`").matcher(hint);
            while (called.find()) {
                assertThat(procedures).as(hint).anyMatch(procedure -> procedure.startsWith(called.group(1)));
            }
        }
    }

    @Test
    void shouldFindAProcedureByItsNameInGds() {
        assertThat(run("CALL proxima.help('gds.bfs.stats') YIELD name, type"))
                .contains(Map.of("name", "proxima.bfs.stats", "type", "procedure"));
    }

    /** Each table of the manual has the keys that the calls read, with the same type, default, modes and meaning. */
    @Test
    void shouldAgreeWithTheTablesOfTheManual() throws IOException {
        int rows = 0;
        SoftAssertions softly = new SoftAssertions();
        try (Stream<Path> pages = Files.list(MANUAL)) {
            for (Path page : pages.sorted().toList()) {
                String text = Files.readString(page);
                Matcher table = TABLE.matcher(text);
                int tables = 0;
                while (table.find()) {
                    tables++;
                    boolean function = page.endsWith("graph-project-cypher.adoc");
                    rows += check(
                            softly,
                            page.getFileName().toString(),
                            calls(function, table.group(2), table.group(3)),
                            table.group(1).equals("keys"),
                            table.group(4));
                }
                assertThat(text.split("\\| Key \\| Type \\| Default", -1))
                        .as("tables of keys in %s, which must have the role keys or some-keys", page)
                        .hasSize(tables + 1);
            }
        }
        softly.assertAll();
        assertThat(rows).isGreaterThan(100);
    }

    /** The keys of the calls of a table; estimates have the keys of their procedures, and are left out. */
    private static Map<String, Map<String, Map<String, String>>> calls(
            boolean function, String patterns, String argument) {
        String names = Stream.of(patterns.split(" "))
                .map(pattern -> pattern.replace(".", "\\.").replace("*", "(?!nearest)\\w+"))
                .collect(Collectors.joining("|"));
        Map<String, Map<String, Map<String, String>>> calls = new LinkedHashMap<>();
        KEYS.forEach((call, keys) -> {
            String[] parts = call.split(" ", -1);
            if (parts[0].equals(function ? "function" : "procedure")
                    && parts[1].matches(names)
                    && parts[2].equals(argument)) {
                calls.put(parts[1], keys);
            }
        });
        assertThat(calls).as("calls named %s", patterns).isNotEmpty();
        return calls;
    }

    private static int check(
            SoftAssertions softly,
            String page,
            Map<String, Map<String, Map<String, String>>> calls,
            boolean all,
            String table) {
        Set<String> named = new LinkedHashSet<>();
        List<String> rows = table.lines().filter(line -> line.startsWith("| `")).toList();
        for (String row : rows) {
            String[] cells = row.substring(1).split("\\|", 4);
            for (String name : cells[0].replace("`", "").strip().split(", ", -1)) {
                List<String> modes = calls.entrySet().stream()
                        .filter(call -> call.getValue().containsKey(name))
                        .map(Map.Entry::getKey)
                        .toList();
                if (cells[1].isBlank()) {
                    named.add(name);
                    continue;
                }
                String what = page + ": `" + name + "`";
                softly.assertThat(modes).as("%s: calls that read it", what).isNotEmpty();
                named.add(name);
                for (String mode : modes) {
                    Map<String, String> key = calls.get(mode).get(name);
                    softly.assertThat(plain(cells[1])).as("%s: type", what).isEqualTo(key.get("type"));
                    softly.assertThat(plain(cells[2])).as("%s: default", what).isEqualTo(key.get("default"));
                    String meaning = key.get("meaning");
                    softly.assertThat(plain(ONLY.matcher(cells[3].strip()).replaceFirst("")))
                            .as("%s: meaning", what)
                            .startsWith(meaning.substring(0, meaning.length() - 1));
                }
                if (all) {
                    softly.assertThat(only(cells[3]))
                            .as("%s: modes", what)
                            .isEqualTo(modes.size() == calls.size() ? Set.of() : lastParts(modes));
                }
            }
        }
        if (all) {
            Set<String> read = new LinkedHashSet<>();
            calls.values().forEach(keys -> read.addAll(keys.keySet()));
            softly.assertThat(named).as("keys in a table of %s", page).containsAll(read);
        }
        return rows.size();
    }

    private static Set<String> only(String meaning) {
        Matcher only = ONLY.matcher(meaning.strip());
        Set<String> modes = new LinkedHashSet<>();
        if (only.lookingAt()) {
            for (int group = 1; group <= only.groupCount(); group++) {
                if (only.group(group) != null) {
                    modes.add(only.group(group));
                }
            }
        }
        return modes;
    }

    private static Set<String> lastParts(List<String> names) {
        return names.stream()
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The text of a cell without AsciiDoc's marks. */
    private static String plain(String cell) {
        return cell.strip().replaceAll("xref:[^\\[]*\\[([^]]*)]", "$1").replace("+", "");
    }

    /** The descriptions in SHOW PROCEDURES leave out nothing, and name the keys that the calls read and no others. */
    @Test
    void shouldAgreeWithTheDescriptionsOfArgumentsAndColumns() {
        for (Map<String, Object> row : shown()) {
            assertThat((String) row.get("description"))
                    .as("%s", row.get("name"))
                    .endsWith(".");
            for (Object field : (List<?>) row.get("fields")) {
                Map<?, ?> described = (Map<?, ?>) field;
                // Neo4j shows "name :: TYPE" where no description was given
                assertThat((String) described.get("description"))
                        .as("%s of %s", described.get("name"), row.get("name"))
                        .isNotBlank()
                        .doesNotContain(" :: ANY")
                        .doesNotStartWith(described.get("name") + " ::");
            }
            for (Object element : (List<?>) row.get("arguments")) {
                Map<?, ?> argument = (Map<?, ?>) element;
                Map<String, Map<String, String>> keys =
                        KEYS.get(row.get("type") + " " + row.get("name") + " " + argument.get("name"));
                if (keys != null) {
                    Set<String> named = Pattern.compile("`(\\p{Lower}\\w+)`")
                            .matcher((String) argument.get("description"))
                            .results()
                            .map(match -> match.group(1))
                            .collect(Collectors.toSet());
                    assertThat(named)
                            .as("keys in the description of %s of %s", argument.get("name"), row.get("name"))
                            .isEqualTo(keys.keySet());
                }
            }
        }
    }

    /** Every procedure and function as SHOW tells it. */
    private static List<Map<String, Object>> shown() {
        List<Map<String, Object>> shown = run(
                "SHOW PROCEDURES YIELD name, signature, description,"
                        + " argumentDescription AS arguments, returnDescription WHERE name STARTS WITH 'proxima.' RETURN"
                        + " 'procedure' AS type, name, signature, description, arguments, arguments + returnDescription AS fields");
        shown.addAll(run("SHOW FUNCTIONS YIELD name, signature, description, argumentDescription AS arguments"
                + " WHERE name STARTS WITH 'proxima.' RETURN"
                + " 'function' AS type, name, signature, description, arguments, arguments AS fields"));
        return shown;
    }
}
