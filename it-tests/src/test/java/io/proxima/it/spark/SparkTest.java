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

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Prints;
import io.proxima.it.graphs.Airports;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;

/**
 * From a server to Spark's executors and back: exports the airports of the world, computes measures in two executors that
 * are processes of their own, of which one is killed, and compares them with those of the procedures, bit by bit. The
 * packed jar of the module spark is given to spark-submit, as users do. Prints what it does.
 */
@Prints
@Tag("spark")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SparkTest {

    private static final String VERSION = System.getProperty("proxima.spark.version");
    private static final String CURRENT = System.getProperty("proxima.spark.current.version");
    private static final String JOB = "io.proxima.spark.ClosenessJob";
    private static final int LIMIT_MINUTES = 5;

    private static final Installation INSTALLATION = Installation.built();
    private static final Path SPARK = INSTALLATION.folder("spark");

    /** The column of the job, and the property of the procedure that it must equal. */
    private static final Map<String, String> EXPECTED = new TreeMap<>(Map.of(
            "closeness", "expectedCloseness",
            "wassermanFaust", "expectedWassermanFaust",
            "harmonic", "expectedHarmonic",
            "eccentricity", "expectedEccentricity"));

    private static Path work;
    private static ServerProcess server;
    private static Session session;
    private static Path graph;
    private static String fingerprint;
    private static long nodes;

    @BeforeAll
    static void exportTheAirports() {
        work = INSTALLATION.newHome("spark");
        Path home = INSTALLATION.newHome("spark-server");
        server = ServerProcess.in(INSTALLATION, home)
                .setting(
                        "server.proxima.export_directory",
                        folder(home.resolve("graphs")).toString())
                .start();
        session = server.driver().session();
        say("A Neo4j server with Proxima listens on %s", server.boltUri());
        Airports.read().loadInto(session);
        run("CALL proxima.graph.project('world', 'Airport', 'ROUTE')");
        Record exported =
                run("CALL proxima.graph.export('world', 'world.proxima')").get(0);
        graph = home.resolve("graphs/world.proxima");
        fingerprint = exported.get("fingerprint").asString();
        nodes = exported.get("nodeCount").asLong();
        say(
                "It has exported %,d airports and %,d routes to %s",
                nodes, exported.get("relationshipCount").asLong(), graph);
        run("CALL proxima.closeness.mutate('world', {mutateProperty: 'expectedCloseness'})");
        run("CALL proxima.closeness.mutate('world',"
                + " {mutateProperty: 'expectedWassermanFaust', useWassermanFaust: true})");
        run("CALL proxima.closeness.mutate('world', {mutateProperty: 'expectedHarmonic', harmonic: true})");
        run("CALL proxima.eccentricity.mutate('world', {mutateProperty: 'expectedEccentricity'})");
    }

    @AfterAll
    static void stop() {
        session.close();
        server.close();
    }

    @Test
    @Order(1)
    void shouldSurviveTheLossOfAnExecutor() throws IOException, InterruptedException {
        surviveTheLossOfAnExecutor(VERSION);
    }

    @Test
    @Order(2)
    void shouldRunOnTheCurrentLineOfSpark() throws IOException, InterruptedException {
        surviveTheLossOfAnExecutor(CURRENT);
    }

    private static void surviveTheLossOfAnExecutor(String version) throws IOException, InterruptedException {
        Path output = work.resolve("out-" + version);
        Path log = work.resolve("lost-executor-" + version + ".log");
        Path events = folder(work.resolve("events-" + version));
        say("Spark %s computes %s in two executors; its log is %s", version, EXPECTED.keySet(), log);
        Process driver = submitJob(version, log, output, events);
        try {
            await(driver, log, output.resolve("rows/from=1000"));
            ProcessHandle executor = SparkHome.executors(driver).get(0);
            say(
                    "1,000 of %,d sources are complete; kill -9 of the executor with the process id %d",
                    nodes, executor.pid());
            // while it is stopped, Spark gives it a task at the latest, which cannot end
            signal("-STOP", executor);
            TimeUnit.SECONDS.sleep(2);
            signal("-9", executor);
            end(driver, log);
        } finally {
            SparkHome.kill(driver);
        }
        assertThat(lines(events, "SparkListenerExecutorRemoved")).isNotEmpty();
        List<String> tasks = lines(events, "\"SparkListenerTaskEnd\"");
        long lost = tasks.stream()
                .filter(line -> line.contains("ExecutorLostFailure"))
                .count();
        say("The job has ended: %d tasks, %d of them lost with the executor and repeated", tasks.size(), lost);
        assertThat(lost).isPositive();
        compare(output, version);
    }

    @Test
    @Order(3)
    void shouldContinueAfterTheDeathOfTheDriver() throws IOException, InterruptedException {
        Path output = work.resolve("out-restarted");
        Path log = work.resolve("killed-driver.log");
        Path events = folder(work.resolve("events-restarted"));
        Process killed = submitJob(VERSION, log, output, events);
        try {
            await(killed, log, output.resolve("rows/from=1000"));
        } finally {
            SparkHome.kill(killed);
        }
        Map<Path, FileTime> complete = files(output.resolve("rows/from=0"));
        complete.putAll(files(output.resolve("rows/from=500")));
        say("kill -9 of the driver after 1,000 sources; it starts again");
        assertThat(output.resolve("summary.json")).doesNotExist();

        Path again = work.resolve("restarted-driver.log");
        Process restarted = submitJob(VERSION, again, output, events);
        try {
            end(restarted, again);
        } finally {
            SparkHome.kill(restarted);
        }
        Map<Path, FileTime> now = files(output.resolve("rows/from=0"));
        now.putAll(files(output.resolve("rows/from=500")));
        assertThat(now).isEqualTo(complete).isNotEmpty();
        compare(output, "restarted");
    }

    /**
     * Each of the executors has a GPU of Spark's, but only one of them is a device that the (fake) driver knows. The other
     * executor falls back to the CPU. A graph as small as this one is searched on the CPU by both.
     */
    @Test
    @Order(4)
    void shouldMixExecutorsWithAndWithoutAUsableGpu() throws IOException, InterruptedException {
        Path script = Files.writeString(work.resolve("gpus.sh"), """
                #!/bin/sh
                if mkdir '%s' 2>/dev/null; then number=0; else number=1; fi
                echo "{\\"name\\": \\"gpu\\", \\"addresses\\": [\\"$number\\"]}"
                """.formatted(work.resolve("taken")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Path output = work.resolve("out-mixed");
        Path log = work.resolve("mixed.log");
        Process driver = submitJob(
                VERSION,
                log,
                output,
                Map.of(
                        "spark.worker.resource.gpu.amount", "1",
                        "spark.worker.resource.gpu.discoveryScript", script.toString(),
                        "spark.executor.resource.gpu.amount", "1",
                        "spark.task.resource.gpu.amount", "1",
                        "spark.executorEnv.CUDA_DEVICE_ORDER", "PCI_BUS_ID"),
                List.of(INSTALLATION.testDriver(), INSTALLATION.testDriverLibrary()));
        try {
            end(driver, log);
        } finally {
            SparkHome.kill(driver);
        }
        compare(output, "mixed");
        List<Path> logs = SparkHome.of(SPARK.getParent(), VERSION).logsOfExecutors();
        assertThat(logs.stream().map(SparkTest::text))
                .anyMatch(text -> text.contains("Proxima: cuda:0 is available"))
                .anyMatch(text -> text.contains("Proxima: ") && !text.contains("cuda:0 is available"));
        say("One executor has opened the GPU that Spark assigned to its tasks, the other one fell back to the CPU");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process submitJob(String version, Path log, Path output, Path events) throws IOException {
        return submitJob(
                version,
                log,
                output,
                Map.of(
                        "spark.eventLog.enabled", "true",
                        "spark.eventLog.compress", "false",
                        "spark.eventLog.dir", events.toUri().toString()),
                List.of());
    }

    private static Process submitJob(String version, Path log, Path output, Map<String, String> conf, List<Path> jars)
            throws IOException {
        return SparkHome.of(SPARK.getParent(), version)
                .submit(
                        log,
                        conf,
                        jars,
                        SPARK.resolve("proxima-spark.jar"),
                        JOB,
                        List.of(
                                "--graph",
                                graph.toString(),
                                "--fingerprint",
                                fingerprint,
                                "--output",
                                output.toString(),
                                "--measures",
                                String.join(",", EXPECTED.keySet()),
                                "--wave",
                                "500",
                                "--batch",
                                "16",
                                "--csv",
                                "true"));
    }

    /** Loads the CSV files into the projected graph, and compares each column with the property of a procedure. */
    private static void compare(Path output, String name) throws IOException {
        Path csv = folder(graph.resolveSibling("csv-" + name));
        try (Stream<Path> files = Files.list(output.resolve("csv"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".csv")).toList()) {
                Files.copy(file, csv.resolve(file.getFileName()));
            }
        }
        run("CALL proxima.graph.nodeProperties.load('world', 'csv-%s', {nodeProperties: ['%s'], fingerprint: '%s'})"
                .formatted(name, String.join("', '", EXPECTED.keySet()), fingerprint));
        for (Map.Entry<String, String> pair : EXPECTED.entrySet()) {
            Map<Long, Object> computed = property(pair.getKey());
            assertThat(computed).hasSize((int) nodes).isEqualTo(property(pair.getValue()));
            say("%s of %,d airports equals that of the procedure, bit by bit", pair.getKey(), computed.size());
        }
        Record summary = run("CALL proxima.eccentricity.stats('world')"
                        + " YIELD diameter, radius, meanDistance, hopDistribution")
                .get(0);
        String json = Files.readString(output.resolve("summary.json")).replaceAll("\\s", "");
        assertThat(json)
                .contains("\"diameter\":" + summary.get("diameter").asLong() + ",")
                .contains("\"radius\":" + summary.get("radius").asLong() + ",")
                .contains("\"meanDistance\":" + summary.get("meanDistance").asDouble() + ",")
                .contains("\"hopDistribution\":"
                        + summary.get("hopDistribution").asList().toString().replace(" ", ""));
        say("and so does the summary: %s", json);
        run("CALL proxima.graph.nodeProperties.write('world', [{closeness: 'spark'}])");
        run("CALL proxima.graph.nodeProperties.drop('world', ['%s'])"
                .formatted(String.join("', '", EXPECTED.keySet())));
        assertThat(run("MATCH (a:Airport) WHERE a.spark IS NOT NULL RETURN count(a) AS written")
                        .get(0)
                        .get("written")
                        .asLong())
                .isEqualTo(nodes);
        run("MATCH (a:Airport) REMOVE a.spark");
    }

    /** The bits of doubles, so that equality means equal bits. */
    private static Map<Long, Object> property(String name) {
        Map<Long, Object> values = new HashMap<>();
        for (Record row : run(
                "CALL proxima.graph.nodeProperty.stream('world', '%s') YIELD nodeId, propertyValue".formatted(name))) {
            Object value = row.get("propertyValue").asObject();
            values.put(
                    row.get("nodeId").asLong(),
                    value instanceof Double score ? Long.toHexString(Double.doubleToRawLongBits(score)) : value);
        }
        return values;
    }

    /** The example of the manual, compiled as it is. */
    @Test
    @Order(5)
    void shouldWriteBackWithTheNeo4jConnector() throws IOException, InterruptedException {
        SparkHome spark = SparkHome.of(SPARK.getParent(), VERSION);
        Path classes = folder(work.resolve("example"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        classPath(spark.jars()),
                        "-d",
                        classes.toString(),
                        Files.writeString(work.resolve("WriteBack.java"), example())
                                .toString());
        assertThat(failed).isZero();
        Path application = work.resolve("example.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application))) {
            jar.putNextEntry(new JarEntry("WriteBack.class"));
            Files.copy(classes.resolve("WriteBack.class"), jar);
        }
        Path log = work.resolve("connector.log");
        Process driver = spark.submit(
                log,
                Map.of(),
                List.of(SPARK.resolve("neo4j-connector.jar")),
                application,
                "WriteBack",
                List.of(
                        work.resolve("out-" + VERSION + "/rows").toString(),
                        server.boltUri().toString(),
                        "neo4j",
                        ServerProcess.PASSWORD));
        try {
            end(driver, log);
        } finally {
            SparkHome.kill(driver);
        }
        Map<Long, Object> written = new HashMap<>();
        for (Record row : run("MATCH (a:Airport) RETURN id(a) AS id, a.sparkCloseness AS score")) {
            written.put(
                    row.get("id").asLong(),
                    Long.toHexString(Double.doubleToRawLongBits(row.get("score").asDouble())));
        }
        assertThat(written).isEqualTo(property("expectedCloseness"));
        say("The Neo4j connector has written %,d scores to the database, equal bit by bit", written.size());
    }

    /** A compiler inside a JVM does not expand wildcards. */
    private static String classPath(Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static String example() throws IOException {
        Matcher block = Pattern.compile("\\[source,java]\n----\n(.*?)----\n", Pattern.DOTALL)
                .matcher(Files.readString(SPARK.resolve("../../../docs/modules/ROOT/pages/beyond-one-server.adoc")
                        .normalize()));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static void await(Process driver, Path log, Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
        while (!Files.exists(file)) {
            if (!driver.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError("Spark did not write " + file + "\n" + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void end(Process driver, Path log) throws IOException, InterruptedException {
        if (!driver.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || driver.exitValue() != 0) {
            throw new AssertionError("Spark failed:\n" + Files.readString(log));
        }
    }

    private static List<String> lines(Path folder, String text) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> !path.toString().endsWith(".crc"))
                    .toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.contains(text))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static Map<Path, FileTime> files(Path folder) throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                times.put(file, Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    private static Path folder(Path path) {
        path.toFile().mkdirs();
        return path;
    }

    private static List<Record> run(String query) {
        return session.run(query).list();
    }

    private static void say(String text, Object... values) {
        System.out.println("[spark] " + String.format(Locale.ROOT, text, values));
    }
}
