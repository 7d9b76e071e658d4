// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.order.VertexOrder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark of the orders runs, on small graphs. */
class OrderBenchmarkTest {

    @Test
    void shouldMeasureEveryOrder() {
        StringWriter csv = new StringWriter();
        try (PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
                PrintWriter writer = new PrintWriter(csv)) {
            OrderBenchmark.run(out, writer, List.of("kron9", "road25"));
        }
        String[] lines = csv.toString().split(System.lineSeparator());
        assertThat(lines).hasSize(1 + 2 * (VertexOrder.values().length - 1));
        assertThat(lines).allMatch(line -> line.split(",").length == lines[0].split(",").length);
        assertThat(lines).anyMatch(line -> line.startsWith("kron9,512,") && line.contains(",true,"));
        assertThat(lines).anyMatch(line -> line.startsWith("road25,625,") && line.contains(",rcm,"));
    }
}
