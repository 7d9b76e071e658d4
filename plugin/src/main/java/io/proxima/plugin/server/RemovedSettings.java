// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import java.util.Map;
import org.neo4j.configuration.SettingMigrator;
import org.neo4j.configuration.SettingMigrators;
import org.neo4j.logging.InternalLog;

/** Settings of earlier versions. A server that has a line of one starts, and logs a warning. */
public final class RemovedSettings implements SettingMigrator {

    @Override
    public void migrate(Map<String, String> values, Map<String, String> defaultValues, InternalLog log) {
        SettingMigrators.migrateSettingRemoval(
                values,
                log,
                ProximaSettings.PREFIX + "graph_directory",
                "Proxima no longer saves graphs that it has reordered for a GPU, and reorders them after a restart."
                        + " Delete the line and the folder that it names");
    }
}
