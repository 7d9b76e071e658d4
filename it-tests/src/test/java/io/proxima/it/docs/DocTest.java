// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import io.proxima.it.graphs.Airports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example of the manual is run, and every signature table compared with the server's. */
@OnBothLines
class DocTest {

    private static final Pattern CALL = Pattern.compile("proxima\\.[A-Za-z.]+");

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
        Map<String, SyntaxBlocks.Syntax> served = SyntaxBlocks.served(cypher);
        Set<String> procedures = served.values().stream()
                .filter(syntax -> syntax.kind() == SyntaxBlocks.Kind.PROCEDURE)
                .map(SyntaxBlocks.Syntax::name)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, SyntaxBlocks.Syntax> shown = new TreeMap<>();
        Set<String> tables = new TreeSet<>();
        for (Path page : Manual.pages()) {
            tables.addAll(Manual.read(page).signatures());
            SyntaxBlocks.in(Files.readString(page)).forEach((name, syntax) -> {
                assertThat(syntax)
                        .as("%s: how to call %s", page.getFileName(), name)
                        .isEqualTo(served.get(name));
                shown.put(name, syntax);
            });
        }
        // the estimates of all runs are called alike, and shown once
        served.keySet().removeIf(name -> name.endsWith(".estimate") && !shown.containsKey(name));
        assertThat(shown.keySet())
                .as("procedures and functions with a syntax block")
                .isEqualTo(served.keySet());
        assertThat(tables).as("procedures with a table of their columns").isEqualTo(procedures);
    }

    @Test
    void shouldHaveAnExampleOfEveryProcedure() throws IOException {
        List<String> shown = CALL.matcher(Files.readString(Manual.page("examples")))
                .results()
                .map(call -> call.group())
                .toList();
        assertThat(shown)
                .contains("proxima.closeness.write.estimate")
                .containsAll(SyntaxBlocks.served(cypher).values().stream()
                        .map(SyntaxBlocks.Syntax::name)
                        .filter(name -> !name.endsWith(".estimate"))
                        .toList());
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
        try (InputStream in = DocTest.class.getResourceAsStream("/docs/sample.adoc")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
