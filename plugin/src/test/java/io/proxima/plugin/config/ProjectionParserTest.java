// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.projection.Orientation;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProjectionParserTest {

    private static ProjectionParser.Parsed parse(Object nodes, Object relationships) {
        ConfigReader reader = ConfigReader.of(ArgumentBudget.unlimited(), "configuration", Map.of());
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
                .isEqualTo(Map.of(
                        "IN",
                        Map.of(
                                "type",
                                "R",
                                "orientation",
                                "REVERSE",
                                "aggregation",
                                "SINGLE",
                                "indexInverse",
                                true,
                                "properties",
                                Map.of())));
    }

    @Test
    void shouldAcceptTheSameProjectionTwice() {
        ProjectionParser.Parsed parsed =
                parse(List.of("A", "A", Map.of("A", Map.of("label", "A"))), List.of("R", Map.of("R", "R")));
        assertThat(parsed.spec().labels()).isEqualTo(Map.of("A", "A"));
        assertThat(parsed.spec().types()).isEqualTo(Map.of("R", new TypeProjection("R", Orientation.NATURAL)));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        List.of(),
                        "R",
                        "An empty node projection was given; at least one node label must be projected."),
                Arguments.of(
                        "N",
                        Map.of(),
                        "An empty relationship projection was given; at least one relationship type must be projected."),
                Arguments.of(
                        List.of(Map.of(), Map.of()),
                        "R",
                        "An empty node projection was given; at least one node label must be projected."),
                Arguments.of(
                        null,
                        "R",
                        "`nodeProjection` must be a STRING, a LIST<STRING> or a MAP from projected label to label,"
                                + " but it was `null`."),
                Arguments.of(
                        "N",
                        Arrays.asList("R", 1L),
                        "`relationshipProjection` must be a STRING, a LIST<STRING> or a MAP from projected type to"
                                + " type, but it was a LIST with `INTEGER`."),
                Arguments.of(
                        "N",
                        Collections.singletonMap("R", null),
                        "`relationshipProjection` must be a STRING, a LIST<STRING> or a MAP from projected type to"
                                + " type, but for `R` it was `null`."),
                Arguments.of(" ", "R", "A label in `nodeProjection` must not be blank."),
                Arguments.of(
                        "N",
                        Map.of("R", Map.of("oriantation", "NATURAL")),
                        "Unexpected configuration key: oriantation (Did you mean [orientation]?)"),
                Arguments.of(
                        "N",
                        Map.of("R", Map.of("orientation", "SIDEWAYS")),
                        "Orientation `SIDEWAYS` is not supported. Must be one of: ['NATURAL', 'REVERSE',"
                                + " 'UNDIRECTED']."),
                Arguments.of(
                        "N",
                        Map.of("R", Map.of("aggregation", 1L)),
                        "Aggregation `1` is not supported. Must be one of: ['DEFAULT', 'NONE', 'SINGLE', 'SUM', 'MIN',"
                                + " 'MAX', 'COUNT']."),
                Arguments.of(
                        "N",
                        Map.of("R", Map.of("type", 1L)),
                        "The value of `type` must be of type `STRING` but was `INTEGER`."),
                Arguments.of(
                        Map.of("N", Map.of("properties", "age")),
                        "R",
                        "Proxima projects no properties of nodes, but the projection `N` asks for `properties`. Leave them out."),
                Arguments.of(
                        List.of(Map.of("Place", "City"), Map.of("Place", "Village")),
                        "R",
                        "The projected label `Place` is given twice with different projections. Give each projection a"
                                + " name of its own."),
                Arguments.of(
                        "N",
                        List.of("R", Map.of("R", Map.of("orientation", "REVERSE"))),
                        "The projected type `R` is given twice with different projections. Give each projection a name"
                                + " of its own."),
                Arguments.of(
                        "N",
                        List.of("*", Map.of("__ALL__", "R")),
                        "The projected type `__ALL__` is given twice with different projections. Give each projection a"
                                + " name of its own."),
                Arguments.of(
                        Map.of("*", "N"),
                        "R",
                        "A projected label in `nodeProjection` must not be `*`, which stands for all of them. Give it"
                                + " another name."),
                Arguments.of(
                        Map.of("N", Map.of("label", "")), "R", "The label of the projection `N` must not be blank."));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldTellTheFault(Object nodes, Object relationships, String message) {
        assertThatThrownBy(() -> parse(nodes, relationships)).hasMessage(message);
    }
}
