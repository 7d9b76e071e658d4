// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.server.ProximaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.configuration.Config;

class ExportFolderTest {

    @TempDir
    private Path folder;

    private ExportFolder exportsBeside(Path saved) {
        return ExportFolder.of(Config.defaults(Map.of(
                ProximaSettings.EXPORT_DIRECTORY,
                folder.toString(),
                ProximaSettings.GRAPH_DIRECTORY,
                saved.toString())));
    }

    @Test
    void shouldRefuseTheFolderOfSavedGraphs() {
        assertThatThrownBy(() -> exportsBeside(folder))
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("name the same folder");
    }

    @Test
    void shouldNotExportIntoAFolderOfSavedGraphsInside() throws IOException {
        Path saved = Files.createDirectories(folder.resolve("saved/deeper"));
        ExportFolder exports = exportsBeside(folder.resolve("saved"));

        for (String name : new String[] {"saved/g.proxima", "saved/deeper/g.proxima"}) {
            assertThatThrownBy(() -> exports.file(name))
                    .isInstanceOf(ProximaException.class)
                    .hasMessageContaining("`fileName` must not be in the folder of saved graphs")
                    .hasMessageContaining("but it was `" + name + "`");
        }
        assertThat(saved).isEmptyDirectory();
        assertThat(exports.file("g.proxima")).isEqualTo(folder.toRealPath().resolve("g.proxima"));
    }
}
