// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that bounds answer, on a ring with chords and a tail, which is larger than a batch of searches. */
class BoundedDistancesTest {

    private static final int NODES = 500;

    @BeforeAll
    static void project() {
        TestDbms.clear();
        run("UNWIND range(0, 499) AS i CREATE (:N {i: i})");
        run("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 OR (a.i % 7 = 0 AND a.i < 400 AND b.i = (a.i * 5) % 400)"
                + " CREATE (a)-[:R]->(b)");
        run("MATCH (a:N {i: 399}), (b:N {i: 0}) CREATE (a)-[:R]->(b)");
        run("CALL proxima.graph.project('along', 'N', 'R')");
        run("CALL proxima.graph.project('reverse', 'N', {R: {orientation: 'REVERSE'}})");
        run("CALL proxima.graph.project('undirected', 'N', {R: {orientation: 'UNDIRECTED'}})");
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    private static Map<String, Object> row(String query) {
        return run(query).get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"along", "reverse", "undirected"})
    void shouldFindWhatAllSearchesFind(String graph) {
        // hopDistribution needs all distances
        Map<String, Object> all = row("CALL proxima.eccentricity.stats('" + graph + "', {backend: 'cpu'})"
                + " YIELD diameter, radius, eccentricityDistribution, hopDistribution RETURN diameter, radius,"
                + " eccentricityDistribution");
        assertThat(row("CALL proxima.eccentricity.stats('" + graph + "', {backend: 'cpu'})"
                        + " YIELD diameter, radius, eccentricityDistribution"))
                .isEqualTo(all);
        for (String procedure : List.of("eccentricity", "closeness", "closeness.harmonic")) {
            Map<String, Object> width =
                    row("CALL proxima." + procedure + ".stats('" + graph + "') YIELD diameter, radius, configuration"
                            + " RETURN diameter, radius, configuration.searches AS searches");
            assertThat(width).as(procedure).containsEntry("diameter", all.get("diameter"));
            assertThat(width).as(procedure).containsEntry("radius", all.get("radius"));
            assertThat((long) width.get("searches")).as(procedure).isBetween(1L, NODES / 2L);
        }
        Object distribution = all.get("eccentricityDistribution");
        assertThat(value("CALL proxima.eccentricity.stream('" + graph + "') YIELD eccentricity"
                        + " RETURN max(eccentricity)"))
                .isEqualTo(((Map<?, ?>) distribution).get("max"));
        assertThat(value("CALL proxima.eccentricity.mutate('" + graph + "', {mutateProperty: 'e'})"
                        + " YIELD eccentricityDistribution"))
                .isEqualTo(distribution);
        assertThat(value("CALL proxima.eccentricity.write('" + graph + "', {writeProperty: 'e'})"
                        + " YIELD eccentricityDistribution"))
                .isEqualTo(distribution);
        assertThat(value("MATCH (n:N) RETURN max(n.e)")).isEqualTo(((Map<?, ?>) distribution).get("max"));
    }

    @Test
    void shouldComputeClosenessIfOnlyTimesAreRead() {
        run("CALL proxima.closeness.stats('undirected', {jobId: 'times', backend: 'cpu'}) YIELD computeMillis");
        assertThat(run("CALL proxima.listProgress('times') YIELD taskName"))
                .extracting(row -> row.get("taskName"))
                .contains("    |-- Farness")
                .doesNotContain("    |-- Eccentricity bounds");
    }

    @Test
    void shouldFindAllEccentricitiesIfOnlyTimesAreRead() {
        String searches = ", configuration RETURN configuration.searches";
        String call = "CALL proxima.eccentricity.stats('undirected', {backend: 'cpu'}) YIELD ";
        assertThat(value(call + "computeMillis" + searches))
                .isEqualTo(value(call + "eccentricityDistribution" + searches));
    }

    @Test
    void shouldReportBoundsAsATask() {
        run("CALL proxima.eccentricity.stats('undirected', {jobId: 'bounds'}) YIELD diameter, radius");
        assertThat(run("CALL proxima.listProgress('bounds') YIELD taskName, progress"))
                .extracting(row -> row.get("taskName"))
                .containsExactly("|-- Eccentricity", "    |-- Eccentricity bounds");
    }
}
