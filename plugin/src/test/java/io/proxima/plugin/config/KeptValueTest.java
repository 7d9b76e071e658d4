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
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptValueTest {

    @Test
    void shouldKeepValuesOfUsualLengths() {
        Map<String, Object> given = new LinkedHashMap<>();
        given.put("nodeFilter", "n:A");
        given.put("relationshipProjection", Map.of("R", Map.of("type", "R", "orientation", "NATURAL")));
        given.put("types", List.of("R", "S"));
        given.put("concurrency", 4L);
        assertThat(KeptValue.shortened(given)).isEqualTo(given);
        assertThat(KeptValue.shortened(given).keySet()).containsExactlyElementsOf(given.keySet());
    }

    @Test
    @SuppressWarnings("unchecked") // a list of a configuration
    void shouldShortenStringsListsAndMapsAtAnyDepth() {
        String filter = "n:A OR ".repeat(1_000_000);
        Map<String, Object> names = new LinkedHashMap<>();
        IntStream.range(0, 20_000).forEach(i -> names.put("T" + i, Map.of("type", filter)));
        Map<String, Object> kept = KeptValue.shortened(
                Map.of("filter", filter, "types", names, "list", Collections.nCopies(20_000, filter), filter, 1L));

        String shortened = filter.substring(0, KeptValue.LENGTH) + "…";
        assertThat(kept).containsEntry("filter", shortened).containsEntry(shortened, 1L);
        assertThat((List<Object>) kept.get("list"))
                .hasSize(KeptValue.ELEMENTS + 1)
                .startsWith(shortened)
                .endsWith("…");
        Map<?, ?> types = (Map<?, ?>) kept.get("types");
        assertThat(types).hasSize(KeptValue.ELEMENTS + 1);
        assertThat(types.get("T0")).isEqualTo(Map.of("type", shortened));
        assertThat(types.get("…")).isEqualTo("19000 more");
    }
}
