// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** The mutate modes and the properties that they add to graphs in memory. */
class NodePropertyTest {

    private static final String SOURCE = "MATCH (s {name: 'a'}) ";
    private static final String STREAM = " YIELD nodeId, propertyValue RETURN proxima.util.asNode(nodeId).name AS name,"
            + " propertyValue AS value ORDER BY name";

    @BeforeEach
    void clear() {
        TestDbms.clear();
        run("CREATE (a:N:Odd {name: 'a'}), (b:N {name: 'b'}), (c:N:Odd {name: 'c'}), (d:M {name: 'd'}),"
                + " (a)-[:R]->(b), (b)-[:R]->(c)");
        run("CALL proxima.graph.project('g', ['N', 'M', 'Odd'], 'R')");
    }

    @Test
    void shouldAddLevelsToTheGraphAndNotToTheDatabase() {
        assertThat(run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'level'})"
                        + " YIELD nodePropertiesWritten, depth, nodesReached, hopDistribution, mutateMillis, configuration"
                        + " RETURN nodePropertiesWritten, depth, nodesReached, hopDistribution, mutateMillis >= 0 AS timed,"
                        + " configuration.mutateProperty AS property"))
                .containsExactly(Map.of(
                        "nodePropertiesWritten",
                        4L,
                        "depth",
                        2L,
                        "nodesReached",
                        3L,
                        "hopDistribution",
                        List.of(1L, 1L, 1L),
                        "timed",
                        true,
                        "property",
                        "level"));
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'level')" + STREAM))
                .containsExactly(row("a", 0L), row("b", 1L), row("c", 2L), row("d", -1L));
        assertThat(value("MATCH (n) WHERE n.level IS NOT NULL RETURN count(n)")).isEqualTo(0L);
    }

    @Test
    void shouldAddTheNearestSourceWithItsDistance() {
        assertThat(
                        value(
                                "MATCH (s) WHERE s.name IN ['b', 'c'] WITH collect(s) AS sources"
                                        + " CALL proxima.distances.nearest.mutate('g', {sourceNodes: sources, mutateProperty: 'hops',"
                                        + " nearestSourceProperty: 'nearest'}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(8L);
        assertThat(run("CALL proxima.graph.nodeProperties.stream('g', ['hops', 'nearest'])"
                        + " YIELD nodeId, nodeProperty, propertyValue WITH proxima.util.asNode(nodeId).name AS name,"
                        + " CASE WHEN nodeProperty = 'nearest' AND propertyValue >= 0"
                        + " THEN proxima.util.asNode(propertyValue).name ELSE propertyValue END AS value"
                        + " RETURN name, collect(value) AS value ORDER BY name"))
                .containsExactly(
                        row("a", List.of(-1L, -1L)),
                        row("b", List.of(0L, "b")),
                        row("c", List.of(0L, "c")),
                        row("d", List.of(-1L, -1L)));
    }

    @Test
    void shouldReadAndDropValuesAsJobs() {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'level'}) YIELD mutateMillis"
                + " RETURN mutateMillis");
        String tasks = " YIELD taskName, status RETURN collect(taskName + ' ' + status)";
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute("CALL proxima.graph.nodeProperty.stream('g', 'level', ['*'],"
                        + " {jobId: 'read'}) YIELD propertyValue RETURN propertyValue")) {
            rows.next();
            assertThat(value("CALL proxima.listProgress('read')" + tasks))
                    .isEqualTo(List.of("|-- Node Properties Stream RUNNING"));
            assertThatThrownBy(
                            () -> run("CALL proxima.graph.nodeProperties.stream('g', 'level', ['*'], {jobId: 'read'})"))
                    .rootCause()
                    .hasMessageContaining("belongs to a running job");
            rows.resultAsString();
        }
        assertThat(value("CALL proxima.listProgress('read')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Stream FINISHED"));
        run("CALL proxima.graph.nodeProperties.stream('g', 'level', ['*'], {jobId: 'part'}) YIELD nodeId"
                + " RETURN nodeId LIMIT 1");
        assertThat(value("CALL proxima.listProgress('part')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Stream CANCELED"));
        run("CALL proxima.graph.nodeProperties.drop('g', 'level', {jobId: 'drop'})");
        assertThat(value("CALL proxima.listProgress('drop')" + tasks))
                .isEqualTo(List.of("|-- Node Properties Drop FINISHED"));
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldAddTheParents() {
        assertThat(value(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'hops',"
                        + " parentProperty: 'from'}) YIELD nodePropertiesWritten RETURN nodePropertiesWritten"))
                .isEqualTo(8L);
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'from') YIELD nodeId, propertyValue"
                        + " RETURN proxima.util.asNode(nodeId).name AS name,"
                        + " proxima.util.asNode(propertyValue).name AS value ORDER BY name"))
                .hasToString("[{name=a, value=null}, {name=b, value=a}, {name=c, value=b}, {name=d, value=null}]");
    }

    @Test
    void shouldGiveValuesToTheNodesOfTheRunOnly() {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'p', nodeLabels: ['Odd', 'M']})"
                + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten");
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'p')" + STREAM))
                .containsExactly(row("a", 0L), row("c", -1L), row("d", -1L));
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'p', 'Odd')" + STREAM))
                .containsExactly(row("a", 0L), row("c", -1L));
        assertThat(run("CALL proxima.graph.nodeProperty.stream('g', 'p', ['M'], {listNodeLabels: true})"
                        + " YIELD nodeLabels RETURN nodeLabels"))
                .containsExactly(Map.of("nodeLabels", List.of("M")));
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('g', 'p', ['N'])"))
                .hasMessageContaining("Could not find property key(s) ['p'] for label N. Defined keys: [].");
        Map<?, ?> nodes =
                (Map<?, ?>) ((Map<?, ?>) value("CALL proxima.graph.list('g') YIELD schema RETURN schema")).get("nodes");
        assertThat(nodes)
                .isEqualTo(Map.of(
                        "N",
                        Map.of(),
                        "M",
                        Map.of("p", "Integer (DefaultValue(-1), TRANSIENT)"),
                        "Odd",
                        Map.of("p", "Integer (DefaultValue(-1), TRANSIENT)")));

        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'c', nodeLabels: ['Odd']})"
                + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten");
        assertThat(value("CALL proxima.graph.nodeProperties.drop('g', ['p', 'c']) YIELD propertiesRemoved"
                        + " RETURN propertiesRemoved"))
                .isEqualTo(5L);
    }

    @Test
    void shouldWriteUnderOtherNames() {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'level'}) YIELD depth RETURN depth");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN computeMillis");
        run("MATCH (n {name: 'd'}) SET n.hops = 7");

        Map<String, Object> written =
                run("CALL proxima.graph.nodeProperties.write('g', ['score', {level: 'hops'}], 'N',"
                                + " {writeConcurrency: 2, jobId: 'w'})")
                        .get(0);
        assertThat(written.keySet())
                .containsExactly(
                        "writeMillis",
                        "graphName",
                        "nodeProperties",
                        "propertiesWritten",
                        "configuration",
                        "nodesSkipped",
                        "batches",
                        "retries",
                        "errorMessages");
        assertThat(written)
                .containsEntry("graphName", "g")
                .containsEntry("nodeProperties", List.of("score", "hops"))
                .containsEntry("propertiesWritten", 6L)
                .containsEntry("batches", 2L);
        Map<?, ?> configuration = (Map<?, ?>) written.get("configuration");
        assertThat(configuration.get("writeConcurrency")).isEqualTo(2L);
        assertThat(configuration.get("jobId")).isEqualTo("w");
        assertThat(run("MATCH (n) RETURN n.name AS name, [n.hops, n.score] AS value ORDER BY name"))
                .hasToString("[{name=a, value=[0, 0.0]}, {name=b, value=[1, 1.0]}, {name=c, value=[2,"
                        + " 0.6666666666666666]}, {name=d, value=[7, null]}]");
    }

    /** As bfs.write does. */
    @Test
    void shouldRemoveThePropertyOfNodesThatASearchHasNotReached() {
        run("MATCH (n) SET n.hops = 7, n.source = 7");
        run("CALL proxima.graph.project('fresh', ['N', 'M'], 'R')");
        run("MATCH (n) WITH n ORDER BY n.name WITH collect(n) AS nodes CALL proxima.distances.nearest.mutate('fresh',"
                + " {sourceNodes: nodes[1], mutateProperty: 'hops', nearestSourceProperty: 'source'})"
                + " YIELD nodePropertiesWritten RETURN nodePropertiesWritten");
        assertThat(value("CALL proxima.graph.nodeProperties.write('fresh', ['hops', 'source'])"
                        + " YIELD propertiesWritten RETURN propertiesWritten"))
                .isEqualTo(4L);
        assertThat(run("MATCH (n) RETURN n.name AS name, [n.hops, proxima.util.asNode(n.source).name] AS value"
                        + " ORDER BY name"))
                .hasToString("[{name=a, value=[null, null]}, {name=b, value=[0, b]}, {name=c, value=[1, b]},"
                        + " {name=d, value=[null, null]}]");
    }

    @Test
    void shouldCountPropertiesAsMemoryOfTheGraph() {
        // which leaves the reversed graph behind
        run("CALL proxima.closeness.stats('g') YIELD computeMillis RETURN computeMillis");
        long before = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN computeMillis");
        Object with = value("CALL proxima.graph.list('g') YIELD sizeInBytes, modificationTime, creationTime"
                + " WHERE modificationTime > creationTime RETURN sizeInBytes");
        assertThat((long) with - before).isBetween(4L * Double.BYTES, 4L * Double.BYTES + 500);
        assertThat(value("CALL proxima.memory.list() YIELD memoryInBytes RETURN memoryInBytes"))
                .isEqualTo(with);
        run("CALL proxima.graph.nodeProperties.drop('g', 'score')");
        assertThat(value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes"))
                .isEqualTo(before);
    }

    @Test
    void shouldRefuseANameTwice() {
        String mutate = "CALL proxima.closeness.mutate('g', {mutateProperty: 'c'}) YIELD computeMillis RETURN 1";
        AtomicInteger refused = new AtomicInteger();
        Workers.run(4, Stop.NEVER, (worker, stop) -> {
            try {
                run(mutate);
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("Node property `c` already exists in the in-memory graph.");
                refused.incrementAndGet();
            }
        });
        assertThat(refused).hasValue(3);
        assertThatThrownBy(() -> run(SOURCE + "CALL proxima.distances.nearest.mutate('g', {sourceNodes: s,"
                        + " mutateProperty: 'new', nearestSourceProperty: 'c'}) YIELD computeMillis RETURN 1"))
                .hasMessageContaining("Node property `c` already exists in the in-memory graph.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('g', 'new')"))
                .hasMessageContaining("Expecting at least one node projection to contain property key(s) ['new'].");
    }

    @Test
    void shouldTellWhatIsWrong() {
        assertThatThrownBy(() -> run("CALL proxima.closeness.mutate('g', {})"))
                .hasMessageContaining("No value specified for the mandatory configuration parameter `mutateProperty`");
        assertThatThrownBy(() -> run("CALL proxima.closeness.mutate('g', {mutateProperty: ' c'})"))
                .hasMessageContaining(
                        "`mutateProperty` must not end or begin with whitespace characters, but got ` c`.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.stream('g', [1])"))
                .hasMessageContaining("`nodeProperties` must be the name of a property, or a LIST of these, but one was"
                        + " `INTEGER`.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.stream('g', {a: 'b'})"))
                .hasMessageContaining("but one was `MAP`.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('g', null)"))
                .hasMessageContaining("but one was `null`.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.write('g', [])"))
                .hasMessageContaining("`nodeProperties` must name at least one property, but it was an empty list.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.write('g', {a: 7})"))
                .hasMessageContaining("a MAP from its name to its name in the database");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.write('g', 'a', [1])"))
                .hasMessageContaining("`nodeLabels` must be '*', a label or a LIST of labels, but one was `INTEGER`.");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.stream('g', 'a', 'Nope')"))
                .hasMessageContaining("Could not find the specified `nodeLabels` of ['Nope'].");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.drop('g', ['a', 'b'])"))
                .hasMessageContaining("Could not find property key(s) ['a', 'b']. Defined keys: [].");
        assertThat(run("CALL proxima.graph.nodeProperties.drop('g', 'a', {failIfMissing: false})")
                        .get(0))
                .isEqualTo(Map.of("graphName", "g", "nodeProperties", List.of("a"), "propertiesRemoved", 0L));
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('nope', 'a')"))
                .hasMessageContaining("Graph with name `nope` does not exist");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.stream('g', 'a', '*', {x: 1})"))
                .hasMessageContaining("Unexpected configuration key: x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{hops: 'x'}, {score: 'x'}]", "['hops', {score: 'hops'}]", "{hops: 'x', score: ' x '}"})
    void shouldNotWriteTwoPropertiesToOneName(String properties) {
        run(SOURCE + "CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'hops'}) YIELD depth RETURN depth");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD computeMillis RETURN 1");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.write('g', " + properties + ")"))
                .hasMessageContaining("`nodeProperties` writes both `")
                .hasMessageContaining("`: give them different names.");
        assertThat(value("MATCH (n) WHERE n.x IS NOT NULL OR n.hops IS NOT NULL RETURN count(n)"))
                .isEqualTo(0L);
    }

    @Test
    void shouldLosePropertiesWithTheGraph() {
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'c'}) YIELD computeMillis RETURN 1");
        run("CALL proxima.graph.project('g', ['N', 'M', 'Odd'], 'R', {replace: true})");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperty.stream('g', 'c')"))
                .hasMessageContaining("Defined keys: [].");
    }

    private static Map<String, Object> row(String name, Object value) {
        return Map.of("name", name, "value", value);
    }
}
