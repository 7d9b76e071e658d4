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
import io.proxima.plugin.TestUsers;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.NotInTransactionException;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.Statement;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.VirtualValues;

/** Values from the rows of a query, through Cypher. */
class SetAggregationTest {

    @BeforeEach
    void project() {
        TestDbms.clear();
        run("UNWIND range(0, 9) AS i CREATE (:N {i: i, f: i / 4.0})");
        run("CREATE (:Other)");
        run("CALL proxima.graph.project('g', ['N'], '*')");
    }

    @AfterEach
    void noJobIsLeft() {
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @Test
    void shouldSetValuesOfSeveralProperties() {
        Map<?, ?> answer = (Map<?, ?>) value("MATCH (n:N) WHERE n.i < 8 RETURN proxima.graph.nodeProperties.set('g',"
                + " CASE n.i % 3 WHEN 0 THEN n WHEN 1 THEN id(n) ELSE elementId(n) END,"
                + " {i: n.i, f: n.f, both: CASE n.i % 2 WHEN 0 THEN n.i ELSE n.f END,"
                + " some: CASE n.i % 2 WHEN 0 THEN n.i END}, {jobId: 'j'})");
        assertThat(answer.get("graphName")).isEqualTo("g");
        assertThat(answer.get("nodeProperties")).isEqualTo(List.of("both", "f", "i", "some"));
        assertThat(answer.get("nodeCount")).isEqualTo(8L);
        assertThat(answer.get("configuration")).isEqualTo(Map.of("jobId", "j", "logProgress", true, "sudo", false));
        assertThat(values("i", "n.i < 8")).isEqualTo(run("MATCH (n:N) WHERE n.i < 8 RETURN n.i AS v ORDER BY n.i"));
        assertThat(values("f", "n.i < 8")).isEqualTo(run("MATCH (n:N) WHERE n.i < 8 RETURN n.f AS v ORDER BY n.i"));
        assertThat(values("both", "n.i < 4")).extracting(row -> row.get("v")).containsExactly(0.0, 0.25, 2.0, 0.75);
        run("CALL proxima.graph.nodeProperties.write('g', ['some', 'i'])");
        assertThat(value("MATCH (n:N) RETURN count(n.some)")).isEqualTo(4L);
        assertThat(run("CALL proxima.graph.nodeProperties.drop('g', ['i', 'f', 'both', 'some'])"))
                .hasSize(1);
    }

    /** How a filter selects by texts and lists, of which a graph has none. */
    @Test
    void shouldSetConditionsByWhichAFilterSelects() {
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n,"
                + " {late: toInteger('N' IN labels(n) AND toString(n.i) > '3'), unknown: toInteger(n.nothing = 1)})");
        assertThat(value("CALL proxima.graph.filter('late', 'g', 'n.late = 1 AND n.unknown IS NULL', '*')"
                        + " YIELD nodeCount RETURN nodeCount"))
                .isEqualTo(6L);
    }

    private static List<Map<String, Object>> values(String property, String where) {
        return run("CALL proxima.graph.nodeProperty.stream('g', '" + property + "') YIELD nodeId, propertyValue AS v"
                + " MATCH (n:N) WHERE id(n) = nodeId AND " + where + " RETURN v ORDER BY n.i");
    }

    @Test
    void shouldReadValuesThatTheTransactionHasChanged() {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            transaction.execute("MATCH (n:N) SET n.i = n.i + 100 RETURN n").resultAsString();
            transaction
                    .execute("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {i: n.i})")
                    .resultAsString();
        }
        assertThat(values("i", "n.i = 3")).containsExactly(Map.of("v", 103L));
    }

    @Test
    void shouldSetNothingWithoutRows() {
        assertThat(value("MATCH (n:Nobody) RETURN proxima.graph.nodeProperties.set('nope', n, {i: n.i})"))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MATCH (n) RETURN S('g', n, {x: 1}) | is not in the graph `g`",
                "MATCH (n:N) RETURN S('g', 100000 + n.i, {x: 1}) | An INTEGER is read as the id of a node, not as a property.",
                "UNWIND [1, 1] AS i MATCH (n:N {i: i}) RETURN S('g', n, {x: 1}) | is in several rows",
                "MATCH (n:N) RETURN S('g', n, {x: CASE n.i WHEN 9 THEN 'nine' ELSE n.i END}) | must be an INTEGER above -2^63, a FLOAT or null, but was `STRING`",
                "MATCH (n:N) RETURN S('g', n, {x: true}) | but was `BOOLEAN`",
                "MATCH (n:N) RETURN S('g', n, {x: 'north'}) | Turn it into a number, such as `toInteger(n.kind = 'x')` or `n.since.year`",
                "MATCH (n:N) RETURN S('g', n, {x: [1]}) | but was `LIST`",
                "MATCH (n:N) RETURN S('g', n, {x: -9223372036854775808}) | above -2^63",
                "MATCH (n:N) RETURN S('g', n, n.i) | `values` must be of type `MAP` but was `INTEGER`",
                "MATCH (n:N) RETURN S('g', n, null) | `values` must be of type `MAP` but was `null`",
                "MATCH (n:N) RETURN S('g', null, {x: 1}) | but this `null` cannot",
                "MATCH (n:N) RETURN S('nope', n, {x: 1}) | Graph with name `nope` does not exist",
                "MATCH (n:N) RETURN S(null, n, {x: 1}) | `graphName` can not be null or blank",
                "MATCH (n:N) RETURN S(CASE n.i WHEN 5 THEN 'h' ELSE 'g' END, n, {x: 1}) | must be the same in every row",
                "MATCH (n:N) RETURN S('g', n, {x: 1}, {sudo: n.i > 4}) | must be the same in every row",
                "MATCH (n:N) RETURN S('g', n, {x: 1}, {sud: 1}) | Unexpected configuration key: sud (Did you mean [sudo]?)",
                "MATCH (n:N) RETURN S('g', n, {` x`: 1}) | `values` must not end or begin with whitespace characters, but got ` x`.",
                "MATCH (n:N) RETURN S('g', n, {there: 1}) | Node property `there` already exists",
                "MATCH (n:N) RETURN S('g', n, {x: 1 / (n.i - 9)}) | / by zero",
            })
    void shouldKeepNothingIfItFails(String query, String message) {
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {there: 1})");
        assertThatThrownBy(() -> run(query.replace("S(", "proxima.graph.nodeProperties.set(")))
                .hasStackTraceContaining(message);
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN keys(schema.nodes.N)"))
                .isEqualTo(List.of("there"));
    }

    @Test
    void shouldTakeEachGroupOfRowsAsACall() {
        run("MATCH (n:N) RETURN n.i % 2 AS odd, proxima.graph.nodeProperties.set('g', n,"
                + " CASE n.i % 2 WHEN 0 THEN {even: 1} ELSE {odd: 1} END)");
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN keys(schema.nodes.N)"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrder("even", "odd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MATCH (n:N) RETURN n.i % 2 AS odd, S('g', n, {x: 1})",
                "MATCH (n:N) RETURN n.i AS i, S('g', n, {x: 1, y: 2})",
                "MATCH (n:N) RETURN S('g', n, {x: 1}), S('g', n, {x: 2})",
            })
    void shouldSetNothingIfTwoGroupsOfRowsSetAProperty(String query) {
        assertRefusedForGroups(query);
        assertNothingIsSet();
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {x: 1, y: 2})");
    }

    /** The first group has ended before the second begins. */
    @Test
    void shouldSayTheSameOfSortedGroups() {
        assertRefusedForGroups("MATCH (n:N) WITH n, n.i % 2 AS odd ORDER BY odd RETURN odd, S('g', n, {x: 1})");
    }

    private static void assertRefusedForGroups(String query) {
        assertThatThrownBy(() -> run(query.replace("S(", "proxima.graph.nodeProperties.set(")))
                .hasStackTraceContaining("or another group of rows sets it. Choose another name, drop it with"
                        + " `proxima.graph.nodeProperties.drop`, or leave out the columns that group the rows.");
    }

    @Test
    void shouldCountTheValuesAsMemoryOfTheGraph() {
        long before = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes");
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {x: 1, y: 2})");
        long after = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes");
        assertThat(after - before).isBetween(2 * 10L * Long.BYTES, 2 * 10L * Long.BYTES + 1_000);
    }

    @Test
    void shouldReserveTheHeapOfAPropertyBeforeItIsTaken() {
        List<Long> ids = ids();
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement();
                HeapLedger.Promise others = HeapLedger.ofThisJvm().open(1)) {
            assertThat(statement).isNotNull();
            SetAggregation rows = new SetAggregation(TestDbms.caller(transaction, () -> {}));
            update(rows, ids.get(0), "x", 1);
            others.override();
            others.require(1L << 50);
            update(rows, ids.get(1), "x", 1);
            assertThatThrownBy(() -> update(rows, ids.get(2), "y", 1))
                    .hasMessageContaining("Procedure was blocked since maximum estimated memory (");
        }
        assertNothingIsSet();
    }

    @Test
    void shouldSetNothingIfTheQueryIsKilled() {
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement()) {
            assertThat(statement).isNotNull();
            boolean[] killed = new boolean[1];
            SetAggregation rows = new SetAggregation(TestDbms.caller(transaction, () -> {
                if (killed[0]) {
                    throw new NotInTransactionException("killed");
                }
            }));
            update(rows, ids().get(0), "x", 1);
            killed[0] = true;
            assertThatThrownBy(rows::result).isInstanceOf(NotInTransactionException.class);
        }
        assertNothingIsSet();
    }

    private static void assertNothingIsSet() {
        assertThat(value("CALL proxima.graph.list('g') YIELD schema RETURN keys(schema.nodes.N)"))
                .isEqualTo(List.of());
    }

    private static List<Long> ids() {
        return run("MATCH (n:N) RETURN id(n) AS id").stream()
                .map(row -> (Long) row.get("id"))
                .toList();
    }

    private static void update(SetAggregation rows, long id, String property, long value) {
        rows.update(
                "g",
                Values.longValue(id),
                VirtualValues.map(new String[] {property}, new AnyValue[] {Values.longValue(value)}),
                VirtualValues.EMPTY_MAP);
    }

    @Test
    void shouldLeaveNothingIfTheHeapIsFullWhenItBegins() {
        try (FullHeap heap = new FullHeap()) {
            SetAggregation failing = new SetAggregation(TestDbms.caller(heap.after(0), () -> {}));
            assertThatThrownBy(() -> update(failing, ids().get(0), "x", 1)).isInstanceOf(OutOfMemoryError.class);
            assertThat(JobRegistry.running("", true)).isEmpty();
            SetAggregation rows = new SetAggregation(TestDbms.caller(heap.after(1), () -> {}));
            update(rows, ids().get(0), "x", 1);
            assertThat(rows.result()).containsEntry("nodeCount", 1L);
        }
    }

    @Test
    void shouldTakeRowsFromSeveralThreads() {
        List<Long> ids = ids();
        try (InternalTransaction transaction = TestUsers.begin(SecurityContext.AUTH_DISABLED);
                Statement statement = transaction.kernelTransaction().acquireStatement()) {
            assertThat(statement).isNotNull();
            SetAggregation rows = new SetAggregation(TestDbms.caller(transaction, () -> {}));
            Workers.forRanges(
                    4, ids.size(), 1, Stop.NEVER, (worker, from, to) -> update(rows, ids.get((int) from), "x", from));
            assertThat(rows.result()).containsEntry("nodeCount", 10L);
        }
        assertThat(value("CALL proxima.graph.nodeProperty.stream('g', 'x') YIELD propertyValue"
                        + " RETURN sum(propertyValue)"))
                .isEqualTo(45L);
    }
}
