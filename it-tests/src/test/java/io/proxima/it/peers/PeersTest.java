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
package io.proxima.it.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.Cypher;
import io.proxima.it.data.DataGraph;
import io.proxima.it.data.DataServer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Graph Data Science library in the same server, on the same graphs, must give the same answers. */
@Tag("peers")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("graphs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PeersTest {

    private static final long SEED = 20261121;
    private static final int SOURCES = 4;

    private final Cypher cypher = DataServer.cypher();

    @Parameter(0)
    DataGraph data;

    @Parameter(1)
    String orientation;

    static Stream<Arguments> graphs() {
        // GDS takes most of the time of these tests: large graphs are compared undirected only
        return Arrays.stream(DataGraph.values()).flatMap(graph -> Stream.of("NATURAL", "REVERSE", "UNDIRECTED")
                .filter(orientation -> !graph.isLarge() || orientation.equals("UNDIRECTED"))
                .map(orientation -> Arguments.of(graph, orientation)));
    }

    @BeforeParameterizedClassInvocation
    void project() {
        for (String library : List.of("proxima", "gds")) {
            cypher.rows("CALL " + library + ".graph.drop('peer', false)");
            cypher.row(
                    "CALL " + library + ".graph.project('peer', $label, {E: {type: $type, orientation: $orientation}})",
                    "label",
                    data.label(),
                    "type",
                    data.type(),
                    "orientation",
                    orientation);
        }
    }

    @AfterParameterizedClassInvocation
    void drop() {
        cypher.rows("CALL proxima.graph.drop('peer', false)");
        cypher.rows("CALL gds.graph.drop('peer', false)");
    }

    /** GDS computes the same sums again for the formula of Wasserman and Faust, so small graphs only are compared by it. */
    Stream<Arguments> formulas() {
        Arguments plain = Arguments.of("closeness.stream", "{}", "closeness.stream", "{}");
        Arguments harmonic = Arguments.of("closeness.stream", "{harmonic: true}", "closeness.harmonic.stream", "{}");
        String formula = "{useWassermanFaust: true}";
        return data.isSmall()
                ? Stream.of(plain, harmonic, Arguments.of("closeness.stream", formula, "closeness.stream", formula))
                : Stream.of(plain, harmonic);
    }

    @ParameterizedTest
    @MethodSource("formulas")
    void shouldScoreEqually(String ours, String ourConfiguration, String theirs, String theirConfiguration) {
        double[] expected = scores("gds." + theirs, theirConfiguration);
        double[] actual = scores("proxima." + ours, ourConfiguration);
        assertThat(actual).hasSameSizeAs(expected).containsExactly(expected, within(1e-12));
    }

    @Test
    void shouldFindTheSameComponents() {
        assertThat(components("proxima")).isEqualTo(components("gds"));
        for (String mode : List.of("stats", "mutate")) {
            String configuration = mode.equals("mutate") ? "{mutateProperty: 'component'}" : "{}";
            String counted = ".wcc." + mode + "('peer', " + configuration + ") YIELD componentCount";
            assertThat(cypher.value("CALL proxima" + counted)).isEqualTo(cypher.value("CALL gds" + counted));
        }
    }

    @Test
    void shouldReachTheSameNodes() {
        long[] ids = DataServer.ids(data);
        for (int source : new Random(SEED).ints(SOURCES, 0, ids.length).toArray()) {
            Set<Object> expected = new HashSet<>((List<?>) cypher.value(
                    "CALL gds.bfs.stream('peer', {sourceNode: $s}) YIELD nodeIds RETURN nodeIds", "s", ids[source]));
            Set<Object> actual = new HashSet<>((List<?>) cypher.value(
                    "CALL proxima.bfs.stream('peer', {sourceNode: $s}) YIELD nodeId RETURN collect(nodeId)",
                    "s",
                    ids[source]));
            assertThat(actual).as("reached from %s (seed %s)", source, SEED).isEqualTo(expected);
        }
    }

    /** The nodes of each component; ids of components are each library's own. */
    private Set<Set<Object>> components(String library) {
        Set<Set<Object>> components = new HashSet<>();
        cypher.rows("CALL " + library + ".wcc.stream('peer') YIELD nodeId, componentId"
                        + " RETURN componentId, collect(nodeId) AS nodes")
                .forEach(row -> components.add(Set.copyOf((List<?>) row.get("nodes"))));
        return components;
    }

    /** By ascending Neo4j id. */
    private double[] scores(String procedure, String configuration) {
        List<?> scores = (List<?>) cypher.value("CALL " + procedure + "('peer', " + configuration
                + ") YIELD nodeId, score WITH score ORDER BY nodeId RETURN collect(score)");
        return scores.stream().mapToDouble(score -> (Double) score).toArray();
    }
}
