// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packed plugin on a Vulkan device of this host; one that computes on the CPU will do. */
@Tag("full")
@Tag("vulkan")
class VulkanTest {

    /** Allows devices that compute on the CPU. */
    private static final String CPU = "proxima.vulkan.cpu";

    private static ServerProcess server;
    private static Cypher cypher;

    @BeforeAll
    static void start() {
        System.setProperty(CPU, "true");
        if (!Boolean.getBoolean("vulkan.required")) {
            assumeThat(TraversalBackends.ofThisHost(BackendSettings.DEFAULTS.withVulkan(true))
                            .list())
                    .anyMatch(backend -> backend.name().startsWith("vulkan") && backend.available());
        }
        Installation installation = Installation.built();
        server = ServerProcess.in(installation, installation.newHome("vulkan"))
                .jvmOption("-D" + CPU + "=true")
                .withoutOptimizingCompiler()
                .withoutHttp()
                .start();
        cypher = new Cypher(server.driver());
        cypher.rows("UNWIND range(0, 9999) AS i CREATE (:Node {i: i})");
        cypher.rows("MATCH (n:Node) WITH collect(n) AS nodes UNWIND range(1, 9999) AS i"
                + " WITH nodes[i] AS child, nodes[i / 3] AS parent CREATE (parent)-[:LINK]->(child)");
        cypher.row("CALL proxima.graph.project('tree', 'Node', {LINK: {orientation: 'UNDIRECTED'}})");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bfs.stream('tree', {sourceNode: 0, backend: $b}) YIELD nodeId, distance AS value",
                "distances.stream('tree', {sourceNodes: [0, 77, 9999], backend: $b})"
                        + " YIELD targetNode AS nodeId, distance AS value",
                "closeness.stream('tree', {harmonic: true, backend: $b}) YIELD nodeId, score AS value",
                "eccentricity.stream('tree', {backend: $b}) YIELD nodeId, eccentricity AS value",
                "wcc.stream('tree', {backend: $b}) YIELD nodeId, componentId AS value",
                "bfs.stream('tree', {sourceNode: 5000, backend: $b}) YIELD nodeId, parent AS value",
                "distances.nearest.stream('tree', {sourceNodes: [9999, 77], backend: $b})"
                        + " YIELD nodeId, parent AS value",
                "shortestPath.stream('tree', {sourceNodes: [0, 77, 9999], targetNodes: range(5000, 5100),"
                        + " backend: $b}) YIELD targetNode AS nodeId, nodeIds AS ids"
                        + " UNWIND ids AS value WITH nodeId, value",
                "connectionSubgraph.stream('tree', {sourceNodes: [0, 77, 9999], targetNodes: range(5000, 5100),"
                        + " maxDepth: 20, backend: $b}) YIELD relationship, fromSource AS value"
                        + " WITH id(relationship) AS nodeId, value"
            })
    void shouldFindWhatTheCpuFinds(String call) {
        String sums =
                "CALL proxima." + call + " RETURN count(*) AS rows, sum(value) AS sum, sum(nodeId * value) AS both";
        Map<String, Object> onCpu = cypher.with("b", "cpu").row(sums);
        assertThat(cypher.with("b", "vulkan").row(sums)).isEqualTo(onCpu);
        assertThat(onCpu.get("rows")).isNotEqualTo(0L);
    }

    @Test
    void shouldWarmUp() {
        RunningQuery.await(
                "the warm-up", () -> server.debugLog().contains("Warm-up of Proxima completed on cpu, vulkan:0"));
    }

    @Test
    void shouldRefuseWhatItHasNoKernelsFor() {
        assertThat(cypher.failure("CALL proxima.betweenness.stats('tree', {backend: 'vulkan'})"))
                .contains("The device has no kernels for betweenness. Use backend: 'auto' or 'cpu'.");
    }
}
