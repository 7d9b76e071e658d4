// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import static io.proxima.it.spark.ExportedAirports.INSTALLATION;
import static io.proxima.it.spark.ExportedAirports.SPARK;
import static io.proxima.it.spark.ExportedAirports.VERSION;
import static io.proxima.it.spark.ExportedAirports.await;
import static io.proxima.it.spark.ExportedAirports.complete;
import static io.proxima.it.spark.ExportedAirports.end;
import static io.proxima.it.spark.ExportedAirports.folder;
import static io.proxima.it.spark.ExportedAirports.lines;
import static io.proxima.it.spark.ExportedAirports.say;
import static io.proxima.it.spark.ExportedAirports.signal;
import static io.proxima.it.spark.ExportedAirports.text;
import static io.proxima.it.spark.ExportedAirports.withEvents;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What can happen to a long job: its driver dies, executors die at any point of their life, tasks run twice, and some
 * executors have no usable GPU. Each time, the results are complete and equal those of the procedures, bit by bit.
 */
@Tag("spark")
@ExtendWith(ExportedAirports.Extension.class)
class SparkFailuresTest {

    private static ExportedAirports airports;

    @BeforeAll
    static void find() {
        airports = ExportedAirports.get();
    }

    @Test
    void shouldSurviveTheLossOfExecutorsAtEachPoint() throws IOException, InterruptedException {
        Path output = airports.work().resolve("out-losses");
        Path log = airports.work().resolve("losses.log");
        Path events = folder(airports.work().resolve("events-losses"));
        Process driver = airports.submitJob(VERSION, log, output, events);
        try {
            await(driver, log, "an executor", () -> !SparkHome.executors(driver).isEmpty());
            signal("-9", SparkHome.executors(driver).get(0));
            say("kill -9 of an executor that has not fetched the graph");
            assertThat(complete(output, 0)).doesNotExist();

            ProcessHandle writing = stopWhileItWrites(driver, log, output);
            signal("-9", writing);
            say("kill -9 of an executor that writes rows");

            await(driver, log, complete(output, 2));
            signal("-9", SparkHome.executors(driver).get(0));
            say("kill -9 of an executor that has completed tasks of three waves");
            end(driver, log);
        } finally {
            SparkHome.kill(driver);
        }
        assertThat(lines(events, "\"SparkListenerExecutorRemoved\"")).hasSizeGreaterThanOrEqualTo(2);
        airports.compare(output, "losses");
    }

    /** Stops an executor in the middle of the file of a task. */
    private static ProcessHandle stopWhileItWrites(Process driver, Path log, Path output)
            throws IOException, InterruptedException {
        while (true) {
            ProcessHandle[] found = new ProcessHandle[1];
            await(driver, log, "an executor that writes", () -> {
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

    private static Optional<ProcessHandle> writer(Process driver, Path output) {
        return SparkHome.executors(driver).stream()
                .filter(executor -> openFiles(executor).anyMatch(file -> file.startsWith(output + "/rows/part-")))
                .findAny();
    }

    private static Stream<String> openFiles(ProcessHandle process) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return descriptors.toList().stream().map(SparkFailuresTest::target);
        } catch (IOException | UncheckedIOException e) {
            // it has ended
            return Stream.empty();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // it was closed
            return "";
        }
    }

    /** The workers have host names of their own, as Spark duplicates a task on another host only. */
    @Test
    void shouldWriteRowsOnceIfTasksAreDuplicated() throws IOException, InterruptedException {
        Path output = airports.work().resolve("out-speculation");
        Path log = airports.work().resolve("speculation.log");
        Path events = folder(airports.work().resolve("events-speculation"));
        Map<String, String> conf = withEvents(events);
        conf.putAll(Map.of(
                "spark.speculation", "true",
                "spark.speculation.interval", "50ms",
                "spark.speculation.multiplier", "1.1",
                "spark.speculation.quantile", "0.3"));
        try (SparkCluster cluster = new SparkCluster(
                SparkHome.of(SPARK.getParent(), VERSION), airports.work().resolve("cluster"), 2)) {
            conf.put("spark.master", cluster.url());
            Process driver = airports.submitJob(VERSION, log, output, conf, List.of(), List.of());
            try {
                for (int wave = 1; wave <= 3; wave++) {
                    await(driver, log, complete(output, wave));
                    Path end = complete(output, wave + 1);
                    ProcessHandle slow = cluster.executors().get(0);
                    int before = duplicates(log);
                    signal("-STOP", slow);
                    // Spark may give this wave no task to an executor that is still ending one of the wave before
                    await(driver, log, "a duplicate", () -> duplicates(log) > before || Files.exists(end));
                    signal("-CONT", slow);
                }
                end(driver, log);
            } finally {
                SparkHome.kill(driver);
            }
        }
        long duplicates = lines(events, "\"SparkListenerTaskStart\"").stream()
                .filter(line -> line.contains("\"Speculative\":true"))
                .count();
        say("An executor was stopped for a while in three waves: Spark has started %d tasks twice", duplicates);
        assertThat(duplicates).isPositive();
        airports.compare(output, "speculation");
    }

    /** The number of second attempts in the driver's log. */
    private static int duplicates(Path log) {
        return (int) text(log)
                .lines()
                .filter(line -> line.matches(".*TaskSetManager: Starting task \\d+\\.1 in stage.*"))
                .count();
    }

    @Test
    void shouldContinueAfterTheDeathOfTheDriver() throws IOException, InterruptedException {
        Path output = airports.work().resolve("out-restarted");
        Path log = airports.work().resolve("killed-driver.log");
        Path events = folder(airports.work().resolve("events-restarted"));
        Process killed = airports.submitJob(VERSION, log, output, events);
        try {
            await(killed, log, complete(output, 1));
        } finally {
            SparkHome.kill(killed);
        }
        Map<Path, FileTime> complete = logsOfTwoWaves(output);
        say("kill -9 of the driver after 1,000 sources; it starts again");
        assertThat(output.resolve("summary.json")).doesNotExist();

        Path again = airports.work().resolve("restarted-driver.log");
        Process restarted = airports.submitJob(VERSION, again, output, events);
        try {
            end(restarted, again);
        } finally {
            SparkHome.kill(restarted);
        }
        assertThat(logsOfTwoWaves(output)).isEqualTo(complete);
        airports.compare(output, "restarted");
    }

    /**
     * Each of the executors has a GPU of Spark's, but only one of them is a device that the (fake) driver knows. This one
     * searches on the device, and the other one on the CPU.
     */
    @Test
    void shouldMixExecutorsWithAndWithoutAUsableGpu() throws IOException, InterruptedException {
        Path script = Files.writeString(airports.work().resolve("gpus.sh"), """
                #!/bin/sh
                if mkdir '%s' 2>/dev/null; then number=0; else number=1; fi
                echo "{\\"name\\": \\"gpu\\", \\"addresses\\": [\\"$number\\"]}"
                """.formatted(
                        airports.work().resolve("taken")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Path output = airports.work().resolve("out-mixed");
        Path log = airports.work().resolve("mixed.log");
        Process driver = airports.submitJob(
                VERSION,
                log,
                output,
                Map.of(
                        "spark.worker.resource.gpu.amount", "1",
                        "spark.worker.resource.gpu.discoveryScript", script.toString(),
                        "spark.executor.resource.gpu.amount", "1",
                        "spark.task.resource.gpu.amount", "1",
                        "spark.executorEnv.CUDA_DEVICE_ORDER", "PCI_BUS_ID"),
                List.of(INSTALLATION.testDriver(), INSTALLATION.testDriverLibrary()),
                List.of());
        try {
            end(driver, log);
        } finally {
            SparkHome.kill(driver);
        }
        airports.compare(output, "mixed");
        List<Path> logs = SparkHome.of(SPARK.getParent(), VERSION).logsOfExecutors();
        assertThat(logs.stream().map(ExportedAirports::text))
                .anyMatch(text -> text.contains("Proxima: searches run on cuda:0"))
                .anyMatch(text -> text.contains("Proxima: ") && !text.contains("cuda:0 is available"));
        say("One executor has searched on the GPU that Spark assigned to its tasks, the other one on the CPU");
    }

    /** What Spark's sink has written about the files of the first two waves. */
    private static Map<Path, FileTime> logsOfTwoWaves(Path output) throws IOException {
        Map<Path, FileTime> times = new TreeMap<>();
        for (String wave : List.of("0", "1")) {
            Path log = output.resolve("rows/_spark_metadata").resolve(wave);
            times.put(log, Files.getLastModifiedTime(log));
        }
        return times;
    }
}
