// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.fake.FakeDriver;
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
