// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class JobSummaryTest {

    /**
     * The summary of two batches: one of a deep graph, whose first node is one pair with each distance, and a short
     * one.
     */
    private static JsonNode summary(int distances) {
        return JobSummary.of(Sessions.local()
                .sql("SELECT farness, reach, hops FROM VALUES (10L, 4L, array_repeat(1L, " + distances
                        + ")), (2L, 2L, array(5L, 6L)), (0L, 0L, null) AS rows(farness, reach, hops)"));
    }

    @Test
    void shouldBoundTheHopDistribution() {
        JsonNode bounded = summary(JobSummary.MOST_DISTANCES);
        assertThat(bounded.path("diameter").asInt()).isEqualTo(JobSummary.MOST_DISTANCES - 1);
        assertThat(bounded.path("hopDistribution")).hasSize(JobSummary.MOST_DISTANCES);
        assertThat(bounded.path("hopDistribution").get(0).asLong()).isEqualTo(6);
        assertThat(bounded.path("hopDistribution").get(1).asLong()).isEqualTo(7);

        JsonNode deep = summary(JobSummary.MOST_DISTANCES + 1);
        assertThat(deep.path("diameter").asInt()).isEqualTo(JobSummary.MOST_DISTANCES);
        assertThat(deep.path("hopDistribution").isNull()).isTrue();
        assertThat(deep.path("pairs").asLong()).isEqualTo(6);
        assertThat(deep.path("meanDistance").asDouble()).isEqualTo(2);
    }
}
