// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Eccentricity and the distances in figures, through Cypher. The facts are shown on a real server in it-tests. */
class EccentricityTest {

    private static final String FIGURES = " YIELD diameter, radius, meanDistance, hopDistribution";

    /** No path. */
    private static final int FAR = 1 << 20;

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @ParameterizedTest
    @CsvSource({
        "1, NATURAL, 1",
        "2, NATURAL, 3",
        "3, REVERSE, 2",
        "4, UNDIRECTED, 1",
        "5, UNDIRECTED, 3",
        "6, NATURAL, 30",
        "7, UNDIRECTED, 30"
    })
    void shouldAgreeWithAllPairsShortestPaths(int seed, String orientation, int relationships) {
        int nodes = 24;
        int[][] distances = randomGraph(seed, nodes, nodes + relationships, orientation);
        Map<String, Object> expected = figures(distances);
        Map<Long, Long> eccentricities = new HashMap<>();
        for (int from = 0; from < nodes; from++) {
            eccentricities.put((long) from, eccentricity(distances[from]));
        }
        for (int concurrency : new int[] {1, 3}) {
            String configuration = "{concurrency: " + concurrency + "}";
            Map<Long, Long> found = new HashMap<>();
            run("CALL proxima.eccentricity.stream('g', " + configuration + ") YIELD nodeId, eccentricity"
                            + " RETURN proxima.util.asNode(nodeId).i AS i, eccentricity")
                    .forEach(row -> found.put((Long) row.get("i"), (Long) row.get("eccentricity")));
            assertThat(found).isEqualTo(eccentricities);
            for (String procedure : List.of("eccentricity", "closeness")) {
                assertThat(run("CALL proxima." + procedure + ".stats('g', " + configuration + ")" + FIGURES))
                        .as("%s, seed %d", procedure, seed)
                        .containsExactly(expected);
            }
            assertThat(run("CALL proxima.closeness.stats('g', {harmonic: true})" + FIGURES))
                    .containsExactly(expected);
        }
    }

    @Test
    void shouldTellEachFigureAlone() {
        randomGraph(11, 24, 40, "NATURAL");
        Map<String, Object> all = run("CALL proxima.closeness.stats('g')").get(0);
        for (String column : List.of("diameter", "radius", "meanDistance", "hopDistribution")) {
            for (String procedure : List.of("eccentricity", "closeness")) {
                assertThat(value("CALL proxima." + procedure + ".stats('g') YIELD " + column + " RETURN " + column))
                        .as("%s of %s", column, procedure)
                        .isEqualTo(all.get(column));
            }
        }
    }

    @Test
    void shouldAnswerForAnEmptyGraphAndForIsolatedNodes() {
        run("CREATE (:N), (:N), (none:None) DELETE none");
        run("CALL proxima.graph.project('empty', 'None', 'R')");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        for (String procedure : List.of("eccentricity", "closeness")) {
            assertThat(run("CALL proxima." + procedure + ".stats('empty')" + FIGURES + ", computeMillis"))
                    .containsExactly(Map.of(
                            "diameter", 0L,
                            "radius", 0L,
                            "meanDistance", 0.0,
                            "hopDistribution", List.of(),
                            "computeMillis", -1L));
            assertThat(run("CALL proxima." + procedure + ".stats('g')" + FIGURES))
                    .containsExactly(
                            Map.of("diameter", 0L, "radius", 0L, "meanDistance", 0.0, "hopDistribution", List.of(2L)));
        }
        assertThat(run("CALL proxima.eccentricity.stream('empty')")).isEmpty();
    }

    @Test
    void shouldSeeAPartOfTheGraph() {
        run("CREATE (a:N)-[:R]->(b:N)-[:S]->(c:N)-[:R]->(d:M)");
        run("CALL proxima.graph.project('g', ['N', 'M'], ['R', 'S'])");
        assertThat(value("CALL proxima.eccentricity.stats('g') YIELD diameter RETURN diameter"))
                .isEqualTo(3L);
        assertThat(value("CALL proxima.eccentricity.stats('g', {nodeLabels: ['N']}) YIELD diameter RETURN diameter"))
                .isEqualTo(2L);
        assertThat(value("CALL proxima.eccentricity.stats('g', {relationshipTypes: ['R']}) YIELD hopDistribution"
                        + " RETURN hopDistribution"))
                .isEqualTo(List.of(4L, 2L));
    }

    /** Makes a graph and gives the distances from each node to each, {@link #FAR} without a path. */
    private static int[][] randomGraph(int seed, int nodes, int relationships, String orientation) {
        Random random = new Random(seed);
        int[][] distances = new int[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                distances[from][to] = from == to ? 0 : FAR;
            }
        }
        List<String> pairs = new ArrayList<>();
        for (int r = 0; r < relationships; r++) {
            int from = random.nextInt(nodes);
            int to = random.nextInt(nodes);
            pairs.add("[" + from + ", " + to + "]");
            if (from != to && !orientation.equals("REVERSE")) {
                distances[from][to] = 1;
            }
            if (from != to && !orientation.equals("NATURAL")) {
                distances[to][from] = 1;
            }
        }
        for (int via = 0; via < nodes; via++) {
            for (int from = 0; from < nodes; from++) {
                for (int to = 0; to < nodes; to++) {
                    distances[from][to] = Math.min(distances[from][to], distances[from][via] + distances[via][to]);
                }
            }
        }
        run("UNWIND range(0, " + (nodes - 1) + ") AS i CREATE (:N {i: i})");
        run("UNWIND " + pairs + " AS p MATCH (a:N {i: p[0]}), (b:N {i: p[1]}) CREATE (a)-[:R]->(b)");
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: '" + orientation + "'}})");
        return distances;
    }

    private static long eccentricity(int[] distances) {
        long most = 0;
        for (int distance : distances) {
            most = distance < FAR ? Math.max(most, distance) : most;
        }
        return most;
    }

    private static Map<String, Object> figures(int[][] distances) {
        List<Long> hops = new ArrayList<>();
        long sum = 0;
        long pairs = 0;
        long mostReached = -1;
        long radius = 0;
        for (int[] ofNode : distances) {
            long reached = 0;
            for (int distance : ofNode) {
                if (distance < FAR) {
                    while (hops.size() <= distance) {
                        hops.add(0L);
                    }
                    hops.set(distance, hops.get(distance) + 1);
                    sum += distance;
                    reached++;
                }
            }
            pairs += reached - 1;
            if (reached > mostReached) {
                mostReached = reached;
                radius = eccentricity(ofNode);
            } else if (reached == mostReached) {
                radius = Math.min(radius, eccentricity(ofNode));
            }
        }
        return Map.of(
                "diameter",
                hops.size() - 1L,
                "radius",
                radius,
                "meanDistance",
                pairs == 0 ? 0.0 : (double) sum / pairs,
                "hopDistribution",
                hops);
    }
}
