// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.neo4j.io.fs.FileUtils;

/**
 * What the build of it-tests lays out for a server: its class path and the jars for its plugins folder. Neither Proxima
 * nor a test library is on the class path, so a server knows Proxima by the packed jar only, as a user's server does.
 *
 * <p>There is one for Neo4j's long-term line, and one for its current line where the build found a Java for it; the
 * plugin is the same.
 */
public final class Installation {

    /** The system property that names the build folder of it-tests; {@code it-tests/target} when absent. */
    public static final String DIRECTORY_PROPERTY = "proxima.it.directory";

    /** A line of Neo4j. */
    public enum Line {
        LONG_TERM,
        CURRENT
    }

    private static final String CURRENT = "current";

    /**
     * The line of the tests that are running; {@code -Dproxima.it.line=current} names another than the long-term one.
     */
    private static Line selected =
            CURRENT.equals(System.getProperty("proxima.it.line")) ? Line.CURRENT : Line.LONG_TERM;

    private final Path directory;
    private final String serverClassPath;
    private final String java;
    private final String mainClass;
    private final String servers;

    private Installation(Path directory, String serverClassPath, String java, String mainClass, String servers) {
        this.directory = directory;
        this.serverClassPath = serverClassPath;
        this.java = java;
        this.mainClass = mainClass;
        this.servers = servers;
    }

    /** The lines that the build laid out. */
    public static List<Line> linesLaidOut() {
        return Files.isRegularFile(directory().resolve(CurrentServer.FILE))
                        && !Boolean.getBoolean("proxima.current.skip")
                ? List.of(Line.values())
                : List.of(Line.LONG_TERM);
    }

    /** Selects the line of the tests that follow in this JVM. */
    public static void select(Line line) {
        selected = line;
    }

    /** The line of the tests that are running. */
    public static Line line() {
        return selected;
    }

    /**
     * The installation that the build made, of the selected line.
     *
     * @throws IllegalStateException if the module has not been packed, or that line has not been laid out
     */
    public static Installation built() {
        return built(selected);
    }

    /**
     * The installation that the build made, of a line.
     *
     * @throws IllegalStateException if the module has not been packed, or that line has not been laid out
     */
    public static Installation built(Line line) {
        Path directory = directory();
        if (!Files.isRegularFile(directory.resolve("server.classpath"))
                || !Files.isRegularFile(directory.resolve("plugins/proxima.jar"))) {
            throw new IllegalStateException("No server is laid out in " + directory
                    + ". Run the build up to 'package' (mvn -pl it-tests -am -DskipTests package) and set -D"
                    + DIRECTORY_PROPERTY + " to the target folder of it-tests.");
        }
        return line == Line.CURRENT ? current(directory) : longTerm(directory);
    }

    private static Path directory() {
        return Path.of(System.getProperty(DIRECTORY_PROPERTY, "it-tests/target"))
                .toAbsolutePath();
    }

    /**
     * On this JVM's Java. The class path that the build wrote names jars absolutely, or, so that a copy of the
     * installation can be moved to another host, from its own folder on.
     */
    private static Installation longTerm(Path directory) {
        String entries = Unchecked.get(() -> Files.readString(directory.resolve("server.classpath")))
                .strip();
        return new Installation(
                directory,
                Arrays.stream(entries.split(File.pathSeparator, -1))
                        .map(entry -> directory.resolve(entry).toString())
                        .collect(Collectors.joining(File.pathSeparator)),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "org.neo4j.server.CommunityEntryPoint",
                "servers");
    }

    private static Installation current(Path directory) {
        Path layout = directory.resolve(CurrentServer.FILE);
        if (!Files.isRegularFile(layout)) {
            throw new IllegalStateException("No server of the current line is laid out in " + directory
                    + ". The build does it where it finds a Java " + JavaHomes.CURRENT_LINE + " or newer.");
        }
        Properties properties = JavaHomes.properties(layout);
        return new Installation(
                directory,
                properties.getProperty(CurrentServer.CLASS_PATH),
                properties.getProperty(CurrentServer.JAVA),
                "org.neo4j.server.Neo4jCommunity",
                "servers-" + CURRENT);
    }

    /** The jars of a Neo4j server, separated as a class path is. */
    public String serverClassPath() {
        return serverClassPath;
    }

    /** The program that runs the server. */
    public String java() {
        return java;
    }

    /** The class that starts a community server. */
    public String mainClass() {
        return mainClass;
    }

    /** The packed plugin. */
    public Path plugin() {
        return directory.resolve("plugins/proxima.jar");
    }

    /** The jars of the Graph Data Science library, for the plugins folder; empty without the Maven profile full. */
    public List<Path> peers() {
        return jars("peers");
    }

    /** The jars of APOC core, for the plugins folder of a server of the long-term line. */
    public List<Path> apoc() {
        return jars("apoc");
    }

    /** The Java agent that serves a JVM's MXBeans to Prometheus. */
    public Path exporter() {
        return directory.resolve("exporter/jmx_prometheus_javaagent.jar");
    }

    /** The jar for the plugins folder that offers the driver of a server under test. */
    public Path testDriver() {
        return directory.resolve("test-driver/proxima-test-driver.jar");
    }

    /** What {@link #testDriver} needs on the class path beside a server's jars. */
    public Path testDriverLibrary() {
        return directory.resolve("test-driver/assertj-core.jar");
    }

    private List<Path> jars(String name) {
        Path folder = directory.resolve(name);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        return Unchecked.list(folder).stream().sorted().toList();
    }

    /**
     * A new server's home, of which nothing is left from an earlier run. It stays when the run is over, for its logs.
     *
     * @param name a name for the server that no other running one has
     */
    public Path newHome(String name) {
        Path home = directory.resolve(servers).resolve(name);
        return Unchecked.get(() -> {
            if (Files.exists(home)) {
                FileUtils.deleteDirectory(home);
            }
            return Files.createDirectories(home);
        });
    }

    /**
     * A folder beside the servers, for the results of a program. It is created if it does not exist.
     *
     * @param name the folder's name
     */
    public Path folder(String name) {
        return Unchecked.get(() -> Files.createDirectories(directory.resolve(name)));
    }
}
