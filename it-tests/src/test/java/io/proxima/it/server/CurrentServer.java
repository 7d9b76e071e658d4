// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Prints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;

/**
 * Lays out a Neo4j server of the current line beside that of the long-term line, on machines with a Java that it runs
 * on. The build itself needs a JDK 17 and no other, so the current line's jars are asked of Maven only where such a
 * Java is found; elsewhere the tests run against the long-term line alone.
 *
 * <p>Writes {@value #FILE} into the build folder of it-tests, which {@link Installation} reads, and prints one line
 * that says which servers the tests will run against.
 */
@Prints
public final class CurrentServer {

    /** What the layout is written to, in the build folder. */
    static final String FILE = "server-current.properties";

    static final String JAVA = "java";
    static final String CLASS_PATH = "classpath";
    static final String VERSION = "version";

    private CurrentServer() {}

    /**
     * Lays the server out.
     *
     * @param arguments the build folder of it-tests, the version of the long-term line, that of the current line, that
     *     of Neo4j Browser, Maven's home, its local repository, and whether Maven is offline
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[0]);
        String longTerm = arguments[1];
        String current = arguments[2];
        Path layout = directory.resolve(FILE);
        Path home = JavaHomes.oldest(JavaHomes.CURRENT_LINE, JavaHomes.candidates());
        String both = "[INFO] The server suite runs against Neo4j " + longTerm + " on Java "
                + Runtime.version().feature();
        if (home == null) {
            Files.deleteIfExists(layout);
            System.out.println(both + " alone: no Java " + JavaHomes.CURRENT_LINE + " or newer was found for Neo4j "
                    + current + ".");
            return;
        }
        if (!isLaidOut(layout, current, home)) {
            Properties properties = new Properties();
            properties.setProperty(JAVA, JavaHomes.executable(home).toString());
            properties.setProperty(VERSION, current);
            properties.setProperty(
                    CLASS_PATH,
                    resolve(directory, current, arguments[3], Path.of(arguments[4]), arguments[5], arguments[6]));
            try (var out = Files.newBufferedWriter(layout)) {
                properties.store(out, null);
            }
        }
        System.out.println(
                both + " and against Neo4j " + current + " on Java " + JavaHomes.version(home) + " (" + home + ").");
    }

    private static boolean isLaidOut(Path layout, String version, Path home) {
        if (!Files.exists(layout)) {
            return false;
        }
        Properties properties = JavaHomes.properties(layout);
        return version.equals(properties.getProperty(VERSION))
                && JavaHomes.executable(home).toString().equals(properties.getProperty(JAVA))
                && Arrays.stream(properties.getProperty(CLASS_PATH, "?").split(java.io.File.pathSeparator, -1))
                        .allMatch(jar -> Files.exists(Path.of(jar)));
    }

    private static String resolve(
            Path directory, String version, String browser, Path mavenHome, String repository, String offline)
            throws IOException, InterruptedException {
        return MavenClassPath.of(
                directory.resolve("../src/current-server/pom.xml"),
                directory.resolve("server-current"),
                Map.of("neo4j.current.version", version, "neo4j.browser.version", browser),
                mavenHome,
                repository,
                Boolean.parseBoolean(offline),
                "Maven did not resolve Neo4j " + version
                        + ". Add -Dproxima.current.skip=true to test against the long-term line alone.");
    }
}
