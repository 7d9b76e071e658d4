// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The charts show the committed results. */
class ChartTest {

    private static final Path RESULTS = Path.of(System.getProperty("proxima.it.directory"), "../../docs/benchmarks")
            .normalize();

    @Test
    void shouldBeDrawnFromTheCommittedResults() throws IOException {
        Map<Path, String> drawn = Charts.drawn(RESULTS);
        assertThat(drawn).isNotEmpty();
        for (Map.Entry<Path, String> chart : drawn.entrySet()) {
            assertThat(chart.getKey())
                    .as("run Charts after a change of the results")
                    .hasContent(chart.getValue());
        }
    }
}
