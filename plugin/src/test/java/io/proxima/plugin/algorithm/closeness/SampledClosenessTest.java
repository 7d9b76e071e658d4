// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closeness from a sample of sources, through Cypher. */
class SampledClosenessTest {

    private static final int NODES = 300;

    /** A scale-free graph of one component, a triangle, and a node without relationships. */
    @BeforeAll
    static void createGraph() {
        TestDbms.clear();
        run("UNWIND range(0, " + (NODES - 1) + ") AS i CREATE (:N {i: i})");
        run("MATCH (a:N) WHERE 0 < a.i < 296 UNWIND [a.i / 2, a.i * a.i % a.i, a.i * 7 % (a.i / 3 + 1)] AS j"
                + " MATCH (b:N {i: j}) CREATE (a)-[:R]->(b)");
        run("MATCH (a:N), (b:N) WHERE a.i IN [296, 297, 298] AND b.i = 296 + (a.i - 295) % 3 CREATE (a)-[:R]->(b)");
        run("CALL proxima.graph.project('undirected', 'N', {R: {orientation: 'UNDIRECTED'}})");
        run("CALL proxima.graph.project('directed', 'N', 'R')");
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    @ParameterizedTest
    @ValueSource(strings = {"backend: 'cpu'", "useWassermanFaust: true", "harmonic: true"})
    void shouldBeExactWithAllSources(String keys) {
        for (String graph : List.of("undirected", "directed")) {
            Map<Long, Double> exact = scores("closeness", graph, keys);
            for (String size : List.of("samplingSize: " + NODES, "samplingSize: 2147483647", "samplingSeed: 5")) {
                assertThat(scores("closeness.sampled", graph, size + ", " + keys))
                        .isEqualTo(exact);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"backend: 'cpu'", "useWassermanFaust: true", "harmonic: true"})
    void shouldRepeatASample(String keys) {
        String sampled = "samplingSize: 70, " + keys + ", samplingSeed: ";
        Map<Long, Double> scores = scores("closeness.sampled", "directed", sampled + 7);
        assertThat(scores("closeness.sampled", "directed", sampled + "7, concurrency: 1"))
                .isEqualTo(scores);
        assertThat(scores("closeness.sampled", "directed", sampled + 8)).isNotEqualTo(scores);
        assertThat(scores).hasSize(NODES);
        assertThat(scores.values()).allSatisfy(score -> assertThat(score).isBetween(0.0, 1.0));
    }

    /** The means of the estimates of many samples are the exact values. */
    @Test
    void shouldBeUnbiased() {
        int samples = 400;
        Map<Long, Double> exact = scores("closeness", "directed", "harmonic: true");
        Map<Long, Double> sum = new TreeMap<>();
        for (int seed = 0; seed < samples; seed++) {
            scores("closeness.sampled", "directed", "harmonic: true, samplingSize: 20, samplingSeed: " + seed)
                    .forEach((node, score) -> sum.merge(node, score, Double::sum));
        }
        // a score of 20 sources is within 1, so that the standard error of the mean is at most 0.5 / sqrt(20 * 400)
        double standardError = 0.5 / Math.sqrt(20 * samples);
        assertThat(sum).allSatisfy((node, score) -> assertThat(score / samples)
                .isEqualTo(exact.get(node), within(4 * standardError)));
    }

    /** Hoeffding's bound for all nodes of a component together, with a probability of 99 % for each sample. */
    @Test
    void shouldKeepTheErrorBound() {
        run("MATCH (n:N) WHERE n.i < 296 SET n:C");
        run("CALL proxima.graph.project('component', 'C', {R: {orientation: 'UNDIRECTED'}})");
        long diameter = (long) value("CALL proxima.closeness.stats('component', {}) YIELD diameter RETURN diameter");
        Map<Long, Double> exact = scores("closeness", "component", "");
        int size = 100;
        double error = Math.sqrt(Math.log(2 * 296 / 0.01) / (2 * (size - 1)));
        for (int seed = 0; seed < 20; seed++) {
            scores("closeness.sampled", "component", "samplingSize: " + size + ", samplingSeed: " + seed)
                    .forEach((node, score) ->
                            assertThat(1 / score).isEqualTo(1 / exact.get(node), within(error * diameter)));
        }
    }

    @Test
    void shouldScoreNodesThatNoSourceReachesAsZero() {
        Map<Long, Double> scores = scores("closeness.sampled", "directed", "samplingSize: 1, samplingSeed: 3");
        Map<Long, Double> exact = scores("closeness", "directed", "");
        assertThat(scores.values()).contains(0.0);
        scores.forEach((node, score) -> {
            if (exact.get(node) == 0) {
                assertThat(score).isZero();
            }
        });
    }

    @Test
    void shouldScoreASingleNode() {
        run("CREATE (:Single)");
        run("CALL proxima.graph.project('single', 'Single', 'R')");
        for (String keys : List.of("", "useWassermanFaust: true", "harmonic: true")) {
            assertThat(scores("closeness.sampled", "single", keys).values()).containsExactly(0.0);
        }
        run("MATCH (n:Single) DELETE n");
    }

    private static Map<Long, Double> scores(String procedure, String graph, String keys) {
        return pairs("CALL proxima." + procedure + ".stream('" + graph + "', {" + keys + "}) YIELD nodeId, score");
    }
}
