// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.proxima.it.Cypher;
import io.proxima.it.data.DataGraph;
import io.proxima.it.data.DataServer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Graph Data Science library in the same server, on the same graphs, must give the same answers. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("graphs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PeerComparison {

    private static final long SEED = 20261121;
    private static final int SOURCES = 4;
    private static final int TARGETS = 10;
    private static final int MOST_NODES_FOR_BETWEENNESS = 5_000;
    private static final int NODES_OF_A_PART = 2_000;

    private final Cypher cypher = DataServer.cypher();

    @Parameter(0)
    DataGraph data;

    @Parameter(1)
    String orientation;

    static Stream<Arguments> graphs() {
        // the large ones would take GDS minutes; TextbookComparison compares them with a textbook's search, and all of
        // them reversed
        return Arrays.stream(DataGraph.values())
                .filter(graph -> !graph.isLarge())
                .flatMap(graph -> Stream.of("NATURAL", "REVERSE", "UNDIRECTED")
                        .filter(orientation -> graph == DataGraph.AIRPORTS || !orientation.equals("REVERSE"))
                        .map(orientation -> Arguments.of(graph, orientation)));
    }

    @BeforeParameterizedClassInvocation
    void project() {
        for (String library : List.of("proxima", "gds")) {
            cypher.rows("CALL " + library + ".graph.drop('peer', false)");
            project(library, "peer", data.label(), "");
        }
    }

    private void project(String library, String graph, String label, String keys) {
        cypher.row(
                "CALL " + library + ".graph.project($graph, $label, {E: {type: $type, orientation: $orientation" + keys
                        + "}})",
                "graph",
                graph,
                "label",
                label,
                "type",
                data.type(),
                "orientation",
                orientation);
    }

    @AfterParameterizedClassInvocation
    void drop() {
        cypher.rows("CALL proxima.graph.drop('peer', false)");
        cypher.rows("CALL gds.graph.drop('peer', false)");
    }

    @ParameterizedTest
    @CsvSource({
        "closeness.stream, {useWassermanFaust: false}, closeness.stream, {useWassermanFaust: false}",
        "closeness.stream, {useWassermanFaust: true}, closeness.stream, {useWassermanFaust: true}",
        "closeness.stream, {harmonic: true}, closeness.harmonic.stream, {}"
    })
    void shouldScoreEqually(String ours, String ourConfiguration, String theirs, String theirConfiguration) {
        assumeFalse(
                isComparedInPart() && ourConfiguration.equals("{useWassermanFaust: false}"),
                "these graphs are connected, so that both formulas give the same scores");
        double[] expected = scores("gds." + theirs, theirConfiguration);
        double[] actual = scores("proxima." + ours, ourConfiguration);
        assertThat(actual).hasSameSizeAs(expected).containsExactly(expected, within(1e-12));
    }

    /**
     * Parallel relationships are one path, for which GDS must aggregate them. All nodes are compared, each within one
     * part in 10^9, except in the larger undirected graphs: GDS needs minutes for each, so only the
     * {@value #NODES_OF_A_PART} nodes that are nearest to the first, with the relationships among them, are compared.
     */
    @Test
    void shouldScoreBetweennessEqually() {
        String label = data.label();
        if (isComparedInPart()) {
            label = "near";
            cypher.rows(
                    "CALL proxima.bfs.stream('peer', {sourceNode: $first}) YIELD nodeId, distance"
                            + " WITH nodeId ORDER BY distance, nodeId LIMIT $most MATCH (n) WHERE id(n) = nodeId SET n:near",
                    "first",
                    cypher.ids(data.label())[0],
                    "most",
                    NODES_OF_A_PART);
        }
        for (String library : List.of("proxima", "gds")) {
            project(library, "single", label, library.equals("gds") ? ", aggregation: 'SINGLE'" : "");
        }
        double[] expected = scores("gds.betweenness.stream", "single", "{}");
        double[] actual = scores("proxima.betweenness.stream", "single", "{}");
        for (String library : List.of("proxima", "gds")) {
            cypher.rows("CALL " + library + ".graph.drop('single')");
        }
        cypher.rows("MATCH (n:near) REMOVE n:near");
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("node %d", i).isEqualTo(expected[i], within(1e-9 * Math.max(1, expected[i])));
        }
    }

    private boolean isComparedInPart() {
        return orientation.equals("UNDIRECTED") && cypher.ids(data.label()).length > MOST_NODES_FOR_BETWEENNESS;
    }

    /**
     * A shortest path of d hops has d - 1 inner nodes, so the scores of all nodes add up to the sum of d - 1 over all
     * pairs. This is checked on the whole of a graph of which GDS compares only a part.
     */
    @Test
    void shouldScoreBetweennessThatAddsUpToTheInnerNodesOfAllPaths() {
        assumeTrue(isComparedInPart() && data == DataGraph.AS_CAIDA, "one graph will do");
        List<?> hops = (List<?>) cypher.value("CALL proxima.closeness.stats('peer') YIELD hopDistribution");
        long inner = 0;
        for (int distance = 1; distance < hops.size(); distance++) {
            inner += (distance - 1) * (Long) hops.get(distance);
        }
        double sum = (Double) cypher.value("CALL proxima.betweenness.stream('peer') YIELD score RETURN sum(score)");
        // in an undirected graph, a pair counts in both directions, and a path in one
        assertThat(sum).isEqualTo(inner / 2.0, within(1e-11 * inner));
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
    void shouldFindPathsOfTheSameCostAndComponentsAboveTheSameThreshold() {
        assumeTrue(!orientation.equals("REVERSE"), "Cypher projections take long");
        String undirected = orientation.equals("UNDIRECTED") ? "['*']" : "[]";
        for (String library : List.of("proxima", "gds")) {
            cypher.rows("CALL " + library + ".graph.drop('weighted', false)");
            cypher.row("MATCH (a:`" + data.label() + "`) OPTIONAL MATCH (a)-[r:`" + data.type() + "`]->(b)"
                    + " RETURN " + library + ".graph.project('weighted', a, b, {relationshipProperties:"
                    + " {w: (a.key * 31 + b.key * 17) % 255 / 4.0}}, {undirectedRelationshipTypes: " + undirected
                    + "})");
        }
        long[] ids = cypher.ids(data.label());
        for (int source : new Random(SEED).ints(SOURCES, 0, ids.length).toArray()) {
            String call =
                    ".allShortestPaths.delta.stream('weighted', {sourceNode: $s, relationshipWeightProperty: 'w'})"
                            + " YIELD targetNode, totalCost, costs RETURN targetNode, totalCost, costs[-1] AS last"
                            + " ORDER BY targetNode";
            assertThat(cypher.rows("CALL proxima" + call, "s", ids[source]))
                    .as("costs from %s (seed %s)", source, SEED)
                    .isEqualTo(cypher.rows("CALL gds" + call, "s", ids[source]));
            Map<String, Object> ends = Map.of(
                    "s",
                    ids[source],
                    "targets",
                    new Random(source)
                            .ints(TARGETS, 0, ids.length)
                            .filter(target -> target != source)
                            .distinct()
                            .mapToObj(target -> ids[target])
                            .toList());
            String costs = ", relationshipWeightProperty: 'w'}) YIELD targetNode, totalCost"
                    + " RETURN targetNode, totalCost ORDER BY targetNode";
            assertThat(cypher.rows(
                            "CALL proxima.shortestPath.stream('weighted', {sourceNode: $s, targetNodes: $targets"
                                    + costs,
                            ends))
                    .as("costs from %s to some (seed %s)", source, SEED)
                    .isEqualTo(cypher.rows(
                            "UNWIND $targets AS t CALL gds.shortestPath.dijkstra.stream('weighted',"
                                    + " {sourceNode: $s, targetNode: t" + costs,
                            ends));
        }
        String counted =
                ".wcc.stats('weighted', {relationshipWeightProperty: 'w', threshold: 55.5}) YIELD componentCount";
        assertThat(cypher.value("CALL proxima" + counted)).isEqualTo(cypher.value("CALL gds" + counted));
        for (String library : List.of("proxima", "gds")) {
            cypher.rows("CALL " + library + ".graph.drop('weighted')");
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
        return scores(procedure, "peer", configuration);
    }

    private double[] scores(String procedure, String graph, String configuration) {
        List<?> scores = (List<?>) cypher.value("CALL " + procedure + "('" + graph + "', " + configuration
                + ") YIELD nodeId, score WITH score ORDER BY nodeId RETURN collect(score)");
        return scores.stream().mapToDouble(score -> (Double) score).toArray();
    }
}
