// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark runs on the CPU and on a fake device; it checks its results itself. */
class RunBenchmarkTest {

    @Test
    void shouldMeasureEveryOperation() {
        List<String[]> rows = measure(
                new CpuBackend(),
                null,
                "kron7,oneway30",
                "search",
                "search*2+closeness",
                "distances@40",
                "sums@40",
                "closeness",
                "harmonic",
                "eccentricity",
                "components",
                "betweenness",
                "betweenness@20",
                "paths",
                "fractions");
        assertThat(rows).as("twelve tasks of two graphs").hasSize(24);
        assertThat(column(rows, "kernel_ms")).containsOnly("");
        assertThat(column(rows, "checksum").get(0))
                .as("of a search alone, and of searches beside closeness")
                .isEqualTo(column(rows, "checksum").get(1));
    }

    @Test
    void shouldTimeTheKernelsThatAreRequested() {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        KernelClock clock = new KernelClock();
        DeviceProbe timed = clock.timed(FakeDevices.found(driver));
        try (CudaBackends backends = new CudaBackends(() -> timed, FakeDevices::policy)) {
            List<String[]> rows = measure(
                    backends.choose().backend(), clock, "kron9", "search/xbfs/natural", "search/directional/degree");
            assertThat(column(rows, "kernel")).containsExactly("xbfs", "directional");
            assertThat(column(rows, "order")).containsExactly("natural", "degree");
            assertThat(column(rows, "kernel_ms")).doesNotContain("");
            assertThat(column(rows, "launch_ms")).doesNotContain("", "0.0000");
        }
    }

    private static List<String[]> measure(TraversalBackend backend, KernelClock clock, String graphs, String... tasks) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            new RunBenchmark("this", "test", backend, clock, 0, out).run(graphs, List.of(tasks));
        }
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    private static List<String> column(List<String[]> rows, String name) {
        int index = List.of(RunBenchmark.HEADER.split(",")).indexOf(name);
        return rows.stream().map(row -> row[index]).toList();
    }
}
