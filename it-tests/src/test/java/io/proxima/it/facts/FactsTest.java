// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static io.proxima.it.facts.FactGraph.levels;
import static io.proxima.it.facts.FactGraph.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.SharedServer;
import io.proxima.it.server.Installation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Small graphs with known answers, computed by hand, on each line of Neo4j and each backend that can run here. */
@Tag("gpu")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("linesAndBackends")
class FactsTest {

    private static final String CLOSENESS = "";
    private static final String WASSERMAN_FAUST = "useWassermanFaust: true, ";
    private static final String HARMONIC = "harmonic: true, ";

    /** Its queries have the backend as the parameter $b. */
    private final Cypher cypher;

    FactsTest(Installation.Line line, String backend) {
        cypher = SharedServer.cypher(line).with("b", backend);
    }

    static Stream<Arguments> linesAndBackends() {
        return Installation.linesLaidOut().stream().flatMap(line -> Backends.names(SharedServer.cypher(line)).stream()
                .map(backend -> Arguments.of(line, backend)));
    }

    /** Closeness, that of Wasserman and Faust, and harmonic closeness; left out where another row has the same. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a b c d e | a>b b>a b>c c>b c>d d>c d>e e>d | NATURAL | a,e 2/5; b,d 4/7; c 2/3"
                        + " | a,e 2/5; b,d 4/7; c 2/3 | a,e 1/4+1/8+1/12+1/16; b,d 2/4+1/8+1/12; c 3/4",
                "a b c d e f | a>b b>a c>b d>e e>d f>e | NATURAL | a,d 2/3; b,e 1; c,f 0"
                        + " | a,d 2/3*2/5; b,e 2/5; c,f 0 | a,d 3/10; b,e 2/5; c,f 0",
                "a b c d e f | a>b b>a c>b d>e e>d f>e | REVERSE | a,b,d,e 1; c,f 2/3 | a,b,d,e 1/5; c,f 2/3*2/5 |",
                "a b c d e | a>b a>c b>c d>e | UNDIRECTED | a,b,c,d,e 1 | a,b,c 1/2; d,e 1/4 |",
                "a b c d e | a>b b>c d>e | UNDIRECTED | a,c 2/3; b,d,e 1 | a,c 1/3; b 1/2; d,e 1/4"
                        + " | a,c 3/8; b 1/2; d,e 1/4",
                "a b c d e f g | a>b a>c b>d c>d d>e d>f e>g f>g | NATURAL | a 0; b,c 1; d 3/4; e,f 1/2; g 3/7"
                        + " | a 0; b,c 1/6; d 3/8; e,f 1/3; g 3/7 |",
                "a b c d e f g | a>b a>c b>d c>d d>e d>f e>g f>g | UNDIRECTED | a,g 3/7; b,c,e,f 6/11; d 3/4 | |",
                "a b c d e f g i | a>b a>c b>d c>d d>e d>f e>g f>g | UNDIRECTED"
                        + " | a,g 3/7; b,c,e,f 6/11; d 3/4; i 0 | |",
                "a b c d e f | a>c a>d b>c b>d c>e d>f | UNDIRECTED | a,b,c,d 5/8; e,f 5/12 | |",
                "a b c | a>b b>c c>b | NATURAL | a 0; b 1; c 2/3 | a 0; b 1; c 2/3 |",
                "a b c | a>b b>c c>b | REVERSE | a 2/3; b,c 1 | a 2/3; b,c 1/2 |"
            })
    void shouldScore(
            String nodes,
            String relationships,
            String orientation,
            String plain,
            String wassermanFaust,
            String harmonic) {
        FactGraph graph = graph(nodes, relationships).project(orientation);
        scores(graph, CLOSENESS, plain);
        if (wassermanFaust != null) {
            scores(graph, WASSERMAN_FAUST, wassermanFaust);
        }
        if (harmonic != null) {
            scores(graph, HARMONIC, harmonic);
        }
    }

    @Test
    void shouldIgnoreLoopsAndParallelRelationshipsF4() {
        FactGraph graph = hubAndRings().project("UNDIRECTED");
        scores(graph, CLOSENESS, "n0 1; n1,n2,n3,n4,n5,n6,n7,n8,n9,n10 10/17");
        scores(graph, WASSERMAN_FAUST, "n0 1; n1,n2,n3,n4,n5,n6,n7,n8,n9,n10 10/17");
        // ten scores of 10 / 17 and one of 1: by nearest rank, p90 is the tenth and p95 the last of them
        Map<String, Object> distribution = new TreeMap<>(distribution(CLOSENESS));
        assertThat((Double) distribution.remove("mean")).isCloseTo((1 + 10 * 10 / 17.0) / 11, within(Math.ulp(1.0)));
        assertThat(distribution)
                .isEqualTo(Map.of(
                        "min", 10 / 17.0, "p50", 10 / 17.0, "p75", 10 / 17.0, "p90", 10 / 17.0, "p95", 1.0, "p99", 1.0,
                        "p999", 1.0, "max", 1.0));
        graph.project("NATURAL");
        scores(graph, CLOSENESS, "n0 1; n1,n2,n3,n4,n5 5/8; n6,n7,n8,n9,n10 10/21");
        scores(graph, WASSERMAN_FAUST, "n0 1/2; n1,n2,n3,n4,n5 5/16; n6,n7,n8,n9,n10 10/21");
    }

    @ParameterizedTest
    @CsvSource({
        "NATURAL, a, -1, a0 b1 c1 d2 e3 f3 g4",
        "REVERSE, g, -1, g0 e1 f1 d2 b3 c3 a4",
        "UNDIRECTED, d, -1, d0 b1 c1 e1 f1 a2 g2",
        "NATURAL, a, 2, a0 b1 c1 d2",
        "NATURAL, a, 0, a0",
        "NATURAL, i, -1, i0"
    })
    void shouldFindLevelsInDoubleDiamondF6(String orientation, String source, int maxDepth, String expected) {
        FactGraph graph = doubleDiamond().project(orientation);
        levelsFrom(graph, source, maxDepth, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "NATURAL, a, -1, b:a c:a d:bc e:d f:d g:ef",
        "REVERSE, g, -1, a:bc b:d c:d d:ef e:g f:g",
        "UNDIRECTED, d, -1, a:bc b:d c:d e:d f:d g:ef",
        "NATURAL, a, 2, b:a c:a d:bc",
        "NATURAL, a, 0, ''"
    })
    void shouldFindParentsInDoubleDiamondF6(String orientation, String source, int maxDepth, String expectedText) {
        FactGraph graph = doubleDiamond().project(orientation);
        Map<String, Long> expected = new TreeMap<>();
        for (String node : expectedText.isEmpty() ? new String[0] : expectedText.split(" ", -1)) {
            // of several names the one with the smallest id
            List<String> parents =
                    node.substring(2).chars().mapToObj(Character::toString).toList();
            expected.put(node.substring(0, 1), smallest(graph, parents));
        }
        Object[] parameters = {"s", graph.id(source), "m", maxDepth};
        assertThat(graph.byName(
                        cypher.rows(
                                "CALL proxima.bfs.stream('g', {sourceNode: $s, maxDepth: $m, backend: $b})"
                                        + " YIELD nodeId, parent WHERE parent IS NOT NULL RETURN nodeId, parent",
                                parameters),
                        "nodeId",
                        "parent",
                        Long.class))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"NATURAL, a, g", "REVERSE, g, a", "UNDIRECTED, a, g"})
    void shouldFindThePathsThroughDoubleDiamondF6(String orientation, String source, String target) {
        FactGraph graph = doubleDiamond().project(orientation);
        Object[] ends = {"s", graph.id(source), "t", graph.id(target)};
        long nearA = smallest(graph, List.of("b", "c"));
        long nearG = smallest(graph, List.of("e", "f"));
        List<Long> path = new ArrayList<>(List.of(graph.id("a"), nearA, graph.id("d"), nearG, graph.id("g")));
        if (source.equals("g")) {
            Collections.reverse(path);
        }
        assertThat(cypher.row(
                        "CALL proxima.shortestPath.stream('g', {sourceNode: $s, targetNode: $t, backend: $b})"
                                + " YIELD nodeIds, costs, pathCount, path RETURN nodeIds, costs, pathCount,"
                                + " [r IN relationships(path) | type(r)] AS types",
                        ends))
                .isEqualTo(Map.of(
                        "nodeIds",
                        path,
                        "costs",
                        List.of(0.0, 1.0, 2.0, 3.0, 4.0),
                        "pathCount",
                        4.0,
                        "types",
                        List.of("LINK", "LINK", "LINK", "LINK")));
        assertThat(cypher.rows(
                        "CALL proxima.connectionSubgraph.stream('g', {sourceNode: $s, targetNode: $t, backend: $b})"
                                + " YIELD relationship, pathCount, fromSource, toTarget"
                                + " RETURN id(relationship) AS id, pathCount, fromSource + toTarget AS others",
                        ends))
                .hasSize(8)
                .containsExactlyInAnyOrderElementsOf(
                        cypher.rows("MATCH ()-[r:LINK]->() RETURN id(r) AS id, 2.0 AS pathCount, 3.0 AS others"));
    }

    @Test
    void shouldShowUnreachedNodesOnlyWhenAskedF6() {
        FactGraph graph = doubleDiamond().project("NATURAL");
        Map<String, Long> levels = graph.byName(
                cypher.rows(
                        "CALL proxima.bfs.stream('g', {sourceNode: $s, includeUnreached: true, backend: $b})",
                        "s",
                        graph.id("a")),
                "nodeId",
                "distance",
                Long.class);
        assertThat(levels).containsEntry("i", -1L).containsEntry("g", 4L).hasSize(8);
    }

    @Test
    void shouldFindDistancesFromSeveralSourcesF8() {
        FactGraph graph = sixNodes().project("UNDIRECTED");
        levelsFrom(graph, "a", -1, "a0 c1 d1 b2 e2 f2");
        levelsFrom(graph, "b", -1, "b0 c1 d1 a2 e2 f2");
        assertThat(distances(graph, "a b"))
                .containsExactlyInAnyOrder(
                        "a-c 1", "a-d 1", "a-e 2", "a-f 2", "a-b 2", "b-c 1", "b-d 1", "b-e 2", "b-f 2", "b-a 2");
        assertThat(distances(graph, "a b c d e f"))
                .hasSize(30)
                .contains("e-f 4", "f-e 4", "c-f 3", "f-c 3", "d-e 3", "e-d 3");
    }

    @Test
    void shouldFindNearestSourceF8() {
        FactGraph graph = sixNodes().project("UNDIRECTED");
        List<Map<String, Object>> rows = cypher.rows(
                "CALL proxima.distances.nearest.stream('g', {sourceNodes: $s, backend: $b})", "s", graph.ids("a b"));
        assertThat(graph.byName(rows, "nodeId", "distance", Long.class)).isEqualTo(levels("a0 b0 c1 d1 e2 f2"));
        Map<String, String> nearest = new TreeMap<>();
        rows.forEach(row -> nearest.put(graph.name(row.get("nodeId")), graph.name(row.get("nearestSource"))));
        // all but the sources are equally near to both: the earliest in the list wins
        assertThat(nearest).isEqualTo(Map.of("a", "a", "b", "b", "c", "a", "d", "a", "e", "a", "f", "a"));
    }

    @Test
    void shouldWriteDistancesF8() {
        FactGraph graph = graph("a b c d e f x", "a>c a>d b>c b>d c>e d>f").project("UNDIRECTED");
        Map<String, Object> row = cypher.row(
                "CALL proxima.distances.write('g', {sourceNodes: $s, writeProperty: 'hops', backend: $b})",
                "s",
                graph.ids("a b a"));
        assertThat(row).containsEntry("nodePropertiesWritten", 7L);
        assertThat(graph.property("hops"))
                .isEqualTo(Map.of(
                        "a", List.of(0L, 2L, 0L),
                        "b", List.of(2L, 0L, 2L),
                        "c", List.of(1L, 1L, 1L),
                        "d", List.of(1L, 1L, 1L),
                        "e", List.of(2L, 2L, 2L),
                        "f", List.of(2L, 2L, 2L),
                        "x", List.of(-1L, -1L, -1L)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a b c d e | a>b b>a b>c c>b c>d d>c d>e e>d | NATURAL | a4 b3 c2 d3 e4 | 2 | 40/20 | 5 8 6 4 2",
                "a b c d e f | a>b b>a c>b d>e e>d f>e | NATURAL | a1 b1 c2 d1 e1 f2 | 2 | 10/8 | 6 6 2",
                "a b c d e f | a>b b>a c>b d>e e>d f>e | REVERSE | a2 b1 c0 d2 e1 f0 | 1 | 10/8 | 6 6 2",
                "a b c d e | a>b a>c b>c d>e | UNDIRECTED | a1 b1 c1 d1 e1 | 1 | 8/8 | 5 8",
                "a b c d e | a>b b>c d>e | UNDIRECTED | a2 b1 c2 d1 e1 | 1 | 10/8 | 5 6 2",
                "a b c d e f g i | a>b a>c b>d c>d d>e d>f e>g f>g | NATURAL | a4 b3 c3 d2 e1 f1 g0 i0 | 4 | 36/19"
                        + " | 8 8 6 4 1",
                "a b c d e f g i | a>b a>c b>d c>d d>e d>f e>g f>g | UNDIRECTED | a4 b3 c3 d2 e3 f3 g4 i0 | 2"
                        + " | 80/42 | 8 16 16 8 2",
                "a b c d e f | a>c a>d b>c b>d c>e d>f | UNDIRECTED | a2 b2 c3 d3 e4 f4 | 2 | 56/30 | 6 12 12 4 2",
                "a b c | a>b b>c c>b | NATURAL | a2 b1 c1 | 2 | 5/4 | 3 3 1",
                "a b c | a>b b>c c>b | REVERSE | a0 b1 c2 | 1 | 5/4 | 3 3 1",
                "a b | a>a | NATURAL | a0 b0 | 0 | 0/1 | 2",
            })
    void shouldFindEccentricitiesAndFigures(
            String nodes,
            String relationships,
            String orientation,
            String expectedText,
            long radius,
            String meanDistance,
            String hops) {
        figures(graph(nodes, relationships).project(orientation), levels(expectedText), radius, meanDistance, hops);
    }

    @Test
    void shouldFindEccentricitiesOfHubAndRingsF4() {
        FactGraph graph = hubAndRings().project("UNDIRECTED");
        figures(graph, eccentricities("n0 1; n1,n2,n3,n4,n5,n6,n7,n8,n9,n10 2"), 1, "180/110", "11 40 70");
        graph.project("NATURAL");
        figures(graph, eccentricities("n0 1; n1,n2,n3,n4,n5 2; n6,n7,n8,n9,n10 4"), 1, "150/80", "11 25 45 5 5");
    }

    /** Eccentricities streamed, mutated and written, and the figures of both procedures that tell them. */
    private void figures(
            FactGraph graph, Map<String, Long> expected, long radius, String meanDistance, String hopDistribution) {
        long diameter = expected.values().stream().max(Long::compare).orElseThrow();
        String configuration = "{backend: $b, writeProperty: 'reach'}";
        assertThat(graph.byName(
                        cypher.rows("CALL proxima.eccentricity.stream('g', {backend: $b})"),
                        "nodeId",
                        "eccentricity",
                        Long.class))
                .isEqualTo(expected);
        assertThat(cypher.row("CALL proxima.eccentricity.write('g', " + configuration + ")"))
                .containsEntry("nodePropertiesWritten", (long) expected.size());
        assertThat(graph.property("reach")).isEqualTo(expected);
        cypher.row("CALL proxima.eccentricity.mutate('g', {backend: $b, mutateProperty: 'most'})");
        assertThat(graph.byName(
                        cypher.rows("CALL proxima.graph.nodeProperty.stream('g', 'most')"),
                        "nodeId",
                        "propertyValue",
                        Long.class))
                .isEqualTo(expected);
        List<Long> hops =
                Arrays.stream(hopDistribution.split(" ", -1)).map(Long::valueOf).toList();
        String[] fraction = meanDistance.split("/", -1);
        for (String procedure : List.of("eccentricity", "closeness")) {
            Map<String, Object> row = cypher.row("CALL proxima." + procedure + ".stats('g', {backend: $b})"
                    + " YIELD diameter, radius, meanDistance, hopDistribution");
            assertThat(row)
                    .as(procedure)
                    .containsEntry("diameter", diameter)
                    .containsEntry("radius", radius)
                    .containsEntry("meanDistance", Double.parseDouble(fraction[0]) / Double.parseDouble(fraction[1]))
                    .containsEntry("hopDistribution", hops);
        }
    }

    private static Map<String, Long> eccentricities(String text) {
        Map<String, Long> eccentricities = new TreeMap<>();
        values(text).forEach((name, value) -> eccentricities.put(name, value.longValue()));
        return eccentricities;
    }

    private static long smallest(FactGraph graph, List<String> names) {
        return names.stream().mapToLong(graph::id).min().orElseThrow();
    }

    private FactGraph hubAndRings() {
        return graph(
                "n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10",
                "n1>n2 n2>n3 n3>n4 n4>n5 n5>n1 n6>n7 n7>n8 n8>n9 n9>n10 n10>n6 n0>n0 n0>n0"
                        + " n1>n0 n2>n0 n3>n0 n4>n0 n5>n0"
                        + " n0>n1 n0>n2 n0>n3 n0>n4 n0>n5 n0>n6 n0>n7 n0>n8 n0>n9 n0>n10");
    }

    private FactGraph graph(String nodes, String relationships) {
        return new FactGraph(cypher, nodes, relationships);
    }

    private FactGraph doubleDiamond() {
        return graph("a b c d e f g i", "a>b a>c b>d c>d d>e d>f e>g f>g");
    }

    private FactGraph sixNodes() {
        return graph("a b c d e f", "a>c a>d b>c b>d c>e d>f");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> distribution(String formula) {
        return (Map<String, Object>) cypher.value(
                "CALL proxima.closeness.stats('g', {" + formula + "backend: $b})" + " YIELD centralityDistribution");
    }

    /**
     * The very doubles of the documented formulas: streamed, with all nodes as chosen nodes and as a sample too, and
     * written.
     */
    private void scores(FactGraph graph, String formula, String expectedText) {
        Map<String, Double> expected = values(expectedText);
        String configuration = "{" + formula + "backend: $b, writeProperty: 'score'}";
        List<Long> all = expected.keySet().stream().map(graph::id).toList();
        for (String call : List.of(
                "closeness.stream('g', {",
                "closeness.stream('g', {targetNodes: $all, ",
                "closeness.sampled.stream('g', {")) {
            Map<String, Double> streamed = graph.byName(
                    cypher.rows("CALL proxima." + call + formula + "backend: $b})", "all", all),
                    "nodeId",
                    "score",
                    Double.class);
            assertThat(streamed).as(call).isEqualTo(expected);
        }
        Map<String, Object> row = cypher.row("CALL proxima.closeness.write('g', " + configuration + ")");
        assertThat(row).containsEntry("nodePropertiesWritten", (long) expected.size());
        assertThat(graph.property("score")).isEqualTo(expected);
    }

    private void levelsFrom(FactGraph graph, String source, int maxDepth, String expectedText) {
        Map<String, Long> expected = levels(expectedText);
        String configuration = "{sourceNode: $s, maxDepth: $m, backend: $b}";
        Object[] parameters = {"s", graph.id(source), "m", maxDepth};
        assertThat(graph.byName(
                        cypher.rows("CALL proxima.bfs.stream('g', " + configuration + ")", parameters),
                        "nodeId",
                        "distance",
                        Long.class))
                .isEqualTo(expected);
        long deepest = expected.values().stream().max(Long::compare).orElseThrow();
        List<Long> hopDistribution = new ArrayList<>();
        for (long level = 0; level <= deepest; level++) {
            long wanted = level;
            hopDistribution.add(
                    expected.values().stream().filter(l -> l == wanted).count());
        }
        assertThat(cypher.row("CALL proxima.bfs.stats('g', " + configuration + ")", parameters))
                .containsEntry("nodesReached", (long) expected.size())
                .containsEntry("depth", deepest)
                .containsEntry("hopDistribution", hopDistribution);
    }

    private List<String> distances(FactGraph graph, String sources) {
        return cypher
                .rows("CALL proxima.distances.stream('g', {sourceNodes: $s, backend: $b})", "s", graph.ids(sources))
                .stream()
                .map(row -> graph.name(row.get("sourceNode")) + "-" + graph.name(row.get("targetNode")) + " "
                        + row.get("distance"))
                .toList();
    }
}
