// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.run.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
                "bounds",
                "diameter",
                "best@10",
                "components",
                "betweenness",
                "betweenness@20",
                "paths",
                "fractions",
                "outlier");
        assertThat(rows).as("sixteen tasks of two graphs").hasSize(32);
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
        try (CudaBackends backends = FakeDevices.backends(() -> timed, FakeDevices.policy())) {
            List<String[]> rows = measure(
                    backends.choose().backend(), clock, "kron9", "search/xbfs/natural", "search/directional/degree");
            assertThat(column(rows, "kernel")).containsExactly("xbfs", "directional");
            assertThat(column(rows, "order")).containsExactly("natural", "degree");
            assertThat(column(rows, "kernel_ms")).doesNotContain("");
            assertThat(column(rows, "launch_ms")).doesNotContain("", "0.0000");
        }
    }

    /** The background is slower than all calls of the benchmark together would be. */
    @Test
    void shouldMeasureOnlyCallsOfThePreparedGraph() {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO))) {
            TraversalBackend backend = backends.choose().backend();
            AtomicInteger withoutRecords = new AtomicInteger();
            driver.device().onLaunch(entry -> {
                if (entry.startsWith("bfs_balls_rows")) {
                    withoutRecords.incrementAndGet();
                }
                if (entry.startsWith("balls_measure") || entry.startsWith("csc_relabel")) {
                    LockSupport.parkNanos(300_000_000);
                }
            });
            List<String[]> rows = measure(backend, null, "roadc40", "search");
            assertThat(withoutRecords).as("the first call and the warm-up").hasValue(2);
            assertThat(column(rows, "kernel")).containsExactly("ball-records");
            assertThat(column(rows, "order")).containsExactly("rcm");
            assertThat(column(rows, "device_bytes")).doesNotContain("0").allMatch(bytes -> !bytes.contains("+"));
        }
    }

    @Test
    void shouldSayWhereItCannotWaitForTheBackground() {
        FakeDriver driver = FakeDriver.hoppers(2, FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver)) {
            List<String[]> rows = measure(backends.chooseAll().backend(), null, "kron7", "search");
            assertThat(rows.get(0)[0]).startsWith("# kron7 search: not known whether");
            assertThat(rows).hasSize(2);
        }
    }

    @Test
    void shouldTimeTheFirstCalls() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            new FirstCalls("kron7", out).run(new CpuBackend(), List.of("bfs", "bfs", "farness"));
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceFirst(",[0-9.]+$", "")))
                .containsExactly("kron7,load", "kron7,1 bfs", "kron7,2 bfs", "kron7,3 farness");
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
