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

import io.proxima.backend.cuda.driver.CudaProbe;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark of mapped lists runs on a fake device. */
class MappedBenchmarkTest {

    @Test
    void shouldMeasureEveryPlaceOfTheLists() {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        CudaProbe probe = new CudaProbe(driver, "13.0", "", List.of(new CudaProbe.Found(0, driver.facts(0), "")));
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        MappedBenchmark.run(
                probe,
                FakeDriver.IMAGES,
                new PrintStream(told, true, StandardCharsets.UTF_8),
                List.of("kron8:1:20,30"));
        assertThat(told.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("kron8,")))
                .hasSize(2 + 3 * 3)
                .anyMatch(line -> line.startsWith("kron8,256,") && line.contains(",mapped,"))
                .anyMatch(line -> line.contains(",budget,1048576,"));
    }
}
