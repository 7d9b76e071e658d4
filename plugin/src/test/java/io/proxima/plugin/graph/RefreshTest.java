// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Graphs that are projected again, what they leave out, and what makes them stale. */
class RefreshTest {

    @BeforeEach
    void project() {
        TestDbms.clear();
        run(
                "CREATE (a:N {name: 'a'})-[:R {w: 1}]->(b:N), (a)-[:R {w: 2}]->(b), (a)-[:R {w: 3}]->(a), (b)-[:R {w: 4}]->(:M)");
        run("CALL proxima.graph.project('g', 'N', {R: {properties: {w: {aggregation: 'SUM'}}}})");
    }

    @Test
    void shouldProjectTheSameAgainAndShowWhatChanged() {
        run("MATCH (n {name: 'a'}) CALL proxima.bfs.mutate('g', {sourceNode: n, mutateProperty: 'hops'})"
                + " YIELD nodesReached RETURN nodesReached");
        run("MATCH (n {name: 'a'}) CREATE (n)-[:R {w: 7}]->(:N)");
        Map<String, Object> row = run("CALL proxima.graph.refresh('g')").get(0);
        assertThat(row)
                .containsEntry("nodeCount", 3L)
                .containsEntry("nodeCountBefore", 2L)
                .containsEntry("relationshipCount", 2L)
                .containsEntry("relationshipCountBefore", 1L)
                .containsEntry("relationshipsLeftOut", 3L)
                .containsEntry("nodePropertiesDropped", List.of())
                .containsEntry("mode", "merged")
                .containsEntry("reason", "Few of the relationships have changed.")
                .containsEntry("pairsTouched", 1L)
                .containsEntry("nodesTouched", 1L);
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'hops') YIELD propertyValue"))
                .as("a new node has no value")
                .extracting(hops -> hops.get("propertyValue"))
                .containsExactlyInAnyOrder(0L, 1L, -1L);
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        assertThat(run("MATCH (n {name: 'a'}) CALL proxima.allShortestPaths.delta.stream('g',"
                        + " {sourceNode: n, relationshipWeightProperty: 'w'}) YIELD totalCost"
                        + " RETURN totalCost ORDER BY totalCost"))
                .extracting(cost -> cost.get("totalCost"))
                .containsExactly(0.0, 3.0, 7.0);
        assertThat(run("CALL proxima.graph.refresh('g') YIELD nodeCount, nodePropertiesDropped"))
                .containsExactly(Map.of("nodeCount", 3L, "nodePropertiesDropped", List.of()));
    }

    @Test
    void shouldLeaveGraphsThatAreNotStaleIfAsked() {
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'})");
        String refresh = "CALL proxima.graph.refresh('g', {onlyIfStale: true})"
                + " YIELD nodeCount, relationshipsLeftOut, nodePropertiesDropped";
        assertThat(run(refresh))
                .containsExactly(
                        Map.of("nodeCount", 2L, "relationshipsLeftOut", 3L, "nodePropertiesDropped", List.of()));
        assertThat(run("CREATE (:N) WITH count(*) AS created " + refresh + " RETURN nodeCount, nodePropertiesDropped"))
                .as("uncommitted changes count")
                .containsExactly(Map.of("nodeCount", 3L, "nodePropertiesDropped", List.of("score")));
        run("CREATE (:N)");
        assertThat(run(refresh).get(0)).containsEntry("nodeCount", 4L);
    }

    @Test
    void shouldRefuseGraphsThatItCannotProjectAgain() {
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {rank: 1})");
        run("CALL proxima.graph.filter('part', 'g', 'n.rank = 1', '*')");
        run("CALL proxima.graph.filter('part of part', 'part', '*', '*')");
        run("MATCH (a:N)-[:R]->(b:N) RETURN proxima.graph.project('rows', a, b)");
        run("CALL proxima.graph.filter('part of rows', 'rows', '*', '*')");
        for (String name : List.of("part", "part of part", "rows", "part of rows")) {
            assertThatThrownBy(() -> run("CALL proxima.graph.refresh('" + name + "')"))
                    .hasMessageContaining("The graph `" + name + "` cannot be refreshed")
                    .hasMessageContaining("`replace: true`");
        }
        assertThatThrownBy(() -> run("CALL proxima.graph.refresh('G1')"))
                .hasMessageContaining("Graph with name `G1` does not exist");
        assertThatThrownBy(() -> run("CALL proxima.graph.refresh('row')"))
                .hasMessageContaining("(Did you mean [rows]?)");
    }

    @Test
    void shouldFilterAgain() {
        run("CALL proxima.graph.project('all', ['N', 'M'], {R: {properties: 'w'}})");
        run("CALL proxima.graph.filter('heavy', 'all', '*', 'r.w > $least', {parameters: {least: 1}})");
        run("CALL proxima.graph.filter('part', 'heavy', 'n:N OR n:M', 'r:R', {replace: true})");
        assertThat(run("CALL proxima.graph.list('part') YIELD nodeCount, relationshipCount"))
                .containsExactly(Map.of("nodeCount", 3L, "relationshipCount", 2L));
        run("MATCH (n {name: 'a'}) CREATE (n)-[:R {w: 1}]->(:N), (n)-[:R {w: 9}]->(:N), (n)-[:R {w: 9}]->(:X)");
        assertThat(
                        run(
                                "CALL proxima.graph.refresh('part') YIELD nodeCount, relationshipCount, relationshipCountBefore"))
                .containsExactly(Map.of("nodeCount", 5L, "relationshipCount", 3L, "relationshipCountBefore", 2L));
        assertThat(run("CALL proxima.graph.refresh('part') YIELD relationshipCount"))
                .as("the filters are kept")
                .containsExactly(Map.of("relationshipCount", 3L));
    }

    @Test
    void shouldShowHowManyRelationshipsAreLeftOut() {
        assertThat(value("CALL proxima.graph.project('one', 'N', 'R') YIELD relationshipsLeftOut"))
                .isEqualTo(3L);
        assertThat(value("CALL proxima.graph.project('both', '*', {R: {orientation: 'UNDIRECTED'}})"
                        + " YIELD relationshipsLeftOut"))
                .isEqualTo(4L);
        assertThat(value("MATCH (a:N)-[:R]->(b:N) WITH proxima.graph.project('of rows', a, b) AS made"
                        + " RETURN made.relationshipsLeftOut"))
                .isEqualTo(2L);
    }

    @Test
    void shouldNotBecomeStaleByWriteModes() {
        // the first write also commits the name of the property
        for (int time = 0; time < 2; time++) {
            run("CALL proxima.closeness.write('g', {writeProperty: 'a property of RefreshTest'})");
            assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        }
        run("MATCH (:N)-[r:R]->(:N) SET r.w = 1");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
    }
}
