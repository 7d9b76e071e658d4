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
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
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
