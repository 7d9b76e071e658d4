// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import java.nio.file.Path;
import java.util.UUID;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

/**
 * The identity of a graph.
 *
 * @param dbms the DBMS: a JVM may run several, with users of the same names and databases of the same ids
 * @param user the owner
 * @param database the id of its database; the name of a database may be reused
 * @param databaseName the name of that database
 * @param name the name of the graph, case-sensitive
 */
public record GraphKey(Path dbms, String user, UUID database, String databaseName, String name) {

    /** Identifies a DBMS by its data folder, which no two running ones share. */
    public static Path dbms(Config config) {
        return config.get(GraphDatabaseSettings.data_directory);
    }
}
