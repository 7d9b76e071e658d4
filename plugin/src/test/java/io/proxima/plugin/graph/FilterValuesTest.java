// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static io.proxima.plugin.TestDbms.run;
import static io.proxima.plugin.TestDbms.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.values.storable.NumberValue;

/** Filters on values in memory, against Cypher's own answer to the same predicates on values in the store. */
class FilterValuesTest {

    private static final int GRAPHS = 2 + Integer.getInteger("proxima.tries.percent", 100) / 100;
    private static final int FILTERS = 20;

    /** Some that no FLOAT can be, and some that are equal as INTEGER and FLOAT. */
    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "-1",
            "2",
            "0.5",
            "-0.5",
            "1.0",
            "2e0",
            ".25",
            "9007199254740993",
            "9007199254740992.0",
            "9007199254740992",
            "-9223372036854775807",
            "1e300",
            "$one",
            "$half",
            "-0.0",
            "$none",
            "null");

    private static final Map<String, Object> PARAMETERS = new HashMap<>(Map.of("one", 1L, "half", 0.5));

    static {
        PARAMETERS.put("none", null);
        PARAMETERS.put("list", List.of(1L, 0.5, 9007199254740993L));
    }

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @Test
    void shouldSelectWhatCypherSelects() {
        int passing = 0;
        for (int seed = 0; seed < GRAPHS; seed++) {
            Random random = new Random(seed);
            create(random);
            String orientation = List.of("NATURAL", "REVERSE", "UNDIRECTED").get(random.nextInt(3));
            // one property of parallel relationships, or several of aggregated ones
            boolean parallel = random.nextBoolean();
            run("CALL proxima.graph.project('g', ['A', 'B'], {R: {orientation: '" + orientation + "'}, S: {}},"
                    + " {replace: true, relationshipProperties: "
                    + (parallel ? "'w'" : "{w: {aggregation: 'SINGLE'}, v: {property: 'v', aggregation: 'SINGLE'}}")
                    + "})");
            run(
                    "MATCH (n) WHERE n:A OR n:B RETURN proxima.graph.nodeProperties.set('g', n, {x: n.x, y: n.y, id: id(n)})");
            for (int i = 0; i < FILTERS; i++) {
                String nodes = random.nextInt(4) == 0 ? "*" : predicate(random, "n", "AB", List.of("x", "y"), 3);
                String relationships = random.nextInt(4) == 0
                        ? "*"
                        : predicate(random, "r", "RS", parallel ? List.of("w") : List.of("w", "v"), 3);
                String as = "seed " + seed + ": " + nodes + " | " + relationships;
                Map<String, Object> arguments =
                        Map.of("nodes", nodes, "relationships", relationships, "parameters", PARAMETERS);
                run(
                        "CALL proxima.graph.filter('f', 'g', $nodes, $relationships,"
                                + " {replace: true, parameters: $parameters})",
                        arguments);
                Set<Long> expectedNodes = new TreeSet<>();
                run("MATCH (n) WHERE (n:A OR n:B) AND " + cypher(nodes) + " RETURN id(n) AS id", PARAMETERS)
                        .forEach(row -> expectedNodes.add((Long) row.get("id")));
                assertPart(as, orientation, expectedNodes, relationships);
                passing += expectedNodes.size();
            }
        }
        assertThat(passing).isGreaterThan(GRAPHS * FILTERS);
    }

    private static String cypher(String filter) {
        return filter.equals("*")
                ? "true"
                : "(" + filter.replaceAll("exists\\((\\w+\\.\\w+)\\)", "$1 IS NOT NULL") + ")";
    }

    private static void create(Random random) {
        TestDbms.clear();
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            nodes.add(
                    values(random, Map.of("label", List.of("A", "B", "AB", "C").get(random.nextInt(4))), "x", "y"));
        }
        run(
                "UNWIND $nodes AS row CREATE (n) SET n += row.values"
                        + " FOREACH (i IN CASE WHEN row.label CONTAINS 'A' THEN [1] ELSE [] END | SET n:A)"
                        + " FOREACH (i IN CASE WHEN row.label CONTAINS 'B' THEN [1] ELSE [] END | SET n:B)",
                Map.of("nodes", nodes));
        List<Map<String, Object>> relationships = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            relationships.add(values(
                    random,
                    Map.of(
                            "type",
                            random.nextInt(3) == 0 ? "S" : "R",
                            "from",
                            random.nextInt(12),
                            "to",
                            random.nextInt(12)),
                    "w",
                    "v"));
        }
        run(
                "MATCH (n) WITH n ORDER BY id(n) WITH collect(n) AS all UNWIND $relationships AS row"
                        + " WITH row, all[row.from] AS a, all[row.to] AS b"
                        + " FOREACH (i IN CASE row.type WHEN 'R' THEN [1] ELSE [] END | CREATE (a)-[r:R]->(b)"
                        + " SET r = row.values)"
                        + " FOREACH (i IN CASE row.type WHEN 'S' THEN [1] ELSE [] END | CREATE (a)-[r:S]->(b)"
                        + " SET r = row.values)",
                Map.of("relationships", relationships));
        // the tokens, even if no node or relationship has them
        run("CREATE (a:A:B:C {x: 1, y: 1})-[:R {w: 1, v: 1}]->(b)-[:S]->(a) DETACH DELETE a, b");
    }

    private static Map<String, Object> values(Random random, Map<String, Object> row, String... keys) {
        Map<String, Object> values = new HashMap<>();
        for (String key : keys) {
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 -> values.put(key, random.nextInt(-2, 2) * -0.5);
                // the relationships of a graph have FLOATs
                case 2 ->
                    values.put(key, 9007199254740992L + (key.equals("x") || key.equals("y") ? random.nextInt(3) : 0));
                default -> values.put(key, (long) random.nextInt(-1, 3));
            }
        }
        if (values.get("x") instanceof Double) {
            // an INTEGER property
            values.put("x", 1L);
        }
        if (values.get("y") instanceof Long) {
            values.put("y", ((Long) values.get("y")).doubleValue());
        }
        Map<String, Object> all = new HashMap<>(row);
        all.put("values", values);
        return all;
    }

    private static String predicate(Random random, String variable, String names, List<String> properties, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            String left = predicate(random, variable, names, properties, depth - 1);
            String right = predicate(random, variable, names, properties, depth - 1);
            return switch (random.nextInt(5)) {
                case 0 -> "NOT " + left;
                case 1 -> "(" + left + ") OR NOT (" + right + ")";
                case 2 -> left + " xor " + right;
                case 3 -> left + " OR " + right;
                default -> left + " AND " + right;
            };
        }
        String property = variable + "." + properties.get(random.nextInt(properties.size()));
        return switch (random.nextInt(8)) {
            case 0 -> variable + ":" + names.charAt(random.nextInt(names.length()));
            case 1 -> property + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
            case 2 -> "exists(" + property + ")";
            case 3 ->
                property + " IN "
                        + (random.nextInt(3) == 0
                                ? "$list"
                                : IntStream.range(0, random.nextInt(3))
                                        .mapToObj(i -> number(random))
                                        .collect(Collectors.joining(", ", "[", "]")));
            case 4 -> number(random) + " <= " + property + "<" + number(random);
            case 5 -> property + " = " + variable + "." + properties.get(random.nextInt(properties.size()));
            default -> property + List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6)) + number(random);
        };
    }

    private static String number(Random random) {
        return NUMBERS.get(random.nextInt(NUMBERS.size()));
    }

    private static void assertPart(String as, String orientation, Set<Long> nodes, String filter) {
        GraphEntry entry = GraphCatalog.all().stream()
                .filter(graph -> graph.key().name().equals("f"))
                .findFirst()
                .orElseThrow();
        GraphProjection part = entry.projection();
        part.validate(1, Stop.NEVER);
        Set<Long> found = new TreeSet<>();
        NodeProperty ids = entry.properties().get("id");
        for (int vertex = 0; vertex < part.vertexCount(); vertex++) {
            found.add(part.idMap().toNeo4jId(vertex));
            assertThat(((NumberValue) ids.value(vertex)).longValue())
                    .as(as)
                    .isEqualTo(part.idMap().toNeo4jId(vertex));
        }
        assertThat(found).as(as).isEqualTo(nodes);
        GraphProjection whole = GraphCatalog.all().stream()
                .filter(graph -> graph.key().name().equals("g"))
                .findFirst()
                .orElseThrow()
                .projection();
        // the relationships of the whole graph, with the answer of Cypher for each
        Map<String, Integer> expected = new TreeMap<>();
        run(
                        "UNWIND $rows AS r WITH r WHERE " + ofRow(cypher(filter)) + " RETURN r.key AS key",
                        with(PARAMETERS, "rows", entries(whole, nodes)))
                .forEach(row -> expected.merge((String) row.get("key"), 1, Integer::sum));
        Map<String, Integer> kept = new TreeMap<>();
        entries(part, nodes).forEach(row -> kept.merge((String) row.get("key"), 1, Integer::sum));
        assertThat(kept).as("%s, %s", as, orientation).isEqualTo(expected);
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        Map<String, Object> all = new HashMap<>(map);
        all.put(key, value);
        return all;
    }

    private static String ofRow(String filter) {
        return filter.replaceAll("r:(\\w)", "r.type = '$1'");
    }

    /** The relationships between some nodes, once for each property of their types. */
    private static List<Map<String, Object>> entries(GraphProjection graph, Set<Long> nodes) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String type : graph.types()) {
            for (String property : graph.properties(type)) {
                WeightedCsc lists = graph.weighted(type, property);
                for (int from = 0; from < graph.vertexCount(); from++) {
                    for (long entry = lists.columnStart(from); entry < lists.columnEnd(from); entry++) {
                        long source = graph.idMap().toNeo4jId(from);
                        long target = graph.idMap().toNeo4jId(lists.rowIndices().get(entry));
                        Map<String, Object> row = new HashMap<>(Map.of("type", type));
                        row.put("key", type + " " + property + " " + source + " " + target + " " + lists.weight(entry));
                        for (String other : graph.properties(type)) {
                            double weight = graph.weighted(type, other).weight(entry);
                            row.put(other, Double.isNaN(weight) ? null : weight);
                        }
                        if (nodes.contains(source) && nodes.contains(target)) {
                            rows.add(row);
                        }
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void shouldRunOnTheLargestComponent() {
        run("CREATE (:N)-[:R]->(:N)-[:R]->(:N), (:N)-[:R]->(:N), (:N)");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("CALL proxima.wcc.mutate('g', {mutateProperty: 'component'})");
        run("CALL proxima.graph.nodeProperty.stream('g', 'component') YIELD propertyValue AS component"
                + " WITH component, count(*) AS nodes ORDER BY nodes DESC LIMIT 1"
                + " CALL proxima.graph.filter('largest', 'g', 'n.component = $component', '*',"
                + " {parameters: {component: component}}) YIELD nodeCount RETURN nodeCount");
        assertThat(run("CALL proxima.graph.list('largest') YIELD nodeCount, relationshipCount"))
                .containsExactly(Map.of("nodeCount", 3L, "relationshipCount", 2L));
        assertThat((Map<?, ?>) value(
                        "CALL proxima.graph.list('largest') YIELD configuration RETURN" + " configuration.parameters"))
                .hasSize(1);
        assertThat(value("CALL proxima.graph.nodeProperty.stream('largest', 'component') YIELD nodeId RETURN count(*)"))
                .isEqualTo(3L);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldKeepNoEntitiesOfItsQuery() {
        run("CREATE (:N)-[:R]->(:N)");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        run("MATCH p = (n:N)-[r]->() CALL proxima.graph.filter('f', 'g', '*', '*',"
                + " {parameters: {x: [n, r, {p: p}], y: 1}}) YIELD graphName RETURN graphName");
        assertThat(value("CALL proxima.graph.list('f') YIELD configuration RETURN configuration.parameters"))
                .isEqualTo(Map.of("x", List.of("NODE", "RELATIONSHIP", Map.of("p", "PATH")), "y", 1L));
    }

    @Test
    void shouldShareWhatItDoesNotChange() {
        run("CREATE (a:N)-[:R {w: 1}]->(b:N), (a)-[:R {w: 2}]->(b), (a)-[:S {w: 3}]->(b)");
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'], {relationshipProperties: 'w'})");
        run("MATCH (n) RETURN proxima.graph.nodeProperties.set('g', n, {one: 1})");
        run("CALL proxima.graph.filter('f', 'g', 'n.one = 1', 'r:S OR r.w > 1')");
        Map<String, GraphEntry> entries = new HashMap<>();
        GraphCatalog.all().forEach(entry -> entries.put(entry.key().name(), entry));
        GraphEntry whole = entries.get("g");
        GraphEntry part = entries.get("f");
        assertThat(part.projection().csc("S")).isSameAs(whole.projection().csc("S"));
        assertThat(part.projection().idMap()).isSameAs(whole.projection().idMap());
        assertThat(part.properties().get("one")).isSameAs(whole.properties().get("one"));
        assertThat(part.projection().weighted("R", "w").entryCount()).isOne();
        assertThat(run("CALL proxima.graph.filter('only', 'g', '*', 'r:R AND r.w < 9') YIELD graphName"))
                .hasSize(1);
        assertThat(value("CALL proxima.graph.list('only') YIELD schema RETURN keys(schema.relationships)"))
                .isEqualTo(List.of("R"));
    }

    @Test
    void shouldRefuseValuesThatBelongToNoRelationship() {
        run("CREATE (a:N)-[:R {w: 1, v: 1}]->(b:N), (a)-[:R {w: 2, v: 2}]->(b), (a)-[:S {w: 3, v: 2}]->(b)");
        run("CALL proxima.graph.project('g', 'N', ['R', 'S'], {relationshipProperties: ['w', 'v']})");
        assertThatThrownBy(() -> run("CALL proxima.graph.filter('f', 'g', '*', 'r.w = 1')"))
                .hasMessageContaining("the relationships of the type `R` are parallel and have several properties");
        assertThat(value("CALL proxima.graph.filter('f', 'g', '*', 'r:S AND r.w = 3') YIELD relationshipCount"))
                .isEqualTo(1L);
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @Test
    void shouldEstimateWhatAFilterTakes() {
        run("UNWIND range(1, 2000) AS i CREATE (a:N {x: i})-[:R {w: i, v: -i}]->(b:N)");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: ['w', 'v']})");
        run("MATCH (n:N) RETURN proxima.graph.nodeProperties.set('g', n, {x: n.x})");
        for (String filter : List.of("'*', 'r.w > 1000'", "'n.x <> 3', '*'", "'n.x > 0 OR n.x IS NULL', 'r.v < -5'")) {
            long most = (long) value("CALL proxima.graph.filter.estimate('g', " + filter + ") YIELD bytesMax");
            run("CALL proxima.graph.filter('f', 'g', " + filter + ", {replace: true})");
            long shared = (long) value("CALL proxima.graph.list('g') YIELD sizeInBytes");
            long held = (long) value("CALL proxima.graph.list('f') YIELD sizeInBytes");
            assertThat(held).as(filter).isLessThanOrEqualTo(most + shared);
            assertThat(most).as(filter).isLessThan(3 * shared);
        }
    }
}
