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
import java.util.Arrays;
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
        assertThat(row).containsEntry("nodeCount", 8L).containsEntry("relationshipCount", 17L);
        assertThat(row.get("relationshipProjection"))
                .hasToString(
                        "{ALL={type=R, orientation=UNDIRECTED, aggregation=DEFAULT, indexInverse=false, properties={}},"
                                + " S={type=S, orientation=NATURAL, aggregation=DEFAULT, indexInverse=false, properties={}}}");
        assertThat(row.get("configuration"))
                .hasToString("{readConcurrency=2, validateRelationships=false, replace=false, jobId=j, logProgress=true,"
                        + " sudo=false}");
        Map<String, Object> listed = run("CALL proxima.graph.list('h')").get(0);
        assertThat(listed).containsEntry("stale", false).containsEntry("database", "neo4j");
        assertThat(asMap(listed.get("degreeDistribution")))
                .containsEntry("max", 4L)
                .containsEntry("min", 0L);
        assertThat(listed.get("density")).isEqualTo(17.0 / 56);
        assertThat(listed.get("schemaWithOrientation"))
                .hasToString("{graphProperties={}, nodes={N={}, Alone={}}, relationships={"
                        + "ALL={direction=UNDIRECTED, properties={}}, S={direction=DIRECTED, properties={}}}}");
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
                .extracting(r -> Arrays.toString((long[]) r.get("dist")))
                .containsExactly("[-1, -1, -1]", "[1, 0, 1]", "[2, 1, 2]");
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

    /** The table of bad calls has the messages that are the same on every machine. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'cuda' | The CUDA backend cannot run.",
                "'CUDA:1' | The backend cuda:1 cannot run.",
                "['CUDA:1', 'cuda:0'] | The backend cuda:1, cuda:0 cannot run. cuda:1: ",
            },
            quoteCharacter = '"')
    void shouldRefuseABackendThatCannotRun(String backend, String message) {
        assertThatThrownBy(() -> run("CALL proxima.closeness.stream('g', {backend: " + backend + "})"))
                .rootCause()
                .hasMessageStartingWith(message);
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
                .isEqualTo(Arrays.asList("a", null));
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

}
