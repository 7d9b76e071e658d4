// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.neo4j.driver.Session;

/** The picture in the manual shows what the server returns. */
@Tag("full")
@OnBothLines
class CompanyDirectoryTest {

    private static final Path PICTURE =
            Path.of(System.getProperty("proxima.it.directory"), "../../docs/modules/ROOT/images/company-directory.svg");

    @Test
    void shouldBeDrawnAsInTheManual() throws IOException {
        Cypher cypher = SharedServer.cypher();
        cypher.clear();
        CompanyDirectory.create(cypher);
        cypher.rows(CompanyDirectory.PROJECT);
        try (Session session = cypher.driver().session()) {
            assertThat(PICTURE)
                    .as("copy the picture of the demo after a change of the directory")
                    .hasContent(CompanyDirectory.picture(session));
        }
    }
}
