// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.degree;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.exceptions.KernelException;
import org.neo4j.kernel.api.procedure.GlobalProcedures;

/** A new algorithm that gives a score takes two files: {@link Degree} and {@link DegreeProcedures}. */
class DegreeTest {

    @BeforeAll
    static void register() throws KernelException {
        TestDbms.component(GlobalProcedures.class).registerProcedure(DegreeProcedures.class);
    }

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}})");
    }

    @Test
    void shouldStreamMutateAndWriteTheSameScores() {
        List<Map<String, Object>> streamed = run("CALL test.degree.stream('g') YIELD nodeId, score"
                + " RETURN proxima.util.asNode(nodeId).name AS name, score ORDER BY name");
        assertThat(streamed)
                .extracting(row -> row.get("score"))
                .containsExactly(2.0, 2.0, 2.0, 4.0, 2.0, 2.0, 2.0, 0.0);
        assertThat(value("CALL test.degree.mutate('g', {mutateProperty: 'degree'}) YIELD nodePropertiesWritten"))
                .isEqualTo(8L);
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'degree') YIELD nodeId, propertyValue"
                        + " RETURN proxima.util.asNode(nodeId).name AS name, propertyValue AS score ORDER BY name"))
                .isEqualTo(streamed);
        assertThat(value("CALL test.degree.write('g', {writeProperty: 'degree'}) YIELD nodePropertiesWritten"))
                .isEqualTo(8L);
        assertThat(run("MATCH (n:N) RETURN n.name AS name, n.degree AS score ORDER BY name"))
                .isEqualTo(streamed);
    }

    @Test
    void shouldHaveStatisticsAndKeys() {
        Map<?, ?> distribution =
                (Map<?, ?>) value("CALL test.degree.stats('g', {relative: true}) YIELD centralityDistribution");
        assertThat(distribution.get("max")).isEqualTo(4.0 / 7);
        assertThatThrownBy(() -> run("CALL test.degree.stats('g', {relativ: true})"))
                .hasMessageContaining("(Did you mean [relative]?)");
    }

    @Test
    void shouldEstimate() {
        assertThat((long) value("CALL test.degree.stream.estimate('g') YIELD bytesMax"))
                .isPositive();
    }
}
