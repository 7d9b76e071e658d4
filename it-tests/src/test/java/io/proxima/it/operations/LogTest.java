// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.SharedServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server with the packed jar logs if nothing is wrong. */
@OnBothLines
class LogTest {

    private final Cypher cypher = SharedServer.cypher();

    @Test
    void shouldNotWarnOfTheJar() {
        List<String> warnings = SharedServer.server()
                .debugLog()
                .lines()
                .filter(line ->
                        line.contains(" WARN ") && (line.contains("Failed to load") || line.contains("Proxima")))
                .toList();
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldNotRepeatWithEachCallWhyNoGpuIsUsed() {
        assumeTrue(
                cypher.value("CALL proxima.backend.list() YIELD available WHERE available RETURN count(*) = 1")
                        .equals(true),
                "a GPU is available");
        cypher.clear();
        cypher.rows("CREATE (:Logged)-[:R]->(:Logged)");
        cypher.row("CALL proxima.graph.project('logged', 'Logged', 'R')");
        cypher.row("CALL proxima.closeness.stats('logged', {jobId: 'logged'})");
        cypher.row("CALL proxima.graph.drop('logged')");
        List<String> lines = SharedServer.server()
                .debugLog()
                .lines()
                .filter(line -> line.contains("[proxima] [logged] Backend cpu: "))
                .toList();
        assertThat(lines).hasSize(1).allMatch(line -> line.contains("proxima.backend.list has the reason."));
    }
}
