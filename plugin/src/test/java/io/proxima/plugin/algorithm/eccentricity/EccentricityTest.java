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
    void shouldAnswerForAnEmptyGraph() {
        run("CREATE (none:None) DELETE none");
        run("CALL proxima.graph.project('empty', 'None', 'R')");
        for (String procedure : List.of("eccentricity", "closeness")) {
            assertThat(run("CALL proxima." + procedure
                            + ".stats('empty') YIELD diameter, radius, meanDistance, hopDistribution, computeMillis"))
                    .containsExactly(Map.of(
                            "diameter", 0L,
                            "radius", 0L,
                            "meanDistance", 0.0,
                            "hopDistribution", List.of(),
                            "computeMillis", -1L));
        }
    }
}
