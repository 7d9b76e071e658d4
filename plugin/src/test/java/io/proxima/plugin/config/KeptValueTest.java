// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
        assertThat(types.get("…")).isEqualTo(20_000 - KeptValue.ELEMENTS + " more");
    }
}
