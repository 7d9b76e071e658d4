// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import static io.proxima.it.facts.FactGraph.levels;
import static io.proxima.it.facts.FactGraph.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.Backends;
import io.proxima.it.Cypher;
import io.proxima.it.SharedServer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Small graphs with known answers, computed by hand, on each backend that can run here. */
@Tag("gpu")
@ParameterizedClass(name = "{0}")
@MethodSource("backends")
class FactsTest {

    /** With loops and parallel relationships. */
    private static final String HUB_AND_RINGS =
            "a b c d e f g h i j k | b>c c>d d>e e>f f>b g>h h>i i>j j>k k>g a>a a>a"
                    + " b>a c>a d>a e>a f>a a>b a>c a>d a>e a>f a>g a>h a>i a>j a>k";

    private static final String CLOSENESS = "";
    private static final String WASSERMAN_FAUST = "useWassermanFaust: true, ";
    private static final String HARMONIC = "harmonic: true, ";

    /** Its queries have the backend as the parameter $b. */
    private final Cypher cypher;

    FactsTest(String backend) {
        cypher = SharedServer.cypher().with("b", backend);
    }

    static List<String> backends() {
        return Backends.names();
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
                "a b c | a>b b>c c>b | REVERSE | a 2/3; b,c 1 | a 2/3; b,c 1/2 |",
                HUB_AND_RINGS + "| UNDIRECTED | a 1; b,c,d,e,f,g,h,i,j,k 10/17 | a 1; b,c,d,e,f,g,h,i,j,k 10/17 |",
                HUB_AND_RINGS + "| NATURAL | a 1; b,c,d,e,f 5/8; g,h,i,j,k 10/21"
                        + " | a 1/2; b,c,d,e,f 5/16; g,h,i,j,k 10/21 |"
            })
    void shouldScore(
            String nodes,
            String relationships,
            String orientation,
            String plain,
            String wassermanFaust,
            String harmonic) {
        FactGraph graph = new FactGraph(cypher, nodes, relationships).project(orientation);
        scores(graph, CLOSENESS, plain);
        if (wassermanFaust != null) {
            scores(graph, WASSERMAN_FAUST, wassermanFaust);
        }
        if (harmonic != null) {
            scores(graph, HARMONIC, harmonic);
        }
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
                HUB_AND_RINGS + "| UNDIRECTED | a1 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 | 1 | 180/110 | 11 40 70",
                HUB_AND_RINGS + "| NATURAL | a1 b2 c2 d2 e2 f2 g4 h4 i4 j4 k4 | 1 | 150/80 | 11 25 45 5 5",
            })
    void shouldFindEccentricitiesAndFigures(
            String nodes,
            String relationships,
            String orientation,
            String expectedText,
            long radius,
            String meanDistance,
            String hopDistribution) {
        FactGraph graph = new FactGraph(cypher, nodes, relationships).project(orientation);
        Map<String, Long> expected = levels(expectedText);
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
}
