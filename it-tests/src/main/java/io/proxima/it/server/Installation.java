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
package io.proxima.it.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the build of it-tests lays out for a server: its class path and the jars for its plugins folder. Neither Proxima
 * nor a test library is on the class path, so a server knows Proxima by the packed jar only, as a user's server does.
 */
public final class Installation {

    /** The system property that names the build folder of it-tests; {@code it-tests/target} when absent. */
    public static final String DIRECTORY_PROPERTY = "proxima.it.directory";

    private final Path directory;

    private Installation(Path directory) {
        this.directory = directory;
    }

    /**
     * The installation that the build made.
     *
     * @throws IllegalStateException if the module has not been packed
     */
    public static Installation built() {
        Path directory = Path.of(System.getProperty(DIRECTORY_PROPERTY, "it-tests/target"))
                .toAbsolutePath();
        if (!Files.isRegularFile(directory.resolve("server.classpath"))
                || !Files.isRegularFile(directory.resolve("plugins/proxima.jar"))) {
            throw new IllegalStateException("No server is laid out in " + directory
                    + ". Run the build up to 'package' (mvn -pl it-tests -am -DskipTests package) and set -D"
                    + DIRECTORY_PROPERTY + " to the target folder of it-tests.");
        }
        return new Installation(directory);
    }

    /**
     * The jars of a Neo4j server, separated as a class path is. What the build wrote names them absolutely, or, so that
     * a copy of the installation can be moved to another host, from its own folder on.
     */
    public String serverClassPath() {
        try {
            String entries =
                    Files.readString(directory.resolve("server.classpath")).strip();
            return Arrays.stream(entries.split(File.pathSeparator, -1))
                    .map(entry -> directory.resolve(entry).toString())
                    .collect(Collectors.joining(File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The packed plugin. */
    public Path plugin() {
        return directory.resolve("plugins/proxima.jar");
    }

    /** The jars of the Graph Data Science library, for the plugins folder; empty without the Maven profile peers. */
    public List<Path> peers() {
        Path peers = directory.resolve("peers");
        if (!Files.isDirectory(peers)) {
            return List.of();
        }
        try (Stream<Path> jars = Files.list(peers)) {
            return jars.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A new server's home, of which nothing is left from an earlier run. It stays when the run is over, for its logs.
     *
     * @param name a name for the server that no other running one has
     */
    public Path newHome(String name) {
        Path home = directory.resolve("servers").resolve(name);
        try {
            if (Files.exists(home)) {
                Folders.delete(home);
            }
            return Files.createDirectories(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
