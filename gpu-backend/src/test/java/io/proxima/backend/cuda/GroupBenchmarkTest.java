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

/** The benchmark of several devices runs on fake ones and finds their results equal. */
class GroupBenchmarkTest {

    @Test
    void shouldCompareOneDeviceWithAll() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        RunOptions options = new RunOptions(VertexOrder.DEGREE, Kernel.of("blest-full"));
        try (CudaBackends backends = FakeDevices.sharing(
                        FakeDriver.hoppers(2, FakeDevices.PLENTY), FakeDevices.smallBatches(options));
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            List<String> tasks = List.of(
                    "closeness:3:kron9", "harmonic:1:kron9", "all:1:kron9", "distances:100:kron9", "searches:2:kron9");
            GroupBenchmark.run(backends, 50_000_000, out, tasks);
        }
        String lines = printed.toString(StandardCharsets.UTF_8);
        assertThat(lines).contains("closeness [] on cuda:0, cuda:1").contains("distances from 100 sources on cuda:0:");
        assertThat(lines.lines().filter(line -> line.startsWith("RESULT kron9")))
                .hasSize(5);
    }
}
