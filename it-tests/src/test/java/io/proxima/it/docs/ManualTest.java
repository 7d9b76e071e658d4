// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.data.Airports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example of the manual is run, and every signature table compared with the server's. */
@Tag("full")
@OnBothLines
class ManualTest {

    private static final Pattern CALL = Pattern.compile("proxima\\.[A-Za-z.]+");

    private static final Pattern BLOCK = Pattern.compile("(?ms)(^\\[source,cypher[^\\n]*\\n)?^----\\n(.*?)\\n----$");
    private static final Pattern SYNTAX =
            Pattern.compile("CALL proxima\\.[\\w.]+\\((|.* :: .*)\\) YIELD [\\w, ]+|proxima\\.[\\w.]+\\(.*\\) :: \\S+");

    private final Cypher cypher = SharedServer.cypher();

    /** The pages that need no other plugin. */
    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Manual.pages());
        pages.remove(Manual.page("apoc"));
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldBeTrue(Path page) throws IOException {
        Path home = SharedServer.server().home();
        Airports.copyTo(home.resolve("import"));
        Files.writeString(Files.createDirectories(home.resolve("exported")).resolve("air.csv"), "elementId,rank\n");
        Manual.read(page).run(cypher);
    }

    @Test
    void shouldShowHowToCallWhatIsServed() throws IOException {
        Set<String> shown = new TreeSet<>();
        Set<String> tables = new TreeSet<>();
        for (Path page : Manual.pages()) {
            tables.addAll(Manual.read(page).signatures());
            shown.addAll(syntax(Files.readString(page)));
        }
        List<String> served = new ArrayList<>();
        for (String query : List.of(
                "SHOW PROCEDURES YIELD name, signature, returnDescription WHERE name STARTS WITH 'proxima.'"
                        + " RETURN 'CALL ' + split(signature, ') :: (')[0] + ') YIELD ' + returnDescription[0].name"
                        + " + reduce(more = '', c IN returnDescription[1..] | more + ', ' + c.name) AS syntax",
                "SHOW FUNCTIONS YIELD name, signature AS syntax WHERE name STARTS WITH 'proxima.' RETURN syntax")) {
            cypher.rows(query).forEach(row -> served.add(oneLine((String) row.get("syntax"))));
        }
        // the estimates of all runs are called alike, and shown once
        served.removeIf(syntax -> syntax.contains(".estimate(") && !shown.contains(syntax));
        assertThat(shown).as("blocks of syntax in the manual").containsExactlyInAnyOrderElementsOf(served);
        assertThat(tables)
                .as("procedures with a table of their columns")
                .containsExactlyInAnyOrderElementsOf(names("PROCEDURES"));
    }

    /**
     * What the blocks that are not run show: {@code CALL name(argument :: TYPE) YIELD column} or
     * {@code name() :: TYPE}.
     */
    private static List<String> syntax(String page) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1) == null)
                .flatMap(block -> Stream.of(block.group(2).split("\\n\\s*\\n", -1)))
                .map(ManualTest::oneLine)
                .filter(SYNTAX.asMatchPredicate())
                .toList();
    }

    /** The server shows text without the quotes that the manual gives it. */
    private static String oneLine(String text) {
        return text.replace("'", "")
                .strip()
                .replaceAll("\\s+", " ")
                .replace("( ", "(")
                .replace(" )", ")");
    }

    private List<String> names(String kind) {
        return cypher.rows("SHOW " + kind + " YIELD name WHERE name STARTS WITH 'proxima.' RETURN name").stream()
                .map(row -> (String) row.get("name"))
                .toList();
    }

    @Test
    void shouldHaveAnExampleOfEveryProcedure() throws IOException {
        List<String> missing = new ArrayList<>(names("PROCEDURES"));
        missing.addAll(names("FUNCTIONS"));
        missing.removeIf(name -> name.endsWith(".estimate") && !name.equals("proxima.closeness.write.estimate"));
        CALL.matcher(Files.readString(Manual.page("examples")))
                .results()
                .forEach(call -> missing.removeIf(call.group()::equals));
        assertThat(missing).as("calls that examples.adoc lacks").isEmpty();
    }

    @Test
    void shouldLeadToEveryPage() throws IOException {
        String nav =
                Files.readString(Manual.page("index").resolve("../../nav.adoc").normalize());
        for (Path page : Manual.pages()) {
            assertThat(nav).as("the navigation").contains("xref:" + page.getFileName() + "[");
        }
    }

    @Test
    void shouldAcceptTheSamplePage() throws IOException {
        new ManualPage("sample.adoc", sample()).run(cypher);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "| 0.67~| 0.69",
                "| a    |~| b    |",
                "| name | id~| id | name",
                "half: 0.50~half: 0.51",
                "[1, null~[1, 7",
                "[1, null, ~[1, ",
                ",role=setup]~]",
                "role=result]~role=results]",
                "| `label`~| `labels`",
                "| `STRING` | a label~| `INTEGER` | a label",
                "procedure=db.labels~procedure=db.nothing",
                "CREATE (:Letter {name: 'a'});~CREATE (:Letter {name: 'a'}",
            })
    void shouldNoticeAFalsePage(String truth, String lie) throws IOException {
        String page = sample().replace(truth, lie);
        assertThatThrownBy(() -> new ManualPage("sample.adoc", page).run(cypher))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("sample.adoc:");
    }

    private static String sample() throws IOException {
        try (InputStream in = ManualTest.class.getResourceAsStream("/docs/sample.adoc")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
