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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An installation of Spark, made of Maven's jars: a folder {@code jars} of links. It starts a driver as spark-submit does,
 * with executors in processes of their own.
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
     * @param conf Spark's configuration
     * @param jars jars for driver and executors, after the application's
     * @param application the application's jar
     * @param mainClass its main class
     * @param arguments its arguments
     */
    public Process submit(
            Path log,
            Map<String, String> conf,
            List<Path> jars,
            Path application,
            String mainClass,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx1g");
        OPENED.forEach(opened -> command.add("--add-opens=" + opened + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-cp",
                jars() + "/*",
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local-cluster[2,1,1024]",
                "--conf",
                "spark.executor.memory=1g",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.driver.host=127.0.0.1",
                "--conf",
                "spark.driver.bindAddress=127.0.0.1"));
        conf.forEach((name, value) -> command.addAll(List.of("--conf", name + "=" + value)));
        if (!jars.isEmpty()) {
            command.addAll(List.of(
                    "--jars", String.join(",", jars.stream().map(Path::toString).toList())));
        }
        command.addAll(List.of("--class", mainClass, application.toString()));
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
        return builder.start();
    }

    /** The executors that a driver has started and that live. */
    public static List<ProcessHandle> executors(Process driver) {
        return driver.descendants()
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info()
                        .arguments()
                        .map(arguments -> List.of(arguments).stream()
                                .anyMatch(argument -> argument.endsWith("CoarseGrainedExecutorBackend")))
                        .orElse(false))
                .toList();
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

    /** Ends a driver and its executors at once, as a crash of the host would. */
    public static void kill(Process driver) throws InterruptedException {
        List<ProcessHandle> processes = driver.descendants().toList();
        driver.destroyForcibly();
        processes.forEach(ProcessHandle::destroyForcibly);
        driver.waitFor(1, TimeUnit.MINUTES);
    }
}
