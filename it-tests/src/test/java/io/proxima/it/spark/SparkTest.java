// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import static io.proxima.it.spark.ExportedAirports.CURRENT;
import static io.proxima.it.spark.ExportedAirports.EXPECTED;
import static io.proxima.it.spark.ExportedAirports.INSTALLATION;
import static io.proxima.it.spark.ExportedAirports.SPARK;
import static io.proxima.it.spark.ExportedAirports.VERSION;
import static io.proxima.it.spark.ExportedAirports.complete;
import static io.proxima.it.spark.ExportedAirports.folder;
import static io.proxima.it.spark.ExportedAirports.lines;
import static io.proxima.it.spark.ExportedAirports.say;
import static io.proxima.it.spark.ExportedAirports.signal;
import static io.proxima.it.spark.ExportedAirports.withEvents;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.ServerVitals;
import io.proxima.it.Unchecked;
import io.proxima.it.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.neo4j.driver.Record;

/**
 * From a server to Spark's executors and back: exports the airports of the world, computes measures in two executors
 * that are processes of their own and are killed at each point of their life, as is their driver, and compares them
 * with those of the procedures, bit by bit. The packed jar of the module spark is given to spark-submit, as users do.
 * Prints what it does.
 */
@Tag("spark")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SparkTest {

    /** The folder python/lib of a distribution of Spark, with pyspark.zip and py4j; Maven has neither. */
    private static final String PYTHON = "proxima.pyspark";

    private static ExportedAirports airports;

    @BeforeAll
    static void start() {
        airports = new ExportedAirports();
    }

    @AfterAll
    static void stop() {
        airports.close();
    }

    @Test
    @Order(1)
    void shouldSurviveTheLossOfExecutorsAndOfTheDriver() throws IOException, InterruptedException {
        surviveTheLossOfExecutorsAndOfTheDriver(VERSION);
    }

    @Test
    @Order(2)
    void shouldSurviveTheLossOfExecutorsAndOfTheDriverOnTheCurrentLineOfSpark()
            throws IOException, InterruptedException {
        surviveTheLossOfExecutorsAndOfTheDriver(CURRENT);
    }

    /** The first driver has executors with and without a usable GPU, the second one has one executor and no GPU. */
    private static void surviveTheLossOfExecutorsAndOfTheDriver(String version)
            throws IOException, InterruptedException {
        Path output = airports.work().resolve("out-" + version);
        Path log = airports.work().resolve("killed-driver-" + version + ".log");
        Path events = folder(airports.work().resolve("events-" + version));
        Map<String, String> conf = new TreeMap<>(withEvents(events));
        conf.putAll(withOneUsableGpu(version));
        List<Path> fakeGpu = List.of(INSTALLATION.testDriver(), INSTALLATION.testDriverLibrary());
        say("Spark %s computes %s in two executors; its log is %s", version, EXPECTED.keySet(), log);
        try (SparkDriver driver = airports.submitJob(version, log, output, conf, fakeGpu)) {
            driver.await("an executor", () -> !driver.executors().isEmpty());
            signal("-9", driver.executors().get(0));
            say("kill -9 of an executor that has not loaded the graph");
            assertThat(complete(output, 0)).doesNotExist();

            ProcessHandle writing = stopWhileItWrites(driver, output);
            signal("-9", writing);
            say("kill -9 of an executor that writes rows");

            driver.await(complete(output, 1));
            signal("-9", driver.executors().get(0));
            say("kill -9 of an executor that has completed tasks of two waves");

            driver.await(complete(output, 2));
        }
        Map<Path, FileTime> complete = logsOfWaves(output);
        say("kill -9 of the driver after three waves; it starts again");
        assertThat(output.resolve("summary.json")).doesNotExist();
        assertThat(SparkHome.of(SPARK.getParent(), version).logsOfExecutors().stream()
                        .map(ExportedAirports::text))
                .anyMatch(text -> text.contains("Proxima: searches run on cuda:0"))
                .anyMatch(text -> text.contains("Proxima: ") && !text.contains("cuda:0 is available"));
        say("An executor has searched on the GPU that Spark assigned to its tasks, another one on the CPU");

        Path again = airports.work().resolve("restarted-driver-" + version + ".log");
        Map<String, String> smaller = new TreeMap<>(withEvents(events));
        smaller.put("spark.master", "local-cluster[1,1,1024]");
        try (SparkDriver restarted = airports.submitJob(version, again, output, smaller, List.of())) {
            restarted.end();
        }
        assertThat(logsOfWaves(output)).containsAllEntriesOf(complete).hasSize(4);
        assertThat(lines(events, "\"SparkListenerExecutorRemoved\"")).hasSizeGreaterThanOrEqualTo(2);
        List<String> tasks = lines(events, "\"SparkListenerTaskEnd\"");
        long lost = tasks.stream()
                .filter(line -> line.contains("ExecutorLostFailure"))
                .count();
        say("The job has ended: %d tasks, %d of them lost with their executor and repeated", tasks.size(), lost);
        assertThat(lost).isPositive();
        airports.compare(output, version);
    }

    /**
     * Each of the executors has a GPU of Spark's, but only one of them is a device that the (fake) driver knows. This
     * one searches on the device, and the other one on the CPU.
     */
    private static Map<String, String> withOneUsableGpu(String version) throws IOException {
        Path script = Files.writeString(airports.work().resolve("gpus-" + version + ".sh"), """
                #!/bin/sh
                if mkdir '%s' 2>/dev/null; then number=0; else number=1; fi
                echo "{\\"name\\": \\"gpu\\", \\"addresses\\": [\\"$number\\"]}"
                """.formatted(
                        airports.work().resolve("taken-" + version)));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return Map.of(
                "spark.worker.resource.gpu.amount", "1",
                "spark.worker.resource.gpu.discoveryScript", script.toString(),
                "spark.executor.resource.gpu.amount", "1",
                "spark.task.resource.gpu.amount", "1",
                "spark.executorEnv.CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    }

    /** What Spark's sink has written about the files of each wave. */
    private static Map<Path, FileTime> logsOfWaves(Path output) throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        try (Stream<Path> logs = Files.list(output.resolve("rows/_spark_metadata"))) {
            for (Path log : logs.filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()) {
                times.put(log, Files.getLastModifiedTime(log));
            }
        }
        return times;
    }

    /** Stops an executor in the middle of the file of a task. */
    private static ProcessHandle stopWhileItWrites(SparkDriver driver, Path output)
            throws IOException, InterruptedException {
        driver.await(output.resolve("rows"));
        while (true) {
            ProcessHandle[] found = new ProcessHandle[1];
            driver.await("an executor that writes", () -> {
                found[0] = writer(driver, output).orElse(null);
                return found[0] != null;
            });
            signal("-STOP", found[0]);
            // it may have closed the file in the meantime
            if (writer(driver, output).map(found[0]::equals).orElse(false)) {
                return found[0];
            }
            signal("-CONT", found[0]);
        }
    }

    private static Optional<ProcessHandle> writer(SparkDriver driver, Path output) {
        return driver.executors().stream()
                .filter(executor -> ServerVitals.openFiles(executor.pid()).keySet().stream()
                        .anyMatch(file -> file.startsWith(output + "/rows/part-")))
                .findAny();
    }

    @Test
    @Order(3)
    void shouldRunInIsolatedSessionsOfTheCurrentLineOfSpark() throws IOException, InterruptedException {
        Path log = airports.work().resolve("isolated.log");
        try (SparkDriver driver = SparkHome.of(SPARK.getParent(), CURRENT)
                .start(
                        log,
                        List.of(SPARK.resolve("../../../spark/target/test-classes")
                                .normalize()),
                        "io.proxima.spark.IsolatedSessions",
                        List.of(
                                SPARK.resolve("proxima-spark.jar").toString(),
                                airports.graph().toString()))) {
            driver.end();
        }
        Record sums = airports.run("CALL proxima.eccentricity.stats('world') YIELD meanDistance, hopDistribution"
                        + " WITH reduce(pairs = 0, count IN hopDistribution[1..] | pairs + count) AS reach, meanDistance"
                        + " RETURN reach, toInteger(round(reach * meanDistance)) AS farness")
                .get(0);
        assertThat(Files.readAllLines(log).stream().filter(line -> line.startsWith("isolated session: ")))
                .hasSize(2)
                .containsOnly("isolated session: [%d,%d,%d]"
                        .formatted(
                                airports.nodes(),
                                sums.get("farness").asLong(),
                                sums.get("reach").asLong()));
        say("Two isolated sessions of Spark %s, each with its own class loader, have computed the same", CURRENT);
    }

    /** The example of the manual, compiled as it is. */
    @Test
    @Order(4)
    void shouldWriteBackWithTheNeo4jConnector() throws IOException, InterruptedException {
        SparkHome spark = SparkHome.of(SPARK.getParent(), VERSION);
        Path classes = folder(airports.work().resolve("example"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        classPath(spark.jars()),
                        "-d",
                        classes.toString(),
                        Files.writeString(airports.work().resolve("WriteBack.java"), example("java"))
                                .toString());
        assertThat(failed).isZero();
        Path application = airports.work().resolve("example.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application))) {
            jar.putNextEntry(new JarEntry("WriteBack.class"));
            Files.copy(classes.resolve("WriteBack.class"), jar);
        }
        Path log = airports.work().resolve("connector.log");
        try (SparkDriver driver = spark.submit(
                log,
                Map.of("spark.master", "local[2]"),
                List.of(SPARK.resolve("neo4j-connector.jar")),
                application,
                "WriteBack",
                List.of(
                        airports.work().resolve("out-" + VERSION + "/rows").toString(),
                        airports.server().boltUri().toString(),
                        "neo4j",
                        ServerProcess.PASSWORD))) {
            driver.end();
        }
        Map<Long, Object> written = new HashMap<>();
        for (Record row : airports.run("MATCH (a:Airport) RETURN id(a) AS id, a.sparkCloseness AS score")) {
            written.put(
                    row.get("id").asLong(),
                    Long.toHexString(Double.doubleToRawLongBits(row.get("score").asDouble())));
        }
        assertThat(written).isEqualTo(airports.property("expectedCloseness"));
        say("The Neo4j connector has written %,d scores to the database, equal bit by bit", written.size());
    }

    /** The example of the manual, as it is. */
    @Test
    @Order(5)
    @EnabledIfSystemProperty(named = PYTHON, matches = ".+", disabledReason = "-D" + PYTHON + " names no pyspark.zip")
    void shouldRunAProgramInPython() throws IOException, InterruptedException {
        SparkHome spark = SparkHome.of(SPARK.getParent(), VERSION);
        Path library = folder(spark.jars().resolveSibling("python/lib"));
        for (Path zip : Unchecked.list(Path.of(System.getProperty(PYTHON)))) {
            if (zip.toString().endsWith(".zip")) {
                Files.copy(zip, library.resolve(zip.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path program = Files.writeString(airports.work().resolve("ranking.py"), example("python"));
        Path log = airports.work().resolve("python.log");
        Path rows = airports.work().resolve("python-rows");
        try (SparkDriver driver = spark.submit(
                log,
                Map.of(),
                List.of(SPARK.resolve("proxima-spark.jar")),
                program,
                "",
                List.of(airports.graph().toString(), rows.toString()))) {
            driver.end();
        }
        airports.compareCsv(rows, "python", Map.of("closeness", "expectedCloseness", "harmonic", "expectedHarmonic"));
        assertThat(Files.readString(log)).contains("the ten most central nodes:");
        say("The program in Python has computed the same");
    }

    /** A compiler inside a JVM does not expand wildcards. */
    private static String classPath(Path folder) {
        return Unchecked.list(folder).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static String example(String language) throws IOException {
        Matcher block = Pattern.compile("\\[source," + language + "]\n----\n(.*?)----\n", Pattern.DOTALL)
                .matcher(Files.readString(SPARK.resolve("../../../docs/modules/ROOT/pages/beyond-one-server.adoc")
                        .normalize()));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
