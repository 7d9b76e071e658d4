// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestDbms.Other;
import io.proxima.plugin.memory.HeapLedger;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/** Two servers of one JVM, each with its own settings. */
class TwoServersTest {

    private static final String THREADS = "CALL proxima.wcc.stats('g', {concurrency: 65536}) YIELD configuration"
            + " RETURN configuration.concurrency";
    private static final String VULKAN =
            "CALL proxima.backend.list() YIELD name, reason WHERE name STARTS WITH 'vulkan' RETURN reason";
    private static final String COMPONENTS = "CALL proxima.wcc.stats('g') YIELD componentCount RETURN componentCount";

    @TempDir
    Path home;

    private final GraphDatabaseAPI first = TestDbms.database();

    @BeforeEach
    void createGraph() {
        TestDbms.createDiamonds();
        TestDbms.run("CALL proxima.graph.project('g', '*', '*')");
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldRunTheCallsOfEachUnderItsOwnSettings() throws Exception {
        Map<Setting<?>, Object> settings = Map.of(
                ProximaSettings.MAX_CONCURRENCY,
                1,
                ProximaSettings.HEAP_SHARE,
                0.1,
                ProximaSettings.VULKAN_ENABLED,
                false);
        try (Other other = Other.open(home, settings)) {
            GraphDatabaseAPI second = other.database();
            other.run("CREATE (:N)-[:R]->(:N)");
            other.run("CALL proxima.graph.project('g', '*', '*')");
            assertThat(value(first, THREADS))
                    .isEqualTo((long) Runtime.getRuntime().availableProcessors());
            assertThat(value(second, THREADS)).isEqualTo(1L);
            assertThat((String) value(first, VULKAN)).doesNotContain("server.proxima.vulkan.enabled");
            assertThat((String) value(second, VULKAN)).startsWith("The setting server.proxima.vulkan.enabled is false");
            try (HeapLedger.Promise another = HeapLedger.ofThisJvm().open(1)) {
                another.require(HeapLedger.ofThisJvm().max() / 8);
                assertThat(value(first, COMPONENTS)).isEqualTo(2L);
                assertThatThrownBy(() -> value(second, COMPONENTS)).hasMessageContaining("heap_share=0.1");
            }
            assertThat(value(second, COMPONENTS)).isEqualTo(1L);
        }
        assertThat(value(first, COMPONENTS)).isEqualTo(2L);
    }

    private static Object value(GraphDatabaseAPI database, String query) {
        return database.executeTransactionally(
                query, Map.of(), result -> result.next().values().iterator().next());
    }
}
