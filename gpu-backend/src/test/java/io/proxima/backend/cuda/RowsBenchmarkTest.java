// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.order.VertexOrder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark of sums by source runs on a fake device and finds both ways equal. */
class RowsBenchmarkTest {

    @Test
    void shouldCompareSumsBySourceWithSumsByReceiver() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        RunOptions options = new RunOptions(VertexOrder.DEGREE, Kernel.AUTO);
        try (CudaBackends backends = FakeDevices.sharing(
                        FakeDriver.hoppers(1, FakeDevices.PLENTY), FakeDevices.smallBatches(options));
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            List<String> tasks = List.of("farness:1:0:0:kron8", "all:1:0:0:kron8", "harmonic:1:100:9:kron8");
            RowsBenchmark.run(backends, out, tasks);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("kron8,256,")))
                .hasSize(12);
    }
}
