// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.paths.RandomStore.Search;
import io.proxima.plugin.algorithm.paths.RandomStore.Weights;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Paths of random stores against a textbook, and of a ladder with more paths than rows. */
class PathsTest {

    private static final int FIXED_SEEDS = 30;
    private static final int RANDOM_SEEDS = 10;
    private static final int CALLS = 10;
    private static final int MOST_AHEAD = 10_000;
    private static final List<Weights> WEIGHTS = List.of(Weights.values());

    /** Of the procedure, but for the path: its nodes and relationships. */
    private static final List<String> COLUMNS =
            List.of("index sourceNode targetNode totalCost nodeIds costs nodesOfPath steps pathCount".split(" "));

    private static final String OF_PATH =
            "[n IN nodes(path) | id(n)] AS nodesOfPath, [r IN relationships(path) | id(r)] AS steps";
    private static final String STREAM = "CALL proxima.shortestPath.stream('g', $c) YIELD ";
    private static final String SUBGRAPH = "CALL proxima.connectionSubgraph.stream('g', $c) YIELD ";

    /** Some that are always tried, and some new ones; a failed test shows its seed. */
    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, FIXED_SEEDS), new Random().longs(RANDOM_SEEDS));
    }

    /**
     * Random sources and targets, and what else a call of either procedure is given.
     *
     * @param part what the call sees of the graph, with the weights that it counts
     * @param bound the greatest cost; infinite for none
     */
    private record Call(
            RandomStore part, Set<Long> sources, Set<Long> targets, double bound, Map<String, Object> keys) {

        static Call next(Random random, RandomStore graph, int mostNodes) {
            Map<String, Object> keys = new LinkedHashMap<>();
            RandomStore part = graph;
            if (random.nextInt(4) == 0) {
                keys.put("nodeLabels", List.of("M"));
                part = part.ofLabelled();
            }
            if (random.nextInt(4) == 0) {
                keys.put("relationshipTypes", List.of("FIRST"));
                part = part.where(arc -> arc.projectedType().equals("FIRST"));
            }
            boolean weighted = random.nextBoolean();
            if (weighted) {
                keys.put("relationshipWeightProperty", "w");
            } else {
                part = part.withoutWeights();
            }
            Set<Long> sources = draw(random, part, "source", random.nextInt(3) == 0 ? 2 : mostNodes, keys);
            Set<Long> targets = draw(random, part, "target", random.nextInt(3) == 0 ? 2 : mostNodes, keys);
            double bound = Double.POSITIVE_INFINITY;
            if (random.nextInt(3) == 0) {
                List<Double> costs = List.copyOf(part.search(sources).costs().values());
                double cost = costs.get(random.nextInt(costs.size()));
                // inclusive, so that the next lower one makes a difference
                bound = !weighted ? random.nextInt(4) : random.nextBoolean() ? cost : Math.max(0, Math.nextDown(cost));
                keys.put(weighted ? "maxCost" : "maxDepth", weighted ? (Object) bound : (Object) (long) bound);
            }
            List<Map<String, Object>> backends =
                    run("CALL proxima.backend.list() YIELD name, available WHERE available RETURN name");
            if (!weighted) {
                keys.put(
                        "backend", backends.get(random.nextInt(backends.size())).get("name"));
            }
            return new Call(part, sources, targets, bound, keys);
        }

        private static Set<Long> draw(
                Random random, RandomStore part, String end, int mostNodes, Map<String, Object> keys) {
            List<Long> drawn = random.ints(
                            1 + random.nextInt(mostNodes), 0, part.nodes().size())
                    .mapToObj(part.nodes()::get)
                    .toList();
            boolean alone = drawn.size() == 1 && random.nextBoolean();
            keys.put(alone ? end + "Node" : end + "Nodes", alone ? drawn.get(0) : drawn);
            return new LinkedHashSet<>(drawn);
        }

        List<Map<String, Object>> rows(String query) {
            return run(query, Map.of("c", keys));
        }
    }

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @AfterEach
    void requireThatNothingIsHeld() {
        TestDbms.clear();
        requireThatNothingRuns();
    }

    private static void requireThatNothingRuns() {
        assertThat(JobRegistry.running("", true)).isEmpty();
        // where there is a device, it prepares graphs in the background
        TestDbms.await(() -> HeapLedger.ofThisJvm().promised() == 0);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindShortestPaths(long seed) {
        Random random = new Random(seed);
        Weights weights = WEIGHTS.get(random.nextInt(WEIGHTS.size()));
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        for (int i = 0; i < CALLS; i++) {
            checkShortestPaths(random, Call.next(random, graph, 4));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindConnectionSubgraphs(long seed) {
        Random random = new Random(seed);
        Weights weights = random.nextBoolean() ? Weights.POSITIVE : Weights.WITH_ZEROS;
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        for (int i = 0; i < CALLS; i++) {
            checkSubgraph(Call.next(random, graph, 4));
        }
    }

    /** More sources and targets than a search has bits, and nodes with so many relationships that they are indexed. */
    @ParameterizedTest
    @EnumSource(Weights.class)
    void shouldConnectManyNodes(Weights weights) {
        Random random = new Random(WEIGHTS.indexOf(weights));
        RandomStore graph = RandomStore.create(random, 150, 600, weights);
        for (int i = 0; i < CALLS; i++) {
            checkShortestPaths(random, Call.next(random, graph, 150));
            if (weights == Weights.POSITIVE || weights == Weights.WITH_ZEROS) {
                checkSubgraph(Call.next(random, graph, 150));
            }
        }
    }

    private static void checkShortestPaths(Random random, Call call) {
        Map<String, Object> stats =
                call.rows("CALL proxima.shortestPath.stats('g', $c)").get(0);
        int limit = 1;
        if (random.nextBoolean()) {
            limit += random.nextInt(5);
            call.keys.putAll(Map.of("paths", "all", "limit", (long) limit));
        }
        boolean includeUnreached = random.nextInt(3) == 0;
        call.keys.put("includeUnreached", includeUnreached);
        List<Double> connected = new ArrayList<>();
        List<List<Object>> expected = new ArrayList<>();
        for (long source : call.sources) {
            Search search = call.part.search(List.of(source));
            Map<Long, Double> counts = search.counts();
            for (long target : call.targets) {
                long index = expected.size();
                double cost = search.costs().getOrDefault(target, Double.POSITIVE_INFINITY);
                if (cost < Double.POSITIVE_INFINITY && cost <= call.bound) {
                    connected.add(cost);
                    for (List<Long> path : search.paths(target, limit)) {
                        List<Double> costs =
                                path.stream().map(search.costs()::get).toList();
                        List<Long> steps = call.part.steps(path);
                        expected.add(
                                List.of(index++, source, target, cost, path, costs, path, steps, counts.get(target)));
                    }
                } else if (includeUnreached) {
                    expected.add(Arrays.asList(index, source, target, null, List.of(), List.of(), null, null, 0.0));
                }
            }
        }
        assertThat(call.rows(STREAM + "index, sourceNode, targetNode, totalCost, nodeIds, costs, path, pathCount RETURN"
                        + " index, sourceNode, targetNode, totalCost, nodeIds, costs, " + OF_PATH + ", pathCount"))
                .as("%s", call.keys)
                .extracting(row -> (List<Object>) new ArrayList<>(row.values()))
                .isEqualTo(expected);
        int column = random.nextInt(COLUMNS.size());
        String name = COLUMNS.get(column);
        boolean ofPath = OF_PATH.contains(name);
        assertThat(call.rows(STREAM + (ofPath ? "path WITH " + OF_PATH + " RETURN " : "") + name))
                .as("%s of %s", name, call.keys)
                .extracting(row -> row.get(name))
                .isEqualTo(expected.stream().map(row -> row.get(column)).toList());

        double mean = connected.stream().mapToDouble(cost -> cost).average().orElse(0);
        assertThat(stats)
                .as("%s", call.keys)
                .containsEntry("pairs", (long) call.sources.size() * call.targets.size())
                .containsEntry("pairsConnected", (long) connected.size())
                .containsEntry("greatestCost", connected.isEmpty() ? 0.0 : Collections.max(connected));
        assertThat((Double) stats.get("meanCost")).isCloseTo(mean, within(1e-9 * (1 + mean)));
    }

    private static void checkSubgraph(Call call) {
        Search from = call.part.search(call.sources);
        Search to = call.part.reversed().search(call.targets);
        double least = call.targets.stream()
                .mapToDouble(target -> from.costs().getOrDefault(target, Double.POSITIVE_INFINITY))
                .min()
                .orElseThrow();
        double bound = call.bound < Double.POSITIVE_INFINITY ? call.bound : least;
        Map<List<Long>, Double> walks = new HashMap<>();
        for (long target : call.targets) {
            if (Double.valueOf(least).equals(from.costs().get(target))) {
                for (List<Long> walk : from.paths(target, Integer.MAX_VALUE)) {
                    IntStream.range(1, walk.size())
                            .forEach(i -> walks.merge(walk.subList(i - 1, i + 1), 1.0, Double::sum));
                }
            }
        }
        Map<Long, List<Object>> expected = new HashMap<>();
        Map<Long, Double> costs = new HashMap<>();
        Set<Long> nodes = new HashSet<>();
        call.part.arcs().stream()
                .sorted((a, b) -> Long.compare(a.from(), b.from()))
                .forEach(arc -> {
                    double fromSource = from.costs().getOrDefault(arc.from(), Double.POSITIVE_INFINITY);
                    double toTarget = to.costs().getOrDefault(arc.to(), Double.POSITIVE_INFINITY);
                    double cost = fromSource + arc.weight() + toTarget;
                    if (cost < costs.getOrDefault(arc.relationship(), Double.POSITIVE_INFINITY) && cost <= bound) {
                        costs.put(arc.relationship(), cost);
                        boolean cheapest =
                                fromSource + arc.weight() == from.costs().get(arc.to());
                        nodes.addAll(List.of(arc.from(), arc.to()));
                        expected.put(
                                arc.relationship(),
                                List.of(
                                        arc.relationship(),
                                        arc.from(),
                                        arc.to(),
                                        arc.weight(),
                                        fromSource,
                                        toTarget,
                                        cheapest ? walks.getOrDefault(List.of(arc.from(), arc.to()), 0.0) : 0.0));
                    }
                });
        assertThat(
                        call.rows(
                                SUBGRAPH + "relationship, startNode, endNode, weight, fromSource, toTarget, pathCount"
                                        + " RETURN id(relationship) AS id, startNode, endNode, weight, fromSource, toTarget, pathCount"))
                .as("%s", call.keys)
                .extracting(row -> (List<Object>) new ArrayList<>(row.values()))
                .containsExactlyInAnyOrderElementsOf(expected.values());

        Map<String, Object> stats =
                call.rows("CALL proxima.connectionSubgraph.stats('g', $c)").get(0);
        assertThat(stats)
                .as("%s", call.keys)
                .containsEntry("relationshipCount", (long) expected.size())
                .containsEntry("nodeCount", (long) nodes.size())
                .containsEntry("leastCost", least < Double.POSITIVE_INFINITY && least <= bound ? least : null);
    }

    /** The columns {@code path} and {@code parent} of searches from sources to all nodes. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldReturnPathsToAllNodes(long seed) {
        Random random = new Random(seed);
        Weights weights = WEIGHTS.get(random.nextInt(WEIGHTS.size()));
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        RandomStore hops = graph.withoutWeights();
        List<Long> sources = random.ints(3, 0, graph.nodes().size())
                .distinct()
                .mapToObj(graph.nodes()::get)
                .toList();
        double depth = random.nextInt(6);
        boolean unreached = random.nextBoolean();
        Map<String, Object> keys = new HashMap<>(Map.of("maxDepth", (long) depth, "includeUnreached", unreached));

        keys.put("sourceNode", sources.get(0));
        assertThat(pathsToAll("bfs", "nodeId, distance, parent", keys))
                .containsExactlyInAnyOrderElementsOf(pathsToAll(hops, sources.subList(0, 1), depth, unreached));
        keys.remove("sourceNode");
        keys.put("sourceNodes", sources);
        assertThat(pathsToAll("distances.nearest", "nodeId, distance, parent", keys))
                .containsExactlyInAnyOrderElementsOf(pathsToAll(hops, sources, depth, unreached));
        List<List<Object>> ofEach = new ArrayList<>();
        sources.forEach(source -> ofEach.addAll(pathsToAll(hops, List.of(source), depth, unreached)));
        keys.put("targetNodeFilter", graph.nodes());
        assertThat(pathsToAll("distances", "targetNode, distance, parent", keys))
                .containsExactlyInAnyOrderElementsOf(ofEach);

        Search search = graph.search(sources.subList(0, 1));
        List<List<Object>> expected = new ArrayList<>();
        search.costs().forEach((node, cost) -> {
            List<Long> path = search.paths(node, 1).get(0);
            expected.add(List.of(node, cost, path, path, graph.steps(path)));
        });
        assertThat(pathsToAll(
                        "allShortestPaths.delta",
                        "targetNode, totalCost, nodeIds",
                        Map.of("sourceNode", sources.get(0), "relationshipWeightProperty", "w")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<List<Object>> pathsToAll(String procedure, String columns, Map<String, Object> keys) {
        return run(
                        "CALL proxima." + procedure + ".stream('g', $c) YIELD " + columns + ", path RETURN " + columns
                                + ", " + OF_PATH,
                        Map.of("c", keys))
                .stream()
                .map(row -> (List<Object>) new ArrayList<>(row.values()))
                .toList();
    }

    /** For each node the row of the first of the nearest sources. */
    private static List<List<Object>> pathsToAll(
            RandomStore hops, List<Long> sources, double depth, boolean includeUnreached) {
        List<Search> searches =
                sources.stream().map(source -> hops.search(List.of(source))).toList();
        Map<Long, Double> least = hops.search(sources).costs();
        List<List<Object>> rows = new ArrayList<>();
        for (long node : hops.nodes()) {
            Double cost = least.get(node);
            if (cost != null && cost <= depth) {
                Search nearest = searches.stream()
                        .filter(search -> cost.equals(search.costs().get(node)))
                        .findFirst()
                        .orElseThrow();
                List<Long> path = nearest.paths(node, 1).get(0);
                Long parent = path.size() == 1 ? null : path.get(path.size() - 2);
                rows.add(Arrays.asList(node, cost.longValue(), parent, path, hops.steps(path)));
            } else if (includeUnreached) {
                rows.add(Arrays.asList(node, -1L, null, null, null));
            }
        }
        return rows;
    }

    /** Each rung has two nodes between, so that the number of paths doubles; returns the ends. */
    private static Map<String, Object> ladder(int rungs) {
        TestDbms.clear();
        run(
                "UNWIND range(0, $rungs) AS i CREATE (:Side {i: i}), (:Between {i: i}), (:Between {i: i})",
                Map.of("rungs", rungs));
        run("MATCH (n) WITH n.i AS i, collect(n) AS rung ORDER BY i WITH collect(rung) AS rungs"
                + " UNWIND range(1, size(rungs) - 1) AS i UNWIND [n IN rungs[i - 1] WHERE n:Between] AS way"
                + " WITH way, [n IN rungs[i - 1] WHERE n:Side][0] AS side, [n IN rungs[i] WHERE n:Side][0] AS next"
                + " CREATE (side)-[:R {w: 1}]->(way), (way)-[:R {w: 1}]->(next)");
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
        List<Long> between = new ArrayList<>();
        run("MATCH (n:Between) RETURN id(n) AS id ORDER BY n.i, id").forEach(row -> between.add((Long) row.get("id")));
        for (Map<String, Object> keys : List.of(ends, with(ends, "relationshipWeightProperty", "w"))) {
            List<Map<String, Object>> rows =
                    run(STREAM + "nodeIds, pathCount", Map.of("c", with(with(keys, "paths", "all"), "limit", 5L)));
            assertThat(rows).hasSize(5).allMatch(row -> row.get("pathCount").equals(Math.pow(2, rungs)));
            for (int path = 0; path < 5; path++) {
                List<?> nodes = (List<?>) rows.get(path).get("nodeIds");
                for (int rung = 0; rung < rungs; rung++) {
                    // read from the target back, the first rung is the last to be decided
                    int way = rung < 3 ? path >> rung & 1 : 0;
                    assertThat(nodes.get(2 * rung + 1)).isEqualTo(between.get(2 * rung + way));
                }
            }
            assertThat(run(SUBGRAPH + "pathCount", Map.of("c", keys)))
                    .hasSize(4 * rungs)
                    .containsOnly(Map.of("pathCount", Math.pow(2, rungs - 1)));
        }
    }

    @Test
    void shouldCountUpToTheGreatestFloatAndEndAKilledCall() {
        assertThat(run(STREAM + "pathCount", Map.of("c", ladder(1023))))
                .containsExactly(Map.of("pathCount", Math.pow(2, 1023)));
        Map<String, Object> ends = ladder(1100);
        for (Map<String, Object> keys : List.of(ends, with(ends, "relationshipWeightProperty", "w"))) {
            for (String query : List.of(STREAM, SUBGRAPH)) {
                assertThat(run(query + "pathCount", Map.of("c", keys)))
                        .containsOnly(Map.of("pathCount", Double.POSITIVE_INFINITY));
            }
            for (String column : List.of("path", "nodeIds", "index")) {
                requireThatAKillEnds(
                        STREAM + column, with(with(keys, "paths", "all"), "limit", (long) Integer.MAX_VALUE));
            }
            requireThatAKillEnds(SUBGRAPH + "relationship", keys);
        }
    }

    private static void requireThatAKillEnds(String query, Map<String, Object> keys) {
        try (Transaction transaction = TestDbms.database().beginTx();
                Result rows = transaction.execute(query, Map.of("c", keys))) {
            rows.next();
            transaction.terminate();
            assertThatThrownBy(() -> IntStream.range(0, MOST_AHEAD).forEach(row -> rows.next()))
                    .hasMessageContaining("terminated");
        }
        requireThatNothingRuns();
    }

    @Test
    void shouldCountRepeatedNodesOnce() {
        Map<String, Object> ends = ladder(2);
        Object source = ends.get("sourceNode");
        Object target = ends.get("targetNode");
        List<Object> targets = new ArrayList<>(Collections.nCopies(500_000, target));
        targets.addAll(Collections.nCopies(500_000, source));
        assertThat(run(
                        STREAM + "sourceNode, targetNode, pathCount",
                        Map.of("c", Map.of("sourceNodes", List.of(source, source), "targetNodes", targets))))
                .containsExactly(
                        Map.of("sourceNode", source, "targetNode", target, "pathCount", 4.0),
                        Map.of("sourceNode", source, "targetNode", source, "pathCount", 1.0));
        for (String query : List.of(STREAM, SUBGRAPH)) {
            List<Long> others = LongStream.range(1_000_000, 2_000_000).boxed().toList();
            assertThatThrownBy(() ->
                            run(query + "pathCount", Map.of("c", Map.of("sourceNode", source, "targetNodes", others))))
                    .rootCause()
                    .hasMessageContaining("targetNodes nodes do not exist in the in-memory graph: [1000000, 1000001");
        }
    }

    /** The sum from the target back is a little greater here than that from the source on. */
    @Test
    void shouldLoseNoRelationshipToRounding() {
        run("CREATE (:N {i: 0})-[:R {km: 0.3}]->(:N {i: 1})-[:R {km: 0.2}]->(:N {i: 2})-[:R {km: 0.1}]->(:N {i: 3})");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: 'km'})");
        for (String bound : List.of("", ", maxCost: 0.6")) {
            assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 3}) CALL proxima.connectionSubgraph.stream('g', {sourceNode:"
                            + " a, targetNode: b, relationshipWeightProperty: 'km'" + bound + "})"
                            + " YIELD weight, pathCount RETURN weight, pathCount ORDER BY weight"))
                    .as(bound)
                    .extracting(row -> row.get("weight"), row -> row.get("pathCount"))
                    .containsExactly(tuple(0.1, 1.0), tuple(0.2, 1.0), tuple(0.3, 1.0));
        }
    }

    /** Integers are exact, however great they are. */
    @Test
    void shouldNotTakeALittleLongerWalkForAShortestOne() {
        run("CREATE (a:N {i: 0})-[:R {km: 1e13}]->(b:N {i: 3}), (a)-[:R {km: 1e13}]->(:N {i: 1})-[:R {km: 1}]->(b)");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: 'km'})");
        assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 3}) CALL proxima.connectionSubgraph.stream('g', {sourceNode: a,"
                        + " targetNode: b, relationshipWeightProperty: 'km'}) YIELD weight, fromSource RETURN weight,"
                        + " fromSource"))
                .containsExactly(Map.of("weight", 1e13, "fromSource", 0.0));
    }

    @Test
    void shouldWeighEachDirectionOfARelationshipByItself() {
        run("CREATE (:N {i: 0})<-[:R {there: 1, back: 5}]-(:N {i: 1})");
        run("CALL proxima.graph.project('g', 'N', {THERE: {type: 'R', properties: {w: 'there'}},"
                + " BACK: {type: 'R', orientation: 'REVERSE', properties: {w: 'back'}}})");
        for (String bound : List.of("", ", maxCost: 3", ", maxCost: 9")) {
            assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 1}) CALL proxima.connectionSubgraph.stream('g', {sourceNodes:"
                            + " [b, a], targetNodes: [b, a], relationshipWeightProperty: 'w'" + bound + "})"
                            + " YIELD weight, startNode RETURN weight, proxima.util.asNode(startNode).i AS start"))
                    .as(bound)
                    .isEqualTo(bound.isEmpty() ? List.of() : List.of(Map.of("weight", 1.0, "start", 1L)));
        }
    }
}
