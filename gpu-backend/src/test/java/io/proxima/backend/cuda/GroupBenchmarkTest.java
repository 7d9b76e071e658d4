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

/** The benchmark of several devices runs on fake ones and finds their results equal. */
class GroupBenchmarkTest {

    @Test
    void shouldCompareOneDeviceWithAll() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        RunOptions options = new RunOptions(VertexOrder.DEGREE, Kernel.of("blest-full"));
        try (CudaBackends backends = FakeDevices.sharing(
                        FakeDriver.hoppers(2, FakeDevices.PLENTY), FakeDevices.smallBatches(options));
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            List<String> tasks = List.of("closeness:3:kron9", "searches:2:kron9");
            GroupBenchmark.run(backends, 50_000_000, out, tasks);
        }
        String lines = printed.toString(StandardCharsets.UTF_8);
        assertThat(lines).contains("closeness on cuda:0, cuda:1");
        assertThat(lines.lines().filter(line -> line.startsWith("RESULT kron9")))
                .hasSize(2);
    }
}
