// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.select.TraversalBackends.Wanted;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.logging.internal.SimpleLogService;
import org.neo4j.logging.log4j.Log4jLogProvider;

class ProximaSettingsTest {

    @Test
    void shouldBeKnownToNeo4jWithTheirDefaults() {
        Config config = Config.defaults();
        assertThat(config.getDeclaredSettings())
                .containsKeys(
                        "server.proxima.backend",
                        "server.proxima.concurrency",
                        "server.proxima.device_memory_share",
                        "server.proxima.device_records_share",
                        "server.proxima.devices",
                        "server.proxima.export_directory",
                        "server.proxima.heap_share",
                        "server.proxima.mapped_memory_share",
                        "server.proxima.max_concurrency",
                        "server.proxima.warmup.enabled");
        assertThat(ProximaSettings.of(config, ProximaSettings.WARMUP_ENABLED)).isTrue();
        assertThat(ProximaSettings.of(config, ProximaSettings.BACKEND)).isEqualTo(Wanted.AUTO);
        assertThat(ProximaSettings.of(config, ProximaSettings.DEVICE_MEMORY_SHARE))
                .isEqualTo(0.8);
        assertThat(ProximaSettings.of(config, ProximaSettings.MAPPED_MEMORY_SHARE))
                .isEqualTo(0.5);
    }

    @Test
    void shouldReadTheLinesOfNeo4jConf() {
        Config config = read("server.proxima.backend", "cuda", "server.proxima.device_memory_share", "0.5");
        assertThat(ProximaSettings.of(config, ProximaSettings.BACKEND)).isEqualTo(Wanted.CUDA);
        assertThat(ProximaSettings.of(config, ProximaSettings.DEVICE_MEMORY_SHARE))
                .isEqualTo(0.5);
    }

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

    @Test
    void shouldStartWithARemovedSettingAndWarn() {
        Config config = Config.newBuilder()
                .set(GraphDatabaseSettings.strict_config_validation, true)
                .setRaw(Map.of("server.proxima.graph_directory", "data/proxima"))
                .build();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        config.setLogger(new SimpleLogService(new Log4jLogProvider(log)).getInternalLog(Config.class));
        assertThat(config.getDeclaredSettings()).doesNotContainKey("server.proxima.graph_directory");
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("WARN", "Setting 'server.proxima.graph_directory' is removed.", "Delete the line");
    }

    private static Config read(String... lines) {
        Map<String, String> raw = new HashMap<>();
        for (int i = 0; i < lines.length; i += 2) {
            raw.put(lines[i], lines[i + 1]);
        }
        return Config.newBuilder().setRaw(raw).build();
    }
}
