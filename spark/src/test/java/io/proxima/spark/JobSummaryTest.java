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
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class JobSummaryTest {

    /** The summary of two batches: one of a deep graph, whose first node is one pair with each distance, and a short one. */
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
