// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Procedures on small graphs, through Cypher, where a row in the table of calls does not say enough. */
class ProceduresTest {

    @BeforeEach
    void clear() {
        TestDbms.createDiamonds();
        run("CALL proxima.graph.project('g', 'N', 'R')");
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
    void shouldReportTheConcurrencyThatIsUsed() {
        long processors = Runtime.getRuntime().availableProcessors();
        assertThat(threads("")).containsExactly(processors);
        assertThat(threads("concurrency: 1")).containsExactly(1L);
        assertThat(threads("concurrency: 100000")).containsExactly(processors);
        assertThat(threads("concurrency: 1099511627776")).containsExactly(processors);
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
    void shouldListTheMemoryOfGraphsAndOfRunningJobs() {
        assertThat(run("CALL proxima.memory.list()")).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("name", "g")
                .containsEntry("entity", "graph")
                .containsEntry("memoryInBytes", value("CALL proxima.graph.list('g') YIELD sizeInBytes"))
                .containsEntry("deviceBytes", 0L)
                .containsEntry("mappedBytes", 0L));
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    proxima.bfs.stream('g', {sourceNode: $node, maxDepth: $i}) | nodeId
                    proxima.bfs.stream('g', {sourceNode: n.one, targetNodes: n.ids, nodeLabels: n.texts}) | nodeId
                    proxima.distances.stream('g', {sourceNodes: n.ids, relationshipTypes: $types}) | targetNode
                    proxima.distances.stream('g', {sourceNodes: $nodes, concurrency: $b}) | targetNode
                    proxima.graph.nodeProperty.stream('g', 'p', n.texts, {concurrency: $s}) | nodeId
                    proxima.graph.nodeProperties.stream('g', n.properties) | nodeId
                    proxima.graph.project.estimate(n.texts, n.types, {nodeCount: $i, relationshipCount: $s}) | nodeCount
                    proxima.graph.project.estimate('N', {R: {properties: n.weights}}) | nodeCount
                    proxima.graph.project.estimate('N', {R: {properties: {w: {defaultValue: $f}}}}) | nodeCount
                    proxima.graph.filter('f' + n.name, 'g', 'n.p IN $ids', '*', {parameters: {ids: n.ids}}) | nodeCount
                    proxima.graph.filter('f' + n.name, 'g', 'n.p IN $ids', '*', {parameters: {ids: $nodes}}) | nodeCount
                    proxima.graph.drop(n.texts, false) | nodeCount""")
    void shouldTakeStoredListsAndTheNumbersOfEmbeddedCallers(String call, String column) {
        run("MATCH (n:N {name: 'a'}) SET n.ids = [id(n)], n.one = [id(n)], n.texts = ['N'], n.types = ['R'],"
                + " n.weights = ['w'], n.properties = ['p']");
        run("MATCH ()-[r:R]->() SET r.w = 1");
        run("CALL proxima.eccentricity.mutate('g', {mutateProperty: 'p'})");
        int node = ((Long) value("MATCH (n:N {name: 'a'}) RETURN id(n)")).intValue();
        Map<String, Object> given = new HashMap<>(Map.of("i", 2, "s", (short) 2, "b", (byte) 2, "f", 0.5f));
        given.put("node", node);
        given.put("nodes", List.of(node, (long) node));
        given.put("types", new String[] {"R"});
        String query = "MATCH (n:N {name: 'a'}) CALL " + call + " YIELD " + column + " RETURN " + column;
        assertThatCode(() -> run(query, given)).doesNotThrowAnyException();
        String nodes = "RETURN size(proxima.util.asNodes($nodes) + proxima.util.asNodes(n.ids)) AS n";
        assertThat(run("MATCH (n:N {name: 'a'}) " + nodes, given)).containsExactly(Map.of("n", 3L));
    }

    @Test
    void shouldTellTheVersion() {
        Object version = value("CALL proxima.version()");
        assertThat(version).isEqualTo(value("RETURN proxima.version()"));
        assertThat((String) version).matches("\\d+\\.\\d+\\.\\d+.*");
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
}
