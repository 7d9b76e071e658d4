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
