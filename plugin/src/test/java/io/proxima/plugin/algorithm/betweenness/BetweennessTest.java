// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.betweenness;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Betweenness through Cypher. */
class BetweennessTest {

    @BeforeEach
    void clear() {
        TestDbms.createDiamonds();
        project("g", "UNDIRECTED");
    }

    private static void project(String name, String orientation) {
        run("CALL proxima.graph.project('" + name + "', ['N', 'Alone'], {R: {orientation: '" + orientation
                + "'}, S: {orientation: 'NATURAL'}})");
    }

    /** Paths count in both directions unless all of them are projected as undirected. */
    @Test
    void shouldHalveTheScoresOfUndirectedTypesOnly() {
        project("h", "NATURAL");
        run("MATCH (a)-[:R]->(b) CREATE (b)-[:BACK]->(a)");
        run("CALL proxima.graph.project('both', 'N', ['R', 'BACK'])");
        Map<String, Double> undirected = scores("g", "{relationshipTypes: ['R'], nodeLabels: ['N']}");
        undirected.replaceAll((name, score) -> 2 * score);
        assertThat(scores("both", "{}")).isEqualTo(undirected);
    }

    @Test
    void shouldSample() {
        String types = "relationshipTypes: ['R'], ";
        Map<String, Double> exact = scores("g", "{relationshipTypes: ['R']}");
        assertThat(scores("g", "{" + types + "samplingSize: 8}")).isEqualTo(exact);
        assertThat(scores("g", "{" + types + "samplingSize: 100}")).isEqualTo(exact);
        Map<String, Double> sampled = scores("g", "{" + types + "samplingSize: 3, samplingSeed: 7}");
        assertThat(scores("g", "{" + types + "samplingSize: 3, samplingSeed: 7, concurrency: 1}"))
                .isEqualTo(sampled);
        assertThat(sampled).allSatisfy((name, score) -> assertThat(score).isBetween(0.0, exact.get(name)));
        // every source is drawn by some seed
        assertThat((Iterable<?>) value("UNWIND range(1, 60) AS seed CALL proxima.betweenness.stream('g', {" + types
                        + "samplingSize: 1, samplingSeed: seed}) YIELD nodeId, score"
                        + " WHERE proxima.util.asNode(nodeId).name = 'd' RETURN collect(DISTINCT score)"))
                .hasSizeGreaterThan(2);
    }

    @Test
    void shouldShowTheRandomSeedSoThatTheChoiceCanBeRepeated() {
        Object seed = value("CALL proxima.betweenness.write('g', {writeProperty: 'drawn', samplingSize: 3})"
                + " YIELD configuration RETURN configuration.samplingSeed");
        assertThat(value("CALL proxima.betweenness.stream('g', {samplingSize: 3, samplingSeed: " + seed
                        + "}) YIELD nodeId, score WHERE proxima.util.asNode(nodeId).drawn <> score RETURN count(*)"))
                .isEqualTo(0L);
    }

    private static Map<String, Double> scores(String graph, String configuration) {
        return pairs("CALL proxima.betweenness.stream('" + graph + "', " + configuration
                + ") YIELD nodeId, score RETURN proxima.util.asNode(nodeId).name AS name, score");
    }
}
