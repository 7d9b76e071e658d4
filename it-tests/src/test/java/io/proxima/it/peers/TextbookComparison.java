// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.data.DataGraph;
import io.proxima.it.data.DataServer;
import io.proxima.it.data.TextbookGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real graphs in every orientation, compared with breadth-first search as in a textbook. */
@Tag("gpu")
@ParameterizedClass(name = "{0} {1} {2}")
@MethodSource("graphs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TextbookComparison {

    private static final long SEED = 20261120;
    private static final int SOURCES = 16;
    private static final int TARGETS = 300;
    /** Graphs up to this size are compared at every node, larger ones at a sample. */
    private static final int SMALL = 5_000;

    private static final int SAMPLE = 150;

    /** Its queries have the backend as the parameter $b. */
    private Cypher cypher;

    @Parameter(0)
    DataGraph data;

    @Parameter(1)
    String orientation;

    @Parameter(2)
    String backend;

    private TextbookGraph textbook;
    private long[] ids;
    private Map<Long, Integer> nodeOf;
    private int[] sources;
    private List<Long> sourceIds;

    static Stream<Arguments> graphs() {
        return Arrays.stream(DataGraph.values()).flatMap(graph -> Stream.of("NATURAL", "REVERSE", "UNDIRECTED")
                .flatMap(orientation -> Backends.names(DataServer.cypher()).stream()
                        .map(backend -> Arguments.of(graph, orientation, backend))));
    }

    @BeforeParameterizedClassInvocation
    void project() {
        cypher = DataServer.cypher().with("b", backend);
        textbook = new TextbookGraph(data.read(), orientation);
        ids = cypher.ids(data.label());
        nodeOf = new HashMap<>();
        for (int node = 0; node < ids.length; node++) {
            nodeOf.put(ids[node], node);
        }
        sources = new Random(SEED).ints(SOURCES, 0, ids.length).toArray();
        sourceIds = Arrays.stream(sources).mapToObj(node -> ids[node]).toList();
        assertThat(cypher.row(
                        "CALL proxima.graph.project('data', $label, {E: {type: $type, orientation: $orientation}},"
                                + " {replace: true})",
                        "label",
                        data.label(),
                        "type",
                        data.type(),
                        "orientation",
                        orientation))
                .containsEntry("nodeCount", (long) textbook.nodeCount())
                .containsEntry("relationshipCount", textbook.arcCount());
    }

    @AfterParameterizedClassInvocation
    void drop() {
        cypher.rows("CALL proxima.graph.drop('data', false)");
    }

    @Test
    void shouldFindTheLevelsOfATextbookBfs() {
        for (int source : sources) {
            int[] expected = textbook.levels(source);
            assertThat(levels(source))
                    .as("levels from %s (seed %s)", source, SEED)
                    .isEqualTo(expected);
            assertThat(cypher.row(
                            "CALL proxima.bfs.stats('data', {sourceNode: $s, backend: $b})"
                                    + " YIELD depth, nodesReached, hopDistribution",
                            "s",
                            ids[source]))
                    .isEqualTo(Map.of(
                            "depth",
                            (long) Arrays.stream(expected).max().orElseThrow(),
                            "nodesReached",
                            Arrays.stream(expected).filter(level -> level >= 0).count(),
                            "hopDistribution",
                            hopDistribution(expected)));
        }
    }

    /** The levels by node, -1 where the search does not come. */
    private int[] levels(int source) {
        int[] levels = new int[ids.length];
        Arrays.fill(levels, -1);
        Map<String, Object> found = cypher.row(
                "CALL proxima.bfs.stream('data', {sourceNode: $s, backend: $b}) YIELD nodeId, distance"
                        + " RETURN collect(nodeId) AS nodes, collect(distance) AS distances",
                "s",
                ids[source]);
        List<?> nodes = (List<?>) found.get("nodes");
        List<?> distances = (List<?>) found.get("distances");
        for (int i = 0; i < nodes.size(); i++) {
            levels[node(nodes.get(i))] = Math.toIntExact((Long) distances.get(i));
        }
        return levels;
    }

    @Test
    void shouldFindTheDistancesFromSeveralSources() {
        Map<List<Integer>, Long> expectedCounts =
                new TreeMap<>((a, b) -> a.get(0).equals(b.get(0)) ? a.get(1) - b.get(1) : a.get(0) - b.get(0));
        List<List<Integer>> expectedRows = new ArrayList<>();
        int[] targets = new Random(SEED + 1)
                .ints(0, ids.length)
                .distinct()
                .limit(TARGETS)
                .toArray();
        for (int source : Arrays.stream(sources).distinct().toArray()) {
            int[] levels = textbook.levels(source);
            for (int level : levels) {
                if (level > 0) {
                    expectedCounts.merge(List.of(source, level), 1L, Long::sum);
                }
            }
            for (int target : targets) {
                // a source's own row appears when it is asked for as a target
                if (levels[target] >= 0) {
                    expectedRows.add(List.of(source, target, levels[target]));
                }
            }
        }
        List<Long> distinctIds = sourceIds.stream().distinct().toList();
        Map<List<Integer>, Long> actualCounts = new HashMap<>();
        cypher.rows(
                        "CALL proxima.distances.stream('data', {sourceNodes: $s, backend: $b})"
                                + " YIELD sourceNode, distance RETURN sourceNode, distance, count(*) AS count",
                        "s",
                        distinctIds)
                .forEach(row -> actualCounts.put(
                        List.of(node(row.get("sourceNode")), Math.toIntExact((Long) row.get("distance"))),
                        (Long) row.get("count")));
        assertThat(actualCounts).isEqualTo(expectedCounts);
        assertThat(cypher
                        .rows(
                                "CALL proxima.distances.stream('data',"
                                        + " {sourceNodes: $s, targetNodeFilter: $t, backend: $b})",
                                "s",
                                distinctIds,
                                "t",
                                Arrays.stream(targets)
                                        .mapToObj(node -> ids[node])
                                        .toList())
                        .stream()
                        .map(row ->
                                List.of(node(row.get("sourceNode")), node(row.get("targetNode")), Math.toIntExact((Long)
                                        row.get("distance")))))
                .containsExactlyInAnyOrderElementsOf(expectedRows);
    }

    @Test
    void shouldFindTheNearestSource() {
        int[] distance = new int[ids.length];
        int[] nearest = new int[ids.length];
        Arrays.fill(distance, -1);
        Arrays.fill(nearest, -1);
        cypher.rows("CALL proxima.distances.nearest.stream('data', {sourceNodes: $s, backend: $b})", "s", sourceIds)
                .forEach(row -> {
                    int node = node(row.get("nodeId"));
                    distance[node] = Math.toIntExact((Long) row.get("distance"));
                    nearest[node] = node(row.get("nearestSource"));
                });
        assertThat(distance).isEqualTo(textbook.nearestDistances(sources));
        assertThat(nearest).isEqualTo(textbook.nearest(sources));
    }

    @Test
    void shouldScoreAsExactClosenessDoes() {
        double[] plain = scores("");
        double[] wassermanFaust = scores("useWassermanFaust: true, ");
        double[] harmonic = scores("harmonic: true, ");
        IntStream nodes =
                ids.length <= SMALL ? IntStream.range(0, ids.length) : new Random(SEED + 2).ints(SAMPLE, 0, ids.length);
        nodes.forEach(node -> {
            TextbookGraph.Closeness expected = textbook.closeness(node);
            assertThat(plain[node]).as("closeness of %s", node).isCloseTo(expected.plain(), within(1e-12));
            assertThat(wassermanFaust[node])
                    .as("Wasserman-Faust of %s", node)
                    .isCloseTo(expected.wassermanFaust(), within(1e-12));
            assertThat(harmonic[node]).as("harmonic of %s", node).isCloseTo(expected.harmonic(), within(1e-12));
        });
    }

    private double[] scores(String formula) {
        double[] scores = new double[ids.length];
        Arrays.fill(scores, Double.NaN);
        Map<String, Object> found = cypher.row("CALL proxima.closeness.stream('data', {" + formula
                + "backend: $b}) YIELD nodeId, score" + " RETURN collect(nodeId) AS nodes, collect(score) AS scores");
        List<?> nodes = (List<?>) found.get("nodes");
        List<?> values = (List<?>) found.get("scores");
        for (int i = 0; i < nodes.size(); i++) {
            scores[node(nodes.get(i))] = (Double) values.get(i);
        }
        return scores;
    }

    private int node(Object id) {
        return nodeOf.get((Long) id);
    }

    private static List<Long> hopDistribution(int[] levels) {
        List<Long> sizes = new ArrayList<>();
        for (int level : levels) {
            while (level >= sizes.size()) {
                sizes.add(0L);
            }
            if (level >= 0) {
                sizes.set(level, sizes.get(level) + 1);
            }
        }
        return sizes;
    }
}
