// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark of shortest paths runs, on small graphs. */
class ShortestPathsBenchmarkTest {

    @Test
    void shouldMeasureEveryDelta() {
        StringWriter csv = new StringWriter();
        try (PrintWriter writer = new PrintWriter(csv)) {
            ShortestPathsBenchmark.run(writer, List.of("rmat-8", "grid-20"), 2);
        }
        String[] lines = csv.toString().split(System.lineSeparator(), -1);
        assertThat(lines).hasSize(2 + 2 * 3 * 2 * 2 * 12);
        assertThat(lines[1]).startsWith("rmat-8,doubles,256,").contains(",derived,derived,");
        assertThat(lines).anyMatch(line -> line.startsWith("grid-20,doubles,400,1520,2,true,0.5,"));
    }
}
