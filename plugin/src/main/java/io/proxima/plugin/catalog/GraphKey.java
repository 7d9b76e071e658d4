/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
