// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import static io.proxima.it.spark.ExportedAirports.INSTALLATION;
import static io.proxima.it.spark.ExportedAirports.SPARK;
import static io.proxima.it.spark.ExportedAirports.VERSION;
import static io.proxima.it.spark.ExportedAirports.complete;
import static io.proxima.it.spark.ExportedAirports.folder;
import static io.proxima.it.spark.ExportedAirports.say;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What can happen to a long job besides the death of executors: its driver dies, and some executors have no usable GPU.
 * Each time, the results are complete and equal those of the procedures, bit by bit.
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
    void shouldContinueAfterTheDeathOfTheDriver() throws IOException, InterruptedException {
        Path output = airports.work().resolve("out-restarted");
        Path log = airports.work().resolve("killed-driver.log");
        Path events = folder(airports.work().resolve("events-restarted"));
        try (SparkDriver killed = airports.submitJob(VERSION, log, output, events)) {
            killed.await(complete(output, 1));
        }
        Map<Path, FileTime> complete = logsOfTwoWaves(output);
        say("kill -9 of the driver after two waves; it starts again");
        assertThat(output.resolve("summary.json")).doesNotExist();

        Path again = airports.work().resolve("restarted-driver.log");
        try (SparkDriver restarted = airports.submitJob(VERSION, again, output, events)) {
            restarted.end();
        }
        assertThat(logsOfTwoWaves(output)).isEqualTo(complete);
        airports.compare(output, "restarted");
    }

    /**
     * Each of the executors has a GPU of Spark's, but only one of them is a device that the (fake) driver knows. This
     * one searches on the device, and the other one on the CPU.
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
        try (SparkDriver driver = airports.submitJob(
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
                List.of())) {
            driver.end();
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
