// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import io.proxima.it.server.MavenClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An installation of Spark, made of Maven's jars: a folder {@code jars} of links. It starts a driver as spark-submit
 * does, with executors in processes of their own.
 */
public final class SparkHome {

    /** What Spark's own launcher opens on Java 17. */
    private static final List<String> OPENED = List.of(
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.io",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/sun.nio.ch",
            "java.base/sun.nio.cs",
            "java.base/sun.security.action",
            "java.base/sun.util.calendar");

    /** The optimizing compiler takes longer than the programs of the tests would without it. */
    private static final List<String> FOR_SHORT_PROGRAMS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path home;

    private SparkHome(Path home) {
        this.home = home;
    }

    /**
     * Lays out installations.
     *
     * @param arguments the build folder of it-tests, Maven's home, its local repository, whether Maven is offline, and
     *     the versions of Spark
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[0]);
        for (int i = 4; i < arguments.length; i++) {
            String version = arguments[i];
            Path jars = Files.createDirectories(directory.resolve("spark-" + version + "/jars"));
            String classPath = MavenClassPath.of(
                    directory.resolve("../src/spark/pom.xml"),
                    directory.resolve("spark-" + version),
                    Map.of("spark.version", version),
                    Path.of(arguments[1]),
                    arguments[2],
                    Boolean.parseBoolean(arguments[3]),
                    "Maven did not resolve Spark " + version + ".");
            for (String jar : classPath.split(File.pathSeparator, -1)) {
                Path link = jars.resolve(Path.of(jar).getFileName());
                try {
                    Files.createSymbolicLink(link, Path.of(jar));
                } catch (FileAlreadyExistsException e) {
                    // an earlier build made it
                }
            }
        }
    }

    /**
     * The installation that the build made.
     *
     * @throws IllegalStateException if the build did not make it
     */
    public static SparkHome of(Path directory, String version) {
        Path home = directory.resolve("spark-" + version).toAbsolutePath();
        if (!Files.isDirectory(home.resolve("jars"))) {
            throw new IllegalStateException(
                    "Spark " + version + " is not laid out. Build with the Maven profile spark.");
        }
        return new SparkHome(home);
    }

    /** The folder of the jars. */
    public Path jars() {
        return home.resolve("jars");
    }

    /**
     * Starts a driver with two executors of one processor each, as processes of this host.
     *
     * @param log receives what it prints
     * @param conf Spark's configuration; spark.master is a cluster that the driver starts
     * @param jars jars for driver and executors, after the application's
     * @param application the application's jar, or a program in Python
     * @param mainClass its main class; empty for a program in Python
     * @param arguments its arguments
     */
    SparkDriver submit(
            Path log,
            Map<String, String> conf,
            List<Path> jars,
            Path application,
            String mainClass,
            List<String> arguments)
            throws IOException {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "spark.master", "local-cluster[2,1,1024]",
                "spark.executor.memory", "1g",
                "spark.executor.extraJavaOptions", String.join(" ", FOR_SHORT_PROGRAMS),
                "spark.ui.enabled", "false",
                "spark.driver.host", "127.0.0.1",
                "spark.driver.bindAddress", "127.0.0.1"));
        settings.putAll(conf);
        List<String> submitted = new ArrayList<>();
        settings.forEach((name, value) -> submitted.addAll(List.of("--conf", name + "=" + value)));
        if (!jars.isEmpty()) {
            submitted.addAll(List.of(
                    "--jars", String.join(",", jars.stream().map(Path::toString).toList())));
        }
        if (!mainClass.isEmpty()) {
            submitted.addAll(List.of("--class", mainClass));
        }
        submitted.add(application.toString());
        submitted.addAll(arguments);
        return start(log, List.of(), "org.apache.spark.deploy.SparkSubmit", submitted);
    }

    /**
     * Starts a Java program with the jars of Spark on its class path.
     *
     * @param log receives what it prints
     * @param before jars and folders of classes before those of Spark
     * @param mainClass the program
     * @param arguments its arguments
     */
    SparkDriver start(Path log, List<Path> before, String mainClass, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx1g");
        command.addAll(FOR_SHORT_PROGRAMS);
        OPENED.forEach(opened -> command.add("--add-opens=" + opened + "=ALL-UNNAMED"));
        command.add("-cp");
        command.add(Stream.concat(before.stream().map(Path::toString), Stream.of(jars() + "/*"))
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Files.createDirectories(home.resolve("work")).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "SPARK_HOME",
                        home.toString(),
                        "SPARK_SCALA_VERSION",
                        "2.13",
                        "SPARK_LOCAL_IP",
                        "127.0.0.1",
                        "JAVA_HOME",
                        System.getProperty("java.home")));
        return new SparkDriver(builder.start(), log);
    }

    /** What the executors of the last application have printed. */
    public List<Path> logsOfExecutors() throws IOException {
        try (Stream<Path> applications = Files.list(home.resolve("work"))) {
            Path last = applications
                    .filter(path -> path.getFileName().toString().startsWith("app-"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            try (Stream<Path> files = Files.walk(last)) {
                return files.filter(path -> path.endsWith("stderr")).toList();
            }
        }
    }
}
