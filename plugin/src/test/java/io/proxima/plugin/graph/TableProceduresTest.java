// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static io.proxima.projection.store.RestrictedAccess.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.ArrowStream;
import io.proxima.plugin.arrow.ArrowTable;
import io.proxima.plugin.arrow.TestTable;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.projection.GraphProjection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;

/** Properties and distances as tables, and tables as properties, through Cypher. */
class TableProceduresTest {

    private static final String TABLE = "CALL proxima.graph.nodeProperties.arrow(";
    private static final String LOAD = "CALL proxima.graph.nodeProperties.load('g', $bytes";

    private List<Object> ids;
    private List<Object> elementIds;

    @BeforeEach
    void createGraph() {
        TestDbms.clear();
        run("UNWIND range(1, 4) AS i CREATE ()");
        // the rows are in the order of ids, and the store gives new nodes those of deleted ones in any order
        run("MATCH (n) WITH n ORDER BY id(n) WITH collect(n) AS all"
                + " WITH all[0] AS a, all[1] AS b, all[2] AS c, all[3] AS d"
                + " SET a:N:Odd, b:N, c:N:Odd, d:M, a += {name: 'a', number: 1, mixed: 1}, b += {name: 'b', mixed: 'x'},"
                + " c += {name: 'c', number: 3}, d += {share: 0.5} CREATE (a)-[:R]->(b), (b)-[:R]->(c)");
        run("CALL proxima.graph.project('g', ['N', 'M', 'Odd'], 'R')");
        run("MATCH (s {name: 'a'}) CALL proxima.bfs.mutate('g', {sourceNode: s, mutateProperty: 'hops'})"
                + " YIELD mutateMillis RETURN 1");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score', nodeLabels: ['Odd']})"
                + " YIELD mutateMillis RETURN 1");
        ids = column("MATCH (n) RETURN id(n) AS id ORDER BY id");
        elementIds = column("MATCH (n) RETURN elementId(n) AS id ORDER BY id(n)");
    }

    @AfterEach
    void shouldLeaveNothing() {
        assertThat(JobRegistry.running("", true)).isEmpty();
        TestDbms.clear();
    }

    private static List<Object> column(String query) {
        return run(query).stream().map(row -> row.values().iterator().next()).toList();
    }

    private static byte[] bytes(String query) {
        return TestTable.joined(
                run(query).stream().map(row -> (byte[]) row.get("arrow")).toList());
    }

    private static List<List<Object>> table(String query) {
        return TestTable.readByArrow(bytes(query));
    }

    @Test
    void shouldReturnPropertiesAsColumnsWithoutValuesThatAreMissing() {
        assertThat(table(TABLE + "'g', ['hops', 'score'])"))
                .containsExactly(ids, Arrays.asList(0L, 1L, 2L, null), Arrays.asList(0.0, null, 0.0, null));
        assertThat(table(TABLE + "'g', 'hops', {key: 'elementId', batchSize: 3, nodeLabels: 'M'})"))
                .containsExactly(elementIds.subList(3, 4), Arrays.asList((Object) null));
        assertThat(table(TABLE + "'g', ['score', 'hops'], {nodeLabels: ['Odd'], batchSize: 1})"))
                .containsExactly(List.of(ids.get(0), ids.get(2)), List.of(0.0, 0.0), List.of(0L, 2L));
        assertThat(run(TABLE + "'g', 'hops', {batchSize: 1})"))
                .as("the columns, four batches and the end mark")
                .hasSize(6);
    }

    @Test
    void shouldIdentifyNodesByAPropertyOfTheDatabase() {
        assertThat(table(TABLE + "'g', 'hops', {key: 'name'})").get(0)).isEqualTo(Arrays.asList("a", "b", "c", null));
        assertThat(table(TABLE + "'g', 'hops', {key: 'number'})").get(0)).isEqualTo(Arrays.asList(1L, null, 3L, null));
        run("MATCH (n {name: 'b'}) DETACH DELETE n");
        assertThat(table(TABLE + "'g', 'hops', {key: 'name'})").get(0)).isEqualTo(Arrays.asList("a", null, "c", null));
        assertThat(table(TABLE + "'g', 'hops')").get(0)).as("of the projection").isEqualTo(ids);
    }

    @Test
    void shouldNotShowKeysThatTheCallerMayNotRead() {
        int name;
        try (var transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED)) {
            name = transaction.kernelTransaction().tokenRead().propertyKey("name");
        }
        AccessMode mode = changed(AccessMode.Static.FULL, (method, given) -> switch (method) {
            case "allowsReadNodeProperty" -> given[1].equals(name) ? false : null;
            case "allowsReadPropertyAllLabels" -> given[0].equals(name) ? false : null;
            // what the mode FULL does of its own is a right of administrators
            default -> method.startsWith("shouldBoost") ? PermissionState.NOT_GRANTED : null;
        });
        SecurityContext ann = TestUsers.user("ann", mode, Set.of());
        TestUsers.run(ann, "CALL proxima.graph.project('g', '*', 'R')");
        TestUsers.run(ann, "CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD mutateMillis RETURN 1");
        List<Map<String, Object>> rows = TestUsers.run(ann, TABLE + "'g', 'score', {key: 'name'})");
        assertThat(TestTable.readByArrow(TestTable.joined(rows.stream()
                                .map(row -> (byte[]) row.get("arrow"))
                                .toList()))
                        .get(0))
                .hasSize(4)
                .containsOnlyNulls();
        TestUsers.run(ann, "CALL proxima.graph.drop('g')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{key: 'mixed'} | The property `mixed` of the node",
                "{key: 'share'} | is of type `FLOAT`, but a `key` must be an INTEGER of all nodes or a STRING of all nodes.",
                "{key: 'unheard'} | but the database has no property `unheard`.",
            })
    void shouldRefuseKeysThatAreNone(String configuration, String message) {
        assertThatThrownBy(() -> run(TABLE + "'g', 'score', " + configuration + ")"))
                .rootCause()
                .hasMessageContaining(message);
    }

    @Test
    void shouldReturnDistancesAsATable() {
        run("UNWIND range(1, 300) AS i CREATE (:N {name: 'x' + i})");
        run("MATCH (x:N), (b:N {name: 'b'}) WHERE x.name STARTS WITH 'x' CREATE (b)-[:R {w: 0.5}]->(x)");
        run("CALL proxima.graph.project('g', ['N', 'M'], {R: {properties: {w: {defaultValue: 2.0}}}},"
                + " {replace: true})");
        String sources = "MATCH (n:N) WHERE n.name IN ['a', 'b'] WITH collect(n) AS sources CALL proxima.distances.";
        for (String keys : List.of(
                "",
                ", includeUnreached: true",
                ", maxDepth: 1",
                ", relationshipWeightProperty: 'w'",
                ", relationshipWeightProperty: 'w', includeUnreached: true")) {
            String value = keys.contains("w'") ? "cost" : "distance";
            List<Map<String, Object>> rows = run(sources + "stream('g', {sourceNodes: sources" + keys
                    + "}) YIELD sourceNode, targetNode, " + value + " AS value"
                    + " RETURN sourceNode, targetNode, CASE WHEN value = -1 THEN null ELSE value END AS value");
            assertThat(table(sources + "arrow('g', {sourceNodes: sources, batchSize: 100" + keys
                            + "}) YIELD arrow RETURN arrow"))
                    .as(keys)
                    .containsExactly(
                            rows.stream().map(row -> row.get("sourceNode")).toList(),
                            rows.stream().map(row -> row.get("targetNode")).toList(),
                            rows.stream().map(row -> row.get("value")).toList());
        }
    }

    @Test
    void shouldFreeEverythingWhenItsReaderIsKilledAndDoesNotComeBack() {
        run("UNWIND range(1, 3000) AS i CREATE (:N)");
        run("CALL proxima.graph.project('g', 'N', 'R', {replace: true})");
        run("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'}) YIELD mutateMillis RETURN 1");
        for (String call : List.of(
                TABLE + "'g', 'score', {batchSize: 1})",
                "MATCH (a {name: 'a'}) CALL proxima.distances.arrow('g', {sourceNodes: a, batchSize: 1,"
                        + " includeUnreached: true}) YIELD arrow RETURN arrow")) {
            long before = HeapLedger.ofThisJvm().held();
            try (Transaction transaction = TestDbms.database().beginTx();
                    Result rows = transaction.execute(call)) {
                rows.next();
                assertThat(JobRegistry.running("", true)).hasSize(1);
                transaction.terminate();
                TestDbms.await(() -> JobRegistry.running("", true).isEmpty());
                assertThat(HeapLedger.ofThisJvm().held()).isLessThanOrEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"nodeId", "elementId", "name"})
    void shouldLoadWhatItReturns(String key) {
        run("MATCH (n {share: 0.5}) SET n.name = 'd'");
        byte[] bytes = bytes(TABLE + "'g', ['hops', 'score'], {key: '" + key + "'})");
        run("CALL proxima.graph.nodeProperties.drop('g', ['hops', 'score'])");
        assertThat(run(LOAD + ", {key: '" + key + "'})", Map.of("bytes", bytes)))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("fileName", null)
                        .containsEntry("nodeCount", 4L)
                        .containsEntry("nodeProperties", List.of("hops", "score")));
        assertThat(bytes(TABLE + "'g', ['hops', 'score'], {key: '" + key + "'})"))
                .isEqualTo(bytes);
    }

    @Test
    void shouldLoadListsWriteThemAndReturnThem() {
        byte[] bytes = new TestTable(
                        List.of(Kind.INTEGER, Kind.FLOAT_LIST, Kind.STRING),
                        List.of(
                                List.of(ids.get(2), ids.get(0), ids.get(3)),
                                Arrays.asList(List.of(1.5, -2.0), List.of(), null),
                                List.of("x", "y", "z")))
                .written(2);
        // the names that the table has
        run("MATCH (n) SET n.c0 = id(n)");
        run(LOAD + ", {key: 'c0', nodeProperties: 'c1'})", Map.of("bytes", bytes));
        assertThat(table(TABLE + "'g', 'c1')"))
                .containsExactly(ids, Arrays.asList(List.of(), null, List.of(1.5, -2.0), null));
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN schema.nodes.M.c1"))
                .isEqualTo("List of Float (DefaultValue(null), TRANSIENT)");
        assertThat(column("CALL proxima.graph.nodeProperty.stream('g', 'c1') YIELD propertyValue RETURN propertyValue"))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new double[0], null, new double[] {1.5, -2.0}, null);
        run("CALL proxima.graph.nodeProperties.write('g', {c1: 'list'})");
        assertThat(value("MATCH (n {name: 'c'}) RETURN n.list = [1.5, -2.0] AND n.list IS :: LIST<FLOAT NOT NULL>"))
                .isEqualTo(true);
        assertThat(value("MATCH (n) WHERE n.list IS NOT NULL RETURN count(n)")).isEqualTo(2L);
        assertThatThrownBy(() -> run("CALL proxima.graph.export('g', 'lists.proxima')"))
                .rootCause()
                .hasMessageContaining("has the property `c1` of type LIST<FLOAT>, which a file cannot contain.");
    }

    /** Loads two lists of so many elements as the property c1. */
    private static void loadTwoLists(int length) {
        List<Object> elements = Collections.nCopies(length, (Object) 1.0);
        byte[] bytes = new TestTable(
                        List.of(Kind.INTEGER, Kind.FLOAT_LIST), List.of(List.of(1L, 3L), List.of(elements, elements)))
                .written(1);
        run("MATCH (n) SET n.c0 = n.number");
        run(LOAD + ", {key: 'c0'})", Map.of("bytes", bytes));
    }

    @Test
    void shouldCountListsAsMemoryOfTheGraph() {
        long before = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes");
        loadTwoLists(1000);
        assertThat((long) value("CALL proxima.graph.list('g') YIELD sizeInBytes RETURN sizeInBytes") - before)
                .isBetween(2000L * Double.BYTES, 2000L * Double.BYTES + 500);
    }

    @Test
    void shouldCountTheListsOfAGraphAndOfItsPartOnce() {
        loadTwoLists(50_000);
        long lists = 2L * 50_000 * Double.BYTES;
        long before = HeapLedger.ofThisJvm().held();
        run("CALL proxima.graph.filter('part', 'g', 'n:Odd', '*')");
        assertThat(HeapLedger.ofThisJvm().held() - before).isLessThan(lists / 2);
        run("CALL proxima.graph.drop('g')");
        assertThat(HeapLedger.ofThisJvm().held() - before)
                .as("kept by the part")
                .isGreaterThan(-lists / 2);
        assertThat((long) value("CALL proxima.graph.list('part') YIELD sizeInBytes RETURN sizeInBytes"))
                .isGreaterThan(lists);
    }

    @Test
    void shouldReserveTheHeapOfRowsWithLists() {
        int length = 200_000;
        long bytesOfList = (long) length * Double.BYTES;
        loadTwoLists(length);
        assertThat(promised("CALL proxima.graph.nodeProperty.stream('g', 'c1')"))
                .as("the row that is read, and the one that fills a batch")
                .isGreaterThanOrEqualTo(2 * bytesOfList);
        assertThat(promised(TABLE + "'g', 'c1')"))
                .as("the list, the columns, and the rows")
                .isGreaterThanOrEqualTo(5 * bytesOfList);
        assertThat(new NodePropertyProcedures.StreamManyRow(1, "c1", new double[length], List.of()).heapBytes())
                .isEqualTo(bytesOfList);
    }

    @Test
    void shouldReserveTheHeapOfBatchesOfDistances() {
        String call = "MATCH (a {name: 'a'}) CALL proxima.distances.%s('g', {sourceNodes: a}) YIELD %s RETURN 1";
        assertThat(promised(String.format(call, "arrow", "arrow")))
                .isGreaterThanOrEqualTo(promised(String.format(call, "stream", "distance"))
                        + ArrowStream.memory(0).maxBytes());
    }

    /** The heap that a call has reserved while its rows are read. */
    private static long promised(String call) {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute(call)) {
            rows.next();
            return JobRegistry.running("", true).get(0).heapBytes();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "1, 1 | 5, 6 | the key `1` has two rows",
                "1, 2 | 5, 6 | no node of the graph has the key `2`",
                "1, -7 | 5, 6 | no node of the graph has the key `-7`",
                "1, null | 5, 6 | a row has no `c0`",
                "1, 3 | 5, -9223372036854775808 | the value -9223372036854775808 of the column `c1` stands for no value",
                "1, 8 | 5, 6 | two nodes of the graph have the same `c0`. Give another `key`",
            })
    void shouldKeepNothingOfATableWithAFault(String keys, String values, String message) {
        run("MATCH (n) SET n.c0 = coalesce(n.number, 8)");
        byte[] bytes =
                new TestTable(List.of(Kind.INTEGER, Kind.INTEGER), List.of(numbers(keys), numbers(values))).written(5);
        assertThatThrownBy(() -> run(LOAD + ", {key: 'c0'})", Map.of("bytes", bytes)))
                .rootCause()
                .hasMessageStartingWith("The Arrow bytes cannot be loaded: " + message);
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN keys(schema.nodes.N)"))
                .isEqualTo(List.of("hops"));
    }

    private static List<Object> numbers(String text) {
        return Arrays.stream(text.split(", ", -1))
                .map(number -> number.equals("null") ? null : (Object) Long.valueOf(number))
                .toList();
    }

    @Test
    void shouldRefuseBytesThatAreNoTableOfThisGraph() {
        byte[] text = new TestTable(List.of(Kind.STRING, Kind.STRING), List.of(List.of("a"), List.of("x"))).written(5);
        run("MATCH (n) SET n.c0 = n.name");
        assertRefused(text, "", "they have no column `nodeId`, which `key` names");
        assertRefused(
                text, ", {key: 'c0'}", "the column `c1` has STRINGs. Name the columns of numbers in `nodeProperties`.");
        assertRefused(
                text, ", {key: 'c0', nodeProperties: ['c0']}", "`nodeProperties` must name columns besides the key");
        assertRefused(
                text, ", {key: 'c0', nodeProperties: ['c2']}", "`nodeProperties` must name columns besides the key");
        byte[] keys = new TestTable(List.of(Kind.STRING), List.of(List.of("a"))).written(5);
        assertRefused(keys, ", {key: 'c0'}", "they have no column besides `c0`");
        assertRefused(new byte[0], "", "they end before the end mark of the stream");
        assertRefused("nodeId,x\n1,2\n".getBytes(StandardCharsets.UTF_8), "", "a message does not begin");
        assertThatThrownBy(() -> run("CALL proxima.graph.nodeProperties.load('g', 'x.csv', {key: 'c0'})"))
                .rootCause()
                .hasMessageStartingWith("`key` must be 'elementId' or be left out for a file");
    }

    @Test
    void shouldLoadNamedColumnsBesideColumnsOfOtherTypes() {
        run("MATCH (n) SET n.key = n.number");
        byte[] bytes = TestTable.withOtherTypes(List.of(1L, 3L));
        assertThat(run(LOAD + ", {key: 'key', nodeProperties: 'value'})", Map.of("bytes", bytes)))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("nodeCount", 2L)
                        .containsEntry("nodeProperties", List.of("value")));
        assertThat(table(TABLE + "'g', 'value', {key: 'number'})").get(1)).isEqualTo(Arrays.asList(1L, null, 3L, null));
        assertRefused(bytes, ", {key: 'key'}", "the column `flag` must be of");
        assertRefused(bytes, ", {key: 'key', nodeProperties: 'kind'}", "the column `kind` is encoded by a dictionary");
    }

    private static void assertRefused(byte[] bytes, String configuration, String message) {
        assertThatThrownBy(() -> run(LOAD + configuration + ")", Map.of("bytes", bytes)))
                .rootCause()
                .hasMessageStartingWith("The Arrow bytes cannot be loaded: " + message);
    }

    @Test
    void shouldCountTheTextOfKeysThatAreLookedUp() {
        run("CREATE ({c0: ''})");
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Caller caller = TestDbms.caller(transaction, () -> {});
            NodeKey key = NodeKey.read(caller, caller.read("configuration", Map.of("key", "c0")));
            GraphProjection graph = GraphCatalog.find(caller.viewer(), "g").projection();
            long[] bytes = IntStream.of(1, 1001)
                    .mapToLong(length -> {
                        byte[] table = new TestTable(
                                        List.of(Kind.STRING, Kind.INTEGER),
                                        List.of(List.of("a".repeat(length), "b".repeat(length)), List.of(1L, 2L)))
                                .written(10);
                        return new TableValues(ArrowTable.of(table, Stop.NEVER), key, graph, Stop.NEVER)
                                .memory(List.of("c1"))
                                .maxBytes();
                    })
                    .toArray();
            assertThat(bytes[1] - bytes[0]).isGreaterThanOrEqualTo(2 * 1000);
        }
    }
}
