// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Cypher;
import io.proxima.it.OnBothLines;
import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A read-only database, as replicas and archives are: every procedure that writes refuses it before it computes. */
@OnBothLines
class ReadOnlyTest {

    private static final int NODES = 1_000;

    @Test
    void shouldRefuseToWriteBeforeItComputes() {
        Installation installation = Installation.built();
        Path home = installation.newHome("read-only");
        BulkImport.run(installation, home, List.of(new BulkImport.Graph("N", "R", EdgeList.path(NODES))));
        try (ServerProcess server = ServerProcess.in(installation, home)
                .setting("server.databases.read_only", "neo4j")
                .heap("512m")
                .withoutOptimizingCompiler()
                .start()) {
            Cypher cypher = new Cypher(server.driver());
            cypher.row("CALL proxima.graph.project('g', 'N', 'R')");
            cypher.row("CALL proxima.eccentricity.mutate('g', {mutateProperty: 'kept'}) YIELD computeMillis");
            List<Map<String, Object>> procedures =
                    cypher.rows("SHOW PROCEDURES YIELD name, mode WHERE name STARTS WITH 'proxima.' AND mode = 'WRITE'"
                            + " RETURN name");
            assertThat(procedures).hasSizeGreaterThan(5);
            long source = (Long) cypher.value("MATCH (n:N {key: 0}) RETURN id(n)");
            Object keys = cypher.value("CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)");
            for (Map<String, Object> procedure : procedures) {
                for (String property : List.of("key", "new")) {
                    assertRefused(cypher, (String) procedure.get("name"), property, source);
                }
            }
            assertThat(cypher.value("CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)"))
                    .isEqualTo(keys);
            assertThat(cypher.value("MATCH (n:N) WHERE n.key <> id(n) - $first RETURN count(n)", "first", source))
                    .isEqualTo(0L);
        }
    }

    private static void assertRefused(Cypher cypher, String procedure, String property, long source) {
        String job = UUID.randomUUID().toString();
        Map<String, Object> configuration = new HashMap<>(Map.of("jobId", job));
        String arguments = "('g', $configuration)";
        if (procedure.endsWith("nodeProperties.write")) {
            arguments = "('g', {kept: $property}, '*', $configuration)";
        } else {
            configuration.put("writeProperty", property);
        }
        for (Map<String, Object> row : cypher.rows(
                "CALL proxima.help($name) YIELD name, keys WHERE name = $name UNWIND keys AS key RETURN key.key AS key",
                "name",
                procedure)) {
            String key = (String) row.get("key");
            if (key.equals("sourceNode") || key.equals("sourceNodes")) {
                configuration.put(key, source);
            }
        }
        assertThat(cypher.failure(
                        "CALL " + procedure + arguments, "configuration", configuration, "property", property))
                .as(procedure)
                .containsIgnoringCase("read-only");
        assertThat(cypher.rows(
                        "CALL proxima.listProgress($job) YIELD taskName, status WHERE taskName STARTS WITH ' '"
                                + " AND status <> 'PENDING' RETURN taskName",
                        "job",
                        job))
                .as("tasks of the refused %s", procedure)
                .isEmpty();
    }
}
