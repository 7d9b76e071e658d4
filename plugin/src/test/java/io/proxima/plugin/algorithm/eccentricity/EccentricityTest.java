// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import static io.proxima.plugin.TestDbms.DIAMONDS;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eccentricity and the distances in figures, through Cypher. The facts are shown on a real server in it-tests. */
class EccentricityTest {

    private static final String FIGURES = " YIELD diameter, radius, meanDistance, hopDistribution";

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldTellEachFigureAlone() {
        run(DIAMONDS);
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'])");
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
}
