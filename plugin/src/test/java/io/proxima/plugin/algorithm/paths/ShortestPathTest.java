// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.paths.RandomStore.Search;
import io.proxima.plugin.algorithm.paths.RandomStore.Weights;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Paths between sets of nodes of random stores against a textbook, and of a ladder with more paths than rows. */
class ShortestPathTest {

    private static final int FIXED_SEEDS = 40;
    private static final int RANDOM_SEEDS = 10;
    private static final int CALLS = 12;
    private static final int MOST_AHEAD = 10_000;

    private static final List<String> COLUMNS = List.of(
            "index",
            "sourceNode",
            "targetNode",
            "totalCost",
            "nodeIds",
            "costs",
            "nodesOfPath",
            "steps",
            "pathCount");

    private static final String STREAM = "CALL proxima.shortestPath.stream('g', $c) YIELD ";
    private static final String ALL_COLUMNS = STREAM
            + "index, sourceNode, targetNode, totalCost, nodeIds, costs, path, pathCount"
            + " RETURN index, sourceNode, targetNode, totalCost, nodeIds, costs, " + RandomStore.OF_PATH
            + ", pathCount";

    /** Some that are always tried, and some new ones; a failed test shows its seed. */
    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, FIXED_SEEDS), new Random().longs(RANDOM_SEEDS));
    }

    @AfterEach
    void requireThatNothingIsHeld() {
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
        assertThat(JobRegistry.running("", true)).isEmpty();
    }

    @AfterAll
    static void clear() {
        TestDbms.clear();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindThePathsOfATextbook(long seed) {
        Random random = new Random(seed);
        Weights weights = Weights.values()[random.nextInt(Weights.values().length)];
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        for (int i = 0; i < CALLS; i++) {
            check(random, PathCall.next(random, graph, 4));
        }
    }

    /** More sources and targets than a search has bits, and nodes with so many relationships that they are indexed. */
    @ParameterizedTest
    @EnumSource(Weights.class)
    void shouldFindThePathsBetweenManyNodes(Weights weights) {
        Random random = new Random(weights.ordinal());
        RandomStore graph = RandomStore.create(random, 150, 600, weights);
        for (int i = 0; i < 3; i++) {
            check(random, PathCall.next(random, graph, 150));
        }
    }

    private static void check(Random random, PathCall call) {
        Map<String, Object> keys = new LinkedHashMap<>(call.configuration());
        int limit = 1;
        if (random.nextBoolean()) {
            limit = 1 + random.nextInt(5);
            keys.putAll(Map.of("paths", "all", "limit", limit));
        }
        keys.put("includeUnreached", random.nextInt(3) == 0);
        keys.put("concurrency", 1 + random.nextInt(3));
        List<Map<String, Object>> expected = expected(call, limit, (Boolean) keys.get("includeUnreached"));
        assertThat(run(ALL_COLUMNS, Map.of("c", keys))).as("%s", keys).isEqualTo(expected);

        String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        String yielded = column.equals("steps") || column.equals("nodesOfPath")
                ? "path WITH " + RandomStore.OF_PATH + " RETURN " + column
                : column;
        assertThat(run(STREAM + yielded, Map.of("c", keys)))
                .as("%s of %s", column, keys)
                .extracting(row -> row.get(column))
                .isEqualTo(expected.stream().map(row -> row.get(column)).toList());

        checkStats(call);
    }

    private static List<Map<String, Object>> expected(PathCall call, int limit, boolean includeUnreached) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (long source : call.sources()) {
            Search search = call.part().search(source);
            for (long target : call.targets()) {
                Double cost = search.costs().get(target);
                if (cost != null && cost <= call.bound()) {
                    for (List<Long> path : search.paths(target, limit)) {
                        List<Double> costs =
                                path.stream().map(search.costs()::get).toList();
                        List<Long> steps = call.part().steps(path);
                        rows.add(row(
                                (long) rows.size(), source, target, cost, path, costs, path, steps, search.count(target)));
                    }
                } else if (includeUnreached) {
                    rows.add(row((long) rows.size(), source, target, null, List.of(), List.of(), null, null, 0.0));
                }
            }
        }
        return rows;
    }

    private static Map<String, Object> row(Object... values) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            row.put(COLUMNS.get(i), values[i]);
        }
        return row;
    }

    private static void checkStats(PathCall call) {
        double[] costs = call.sources().stream()
                .map(source -> call.part().costs(List.of(source)))
                .flatMapToDouble(found -> call.targets().stream()
                        .filter(found::containsKey)
                        .mapToDouble(found::get)
                        .filter(cost -> cost <= call.bound()))
                .toArray();
        Map<String, Object> stats =
                run("CALL proxima.shortestPath.stats('g', $c)", Map.of("c", call.configuration())).get(0);
        assertThat(stats)
                .as("%s", call.configuration())
                .containsEntry("pairs", (long) call.sources().size() * call.targets().size())
                .containsEntry("pairsConnected", (long) costs.length);
        if (costs.length > 0) {
            double mean = Arrays.stream(costs).average().orElseThrow();
            assertThat(stats)
                    .containsEntry("greatestCost", Arrays.stream(costs).max().orElseThrow());
            assertThat((Double) stats.get("meanCost")).isCloseTo(mean, within(1e-9 * (1 + mean)));
        }
    }

    /** Each rung has two nodes between, so that the number of paths doubles. */
    static Map<String, Object> ladder(int rungs) {
        TestDbms.clear();
        run(
                "UNWIND range(0, $rungs) AS i CREATE (:Side {i: i}), (:Between {i: i}), (:Between {i: i})",
                Map.of("rungs", rungs));
        run("MATCH (n) WITH n ORDER BY n.i WITH collect(n) AS nodes UNWIND range(0, size(nodes) / 3 - 2) AS i"
                + " WITH nodes[3 * i .. 3 * i + 3] AS rung, [n IN nodes[3 * i + 3 .. 3 * i + 6] WHERE n:Side][0] AS up"
                + " WITH [n IN rung WHERE n:Side][0] AS side, [n IN rung WHERE n:Between] AS ways, up"
                + " UNWIND ways AS way CREATE (side)-[:R {w: 1}]->(way), (way)-[:R {w: 1}]->(up)");
        run("CALL proxima.graph.project('g', '*', 'R', {relationshipProperties: 'w'})");
        return run(
                        "MATCH (a:Side {i: 0}), (b:Side {i: $rungs}) RETURN id(a) AS sourceNode, id(b) AS targetNode",
                        Map.of("rungs", rungs))
                .get(0);
    }

    private static Map<String, Object> with(Map<String, Object> keys, String key, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(keys);
        more.put(key, value);
        return more;
    }

    @Test
    void shouldEndAtTheLimitOfAllPaths() {
        int rungs = 61;
        Map<String, Object> ends = ladder(rungs);
        List<List<Long>> between = new ArrayList<>();
        run("MATCH (n:Between) WITH n.i AS i, id(n) AS id ORDER BY id RETURN collect(id) AS ids, i ORDER BY i")
                .forEach(row -> between.add(
                        ((List<?>) row.get("ids")).stream().map(id -> (Long) id).toList()));
        for (String keys : List.of("", "relationshipWeightProperty")) {
            Map<String, Object> all = with(with(ends, "paths", "all"), "limit", 5L);
            List<Map<String, Object>> rows = run(
                    STREAM + "nodeIds, pathCount", Map.of("c", keys.isEmpty() ? all : with(all, keys, "w")));
            assertThat(rows).hasSize(5).allMatch(row -> row.get("pathCount").equals(Math.pow(2, rungs)));
            for (int path = 0; path < 5; path++) {
                List<?> nodes = (List<?>) rows.get(path).get("nodeIds");
                for (int rung = 0; rung < rungs; rung++) {
                    // read from the target back, the first rung changes first
                    assertThat(nodes.get(2 * rung + 1))
                            .isEqualTo(between.get(rung).get(rung < 3 ? path >> rung & 1 : 0));
                }
            }
        }
    }

    @Test
    void shouldCountPathsUpToTheGreatestFloatAndEndAKilledCall() {
        Map<String, Object> ends = ladder(1023);
        assertThat(run(STREAM + "pathCount", Map.of("c", ends)))
                .containsExactly(Map.of("pathCount", Math.pow(2, 1023)));
        Map<String, Object> longer = ladder(1100);
        for (Map<String, Object> keys : List.of(longer, with(longer, "relationshipWeightProperty", "w"))) {
            assertThat(run(STREAM + "pathCount", Map.of("c", keys)))
                    .containsExactly(Map.of("pathCount", Double.POSITIVE_INFINITY));
            for (String column : List.of("path", "nodeIds", "index")) {
                requireThatAKillEnds(STREAM + column, with(with(keys, "paths", "all"), "limit", Long.MAX_VALUE));
            }
        }
    }

    private static void requireThatAKillEnds(String query, Map<String, Object> keys) {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute(query, Map.of("c", keys))) {
            rows.next();
            transaction.terminate();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < MOST_AHEAD; i++) {
                            rows.next();
                        }
                    })
                    .hasMessageContaining("terminated");
        }
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @Test
    void shouldCountRepeatedNodesOnce() {
        Map<String, Object> ends = ladder(2);
        long source = (Long) ends.get("sourceNode");
        long target = (Long) ends.get("targetNode");
        List<Long> many = Collections.nCopies(500_000, source);
        List<Long> both = IntStream.range(0, 1_000_000)
                .mapToObj(i -> i % 2 == 0 ? target : source)
                .toList();
        assertThat(run(
                        STREAM + "sourceNode, targetNode, pathCount",
                        Map.of("c", Map.of("sourceNodes", many, "targetNodes", both))))
                .containsExactly(
                        Map.of("sourceNode", source, "targetNode", target, "pathCount", 4.0),
                        Map.of("sourceNode", source, "targetNode", source, "pathCount", 1.0));
        for (String procedure : List.of("shortestPath", "connectionSubgraph")) {
            assertThatThrownBy(() -> run(
                            "CALL proxima." + procedure + ".stream('g', {sourceNode: $s, targetNodes:"
                                    + " range(1000000, 1999999)}) YIELD pathCount RETURN pathCount",
                            Map.of("s", source)))
                    .rootCause()
                    .hasMessageContaining("targetNodes nodes do not exist in the in-memory graph: [1000000, 1000001");
        }
    }
}
