// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.it.Cypher;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Proxima's lines of neo4j.conf in a server that validates them strictly, as servers do unless told otherwise. */
@Tag("full")
class SettingsTest {

    @Test
    void shouldTakeInWhatTheConfigurationSaysAndStopAServerThatHasLostThePlugin() {
        Map<String, String> lines = new TreeMap<>(Map.of(
                "server.proxima.backend", "CPU",
                "server.proxima.concurrency", "2",
                "server.proxima.device_memory_share", "0.5",
                "server.proxima.device_records_share", "0.1",
                "server.proxima.devices", "1,0",
                "server.proxima.heap_share", "0.1",
                "server.proxima.max_concurrency", "3",
                "server.proxima.warmup.enabled", "false"));
        Installation installation = Installation.built();
        ServerBuilder plan = ServerProcess.in(installation, installation.newHome("settings"))
                .heap("512m")
                .withoutOptimizingCompiler()
                .withoutHttp();
        lines.forEach(plan::setting);
        plan.setting("server.proxima.graph_directory", "data/proxima");
        try (ServerProcess server = plan.start()) {
            assertThat(server.logTail()).contains("Setting 'server.proxima.graph_directory' is removed.");
            Cypher cypher = new Cypher(server.driver());
            Map<String, String> shown = new TreeMap<>();
            cypher.rows("SHOW SETTINGS YIELD name, value, description WHERE name STARTS WITH 'server.proxima.'"
                            + " AND description <> '' RETURN name, value")
                    .forEach(row -> shown.put((String) row.get("name"), (String) row.get("value")));
            assertThat(shown).containsAllEntriesOf(lines);

            long processors = Runtime.getRuntime().availableProcessors();
            cypher.rows("UNWIND range(1, 5000) AS i CREATE (:N {i: i})");
            assertThat(cypher.value("CALL proxima.graph.project('g', 'N', '*') YIELD configuration"
                            + " RETURN configuration.readConcurrency"))
                    .isEqualTo(Math.min(2L, processors));
            assertThat(cypher.row("CALL proxima.closeness.stats('g') YIELD configuration"
                            + " RETURN configuration.concurrency AS threads, configuration.backend AS backend"))
                    .isEqualTo(Map.of("threads", Math.min(2L, processors), "backend", "cpu"));
            assertThat(cypher.row("CALL proxima.closeness.stats('g', {concurrency: 9}) YIELD configuration"
                            + " RETURN configuration.concurrency AS threads"))
                    .isEqualTo(Map.of("threads", Math.min(3L, processors)));
            assertThat(cypher.failure("MATCH (n:N) WITH collect(n) AS nodes"
                            + " CALL proxima.distances.write('g', {sourceNodes: nodes, writeProperty: 'd'})"
                            + " YIELD writeMillis RETURN writeMillis"))
                    .contains("free memory within server.proxima.heap_share=0.1");
        }
        assertThatThrownBy(() -> plan.withoutPlugins().start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Unrecognized setting. No declared setting with name: server.proxima.");
    }
}
