// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static io.proxima.plugin.TestDbms.pairs;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the modes of all algorithms have in common; the tests of each algorithm look at its values. */
class ModesTest {

    private static final Set<String> OF_THE_CALL = Set.of(
            "postProcessingMillis", "preProcessingMillis", "computeMillis", "configuration", "nodePropertiesWritten");

    @BeforeEach
    void project() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bfs | sourceNode: b | distance",
                "distances.nearest | sourceNodes: [c, b] | distance",
                "closeness | | score",
                "closeness | useWassermanFaust: true | score",
                "closeness.harmonic | | score",
                "closeness.sampled | samplingSize: 3, samplingSeed: 7 | score",
                "eccentricity | | eccentricity",
                "betweenness | | score",
                "betweenness | samplingSize: 2, samplingSeed: 1 | score",
                "wcc | | componentId",
                "wcc | consecutiveIds: true | componentId",
                "allShortestPaths.delta | sourceNode: b | totalCost"
            })
    void shouldAddAndWriteWhatTheyStream(String algorithm, String givenKeys, String column) {
        String keys = givenKeys == null
                ? ""
                : givenKeys.replace(": b", ": " + id("b")).replace("[c, b]", "[" + id("c") + ", " + id("b") + "]");
        String node = column.equals("totalCost") ? "targetNode" : "nodeId";
        Map<Object, Object> streamed = pairs(call(algorithm, "stream", keys) + " YIELD " + node + ", " + column
                + " RETURN " + node + " AS id, " + column + " AS value");
        assertThat(streamed).isNotEmpty();

        Map<String, Object> mutated =
                run(call(algorithm, "mutate", property("mutate", keys))).get(0);
        assertThat(mutated).containsEntry("nodePropertiesWritten", 8L);
        Map<Object, Object> inMemory =
                pairs("CALL proxima.graph.nodeProperty.stream('g', 'p') YIELD nodeId AS id, propertyValue AS value"
                        + " RETURN id, value");
        assertThat(inMemory).hasSize(8).containsAllEntriesOf(streamed);
        inMemory.keySet().removeAll(streamed.keySet());
        assertThat(inMemory.values()).allMatch(value -> value.equals(-1L) || value.equals(Double.NaN));
        assertThat(value("MATCH (n) WHERE n.p IS NOT NULL RETURN count(n)")).isEqualTo(0L);

        run("MATCH (n) SET n.p = 'old'");
        Map<String, Object> written =
                run(call(algorithm, "write", property("write", keys))).get(0);
        assertThat(written)
                .containsEntry("nodePropertiesWritten", (long) streamed.size())
                .containsEntry("nodesSkipped", 0L)
                .containsEntry("batches", 1L);
        assertThat(pairs("MATCH (n) WHERE n.p IS NOT NULL RETURN id(n) AS id, n.p AS value"))
                .isEqualTo(streamed);

        Map<String, Object> stats = run(call(algorithm, "stats", keys)).get(0);
        assertThat((Map<?, ?>) stats.get("configuration")).extracting("backend").isEqualTo("cpu");
        for (Map<String, Object> row : List.of(mutated, written)) {
            row.keySet().retainAll(stats.keySet());
            row.keySet().removeAll(OF_THE_CALL);
            assertThat(stats).containsAllEntriesOf(row);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"closeness", "closeness.harmonic", "closeness.sampled", "eccentricity", "betweenness", "wcc"})
    void shouldAnswerForAGraphWithoutNodes(String algorithm) {
        run("CREATE (n:Empty) DELETE n");
        run("CALL proxima.graph.project('g', 'Empty', 'R', {replace: true})");
        assertThat(run(call(algorithm, "stream", ""))).isEmpty();
        Map<String, Object> stats = run(call(algorithm, "stats", "")).get(0);
        assertThat(stats).containsEntry("computeMillis", -1L);
        if (stats.containsKey("diameter")) {
            assertThat(stats)
                    .containsEntry("diameter", 0L)
                    .containsEntry("radius", 0L)
                    .containsEntry("meanDistance", 0.0)
                    .containsEntry("hopDistribution", List.of());
        }
        for (String mode : List.of("mutate", "write")) {
            assertThat(run(call(algorithm, mode, property(mode, ""))).get(0))
                    .containsEntry("nodePropertiesWritten", 0L);
        }
    }

    @Test
    void shouldTellEachFigureAlone() {
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'], {replace: true})");
        Map<String, Object> all = run("CALL proxima.closeness.stats('g')").get(0);
        for (String column : List.of("diameter", "radius", "meanDistance", "hopDistribution")) {
            for (String procedure : List.of("eccentricity", "closeness")) {
                assertThat(value("CALL proxima." + procedure + ".stats('g') YIELD " + column + " RETURN " + column))
                        .as("%s of %s", column, procedure)
                        .isEqualTo(all.get(column));
            }
        }
    }

    private static String property(String mode, String keys) {
        return mode + "Property: 'p'" + (keys.isEmpty() ? "" : ", " + keys);
    }

    private static String call(String algorithm, String mode, String keys) {
        return "CALL proxima." + algorithm + "." + mode + "('g', {" + keys + "})";
    }

    /** The id of a node. */
    private static String id(String name) {
        return String.valueOf(value("MATCH (n:N {name: '" + name + "'}) RETURN id(n)"));
    }
}
