// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.fake.FakeDriver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark of weighted shortest paths runs and finds its results right, on a fake device and small graphs. */
class NearFarBenchmarkTest {

    @Test
    void shouldMeasureEveryFormOfWeights() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            NearFarBenchmark.run((CudaBackend) backends.choose().backend(), out, List.of("kron8", "roadc20"));
        }
        for (String graph : List.of("kron8", "roadc20")) {
            for (String weights : List.of("integers", "floats", "doubles", "ones")) {
                assertThat(printed.toString(StandardCharsets.UTF_8))
                        .contains(graph + " " + weights + ", whole call", graph + " " + weights + ", kernel: median");
            }
        }
    }
}
