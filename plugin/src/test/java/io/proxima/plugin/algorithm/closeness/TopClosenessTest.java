// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The best nodes by closeness, through Cypher. */
class TopClosenessTest {

    private static final String TARGETS = "MATCH (n:N) WHERE n.name < 'e' WITH collect(n) AS targets ";

    @BeforeEach
    void clear() {
        TestDbms.createDiamonds();
        for (String orientation : List.of("UNDIRECTED", "NATURAL", "REVERSE")) {
            run("CALL proxima.graph.project('" + orientation + "', ['N', 'Alone'], {R: {orientation: '" + orientation
                    + "'}, S: {orientation: 'NATURAL'}})");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNDIRECTED | closeness | relationshipTypes: ['R']",
                "UNDIRECTED | closeness | useWassermanFaust: true, relationshipTypes: ['R']",
                "UNDIRECTED | closeness.harmonic | relationshipTypes: ['R'], nodeLabels: ['N']",
                "NATURAL | closeness | useWassermanFaust: true",
                "NATURAL | closeness | harmonic: true",
                "REVERSE | closeness.harmonic | concurrency: 1",
                "REVERSE | closeness | relationshipTypes: ['R']",
            })
    void shouldReturnTheFirstRowsOfTheRunOfAllNodes(String graph, String procedure, String keys) {
        for (int k : new int[] {1, 3, 8, 1000}) {
            for (String targets : List.of("", "targetNodes: targets, ")) {
                String call = TARGETS + "CALL proxima." + procedure + ".stream('" + graph + "', {" + targets + keys;
                assertThat(run(call + ", topK: " + k + "}) YIELD nodeId, score RETURN nodeId, score"))
                        .isEqualTo(run(call + "}) YIELD nodeId, score RETURN nodeId, score"
                                + " ORDER BY score DESC, nodeId LIMIT " + k));
            }
        }
    }

    @Test
    void shouldSetThePropertyOfTheBestNodesOnly() {
        run("MATCH (n) WHERE n.name IN ['a', 'b', 'i'] SET n.score = 'old'");
        List<Object> best = List.of(value("CALL proxima.closeness.harmonic.stream('UNDIRECTED', {topK: 2})"
                + " YIELD nodeId WITH proxima.util.asNode(nodeId).name AS name ORDER BY name RETURN collect(name)"));
        assertThat(run("CALL proxima.closeness.harmonic.write('UNDIRECTED', {writeProperty: 'score', topK: 2})"
                        + " YIELD nodePropertiesWritten, centralityDistribution, configuration"
                        + " RETURN nodePropertiesWritten AS written, centralityDistribution.min > 0 AS onlyBest,"
                        + " configuration.topK AS k"))
                .containsExactly(Map.of("written", 2L, "onlyBest", true, "k", 2L));
        assertThat(List.of(value("MATCH (n) WHERE n.score IS NOT NULL WITH n.name AS name ORDER BY name"
                        + " RETURN collect(name)")))
                .isEqualTo(best);
        assertThat(value("CALL proxima.closeness.harmonic.mutate('UNDIRECTED', {mutateProperty: 'p', topK: 2})"
                        + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(2L);
        assertThat(run("CALL proxima.graph.nodeProperty.stream('UNDIRECTED', 'p') YIELD nodeId, propertyValue"
                        + " RETURN sum(toInteger(isNaN(propertyValue))) + 2 = count(*) AS others,"
                        + " sum(toInteger(proxima.util.asNode(nodeId).score = propertyValue)) AS same"))
                .containsExactly(Map.of("others", true, "same", 2L));
    }

    /** Of the target nodes, those that are not the best lose the property; other nodes keep it. */
    @Test
    void shouldLeaveOtherNodesThanTheTargetsAsTheyAre() {
        run("MATCH (n) SET n.score = 'old'");
        assertThat(value(TARGETS + "CALL proxima.closeness.write('NATURAL', {writeProperty: 'score', topK: 1,"
                        + " targetNodes: targets}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(1L);
        assertThat(run("MATCH (n:N) WHERE n.name < 'e' RETURN count(*) - count(n.score) AS without,"
                        + " sum(toInteger(n.score <> 'old')) AS best"))
                .containsExactly(Map.of("without", 3L, "best", 1L));
        assertThat(value("MATCH (n) WHERE NOT (n:N AND n.name < 'e') AND (n.score IS NULL OR n.score <> 'old')"
                        + " RETURN count(*)"))
                .isEqualTo(0L);
    }

    /**
     * The center of a star has all nodes as neighbours: its score is known without a search, and no other is as high.
     */
    @Test
    void shouldShowTheNumberOfSearches() {
        run("CREATE (c:Star) WITH c UNWIND range(1, 999) AS i CREATE (c)-[:T]->(:Star)");
        run("CALL proxima.graph.project('star', 'Star', {T: {orientation: 'UNDIRECTED'}})");
        assertThat(run("CALL proxima.closeness.stats('star', {topK: 1, useWassermanFaust: true})"
                        + " YIELD centralityDistribution, configuration"
                        + " RETURN centralityDistribution.min AS score, configuration.searches AS searches"))
                .containsExactly(Map.of("score", 1.0, "searches", 0L));
        // other statistics need all searches
        assertThat(run("CALL proxima.closeness.stats('star', {topK: 1, useWassermanFaust: true})"
                        + " YIELD centralityDistribution, meanDistance, diameter, configuration"
                        + " RETURN toInteger(1000 * centralityDistribution.min) AS score, diameter,"
                        + " meanDistance > 1.9 AS far, configuration.searches AS searches"))
                .isEqualTo(run("RETURN 1000 AS score, 2 AS diameter, true AS far, null AS searches"));
        run("MATCH (n:Star) DETACH DELETE n");
    }

    @Test
    void shouldEstimateTheBounds() {
        for (String mode : List.of("stream", "stats", "mutate", "write")) {
            String property = mode.startsWith("st") ? "" : mode + "Property: 'x', ";
            String call = "CALL proxima.closeness." + mode + ".estimate({nodeCount: 1000000, relationshipCount:"
                    + " 10000000}, {" + property;
            String columns = "}) YIELD bytesMin, bytesMax, treeView RETURN bytesMin <= bytesMax AS ordered,"
                    + " treeView CONTAINS 'strongly connected components' AS bounds";
            assertThat(run(call + "topK: 10" + columns))
                    .containsExactly(Map.of("ordered", true, "bounds", !mode.equals("stats")));
        }
    }

    @Test
    void shouldAnswerForAGraphWithoutNodes() {
        run("CALL proxima.graph.filter('none', 'NATURAL', 'FALSE', '*')");
        assertThat(run("CALL proxima.closeness.stream('none', {topK: 3}) YIELD nodeId RETURN nodeId"))
                .isEmpty();
        assertThat(value("CALL proxima.closeness.write('none', {topK: 3, writeProperty: 'x'})"
                        + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(0L);
    }
}
