// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

class ProximaSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "server.proxima.backend, gpu, 'not one of [AUTO, CUDA, VULKAN, CPU]'",
        "server.proxima.device_memory_share, 0.05, ",
        "server.proxima.device_memory_share, 0.96, ",
        "server.proxima.device_memory_share, much, ",
        "server.proxima.mapped_memory_share, -0.1, ",
        "server.proxima.mapped_memory_share, 0.91, ",
        "server.proxima.device_records_share, -0.1, ",
        "server.proxima.device_records_share, 0.91, ",
        "server.proxima.devices, '', ",
        "server.proxima.devices, first, 'must be * for all devices, or device numbers with commas between them'",
        "server.proxima.devices, '0,', ",
        "server.proxima.devices, -1, ",
        "server.proxima.devices, '*,0', ",
        "server.proxima.heap_share, 0, ",
        "server.proxima.heap_share, 1.1, maximum allowed value is 1.0",
        "server.proxima.concurrency, 0, ",
        "server.proxima.concurrency, all, is not a valid integer value",
        "server.proxima.max_concurrency, 65537, ",
        "server.proxima.warmup.enabled, maybe, is not a valid boolean value",
    })
    void shouldRefuseOtherValuesAndNameThemAndWhatIsAllowed(String name, String value, String allowed) {
        assertThatThrownBy(() -> read(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value)
                .hasMessageContaining(allowed == null ? "" : allowed);
    }

    @ParameterizedTest
    @CsvSource({"*, ''", "0, 0", "'0,1', '0 1'", "' 3 , 1,3', '3 1'"})
    void shouldReadTheListOfDevices(String value, String ordinals) {
        Config config = read("server.proxima.devices", value);
        assertThat(ProximaSettings.devices(config.get(ProximaSettings.DEVICES)))
                .map(String::valueOf)
                .isEqualTo(ordinals.isEmpty() ? List.of() : List.of(ordinals.split(" ")));
    }

    @Test
    void shouldResolveTheFolderOfExportsAgainstTheHome() {
        Path home = Path.of("/a/home");
        assertThat(ProximaSettings.exportDirectory(Config.defaults(GraphDatabaseSettings.neo4j_home, home)))
                .isNull();
        assertThat(ProximaSettings.exportDirectory(Config.defaults(Map.of(
                        GraphDatabaseSettings.neo4j_home, home, ProximaSettings.EXPORT_DIRECTORY, " data/graphs"))))
                .isEqualTo(home.resolve("data/graphs"));
    }

    private static Config read(String... lines) {
        Map<String, String> raw = new HashMap<>();
        for (int i = 0; i < lines.length; i += 2) {
            raw.put(lines[i], lines[i + 1]);
        }
        return Config.newBuilder().setRaw(raw).build();
    }
}
