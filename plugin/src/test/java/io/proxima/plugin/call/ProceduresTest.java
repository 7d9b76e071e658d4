// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.DIAMONDS;
import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.plugin.TestDbms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every procedure on small graphs, through Cypher. The facts F1 to F11 are shown on a real server in it-tests. */
class ProceduresTest {

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run(DIAMONDS);
        run("CALL proxima.graph.project('g', 'N', 'R')");
    }

    @Test
    void shouldProjectAndDescribeTheGraph() {
        Map<String, Object> row = run("CALL proxima.graph.project('h', ['N', 'Alone'], {ALL: {type: 'R', orientation:"
                        + " 'undirected'}, S: {}}, {readConcurrency: 2, JOBID: 'j'})")
                .get(0);
        assertThat(row.keySet())
                .containsExactly(
                        "graphName",
                        "nodeProjection",
                        "relationshipProjection",
                        "nodeCount",
                        "relationshipCount",
                        "relationshipsLeftOut",
                        "projectMillis",
                        "configuration");
        assertThat(row).containsEntry("nodeCount", 8L).containsEntry("relationshipCount", 17L);
        assertThat(row.get("relationshipProjection"))
                .isEqualTo(Map.of(
                        "ALL",
                        Map.of(
                                "type",
                                "R",
                                "orientation",
                                "UNDIRECTED",
                                "aggregation",
                                "DEFAULT",
                                "indexInverse",
                                false,
                                "properties",
                                Map.of()),
                        "S",
                        Map.of(
                                "type",
                                "S",
                                "orientation",
                                "NATURAL",
                                "aggregation",
                                "DEFAULT",
                                "indexInverse",
                                false,
                                "properties",
                                Map.of())));
        assertThat((Map<?, ?>) row.get("configuration"))
                .isEqualTo(Map.of(
                        "readConcurrency",
                        2L,
                        "validateRelationships",
                        false,
                        "replace",
                        false,
                        "jobId",
                        "j",
                        "logProgress",
                        true,
                        "sudo",
                        false));

        Map<String, Object> listed = run("CALL proxima.graph.list('h')").get(0);
        assertThat(listed.keySet())
                .containsExactly(
                        "degreeDistribution",
                        "graphName",
                        "database",
                        "databaseLocation",
                        "memoryUsage",
                        "sizeInBytes",
                        "nodeCount",
                        "relationshipCount",
                        "configuration",
                        "density",
                        "creationTime",
                        "modificationTime",
                        "schema",
                        "schemaWithOrientation",
                        "backend",
                        "residentOn",
                        "deviceBytes",
                        "mappedBytes",
                        "stale");
        assertThat(listed).containsEntry("stale", false).containsEntry("database", "neo4j");
        assertThat(asMap(listed.get("degreeDistribution")))
                .containsEntry("max", 4L)
                .containsEntry("min", 0L);
        assertThat(listed.get("density")).isEqualTo(17.0 / 56);
        assertThat(listed.get("schemaWithOrientation"))
                .isEqualTo(Map.of(
                        "graphProperties",
                        Map.of(),
                        "nodes",
                        Map.of("N", Map.of(), "Alone", Map.of()),
                        "relationships",
                        Map.of(
                                "ALL", Map.of("direction", "UNDIRECTED", "properties", Map.of()),
                                "S", Map.of("direction", "DIRECTED", "properties", Map.of()))));
    }

    @Test
    void shouldTellThatAGraphIsStaleOnceTheStoreHasCommitted() {
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(false);
        run("CREATE (:Other)");
        assertThat(value("CALL proxima.graph.list('g') YIELD stale")).isEqualTo(true);
    }

    @Test
    void shouldReplaceOnlyWhenAskedTo() {
        assertThatThrownBy(() -> run("CALL proxima.graph.project('g', 'N', 'R')"))
                .hasMessageContaining("A graph with name 'g' already exists.");
        assertThat(run("CALL proxima.graph.project('g', 'N', ['R', 'S'], {replace: true})")
                        .get(0))
                .containsEntry("relationshipCount", 9L);
        assertThat(run("CALL proxima.graph.list()")).hasSize(1);
    }

    @Test
    void shouldDropByNameAndByList() {
        run("CALL proxima.graph.project('h', '*', '*')");
        assertThatThrownBy(() -> run("CALL proxima.graph.drop(['g', 'x', 'y'])"))
                .hasMessageContaining("Graphs with names `x`, `y` do not exist on database `neo4j`.");
        assertThat(value("RETURN proxima.graph.exists('g')")).isEqualTo(true);
        assertThat(run("CALL proxima.graph.drop(['g', 'x'], false) YIELD graphName, memoryUsage, sizeInBytes"))
                .containsExactly(Map.of("graphName", "g", "memoryUsage", "", "sizeInBytes", -1L));
        assertThat(run("CALL proxima.graph.exists('g')")).containsExactly(Map.of("graphName", "g", "exists", false));
        assertThat(run("CALL proxima.graph.drop('h', true, 'neo4j')")).hasSize(1);
        assertThat(run("CALL proxima.graph.drop('h', false)")).isEmpty();
    }

    @Test
    void shouldStreamLevels() {
        assertThat(levels("{sourceNode: s}"))
                .isEqualTo(Map.of("a", 0L, "b", 1L, "c", 1L, "d", 2L, "e", 3L, "f", 3L, "g", 4L));
        assertThat(levels("{sourceNode: [elementId(s)], maxDepth: 1, includeUnreached: true}"))
                .isEqualTo(Map.of("a", 0L, "b", 1L, "c", 1L, "d", -1L, "e", -1L, "f", -1L, "g", -1L, "i", -1L));
        assertThat(levels("{sourceNode: id(s), maxDepth: 0}")).isEqualTo(Map.of("a", 0L));
    }

    @Test
    void shouldFindTheParents() {
        String parents = " YIELD nodeId, parent RETURN proxima.util.asNode(nodeId).name"
                + " + coalesce(proxima.util.asNode(parent).name, '-') AS row ORDER BY row";
        List<Map<String, Object>> rows = run("MATCH (s {name: 'a'})"
                + " CALL proxima.bfs.stream('g', {sourceNode: s, includeUnreached: true})" + parents);
        // of two parents that which was created first, as the test graph has its ids in that order
        assertThat(rows)
                .extracting(r -> r.get("row"))
                .containsExactly("a-", "ba", "ca", "d" + firstOf("b", "c"), "ed", "fd", "g" + firstOf("e", "f"), "i-");
        // against the relationships, after a run has reversed the graph
        run("CALL proxima.closeness.stats('g') YIELD radius RETURN radius");
        assertThat(run("MATCH (s {name: 'a'})"
                        + " CALL proxima.bfs.stream('g', {sourceNode: s, includeUnreached: true})" + parents))
                .isEqualTo(rows);
        assertThat(run("MATCH (s {name: 'b'}) CALL proxima.bfs.stream('g', {sourceNode: s, maxDepth: 1})" + parents))
                .extracting(r -> r.get("row"))
                .containsExactly("b-", "db");
    }

    /** The one with the smaller id. */
    private static String firstOf(String one, String other) {
        return (String) value("MATCH (n) WHERE n.name IN ['" + one + "', '" + other
                + "'] WITH n ORDER BY id(n) LIMIT 1 RETURN n.name");
    }

    @Test
    void shouldFindParentsOnlyIfTheyAreRead() {
        String search = "MATCH (s {name: 'a'}) CALL proxima.bfs.stream('g', {sourceNode: s, jobId: '%s'})";
        run(search.formatted("read") + " YIELD parent RETURN parent");
        run(search.formatted("unread") + " YIELD nodeId, distance RETURN nodeId");
        String tasks = "CALL proxima.listProgress('%s') YIELD taskName WHERE taskName CONTAINS 'parents' RETURN *";
        assertThat(run(tasks.formatted("read"))).hasSize(1);
        assertThat(run(tasks.formatted("unread"))).isEmpty();
    }

    @Test
    void shouldWriteTheParents() {
        run("MATCH (n) SET n.level = 'old', n.from = 'old'");
        run("CALL proxima.graph.project('h', 'N', 'R')");
        assertThat(run("MATCH (s {name: 'b'}) CALL proxima.bfs.write('h', {sourceNode: s, writeProperty: 'level',"
                        + " parentProperty: 'from'}) YIELD nodePropertiesWritten, batches, depth"
                        + " RETURN nodePropertiesWritten, batches, depth"))
                .containsExactly(Map.of("nodePropertiesWritten", 9L, "batches", 1L, "depth", 3L));
        assertThat(run("MATCH (n:N) RETURN n.name + coalesce(proxima.util.asNode(n.from).name, '-')"
                        + " + coalesce(n.level, '-') AS row ORDER BY row"))
                .extracting(r -> r.get("row"))
                .containsExactly("a--", "b-0", "c--", "db1", "ed2", "fd2", "g" + firstOf("e", "f") + "3", "i--");
    }

    @Test
    void shouldEndTheSearchWithTheLevelOfTheFirstTarget() {
        List<Map<String, Object>> rows = run(
                "MATCH (s {name: 'a'}), (t {name: 'd'}), (u {name: 'g'})"
                        + " CALL proxima.bfs.stream('g', {sourceNode: s, targetNodes: [u, t]}) YIELD distance RETURN max(distance) AS m");
        assertThat(rows).containsExactly(Map.of("m", 2L));
    }

    @Test
    void shouldGiveFiguresOfASearch() {
        Map<String, Object> row = run("MATCH (s {name: 'a'}) CALL proxima.bfs.stats('g', {sourceNode: s, backend:"
                        + " 'AUTO'}) YIELD depth, nodesReached, hopDistribution, configuration RETURN *")
                .get(0);
        assertThat(row)
                .containsEntry("depth", 4L)
                .containsEntry("nodesReached", 7L)
                .containsEntry("hopDistribution", List.of(1L, 2L, 1L, 2L, 1L));
        assertThat(asMap(row.get("configuration")))
                .containsEntry("backend", "cpu")
                .containsEntry("maxDepth", -1L)
                .containsKey("jobId");
    }

    @Test
    void shouldStreamDistancesSourceBySourceAsOftenAsAsked() {
        List<Map<String, Object>> rows = run(
                "MATCH (d {name: 'd'}), (e {name: 'e'})"
                        + " CALL proxima.distances.stream('g', {sourceNodes: [e, d, e]}) YIELD sourceNode, targetNode, distance"
                        + " RETURN proxima.util.asNode(sourceNode).name + proxima.util.asNode(targetNode).name + distance AS row");
        assertThat(rows).extracting(r -> r.get("row")).containsExactly("eg1", "eg1", "de1", "df1", "dg2");
    }

    @Test
    void shouldStreamDistancesToTargetsOnlyAndToItselfWhenItIsOne() {
        List<Map<String, Object>> rows = run(
                "MATCH (b {name: 'b'}), (g {name: 'g'})"
                        + " CALL proxima.distances.stream('g', {sourceNodes: [b, g], targetNodeFilter: [g, b, g], includeUnreached:"
                        + " true}) YIELD sourceNode, targetNode, distance"
                        + " RETURN proxima.util.asNode(sourceNode).name + proxima.util.asNode(targetNode).name + distance AS row");
        assertThat(rows).extracting(r -> r.get("row")).containsExactly("bb0", "bg3", "gb-1", "gg0");
    }

    @Test
    void shouldWriteAListOfDistancesAlignedWithTheSources() {
        Map<String, Object> row = run("MATCH (d {name: 'd'}), (e {name: 'e'}) CALL proxima.distances.write('g',"
                        + " {sourceNodes: [d, e, d], writeProperty: 'dist'}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten")
                .get(0);
        assertThat(row).isEqualTo(Map.of("nodePropertiesWritten", 8L));
        assertThat(run("MATCH (n:N) WHERE n.name IN ['a', 'e', 'g'] RETURN n.dist AS dist ORDER BY n.name"))
                .extracting(r -> List.of(longs(r.get("dist"))))
                .containsExactly(List.of(-1L, -1L, -1L), List.of(1L, 0L, 1L), List.of(2L, 1L, 2L));
    }

    @Test
    void shouldFindTheNearestSource() {
        List<Map<String, Object>> rows = run("MATCH (b {name: 'b'}), (c {name: 'c'})"
                + " CALL proxima.distances.nearest.stream('g', {sourceNodes: [c, b], includeUnreached: true})"
                + " YIELD nodeId, nearestSource, distance RETURN proxima.util.asNode(nodeId).name"
                + " + coalesce(proxima.util.asNode(nearestSource).name, '-') + distance AS row ORDER BY row");
        assertThat(rows)
                .extracting(r -> r.get("row"))
                .containsExactly("a--1", "bb0", "cc0", "dc1", "ec2", "fc2", "gc3", "i--1");
        run("MATCH (n) SET n.near = 7");
        run("CALL proxima.graph.project('h', 'N', 'R')");
        run("MATCH (b {name: 'b'}), (c {name: 'c'}) CALL proxima.distances.nearest.write('h', {sourceNodes: [c, b],"
                + " writeProperty: 'near'}) YIELD writeMillis RETURN *");
        assertThat(run("MATCH (n:N) RETURN n.name + coalesce(n.near, '-') AS row ORDER BY row"))
                .extracting(r -> r.get("row"))
                .containsExactly("a-", "b0", "c0", "d1", "e2", "f2", "g3", "i-");
    }

    @ParameterizedTest
    @CsvSource({
        "{},                        a, 0.0",
        "{},                        d, 0.75",
        "{useWassermanFaust: true}, d, 0.32142857142857145",
        "{},                        g, 0.42857142857142855",
        "{harmonic: true},          d, 0.35714285714285715",
        "{},                        i, 0.0"
    })
    void shouldScoreCloseness(String configuration, String name, double expected) {
        assertThat((double) value("CALL proxima.closeness.stream('g', " + configuration
                        + ") YIELD nodeId, score WITH proxima.util.asNode(nodeId) AS n, score WHERE n.name = '"
                        + name + "' RETURN score"))
                .isEqualTo(expected, within(1e-15));
    }

    @Test
    void shouldCountTheSourcesThatAreEquallyNear() {
        assertThat(run("MATCH (b {name: 'b'}), (c {name: 'c'})"
                        + " CALL proxima.distances.nearest.stream('g', {sourceNodes: [c, b, c], includeUnreached: true})"
                        + " YIELD nodeId, ties RETURN proxima.util.asNode(nodeId).name + ties AS row ORDER BY row"))
                .extracting(r -> r.get("row"))
                .containsExactly("a0", "b1", "c1", "d2", "e2", "f2", "g2", "i0");
        assertThat(run("MATCH (b {name: 'b'}), (d {name: 'd'})"
                        + " CALL proxima.distances.nearest.stats('g', {sourceNodes: [b, d]})"
                        + " YIELD depth, nodesReached, nodesTied, meanDistance, hopDistribution"
                        + " RETURN depth, nodesReached, nodesTied, meanDistance, hopDistribution"))
                .containsExactly(Map.of(
                        "depth", 2L,
                        "nodesReached", 5L,
                        "nodesTied", 0L,
                        "meanDistance", 4.0 / 3,
                        "hopDistribution", List.of(2L, 2L, 1L)));
        assertThat(value("MATCH (b {name: 'b'}), (c {name: 'c'})"
                        + " CALL proxima.distances.nearest.stats('g', {sourceNodes: [b, c]}) YIELD nodesTied"
                        + " RETURN nodesTied"))
                .isEqualTo(4L);
    }

    @Test
    void shouldWriteTheNearestSource() {
        run("MATCH (n) SET n.near = 'old', n.source = 'old'");
        run("CALL proxima.graph.project('h', 'N', 'R')");
        assertThat(run("MATCH (b {name: 'b'}), (c {name: 'c'}) CALL proxima.distances.nearest.write('h', {sourceNodes:"
                        + " [c, b], writeProperty: 'near', nearestSourceProperty: 'source'})"
                        + " YIELD nodePropertiesWritten, batches RETURN nodePropertiesWritten, batches"))
                .containsExactly(Map.of("nodePropertiesWritten", 12L, "batches", 1L));
        assertThat(run("MATCH (n:N) RETURN n.name + coalesce(proxima.util.asNode(n.source).name, '-')"
                        + " + coalesce(n.near, '-') AS row ORDER BY row"))
                .extracting(r -> r.get("row"))
                .containsExactly("a--", "bb0", "cc0", "dc1", "ec2", "fc2", "gc3", "i--");
    }

    @Test
    void shouldGiveStatisticsOfDistances() {
        String yield = " YIELD depth, meanDistance, hopDistribution RETURN depth, meanDistance, hopDistribution";
        assertThat(run("MATCH (a {name: 'a'}), (d {name: 'd'})"
                        + " CALL proxima.distances.stats('g', {sourceNodes: [a, d, a]})" + yield))
                .containsExactly(
                        Map.of("depth", 4L, "meanDistance", 2.0, "hopDistribution", List.of(2L, 4L, 2L, 2L, 1L)));
        assertThat(run("MATCH (a {name: 'a'}), (d {name: 'd'}), (g {name: 'g'})"
                        + " CALL proxima.distances.stats('g', {sourceNodes: [a, d], targetNodeFilter: [g, d]})"
                        + yield))
                .containsExactly(
                        Map.of("depth", 4L, "meanDistance", 8.0 / 3, "hopDistribution", List.of(1L, 0L, 2L, 0L, 1L)));
    }

    @ParameterizedTest
    @CsvSource({"closeness, {harmonic: true}", "closeness.harmonic, {}"})
    void shouldScoreHarmonicCloseness(String procedure, String configuration) {
        String call = "CALL proxima." + procedure + ".";
        assertThat((double) value(call + "stream('g', " + configuration + ") YIELD nodeId, score"
                        + " WITH proxima.util.asNode(nodeId) AS n, score WHERE n.name = 'd' RETURN score"))
                .isEqualTo(2.5 / 7, within(1e-15));
        assertThat(asMap(value(call + "stats('g', " + configuration
                                + ") YIELD centralityDistribution RETURN centralityDistribution"))
                        .get("max"))
                .isEqualTo(value("CALL proxima.closeness.stream('g', {harmonic: true}) YIELD score RETURN max(score)"));
        String keys = configuration.replace("}", configuration.equals("{}") ? "" : ", ");
        assertThat(value(call + "mutate('g', " + keys + "mutateProperty: 'h'}) YIELD nodePropertiesWritten"
                        + " RETURN nodePropertiesWritten"))
                .isEqualTo(8L);
        run(call + "write('g', " + keys + "writeProperty: 'h'}) YIELD writeMillis RETURN writeMillis");
        assertThat((double) value("MATCH (n {name: 'd'}) RETURN n.h")).isEqualTo(2.5 / 7, within(1e-15));
    }

    @Test
    void shouldReportTheConcurrencyThatIsUsed() {
        long processors = Runtime.getRuntime().availableProcessors();
        assertThat(threads("")).containsExactly(processors);
        assertThat(threads("concurrency: 1")).containsExactly(1L);
        assertThat(threads("concurrency: 100000")).containsExactly(processors);
        assertThat(run(
                        "CALL proxima.closeness.write('g', {writeProperty: 'c', writeConcurrency: 100000, concurrency: 1})"
                                + " YIELD configuration AS c RETURN c.concurrency AS c, c.writeConcurrency AS w"))
                .containsExactly(Map.of("c", 1L, "w", processors));
    }

    private static List<Object> threads(String key) {
        return run("CALL proxima.closeness.stats('g', {" + key + "}) YIELD configuration"
                        + " RETURN configuration.concurrency AS threads")
                .stream()
                .map(row -> row.get("threads"))
                .toList();
    }

    @Test
    void shouldNameTheBackendOfARunOnAPartOfTheGraph() {
        run("CALL proxima.graph.project('h', ['N', 'Alone'], ['R', 'S'])");
        assertThat(value("CALL proxima.closeness.stats('h', {nodeLabels: ['N'], backend: 'auto'}) YIELD configuration"
                        + " RETURN configuration.backend"))
                .isEqualTo("cpu");
        assertThat(value("CALL proxima.graph.list('h') YIELD backend")).isEqualTo("cpu");
        assertThat(value("CALL proxima.graph.list('h') YIELD deviceBytes")).isEqualTo(0L);
    }

    @Test
    void shouldListTheMemoryOfGraphsAndOfRunningJobs() {
        assertThat(run("CALL proxima.memory.list()")).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("name", "g")
                .containsEntry("entity", "graph")
                .containsEntry("memoryInBytes", value("CALL proxima.graph.list('g') YIELD sizeInBytes"))
                .containsEntry("deviceBytes", 0L)
                .containsEntry("mappedBytes", 0L)
                .containsOnlyKeys("user", "name", "entity", "memoryInBytes", "deviceBytes", "mappedBytes"));
        // the search goes on until the last of its rows is read
        assertThat(run(
                        "MATCH (s {name: 'a'}) CALL proxima.distances.stream('g', {sourceNodes: s, jobId: 'j', sudo: true,"
                                + " backend: 'cpu'}) YIELD distance WITH distance LIMIT 1 CALL proxima.memory.list()"
                                + " YIELD name, entity, memoryInBytes, deviceBytes WHERE entity <> 'graph'"
                                + " RETURN name, entity, memoryInBytes > 0 AS some, deviceBytes"))
                .containsExactly(Map.of("name", "Distances", "entity", "j", "some", true, "deviceBytes", 0L));
        assertThat(run("MATCH (s {name: 'a'}) CALL proxima.distances.stream('g', {sourceNodes: s}) YIELD distance"
                        + " WITH distance LIMIT 1 CALL proxima.memory.list() YIELD entity, memoryInBytes"
                        + " CALL proxima.memory.summary() YIELD totalGraphsMemory, totalTasksMemory"
                        + " RETURN memoryInBytes > 0 AND memoryInBytes = CASE entity WHEN 'graph'"
                        + " THEN totalGraphsMemory ELSE totalTasksMemory END AS same"))
                .containsExactly(Map.of("same", true), Map.of("same", true));
        run("CALL proxima.graph.drop('g')");
        assertThat(run("CALL proxima.memory.list()")).isEmpty();
        assertThat(run("CALL proxima.memory.summary() YIELD totalGraphsMemory, totalTasksMemory"))
                .containsExactly(Map.of("totalGraphsMemory", 0L, "totalTasksMemory", 0L));
    }

    @Test
    void shouldSkipNodesDeletedSinceTheProjection() {
        run("MATCH (n {name: 'i'}) DELETE n");
        assertThat(
                        run(
                                "CALL proxima.closeness.write('g', {writeProperty: 'c'}) YIELD nodePropertiesWritten, nodesSkipped"))
                .containsExactly(Map.of("nodePropertiesWritten", 7L, "nodesSkipped", 1L));
    }

    @Test
    void shouldFilterLabelsAndTypesForOneRun() {
        run("CALL proxima.graph.project('h', ['N', 'Alone'], ['R', 'S'])");
        assertThat(value("MATCH (s {name: 'a'}) CALL proxima.bfs.stream('h', {sourceNode: s, relationshipTypes: ['S']})"
                        + " YIELD nodeId RETURN count(*)"))
                .isEqualTo(2L);
        assertThat(value("MATCH (s {name: 'i'}) CALL proxima.bfs.stream('h', {sourceNode: s, nodeLabels: ['Alone']})"
                        + " YIELD nodeId RETURN count(*)"))
                .isEqualTo(1L);
        assertThat(value("MATCH (s {name: 'a'}) CALL proxima.bfs.stream('h', {sourceNode: s, relationshipTypes: []})"
                        + " YIELD nodeId RETURN count(*)"))
                .isEqualTo(1L);
        long a = (long) value("MATCH (s {name: 'a'}) RETURN id(s)");
        assertThatThrownBy(() -> run("CALL proxima.bfs.stream('h', {sourceNode: " + a + ", nodeLabels: ['Alone']})"))
                .hasMessageContaining(
                        "sourceNode nodes do not exist in the in-memory graph for the labels ['Alone']: [" + a + "]");
    }

    @Test
    void shouldShowTheFirstOfManyWrongNodes() {
        run("CALL proxima.graph.project('g', '*', '*', {replace: true})");
        assertThatThrownBy(() -> run("CALL proxima.distances.stats('g', {sourceNodes: range(1000001, 1200000)})"))
                .rootCause()
                .hasMessage(
                        "sourceNodes nodes do not exist in the in-memory graph: [1000001, 1000002, 1000003, 1000004,"
                                + " 1000005, 1000006, 1000007, 1000008, 1000009, 1000010] and others");
        assertThatThrownBy(() -> run("CALL proxima.distances.stats('g', {sourceNodes: range(-11, -1)})"))
                .rootCause()
                .hasMessageEndingWith("Negative node ids: [-11, -10, -9, -8, -7, -6, -5, -4, -3, -2] and others");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CALL proxima.bfs.stream(null) | `graphName` can not be null or blank, but it was `null`.",
                "CALL proxima.bfs.stream('nope', {sourceNode: 0}) | Graph with name `nope` does not exist on database"
                        + " `neo4j`. It might exist on another database.",
                "CALL proxima.bfs.stream('g', null) | `configuration` can not be null. Give a map, {} for the defaults.",
                "CALL proxima.bfs.stream('g', {sourceNode: 999}) | sourceNode nodes do not exist in the in-memory graph:"
                        + " [999]",
                "CALL proxima.closeness.stream('g', {nodeLabels: ['X']}) | Could not find the specified `nodeLabels` of"
                        + " ['X']. Available labels are ['N'].",
                "CALL proxima.closeness.stream('g', {relationshipTypes: ['*', 'X']}) | Could not find the specified"
                        + " `relationshipTypes` of ['X']. Available relationship types are ['R'].",
                "CALL proxima.closeness.stream('g', {useWassermanFaust: true, harmonic: true}) | `useWassermanFaust` and"
                        + " `harmonic` exclude each other: set one of them.",
                "CALL proxima.graph.project(' h', 'N', 'R') | `graphName` must not end or begin with whitespace"
                        + " characters, but got ` h`.",
                "CALL proxima.graph.project('h', 'Nope', 'R') | Invalid node projection, one or more labels not found:"
                        + " 'Nope'",
                "CALL proxima.graph.drop(['g', 1]) | The value of `graphName` must be of type `STRING` or"
                        + " `LIST<STRING>` but was `INTEGER`.",
                "CALL proxima.graph.drop('g', true, '', 'bob') | Cannot override the username as a non-admin",
                "CALL proxima.listProgress(null) | `jobId` can not be null. Give the id of a job, or '' for all jobs.",
                "CALL proxima.closeness.stream('g', {backend: 'cuda'}) | The CUDA backend cannot run.",
                "CALL proxima.closeness.stream('g', {backend: 'CUDA:1'}) | The backend cuda:1 cannot run.",
                "CALL proxima.closeness.stream('g', {backend: ['CUDA:1', 'cuda:0']}) | The backend cuda:1, cuda:0 cannot"
                        + " run. cuda:1: ",
                "CALL proxima.closeness.stream('g', {backend: ['cuda:0', 'cpu']}) | A list in `backend` must contain"
                        + " devices only, such as ['cuda:0', 'cuda:1'].",
                "CALL proxima.closeness.stream('g', {backend: []}) | A list in `backend` must contain devices only",
            })
    void shouldRefuseInWords(String query, String message) {
        assertThatThrownBy(() -> run(query)).rootCause().hasMessageStartingWith(message);
    }

    @Test
    void shouldTellBackendsAndVersion() {
        assertThat(run("CALL proxima.backend.list() YIELD name, available, active WHERE active RETURN *"))
                .containsExactly(Map.of("name", "cpu", "available", true, "active", true));
        Object version = value("CALL proxima.version()");
        assertThat(version).isEqualTo(value("RETURN proxima.version()"));
        assertThat((String) version).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void shouldTurnIdsBackIntoNodes() {
        assertThat(value("MATCH (n {name: 'a'}) RETURN proxima.util.asNode(id(n)).name"))
                .isEqualTo("a");
        assertThat(value("RETURN proxima.util.asNode(999999)")).isNull();
        assertThat(value("RETURN proxima.util.asNode(-1)")).isNull();
        assertThat(value("MATCH (n {name: 'a'}) RETURN [x IN proxima.util.asNodes([id(n), 999999]) | x.name]"))
                .isEqualTo(java.util.Arrays.asList("a", null));
    }

    @Test
    void shouldTellWhatAReportNeedsWithoutNames() {
        run("CREATE (:N)");
        run("CALL proxima.graph.project('secret-name', 'N', '*')");
        Map<Object, Object> facts = new HashMap<>();
        run("CALL proxima.debug.sysInfo()").forEach(row -> facts.put(row.get("key"), row.get("value")));
        assertThat(facts)
                .containsKeys("proximaVersion", "neo4jVersion", "javaVersion", "freeHeapBytes", "backend cpu")
                .containsEntry("graphs", "2")
                .containsEntry("runningJobs", "0")
                .containsEntry("server.proxima.devices", "*")
                .containsEntry("server.proxima.backend", "AUTO");
        assertThat(facts.toString()).doesNotContain("secret-name");
    }

    @Test
    void shouldListNoJobWhenNoneRuns() {
        assertThat(run("CALL proxima.listProgress()")).isEmpty();
    }

    private static Map<String, Object> levels(String configuration) {
        Map<String, Object> levels = new HashMap<>();
        run("MATCH (s {name: 'a'}) CALL proxima.bfs.stream('g', " + configuration + ") YIELD nodeId, distance"
                        + " RETURN proxima.util.asNode(nodeId).name AS name, distance")
                .forEach(row -> levels.put((String) row.get("name"), row.get("distance")));
        return levels;
    }

    @SuppressWarnings("unchecked") // Cypher maps have string keys
    private static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }

    private static Long[] longs(Object array) {
        long[] values = (long[]) array;
        Long[] boxed = new Long[values.length];
        java.util.Arrays.setAll(boxed, i -> values[i]);
        return boxed;
    }
}
