// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Closeness of chosen nodes, through Cypher. */
class ClosenessOfTargetsTest {

    private static final String TARGETS =
            "MATCH (n:N) WHERE n.name IN ['d', 'a', 'g', 'i'] WITH collect(n) AS targets ";

    @BeforeEach
    void clear() {
        TestDbms.createDiamonds();
        for (String orientation : List.of("UNDIRECTED", "NATURAL", "REVERSE")) {
            run("CALL proxima.graph.project('" + orientation + "', ['N', 'Alone'], {R: {orientation: '" + orientation
                    + "'}, S: {orientation: 'NATURAL'}})");
        }
    }

    /** Hanging trees of undirected graphs are cut only if all nodes are searched. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNDIRECTED | closeness | relationshipTypes: ['R']",
                "UNDIRECTED | closeness | useWassermanFaust: true",
                "UNDIRECTED | closeness.harmonic | relationshipTypes: ['R']",
                "UNDIRECTED | closeness | harmonic: true, relationshipTypes: ['S']",
                "NATURAL | closeness | useWassermanFaust: true",
                "NATURAL | closeness | harmonic: true",
                "REVERSE | closeness.harmonic | concurrency: 1",
                "REVERSE | closeness | relationshipTypes: ['R']",
            })
    void shouldScoreLikeTheRunOfAllNodes(String graph, String procedure, String keys) {
        Map<String, Double> all = scores("", procedure, graph, keys);
        Map<String, Double> some = scores(TARGETS, procedure, graph, "targetNodes: targets, " + keys);
        assertThat(some).containsOnlyKeys("a", "d", "g", "i");
        assertThat(all).containsAllEntriesOf(some);
        assertThat(scores("MATCH (n:N) WITH collect(n) AS all ", procedure, graph, "targetNodes: all, " + keys))
                .isEqualTo(all);
    }

    @Test
    void shouldAcceptNodesInEveryFormOnceOrRepeatedly() {
        Map<String, Double> all = scores("", "closeness", "NATURAL", "concurrency: 1");
        for (String node : List.of("d", "id(d)", "elementId(d)", "[d, id(d), d]")) {
            assertThat(scores("MATCH (d {name: 'd'}) ", "closeness", "NATURAL", "targetNodes: " + node))
                    .containsExactly(Map.entry("d", all.get("d")));
        }
        for (String none : List.of("[]", "null")) {
            assertThat(scores("", "closeness", "NATURAL", "targetNodes: " + none))
                    .isEqualTo(all);
        }
    }

    @Test
    void shouldMutateAndWriteOnlyTheTargets() {
        run("MATCH (n {name: 'b'}) SET n.score = 'kept'");
        assertThat(run(TARGETS
                        + "CALL proxima.closeness.write('NATURAL', {writeProperty: 'score', targetNodes: targets})"
                        + " YIELD nodePropertiesWritten, nodesSkipped, batches, centralityDistribution"
                        + " RETURN nodePropertiesWritten, nodesSkipped, batches, centralityDistribution.min AS min"))
                .containsExactly(Map.of("nodePropertiesWritten", 4L, "nodesSkipped", 0L, "batches", 1L, "min", 0.0));
        assertThat(value("MATCH (n:N) WHERE n.score IS NOT NULL WITH n ORDER BY n.name RETURN collect(n.name)"))
                .isEqualTo(List.of("a", "b", "d", "g", "i"));
        assertThat(value("MATCH (n {name: 'b'}) RETURN n.score")).isEqualTo("kept");

        assertThat(value(TARGETS + "CALL proxima.closeness.mutate('NATURAL', {mutateProperty: 'score',"
                        + " targetNodes: targets}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(4L);
        assertThat(run("CALL proxima.graph.nodeProperty.stream('NATURAL', 'score') YIELD nodeId, propertyValue"
                        + " WITH proxima.util.asNode(nodeId) AS n, propertyValue ORDER BY n.name"
                        + " RETURN count(*) AS nodes, sum(toInteger(isNaN(propertyValue))) AS without,"
                        + " collect(CASE WHEN n.score = propertyValue THEN n.name END) AS same"))
                .containsExactly(Map.of("nodes", 8L, "without", 4L, "same", List.of("a", "d", "g", "i")));
    }

    @Test
    void shouldScoreAPartOfTheGraph() {
        run("MATCH (n {name: 'd'}) SET n:Part");
        run("MATCH (n {name: 'b'}) SET n:Part");
        run("CALL proxima.graph.project('parts', ['N', 'Part'], 'R')");
        assertThat(scores(
                        "MATCH (d {name: 'd'}) ",
                        "closeness",
                        "parts",
                        "targetNodes: d, nodeLabels: ['Part'], useWassermanFaust: true"))
                .containsExactly(Map.entry("d", 1.0));
        assertThat(value("MATCH (d {name: 'd'}) CALL proxima.closeness.mutate('parts', {mutateProperty: 'p',"
                        + " targetNodes: d, nodeLabels: ['Part']}) YIELD nodePropertiesWritten"
                        + " RETURN nodePropertiesWritten"))
                .isEqualTo(1L);
        assertThatThrownBy(() -> run("MATCH (a {name: 'a'}) CALL proxima.closeness.stream('parts', {targetNodes: a,"
                        + " nodeLabels: ['Part']}) YIELD score RETURN score"))
                .rootCause()
                .hasMessageContaining(
                        "targetNodes nodes do not exist in the in-memory graph for the labels ['Part']: [");
    }

    private static Map<String, Double> scores(String before, String procedure, String graph, String keys) {
        return pairs(before + "CALL proxima." + procedure + ".stream('" + graph + "', {" + keys
                + "}) YIELD nodeId, score RETURN proxima.util.asNode(nodeId).name AS name, score");
    }
}
