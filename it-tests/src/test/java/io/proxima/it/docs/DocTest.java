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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example of the manual is run, and every signature table compared with the server's. */
@OnBothLines
class DocTest {

    private final Cypher cypher = SharedServer.cypher();

    static List<Path> pages() throws IOException {
        Path pages = Path.of(System.getProperty("proxima.it.directory"), "../../docs/modules/ROOT/pages")
                .normalize();
        try (Stream<Path> files = Files.list(pages)) {
            return files.filter(file -> file.toString().endsWith(".adoc"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldBeTrue(Path page) throws IOException {
        new ManualPage(page.getFileName().toString(), Files.readString(page)).run(cypher);
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
