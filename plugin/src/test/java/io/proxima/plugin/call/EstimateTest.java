// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.catalog.NodeProperty;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the estimates say, and that runs are held to them. That the figures are right is for the backend's tests. */
class EstimateTest {

    private static final int NODES = 1000;
    private static final String FIGURES = " YIELD bytesMin, bytesMax, nodeCount, relationshipCount, treeView, mapView,"
            + " requiredMemory, heapPercentageMin, heapPercentageMax, deviceBytesMin, deviceBytesMax, fitsDevice";

    @BeforeAll
    static void createNodes() {
        TestDbms.clear();
        run("UNWIND range(1, " + NODES + ") AS i CREATE (n:N {i: i}) WITH collect(n) AS nodes"
                + " UNWIND range(1, size(nodes) - 1) AS i WITH nodes[i - 1] AS a, nodes[i] AS b CREATE (a)-[:R]->(b)");
        run("MATCH (a:N) WHERE a.i <= 100 SET a:First");
    }

    @BeforeEach
    void project() {
        TestDbms.dropGraphs();
        run("CALL proxima.graph.project('g', ['N', 'First'], {R: {orientation: 'UNDIRECTED'}})");
    }

    /** Every procedure with an estimate, with its mandatory keys, and calls with keys on which the memory depends. */
    static Stream<Arguments> estimated() {
        Stream<Arguments> all = run("CALL proxima.help('.estimate') YIELD name, keys WHERE NOT name CONTAINS '.graph.'"
                        + " RETURN name, [k IN keys WHERE k.default = 'mandatory' | k.key + ': '"
                        + " + CASE k.key =~ '(source|target).*' WHEN true THEN '0' ELSE '\"p\"' END] AS keys")
                .stream()
                .map(row -> Arguments.of(
                        ((String) row.get("name")).replaceAll("^proxima\\.|\\.estimate$", ""),
                        row.get("keys").toString().replace('[', '{').replace(']', '}')));
        return Stream.concat(
                all,
                Stream.of(
                        Arguments.of("bfs.mutate", "{sourceNode: 0, mutateProperty: 'p', parentProperty: 'q'}"),
                        Arguments.of("distances.stream", "{sourceNodes: [0, 1], targetNodeFilter: [2]}"),
                        Arguments.of(
                                "distances.nearest.mutate",
                                "{sourceNodes: [0, 1], mutateProperty: 'p', nearestSourceProperty: 's'}"),
                        Arguments.of("closeness.mutate", "{mutateProperty: 'p', targetNodes: 0}"),
                        Arguments.of("closeness.stats", "{targetNodes: [0, 1]}"),
                        Arguments.of(
                                "closeness.sampled.mutate", "{mutateProperty: 'p', samplingSize: 70, harmonic: true}"),
                        Arguments.of("wcc.mutate", "{mutateProperty: 'p', consecutiveIds: true}"),
                        Arguments.of("wcc.stream", "{minComponentSize: 2}")));
    }

    @Test
    void shouldCountTheReversedGraphOfTheSearchAndOfThePathsOnce() {
        run("CALL proxima.graph.project('directed', 'N', 'R')");
        String tree = (String) estimate(
                        "shortestPath.stream",
                        "'directed'",
                        "{sourceNodes: range(0, 19), targetNodes: range(20, 40), concurrency: 1}")
                .get("treeView");
        assertThat(tree).containsOnlyOnce("reversing the graph");
    }

    @ParameterizedTest
    @MethodSource("estimated")
    void shouldEstimateEveryProcedure(String procedure, String configuration) {
        Map<String, Object> named = estimate(procedure, "'g'", configuration);
        assertThat(named)
                .containsEntry("nodeCount", (long) NODES)
                .containsEntry("relationshipCount", 2L * (NODES - 1))
                .containsEntry("deviceBytesMin", 0L)
                .containsEntry("deviceBytesMax", 0L)
                .containsEntry("fitsDevice", false);
        assertThat(max(named)).isGreaterThanOrEqualTo(min(named)).isPositive();
        assertThat((double) named.get("heapPercentageMin")).isPositive();
        String text = (String) named.get("requiredMemory");
        assertThat(((String) named.get("treeView")).lines().findFirst()).contains("Memory Estimation: " + text);
        Map<?, ?> view = (Map<?, ?>) named.get("mapView");
        assertThat(view.get("name")).isEqualTo("Memory Estimation");
        assertThat(view.get("memoryUsage")).isEqualTo(text);
        assertThat((List<?>) view.get("components")).hasSize(1);

        Map<String, Object> described = estimate(
                procedure,
                "{nodeProjection: 'N', relationshipProjection: {R: {orientation: 'undirected'}}}",
                configuration);
        assertThat(described)
                .containsEntry("nodeCount", (long) NODES)
                .containsEntry("relationshipCount", 2L * (NODES - 1));
        // it is to be projected first, and then run on
        assertThat(max(described)).isGreaterThan(max(named));
        Map<String, Object> imagined =
                estimate(procedure, "{nodeCount: 10000000, relationshipCount: 100000000}", configuration);
        assertThat(imagined).containsEntry("nodeCount", 10_000_000L).containsEntry("relationshipCount", 100_000_000L);
        assertThat(min(imagined)).isGreaterThan(1000 * min(described));
        assertThat(run("CALL proxima.graph.list() YIELD graphName")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", relationshipWeightProperty: 'w'"})
    void shouldCountTheSourcesOfASampleOnceIfOneIsDrawn(String weight) {
        run("MATCH ()-[r:R]->() SET r.w = 1.0");
        run("CALL proxima.graph.project('weighted', 'N', {R: {orientation: 'UNDIRECTED', properties: 'w'}})");
        List<Map<String, Object>> estimates = Stream.of(800, 900, NODES)
                .map(size -> estimate(
                        "betweenness.stats", "'weighted'", "{concurrency: 1, samplingSize: " + size + weight + "}"))
                .toList();
        assertThat(max(estimates.get(1)) - max(estimates.get(0))).isEqualTo(100 * Integer.BYTES);
        assertThat(estimates.get(1).get("treeView").toString()).contains("sample of sources");
        assertThat(estimates.get(2).get("treeView").toString()).doesNotContain("sample of sources");
    }

    @Test
    void shouldReverseADirectedGraphForTheSecondSearch() {
        run("CALL proxima.graph.project('directed', 'N', 'R')");
        String keys = "{sourceNode: 0, backend: 'cpu'}";
        String search = "MATCH (n:N {i: 1}) CALL proxima.bfs.stats('directed', {sourceNode: n, backend: 'cpu'})"
                + " YIELD nodesReached RETURN nodesReached";
        String size = "CALL proxima.graph.list('directed') YIELD sizeInBytes";
        long projected = (long) value(size);
        long first = max(estimate("bfs.stats", "'directed'", keys));
        run(search);
        assertThat((long) value(size)).isEqualTo(projected);
        assertThat(max(estimate("bfs.stats", "'directed'", keys))).isGreaterThan(first);
        run(search);
        assertThat((long) value(size)).isGreaterThan(projected);
    }

    @Test
    void shouldCountWhatTheCallerKeeps() {
        long one = min(estimate("distances.write", "'g'", "{sourceNodes: [0], writeProperty: 'p'}"));
        long two = min(estimate("distances.write", "'g'", "{sourceNodes: [0, 1, 1], writeProperty: 'p'}"));
        // a distance kept of 4 bytes, and two elements of the list that is written
        assertThat(two - one).isGreaterThanOrEqualTo((4L + 2 * Long.BYTES) * NODES);
        long repeated =
                min(estimate("distances.write", "'g'", "{sourceNodes: [i IN range(1, 1000) | 0], writeProperty: 'p'}"));
        assertThat(repeated - one)
                .as("a batch of lists with an element for each repeat")
                .isGreaterThan(1L << 22);
        String manySources = "{sourceNodes: [i IN range(1, 1000000) | i]}";
        assertThat(min(estimate("distances.nearest.stats", "'g'", manySources))
                        - min(estimate("distances.nearest.stats", "'g'", "{sourceNodes: [0]}")))
                .as("the sources themselves")
                .isGreaterThan(16_000_000L);

        long distances = min(estimate("distances.nearest.mutate", "'g'", "{sourceNodes: [0], mutateProperty: 'p'}"));
        long sources = min(estimate(
                "distances.nearest.mutate",
                "'g'",
                "{sourceNodes: [0], mutateProperty: 'p', nearestSourceProperty: 's'}"));
        assertThat(sources).isGreaterThan(distances);

        long levels = min(estimate("bfs.write", "'g'", "{sourceNode: 0, maxDepth: 1, writeProperty: 'p'}"));
        long parents = min(
                estimate("bfs.write", "'g'", "{sourceNode: 0, maxDepth: 1, writeProperty: 'p', parentProperty: 'q'}"));
        // they are found when the search has freed its memory
        assertThat(parents - levels).isBetween(0L, 4L * NODES);
        long streamed = min(estimate("bfs.stream", "'g'", "{sourceNode: 0, maxDepth: 1}"));
        assertThat(streamed).as("with the paths of rows").isGreaterThan(parents);
    }

    @Test
    void shouldKeepTheScoresOfChosenNodesInPlaceIfTheyAreAllNodes() {
        double[] scores = {1, 2};
        NodeProperty property =
                VertexValues.ofDoubles(new int[] {0, 1}, scores).property("p", Set.of(), 2, null, Stop.NEVER);
        scores[1] = 3;
        assertThat(property.value(1).asObject()).as("not a copy").isEqualTo(3.0);
        assertThat(VertexValues.propertyMemory(2, 2, Double.BYTES).maxBytes()).isZero();
    }

    @Test
    void shouldEstimateTheFilterToo() {
        Map<String, Object> filtered = estimate("bfs.stream", "'g'", "{sourceNode: 0, nodeLabels: ['First']}");
        assertThat(filtered).containsEntry("nodeCount", 100L).containsEntry("relationshipCount", 199L);
        assertThat((String) filtered.get("treeView")).contains("filter graph");
        Map<String, Object> described = estimate(
                "bfs.stream",
                "{relationshipProjection: ['R', 'R2'], nodeCount: 10, relationshipCount: 20}",
                "{sourceNode: 0}");
        assertThat((String) described.get("treeView")).contains("join types");
    }

    @Test
    void shouldEstimateANewGraphThatIsAPartOfAnother() {
        Map<String, Object> part = run("CALL proxima.graph.filter.estimate('g', 'n:First', '*')" + FIGURES)
                .get(0);
        assertThat(part)
                .containsEntry("nodeCount", 100L)
                // one relationship of the 199 leads out of the part
                .containsEntry("relationshipCount", 199L)
                // a filter uses no device
                .containsEntry("fitsDevice", null);
        assertThat(max(part)).isGreaterThanOrEqualTo(min(part)).isPositive();
        assertThat((String) part.get("treeView")).contains("Filter");
        assertThat(run("CALL proxima.graph.filter('part', 'g', 'n:First', '*') YIELD relationshipCount"))
                .containsExactly(Map.of("relationshipCount", 198L));
        long held = (long) value("CALL proxima.graph.list('part') YIELD sizeInBytes");
        assertThat(max(part)).isGreaterThan(held);
        // it shares everything with the original
        assertThat(max(run("CALL proxima.graph.filter.estimate('g', '*', '*')").get(0)))
                .isZero();
    }

    @Test
    void shouldEstimateTheProjectionOfTheRowsOfAQuery() {
        String rows = "MATCH (a:N)-[:R]->(b:N) RETURN proxima.graph.project";
        Map<?, ?> estimate = (Map<?, ?>) value(rows + ".estimate('rows', a, b)");
        Map<String, Object> columns =
                run("CALL proxima.graph.filter.estimate('g', '*', '*')").get(0);
        assertThat(columns.keySet())
                .containsAll(estimate.keySet().stream().map(String::valueOf).toList());
        assertThat(estimate).hasSize(9);
        assertThat((long) estimate.get("nodeCount")).isBetween((long) NODES, 2 * (NODES - 1L));
        assertThat(estimate.get("relationshipCount")).isEqualTo(NODES - 1L);
        assertThat((long) estimate.get("bytesMin")).isPositive().isLessThan((long) estimate.get("bytesMax"));
        assertThat(run("CALL proxima.graph.exists('rows') YIELD exists")).containsExactly(Map.of("exists", false));
        Map<?, ?> undirected = (Map<?, ?>) value(
                rows + ".estimate('rows', a, b, {relationshipType: 'X'}," + " {undirectedRelationshipTypes: ['*']})");
        assertThat(undirected.get("relationshipCount")).isEqualTo(2 * (NODES - 1L));

        value(rows + "('rows', a, b)");
        long held = (long) value("CALL proxima.graph.list('rows') YIELD sizeInBytes");
        assertThat((long) estimate.get("bytesMin")).isGreaterThan(held);
        assertThat(((Map<?, ?>) value("UNWIND [] AS n RETURN proxima.graph.project.estimate('none', n)"))
                        .get("nodeCount"))
                .isEqualTo(0L);
    }

    @Test
    void shouldHoldRunsToTheEstimate() {
        Object sources = value("MATCH (n:N) WHERE n.i <= 91 RETURN collect(id(n))");
        String configuration = "{sourceNodes: " + sources + ", jobId: 'j'}";
        // the search goes on while its rows are read
        assertThat(run("CALL proxima.distances.stream('g', " + configuration
                        + ") YIELD distance, parent, path WITH distance, parent, path LIMIT 1"
                        + " CALL proxima.memory.list() YIELD entity, memoryInBytes WHERE entity = 'j'"
                        + " RETURN memoryInBytes"))
                .containsExactly(Map.of("memoryInBytes", max(estimate("distances.stream", "'g'", configuration))));

        assertThat((double) estimate("closeness.stream", "{nodeCount: 2000000000, relationshipCount: 10}", "{}")
                        .get("heapPercentageMax"))
                .isGreaterThan(100);
    }

    @Test
    void shouldRoundPercentagesUp() {
        assertThat(EstimateRow.percentage(1, 1L << 30)).isEqualTo(0.1);
        assertThat(EstimateRow.percentage(0, 1L << 30)).isEqualTo(0.0);
        assertThat(EstimateRow.percentage(1 << 29, 1L << 30)).isEqualTo(50.0);
        assertThat(EstimateRow.percentage((1 << 29) + 1, 1L << 30)).isEqualTo(50.1);
    }

    private static Map<String, Object> estimate(String procedure, String graph, String configuration) {
        List<Map<String, Object>> rows =
                run("CALL proxima." + procedure + ".estimate(" + graph + ", " + configuration + ")" + FIGURES);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static long min(Map<String, Object> row) {
        return (long) row.get("bytesMin");
    }

    private static long max(Map<String, Object> row) {
        return (long) row.get("bytesMax");
    }
}
