// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.plugin.TestDbms;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Centrality and distances over weights. The graph and its betweenness are those of NetworkX's tests. */
class WeightedMeasuresTest {

    private static final String EDGES =
            "[0,1,3],[0,2,2],[0,3,6],[0,4,4],[1,3,5],[1,5,5],[2,4,1],[3,4,2],[3,5,1],[4,5,4]";
    private static final String BY_W = "{relationshipWeightProperty: 'w'";

    /** The costs between the nodes, found by hand. */
    private static final double[][] COSTS = {
        {0, 3, 2, 5, 3, 6},
        {3, 0, 5, 5, 6, 5},
        {2, 5, 0, 3, 1, 4},
        {5, 5, 3, 0, 2, 1},
        {3, 6, 1, 2, 0, 3},
        {6, 5, 4, 1, 3, 0}
    };

    @BeforeEach
    void graph() {
        TestDbms.clear();
        run("UNWIND range(0, 5) AS i CREATE (:N {i: i})");
        run("UNWIND [" + EDGES + "] AS e MATCH (a:N {i: e[0]}), (b:N {i: e[1]})"
                + " CREATE (a)-[:R {w: e[2]}]->(b), (a)-[:R {w: e[2] + 7}]->(b), (b)-[:S {w: 100}]->(b)");
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}, S: {orientation: 'UNDIRECTED'}},"
                + " {relationshipProperties: 'w'})");
        run("CALL proxima.graph.project('d', 'N', ['R', 'S'], {relationshipProperties: 'w'})");
    }

    private static Map<Long, Double> scores(String procedure, String keys, String column) {
        Map<Long, Double> scores = new TreeMap<>();
        run("CALL proxima." + procedure + ".stream('g', " + BY_W + keys + "}) YIELD nodeId, " + column
                        + " RETURN proxima.util.asNode(nodeId).i AS i, toFloat(" + column + ") AS score")
                .forEach(row -> scores.put((Long) row.get("i"), (Double) row.get("score")));
        return scores;
    }

    private static double sum(int i) {
        return Arrays.stream(COSTS[i]).sum();
    }

    private static Map<Long, Double> each(IntToDoubleFunction score) {
        Map<Long, Double> scores = new HashMap<>();
        for (int i = 0; i < COSTS.length; i++) {
            scores.put((long) i, score.applyAsDouble(i));
        }
        return scores;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", concurrency: 1", ", backend: 'cpu', concurrency: 3"})
    void shouldRateNodes(String keys) {
        assertThat(scores("betweenness", keys, "score"))
                .isEqualTo(Map.of(0L, 2.0, 1L, 0.0, 2L, 4.0, 3L, 3.0, 4L, 4.0, 5L, 0.0));
        assertThat(scores("closeness", keys, "score")).isEqualTo(each(i -> 5 / sum(i)));
        assertThat(scores("closeness", keys + ", useWassermanFaust: true, targetNodes: " + ids("2, 5"), "score"))
                .isEqualTo(Map.of(2L, 5 / sum(2), 5L, 5 / sum(5)));
        assertThat(scores("eccentricity", keys, "eccentricity"))
                .isEqualTo(each(i -> Arrays.stream(COSTS[i]).max().orElseThrow()));
        Map<Long, Double> harmonic = each(i -> Arrays.stream(COSTS[i])
                        .filter(cost -> cost > 0)
                        .map(cost -> 1 / cost)
                        .sum()
                / 5);
        scores("closeness.harmonic", keys, "score")
                .forEach((i, score) -> assertThat(score).isCloseTo(harmonic.get(i), within(1e-12)));
        assertThat(scores("closeness", keys + ", harmonic: true", "score"))
                .isEqualTo(scores("closeness.harmonic", keys, "score"));
        assertThat(scores("closeness.sampled", keys + ", samplingSize: 6", "score"))
                .isEqualTo(scores("closeness", keys, "score"));
    }

    private static String ids(String numbers) {
        return value("MATCH (n:N) WHERE n.i IN [" + numbers + "] RETURN collect(id(n)) AS ids")
                .toString();
    }

    @Test
    void shouldRateFromASample() {
        Map<Long, Double> sampled =
                scores("closeness.sampled", ", samplingSize: 5, samplingSeed: 3, concurrency: 2", "score");
        assertThat(sampled).hasSize(6).doesNotContainValue(0.0);
        assertThat(scores("closeness.sampled", ", samplingSize: 5, samplingSeed: 3, concurrency: 1", "score"))
                .isEqualTo(sampled);
        assertThat(scores("closeness.sampled", ", samplingSize: 5, harmonic: true", "score"))
                .doesNotContainValue(0.0);
        assertThat(scores("betweenness", ", samplingSize: 6", "score")).containsEntry(2L, 4.0);
    }

    @Test
    void shouldFollowDirections() {
        // in one direction, nothing reaches node 0, and 5 reaches nothing
        assertThat(value("CALL proxima.closeness.stream('d', " + BY_W + "}) YIELD nodeId, score WITH * WHERE"
                        + " proxima.util.asNode(nodeId).i = 3 RETURN score"))
                .isEqualTo(2 / (6.0 + 5.0));
        Map<String, Object> stats = run("CALL proxima.closeness.stats('d', " + BY_W + "}) YIELD diameter, radius,"
                        + " meanDistance, hopDistribution")
                .get(0);
        assertThat(stats)
                .containsEntry("diameter", 7.0)
                .containsEntry("radius", 7.0)
                .containsEntry("hopDistribution", List.of());
        assertThat(run("CALL proxima.eccentricity.stats('d', " + BY_W + "}) YIELD diameter, radius, meanDistance"))
                .containsExactly(Map.of("diameter", 7.0, "radius", 7.0, "meanDistance", stats.get("meanDistance")));
    }

    @Test
    void shouldReturnIntegersWithoutWeights() {
        assertThat(run("CALL proxima.eccentricity.stats('g') YIELD diameter, radius"))
                .containsExactly(Map.of("diameter", 2L, "radius", 2L));
        assertThat(run("CALL proxima.closeness.stats('g') YIELD diameter, radius"))
                .containsExactly(Map.of("diameter", 2L, "radius", 2L));
        assertThat(value("CALL proxima.eccentricity.stream('g') YIELD eccentricity RETURN max(eccentricity)"))
                .isEqualTo(2L);
        assertThat(run("MATCH (s:N {i: 1}) CALL proxima.distances.stream('g', {sourceNodes: s}) YIELD distance, cost"
                        + " RETURN DISTINCT distance, cost ORDER BY distance"))
                .extracting(row -> row.get("distance"))
                .containsExactly(1L, 2L);
    }

    @Test
    void shouldSetProperties() {
        run("CALL proxima.closeness.mutate('g', " + BY_W + ", mutateProperty: 'c'})");
        run("CALL proxima.eccentricity.mutate('g', " + BY_W + ", mutateProperty: 'e'})");
        run("CALL proxima.betweenness.write('g', " + BY_W + ", writeProperty: 'b'})");
        run("CALL proxima.eccentricity.write('g', " + BY_W + ", writeProperty: 'e'})");
        run("CALL proxima.closeness.harmonic.write('g', " + BY_W + ", writeProperty: 'h'})");
        run("CALL proxima.closeness.sampled.write('g', " + BY_W + ", writeProperty: 's', samplingSize: 9})");
        assertThat(run("MATCH (n:N {i: 2}) RETURN n.b AS b, n.e AS e, n.s AS s"))
                .containsExactly(Map.of("b", 4.0, "e", 5.0, "s", 5 / sum(2)));
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'e') YIELD propertyValue"
                        + " RETURN max(propertyValue)"))
                .isEqualTo(6.0);
    }

    private static Map<Long, Double> costs(String call) {
        Map<Long, Double> costs = new TreeMap<>();
        run("MATCH (s:N {i: 0}), (t:N {i: 5}) WITH s, t CALL proxima." + call
                        + " RETURN proxima.util.asNode(node).i AS i, cost")
                .forEach(row -> costs.put((Long) row.get("i"), (Double) row.get("cost")));
        return costs;
    }

    @Test
    void shouldFindCostsFromSeveralNodes() {
        assertThat(costs("distances.stream('g', " + BY_W + ", sourceNodes: s}) YIELD targetNode AS node, cost"))
                .isEqualTo(Map.of(1L, 3.0, 2L, 2.0, 3L, 5.0, 4L, 3.0, 5L, 6.0));
        assertThat(costs("distances.stream('g', " + BY_W
                        + ", sourceNodes: s, maxCost: 3}) YIELD targetNode AS node, cost, distance"))
                .isEqualTo(Map.of(1L, 3.0, 2L, 2.0, 4L, 3.0));
        assertThat(costs("distances.stream('g', " + BY_W
                        + ", sourceNodes: [s, t, s], targetNodeFilter: [s, t], includeUnreached: true})"
                        + " YIELD sourceNode, targetNode AS node, cost WHERE proxima.util.asNode(sourceNode).i = 5"))
                .isEqualTo(Map.of(0L, 6.0, 5L, 0.0));
        assertThat(run("MATCH (s:N {i: 0}) CALL proxima.distances.stream('g', " + BY_W + ", sourceNodes: s})"
                        + " YIELD targetNode, parent, path, distance WITH * WHERE proxima.util.asNode(targetNode).i = 5"
                        + " RETURN distance, proxima.util.asNode(parent).i AS parent, [n IN nodes(path) | n.i] AS nodes,"
                        + " reduce(sum = 0, r IN relationships(path) | sum + r.w) AS cost"))
                .satisfiesExactly(row -> assertThat(row)
                        .containsEntry("distance", null)
                        .containsEntry("parent", 3L)
                        .containsEntry("nodes", List.of(0L, 2L, 4L, 3L, 5L))
                        .containsEntry("cost", 6L));
        assertThat(run("MATCH (s:N {i: 0}), (t:N {i: 5}) CALL proxima.distances.stats('g', " + BY_W
                        + ", sourceNodes: [s, t]}) YIELD depth, meanDistance, hopDistribution"
                        + " RETURN depth, meanDistance, hopDistribution"))
                .containsExactly(
                        Map.of("depth", 6.0, "meanDistance", (sum(0) + sum(5)) / 10, "hopDistribution", List.of()));
        run("MATCH (s:N {i: 0}), (t:N {i: 5}) CALL proxima.distances.write('g', " + BY_W
                + ", sourceNodes: [s, t], maxCost: 5, writeProperty: 'far'}) YIELD batches RETURN batches");
        assertThat(run("MATCH (n:N {i: 3}) RETURN [far IN n.far | far] AS far")
                        .get(0)
                        .get("far"))
                .isEqualTo(List.of(5.0, 1.0));
        assertThat(run("MATCH (n:N {i: 0}) RETURN [far IN n.far | far] AS far")
                        .get(0)
                        .get("far"))
                .isEqualTo(List.of(0.0, -1.0));
    }

    @Test
    void shouldFindTheNearestByCost() {
        String nearest = "MATCH (s:N {i: 0}), (t:N {i: 5}) CALL proxima.distances.nearest.";
        assertThat(run(nearest + "stream('g', " + BY_W
                        + ", sourceNodes: [s, t]}) YIELD nodeId, nearestSource, distance,"
                        + " cost, ties, parent, path RETURN proxima.util.asNode(nodeId).i AS i,"
                        + " proxima.util.asNode(nearestSource).i AS source, distance, cost, ties,"
                        + " [n IN nodes(path) | n.i] AS nodes ORDER BY i"))
                .extracting(row -> Arrays.asList(row.get("source"), row.get("cost"), row.get("ties"), row.get("nodes")))
                .containsExactly(
                        List.of(0L, 0.0, 1L, List.of(0L)),
                        List.of(0L, 3.0, 1L, List.of(0L, 1L)),
                        List.of(0L, 2.0, 1L, List.of(0L, 2L)),
                        List.of(5L, 1.0, 1L, List.of(5L, 3L)),
                        List.of(0L, 3.0, 2L, List.of(0L, 2L, 4L)),
                        List.of(5L, 0.0, 1L, List.of(5L)));
        assertThat(run(nearest + "stats('g', " + BY_W + ", sourceNodes: [s, t]}) YIELD depth, nodesReached, nodesTied,"
                        + " meanDistance, hopDistribution"
                        + " RETURN depth, nodesReached, nodesTied, meanDistance, hopDistribution"))
                .containsExactly(Map.of(
                        "depth",
                        3.0,
                        "nodesReached",
                        6L,
                        "nodesTied",
                        1L,
                        "meanDistance",
                        9.0 / 4,
                        "hopDistribution",
                        List.of()));
        run(nearest + "write('g', " + BY_W + ", sourceNodes: [s, t], maxCost: 2, writeProperty: 'c',"
                + " nearestSourceProperty: 'n'}) YIELD writeMillis RETURN writeMillis");
        assertThat(run("MATCH (n:N) WHERE n.c IS NOT NULL RETURN n.i AS i, n.c AS c ORDER BY i"))
                .containsExactly(
                        Map.of("i", 0L, "c", 0.0),
                        Map.of("i", 2L, "c", 2.0),
                        Map.of("i", 3L, "c", 1.0),
                        Map.of("i", 5L, "c", 0.0));
        run(nearest + "mutate('g', " + BY_W + ", sourceNodes: [s, t], mutateProperty: 'c',"
                + " nearestSourceProperty: 'n'}) YIELD mutateMillis RETURN mutateMillis");
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'c') YIELD propertyValue"
                        + " RETURN sum(propertyValue)"))
                .isEqualTo(9.0);
    }

    @Test
    void shouldEndDeltaAtTargetsAndCosts() {
        String delta = "MATCH (s:N {i: 0}), (t:N {i: 5}) CALL proxima.allShortestPaths.delta.";
        assertThat(run(delta + "stream('g', " + BY_W + ", sourceNode: s, maxCost: 3}) YIELD totalCost"
                        + " RETURN totalCost ORDER BY totalCost"))
                .extracting(row -> row.get("totalCost"))
                .containsExactly(0.0, 2.0, 3.0, 3.0);
        assertThat(run(delta + "stream('g', " + BY_W + ", sourceNode: s, targetNodes: [t, s, t]})"
                        + " YIELD index, targetNode, totalCost, nodeIds RETURN index, totalCost, size(nodeIds) AS size"
                        + " ORDER BY totalCost"))
                .containsExactly(
                        Map.of("index", 0L, "totalCost", 0.0, "size", 1L),
                        Map.of("index", 1L, "totalCost", 6.0, "size", 5L));
        assertThat(run(delta + "stats('g', " + BY_W
                        + ", sourceNode: s, targetNodes: [t], maxCost: 5}) YIELD nodesReached RETURN nodesReached"))
                .containsExactly(Map.of("nodesReached", 0L));
        run("MATCH (n:N) SET n.c = 7");
        run(delta + "write('g', " + BY_W + ", sourceNode: s, targetNodes: [t, s], maxCost: 5, writeProperty: 'c'})"
                + " YIELD nodesReached RETURN nodesReached");
        assertThat(run("MATCH (n:N) WHERE n.i IN [0, 1, 5] RETURN n.i AS i, n.c AS c ORDER BY i"))
                .extracting(row -> row.get("c"))
                .containsExactly(0.0, 7L, null);
        run(delta + "mutate('g', " + BY_W + ", sourceNode: s, targetNodes: [t], mutateProperty: 'c'})"
                + " YIELD nodesReached RETURN nodesReached");
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'c') YIELD propertyValue"
                        + " WITH propertyValue WHERE propertyValue = propertyValue RETURN collect(propertyValue)"))
                .isEqualTo(List.of(6.0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "closeness | | score",
                "closeness.harmonic | | score",
                "closeness.sampled | samplingSize: 3 | score",
                "eccentricity | | eccentricity",
                "betweenness | | score",
                "distances | sourceNodes: 0 | cost",
                "distances.nearest | sourceNodes: 0 | cost"
            })
    void shouldRefuseWhatIsNoWeight(String procedure, String keys, String column) {
        String other = keys == null ? "" : ", " + keys.replace("0", ids("0"));
        String call = "CALL proxima." + procedure + ".stream('bad', " + BY_W + other + "}) YIELD " + column
                + " RETURN count(*)";
        for (String weight : List.of("-1", "0.0 / 0.0", "1.0 / 0.0", "null")) {
            run("MATCH (:N {i: 3})-[r:R]->(:N {i: 5}) SET r.w = " + weight);
            run("CALL proxima.graph.project('bad', 'N', 'R', {relationshipProperties: 'w', replace: true})");
            assertThatThrownBy(() -> run(call))
                    .rootCause()
                    .hasMessageContaining("The relationship from the node " + ids("3").replaceAll("\\W", ""))
                    .hasMessageContaining("but weights must be finite and at least 0")
                    .hasMessageContaining(weight.matches("null|0.*") ? "NaN stands for" : "or project other weights");
        }
        run("MATCH ()-[r:R]->() REMOVE r.w");
        run("CALL proxima.graph.project('bad', 'N', 'R', {relationshipProperties: 'w', replace: true})");
        assertThatThrownBy(() -> run(call)).rootCause().hasMessageContaining("none has it. Project another property.");
        run("MATCH ()-[r:R]->() SET r.w = 1e308");
        run("CALL proxima.graph.project('bad', 'N', 'R', {relationshipProperties: 'w', replace: true})");
        if (!procedure.contains("harmonic")) {
            assertThatThrownBy(() -> run(call)).rootCause().hasMessageContaining("above the greatest FLOAT");
        }
        assertThatThrownBy(() -> run(call.replace("'w'", "'w', backend: 'cuda'")))
                .rootCause()
                .hasMessageContaining(
                        procedure.matches("closeness|closeness.harmonic|eccentricity")
                                ? "The CUDA backend cannot run"
                                : "With these keys the call runs on the CPU only");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "closeness.stats | relationshipWeightProperty: 'w'",
                "closeness.harmonic.stream | relationshipWeightProperty: 'w'",
                "closeness.sampled.stream | relationshipWeightProperty: 'w'",
                "eccentricity.stats | relationshipWeightProperty: 'w'",
                "betweenness.stream | relationshipWeightProperty: 'w'",
                "distances.stream | relationshipWeightProperty: 'w', sourceNodes: [0, 1]",
                "distances.nearest.stream | relationshipWeightProperty: 'w', sourceNodes: [0, 1]"
            })
    void shouldEstimate(String procedure, String keys) {
        String call = "CALL proxima." + procedure + ".estimate(%s, {" + keys + "}) YIELD bytesMin, bytesMax";
        Map<String, Object> named = run(String.format(call, "'g'")).get(0);
        assertThat((Long) named.get("bytesMin")).isPositive().isLessThanOrEqualTo((Long) named.get("bytesMax"));
        Map<String, Object> described = run(String.format(
                        call,
                        "{nodeProjection: 'N', relationshipProjection: 'R', relationshipProperties: 'w',"
                                + " nodeCount: 100000, relationshipCount: 900000}"))
                .get(0);
        // costs by node, and weights by relationship
        assertThat((Long) described.get("bytesMin")).isGreaterThan(100_000 * 8L + 900_000 * 12L);
    }

    @Test
    void shouldRefuseToDivideByNothing() {
        run("MATCH (:N {i: 3})-[r:R]->(:N {i: 5}) SET r.w = 0");
        run("CALL proxima.graph.project('zero', 'N', 'R', {relationshipProperties: 'w'})");
        for (String call : List.of(
                "closeness.harmonic.stats('zero', " + BY_W + "})",
                "closeness.stats('zero', " + BY_W + ", harmonic: true})",
                "closeness.sampled.stats('zero', " + BY_W + ", harmonic: true, samplingSize: 2})")) {
            assertThatThrownBy(() -> run("CALL proxima." + call))
                    .rootCause()
                    .hasMessageContaining("has the weight 0.0 in `w`, but harmonic closeness divides by costs");
        }
        assertThat(value("CALL proxima.closeness.stream('zero', " + BY_W + "}) YIELD score RETURN count(*)"))
                .isEqualTo(6L);
    }

    @Test
    void shouldRefuseScoresAboveTheGreatestFloat() {
        run("MATCH ()-[r:R]->() SET r.w = 1e-320");
        run("CALL proxima.graph.project('tiny', 'N', 'R', {relationshipProperties: 'w'})");
        for (String keys : List.of("", ", useWassermanFaust: true")) {
            for (String procedure : List.of("closeness", "closeness.sampled")) {
                String call = "CALL proxima." + procedure + ".stream('tiny', " + BY_W + keys
                        + (procedure.equals("closeness") ? "" : ", samplingSize: 3") + "}) YIELD score";
                assertThatThrownBy(() -> run(call))
                        .as(call)
                        .rootCause()
                        .hasMessageContaining("above the greatest FLOAT");
            }
        }
    }
}
