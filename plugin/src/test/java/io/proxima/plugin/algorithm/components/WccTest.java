// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weakly connected components through Cypher. */
class WccTest {

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    /** Components {0, 1, 2}, {3, 4}, {5}, {6}. */
    private static void fewComponents() {
        run("UNWIND range(0, 6) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE [a.i, b.i] IN [[0, 1], [2, 1], [4, 3], [6, 6]] CREATE (a)-[:R]->(b)");
        run("CALL proxima.graph.project('g', 'N', 'R')");
    }

    @ParameterizedTest
    @CsvSource({"-1.5, 1", "0, 1", "0.1, 4", "1.9, 4", "2, 5", "1e300, 5"})
    void shouldConnectByWeightsAboveTheThreshold(double threshold, long components) {
        run("UNWIND range(0, 4) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 AND a.i < 4"
                + " CREATE (a)-[:R {w: [-1, 0, 2, null][a.i]}]->(b), (a)-[:R {w: -7}]->(b)");
        for (String orientation : List.of("NATURAL", "UNDIRECTED")) {
            run("CALL proxima.graph.project('g', 'N', {R: {orientation: '" + orientation + "'}},"
                    + " {relationshipProperties: {w: {property: 'w', defaultValue: -3}}, replace: true})");
            assertThat(value("CALL proxima.wcc.stats('g', {relationshipWeightProperty: 'w', threshold: " + threshold
                            + "}) YIELD componentCount"))
                    .isEqualTo(components);
        }
        assertThat(value("CALL proxima.wcc.stats('g') YIELD componentCount")).isEqualTo(1L);
    }

    @Test
    void shouldConnectNothingWithoutTypes() {
        run("UNWIND range(0, 2) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 CREATE (a)-[:R {w: 1}]->(b)");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: 'w'})");
        for (String threshold : List.of("", ", threshold: 0.5")) {
            assertThat(value("CALL proxima.wcc.stats('g', {relationshipTypes: [], relationshipWeightProperty: 'w'"
                            + threshold + "}) YIELD componentCount"))
                    .isEqualTo(3L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NATURAL", "REVERSE", "UNDIRECTED"})
    void shouldConnectInEachOrientation(String orientation) {
        fewComponents();
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: '" + orientation + "'}}, {replace: true})");
        List<List<Long>> all = List.of(List.of(0L, 1L, 2L), List.of(3L, 4L), List.of(5L), List.of(6L));
        for (String configuration : List.of("{}", "{concurrency: 1}", "{concurrency: 3, backend: 'cpu'}")) {
            assertThat(components(configuration)).isEqualTo(byId(all));
        }
    }

    @Test
    void shouldDescribeTheSizes() {
        fewComponents();
        Map<String, Object> stats = run("CALL proxima.wcc.stats('g')").get(0);
        assertThat(stats).containsEntry("componentCount", 4L);
        Map<String, Object> expected = new TreeMap<>(Map.of("min", 1L, "max", 3L, "mean", 1.75));
        for (String low : List.of("p1", "p5", "p10", "p25", "p50")) {
            expected.put(low, 1L);
        }
        expected.put("p75", 2L);
        for (String high : List.of("p90", "p95", "p99", "p999")) {
            expected.put(high, 3L);
        }
        assertThat(stats).containsEntry("componentDistribution", expected);
        assertThat(run("CALL proxima.wcc.stats('g') YIELD postProcessingMillis"))
                .containsExactly(Map.of("postProcessingMillis", 0L));
    }

    @Test
    void shouldReplaceTheValuesOfAnEarlierRun() {
        fewComponents();
        List<List<Long>> all = List.of(List.of(0L, 1L, 2L), List.of(3L, 4L), List.of(5L), List.of(6L));
        run("CALL proxima.wcc.write('g', {writeProperty: 'c', consecutiveIds: true})");
        assertThat(written()).isEqualTo(byNumber(all));
        run("CALL proxima.wcc.write('g', {writeProperty: 'c', minComponentSize: 2})");
        assertThat(written()).isEqualTo(byId(all.subList(0, 2)));
    }

    @Test
    void shouldMutateAPartOfTheGraph() {
        run("CREATE (:M {i: 0})<-[:R]-(:N {i: 1})-[:R]->(:N {i: 2}), (:N {i: 3})");
        run("CALL proxima.graph.project('g', ['N', 'M'], 'R')");
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'number', nodeLabels: ['N'], consecutiveIds: true})");
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'id', nodeLabels: ['N']})");
        List<List<Long>> seen = List.of(List.of(1L, 2L), List.of(3L));
        assertThat(property("number")).isEqualTo(byNumber(seen));
        assertThat(property("id")).isEqualTo(byId(seen));
    }

    /** The smallest node id of each component, by {@code i}. */
    private static Map<Long, Long> byId(List<List<Long>> components) {
        Map<Long, Long> ids = pairs("MATCH (n) RETURN n.i AS i, id(n) AS value");
        Map<Long, Long> smallest = new HashMap<>();
        for (List<Long> component : components) {
            long id = component.stream().mapToLong(ids::get).min().orElseThrow();
            component.forEach(i -> smallest.put(i, id));
        }
        return smallest;
    }

    /** The number of each component by ascending smallest node id, by {@code i}. */
    private static Map<Long, Long> byNumber(List<List<Long>> components) {
        Map<Long, Long> smallest = byId(components);
        List<Long> order = smallest.values().stream().distinct().sorted().toList();
        Map<Long, Long> numbers = new HashMap<>();
        smallest.forEach((i, id) -> numbers.put(i, (long) order.indexOf(id)));
        return numbers;
    }

    private static Map<Long, Long> components(String configuration) {
        return pairs("CALL proxima.wcc.stream('g', " + configuration + ") YIELD nodeId, componentId"
                + " RETURN proxima.util.asNode(nodeId).i AS i, componentId AS value");
    }

    private static Map<Long, Long> property(String name) {
        return pairs("CALL proxima.graph.nodeProperty.stream('g', '" + name + "') YIELD nodeId, propertyValue"
                + " RETURN proxima.util.asNode(nodeId).i AS i, propertyValue AS value");
    }

    private static Map<Long, Long> written() {
        return pairs("MATCH (n:N) WHERE n.c IS NOT NULL RETURN n.i AS i, n.c AS value");
    }
}
