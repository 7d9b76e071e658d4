// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The faults, to the letter, are in the table of bad calls. */
class ProjectionParserTest {

    private static ProjectionParser.Parsed parse(Object nodes, Object relationships) {
        ConfigReader reader = ConfigReader.of(new ArgumentBudget(Stop.NEVER, null), "configuration", Map.of());
        ProjectionParser.Parsed parsed = ProjectionParser.parse(nodes, relationships, reader);
        reader.finish();
        return parsed;
    }

    @Test
    void shouldExpandStars() {
        ProjectionParser.Parsed parsed = parse("*", "*");
        assertThat(parsed.spec().labels()).isEqualTo(Map.of("__ALL__", "*"));
        assertThat(parsed.spec().types()).isEqualTo(Map.of("__ALL__", new TypeProjection("*", Orientation.NATURAL)));
        assertThat(parsed.nodeProjection()).isEqualTo(Map.of("__ALL__", Map.of("label", "*", "properties", Map.of())));
    }

    @Test
    void shouldReadListsAndMapsInOrder() {
        ProjectionParser.Parsed parsed = parse(
                List.of("B", Map.of("A", "X"), Map.of("C", Map.of("properties", List.of()))),
                Map.of(
                        "IN",
                        Map.of("TYPE", "R", "orientation", "reverse", "aggregation", "single", "indexInverse", true)));
        assertThat(parsed.spec().labels()).isEqualTo(Map.of("B", "B", "A", "X", "C", "C"));
        assertThat(parsed.spec().labels().keySet()).containsExactly("B", "A", "C");
        assertThat(parsed.spec().types()).isEqualTo(Map.of("IN", new TypeProjection("R", Orientation.REVERSE)));
        assertThat(parsed.relationshipProjection())
                .hasToString(
                        "{IN={type=R, orientation=REVERSE, aggregation=SINGLE, indexInverse=true, properties={}}}");
    }

    @Test
    void shouldAcceptTheSameProjectionTwice() {
        ProjectionParser.Parsed parsed =
                parse(List.of("A", "A", Map.of("A", Map.of("label", "A"))), List.of("R", Map.of("R", "R")));
        assertThat(parsed.spec().labels()).isEqualTo(Map.of("A", "A"));
        assertThat(parsed.spec().types()).isEqualTo(Map.of("R", new TypeProjection("R", Orientation.NATURAL)));
    }
}
