// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendInfo;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DescribeTest {

    @BeforeEach
    @AfterEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldDescribeAMesh() {
        // from the middle, too, half of the nodes are more than 12 hops away
        run("UNWIND range(0, 39) AS x UNWIND range(0, 14) AS y CREATE (:N {x: x, y: y}) WITH count(*) AS all"
                + " MATCH (a:N), (b:N) WHERE (b.x = a.x + 1 AND b.y = a.y) OR (b.x = a.x AND b.y = a.y + 1)"
                + " CREATE (a)-[:R]->(b)");
        run("CREATE (:N)");
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED'}})");
        Map<String, Object> row = describe("g", "{}");
        assertThat(row)
                .containsEntry("graphName", "g")
                .containsEntry("nodeCount", 601L)
                .containsEntry("relationshipCount", 2L * (39 * 15 + 40 * 14))
                .containsEntry("componentCount", 2L)
                .containsEntry("largestComponentShare", 600.0 / 601)
                .containsEntry("graphClass", "mesh-like")
                .containsEntry("estimatedDiameter", 39L + 14);
        assertThat((Map<?, ?>) row.get("degreeDistribution"))
                .extracting("min", "max", "p50")
                .containsExactly(0L, 4L, 4L);
        assertThat((List<?>) row.get("advice"))
                .hasSizeGreaterThanOrEqualTo(3)
                .asString()
                .contains("2 components", "99.8 %", "The graph is deep: its searches have 53 levels")
                .contains("The time of closeness of every node is not estimated", "Give long calls a `jobId`");
        assertThat(expectedMillis(row, "cpu")).hasSize(7).containsOnly((Long) null);
    }

    private static List<Object> expectedMillis(Map<String, Object> description, String backend) {
        return ((List<?>) description.get("expectedTimes"))
                .stream()
                        .map(Map.class::cast)
                        .filter(time -> time.get("backend").equals(backend))
                        .map(time -> time.get("expectedMillis"))
                        .toList();
    }

    @Test
    void shouldExpectATimeOfEachCallOnEachBackend() {
        Csc graph = new EdgeList(3).add(0, 1).add(1, 2).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        List<BackendInfo> backends = List.of(backend("cpu", true), backend("cuda:0", true), backend("cuda:1", false));
        List<DescribeProcedure.Expected> times = DescribeProcedure.expected(backends, graph, true, false, false, 3, 1);
        assertThat(callsOn("cuda:0", times)).isEqualTo(callsOn("cpu", times)).contains("proxima.betweenness");
        assertThat(callsOn("cuda:1", times)).isEmpty();
        assertThat(times)
                .filteredOn(
                        time -> time.backend().equals("cuda:0") || time.call().contains("distances"))
                .extracting(DescribeProcedure.Expected::expectedMillis)
                .hasSize(10)
                .containsOnlyNulls();
        assertThat(times)
                .filteredOn(
                        time -> !time.backend().equals("cuda:0") && !time.call().contains("distances"))
                .extracting(DescribeProcedure.Expected::expectedMillis)
                .hasSize(7)
                .doesNotContainNull();
    }

    /** Bounds replace searches where there are hubs. */
    @Test
    void shouldExpectFewSearchesForEccentricitiesOfAGraphWithHubs() {
        Csc graph = new EdgeList(3).add(0, 1).add(1, 2).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        List<BackendInfo> cpu = List.of(backend("cpu", true));
        long reached = 1L << 40;
        long ofAll = millisOfEccentricity(DescribeProcedure.expected(cpu, graph, false, false, false, reached, 1));
        long ofFew = millisOfEccentricity(DescribeProcedure.expected(cpu, graph, false, true, false, reached, 1));
        assertThat(ofFew).isLessThan(ofAll / 1000);
    }

    private static long millisOfEccentricity(List<DescribeProcedure.Expected> times) {
        return times.stream()
                .filter(time -> time.call().equals("proxima.eccentricity"))
                .findFirst()
                .orElseThrow()
                .expectedMillis();
    }

    private static List<String> callsOn(String backend, List<DescribeProcedure.Expected> times) {
        return times.stream()
                .filter(time -> time.backend().equals(backend))
                .map(DescribeProcedure.Expected::call)
                .toList();
    }

    private static BackendInfo backend(String name, boolean available) {
        return new BackendInfo(name, available, "", "", "", 1 << 30, 1 << 30, "");
    }

    @Test
    void shouldDescribeAScaleFreeGraphAndAPartOfIt() {
        run("UNWIND range(0, 999) AS i CREATE (:N {i: i}) WITH count(*) AS all MATCH (a:N), (b:N)"
                + " WHERE b.i < 5 AND a <> b CREATE (a)-[:R]->(b)");
        run("UNWIND range(0, 99) AS i CREATE (:Ring {i: i}) WITH count(*) AS all MATCH (a:Ring), (b:Ring)"
                + " WHERE b.i = (a.i + 1) % 100 CREATE (a)-[:NEXT]->(b)");
        run("CALL proxima.graph.project('g', ['N', 'Ring'], ['R', 'NEXT'])");
        assertThat(describe("g", "{nodeLabels: ['Ring']}"))
                .containsEntry("nodeCount", 100L)
                .containsEntry("componentCount", 1L)
                .containsEntry("graphClass", "mesh-like")
                .containsEntry("estimatedDiameter", 99L);
        assertThat(describe("g", "{relationshipTypes: []}"))
                .containsEntry("graphClass", "empty")
                .containsEntry("componentCount", 1100L)
                .containsEntry("estimatedDiameter", 0L);
        Map<String, Object> row = describe("g", "{nodeLabels: ['N']}");
        assertThat(row).containsEntry("componentCount", 1L).containsEntry("graphClass", "scale-free");
        assertThat(((List<?>) row.get("advice")).get(0).toString()).startsWith("The relationships are directed");
    }

    @Test
    void shouldWarnOfTheDefaultClosenessWhereSmallComponentsWin() {
        run("CREATE (a:N {name: 'a'})-[:R]->(b:N {name: 'b'})-[:R]->(c:N {name: 'c'})-[:R]->(:N {name: 'd'}), (:N)");
        project("UNDIRECTED");
        assertThat(advice()).contains("2 components", "80.0 %").doesNotContain("best score");

        run("CREATE (:N {name: 'x'})-[:R]->(:N {name: 'y'})");
        project("UNDIRECTED");
        assertThat(advice())
                .contains("The smallest component with relationships has 2 nodes. By default, closeness")
                .contains("`useWassermanFaust: true`", "`proxima.wcc.mutate` and `proxima.graph.filter`");
        assertThat(best("{}")).containsExactlyInAnyOrder("x", "y");
        assertThat(best("{useWassermanFaust: true}")).containsExactlyInAnyOrder("b", "c");

        project("NATURAL");
        assertThat(advice())
                .contains("a node that a single neighbour reaches can get the best score", "as UNDIRECTED")
                .doesNotContain("smallest component");
        assertThat(best("{}")).containsExactlyInAnyOrder("b", "y");
    }

    private static void project(String orientation) {
        run("CALL proxima.graph.project('g', 'N', {R: {orientation: '" + orientation + "'}}, {replace: true})");
    }

    private static String advice() {
        return describe("g", "{}").get("advice").toString();
    }

    private static List<Object> best(String configuration) {
        return run("CALL proxima.closeness.stream('g', " + configuration + ") YIELD nodeId, score"
                        + " WITH score, collect(proxima.util.asNode(nodeId).name) AS names ORDER BY score DESC LIMIT 1"
                        + " UNWIND names AS name RETURN name")
                .stream()
                .map(row -> row.get("name"))
                .toList();
    }

    @Test
    void shouldExpectATimeOfShortestPathsWhereThereAreWeights() {
        run("CREATE (:N)-[:R {w: 2}]->(:N)");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        assertThat(advice()).doesNotContain("relationshipWeightProperty");
        run("CALL proxima.graph.drop('g')");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: 'w'})");
        assertThat(describe("g", "{}").get("expectedTimes"))
                .asString()
                .contains("proxima.betweenness", "proxima.allShortestPaths.delta");
        assertThat(advice()).contains("With `relationshipWeightProperty`, closeness");
    }

    @Test
    void shouldExpectTimesThatGrowWithTheWorkAndReleaseWhatItTakes() {
        run("UNWIND range(0, 299) AS i CREATE (:N {i: i}) WITH count(*) AS all MATCH (a:N), (b:N)"
                + " WHERE b.i < 5 AND a <> b CREATE (a)-[:R]->(b)");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        Map<String, Object> row = describe("g", "{backend: 'cpu', jobId: 'a description'}");
        List<?> times = (List<?>) row.get("expectedTimes");
        assertThat(times)
                .filteredOn(time -> ((Map<?, ?>) time).get("backend").equals("cpu")
                        && !((Map<?, ?>) time).get("call").toString().contains("distances"))
                .hasSize(5)
                .allSatisfy(time -> assertThat((Map<?, ?>) time).hasSize(3).satisfies(map -> assertThat(
                                (Long) map.get("expectedMillis"))
                        .isPositive()));
        assertThat(run("CALL proxima.listProgress('a description') YIELD taskName, status, progress, expectedTimeLeft"))
                .first()
                .isEqualTo(Map.of(
                        "taskName",
                        "|-- Graph Description",
                        "status",
                        "FINISHED",
                        "progress",
                        "100%",
                        "expectedTimeLeft",
                        "0 seconds"));
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @Test
    void shouldDescribeAGraphWithoutNodes() {
        run("CREATE (:Gone)");
        run("MATCH (n:Gone) DELETE n");
        run("UNWIND [] AS n RETURN proxima.graph.project('none', n)");
        assertThat(describe("none", "{}"))
                .containsEntry("nodeCount", 0L)
                .containsEntry("graphClass", "empty")
                .containsEntry("advice", List.of("The graph has no nodes."));
    }

    private static Map<String, Object> describe(String graph, String configuration) {
        return run("CALL proxima.graph.describe('" + graph + "', " + configuration + ")")
                .get(0);
    }
}
