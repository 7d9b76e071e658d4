// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.paths.RandomStore.Arc;
import io.proxima.plugin.algorithm.paths.RandomStore.Weights;
import io.proxima.plugin.memory.HeapLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The relationships between sets of nodes of random stores, against their definition. */
class ConnectionSubgraphTest {

    private static final int CALLS = 12;
    private static final String STREAM = "CALL proxima.connectionSubgraph.stream('g', $c) YIELD ";
    private static final String ALL_COLUMNS = STREAM
            + "relationship, startNode, endNode, weight, fromSource, toTarget, pathCount"
            + " RETURN id(relationship) AS relationship, startNode, endNode, weight, fromSource, toTarget, pathCount";

    /** A relationship in a direction, with the costs before and behind it. */
    private record Passed(Arc arc, double fromSource, double toTarget) {

        double cost() {
            return fromSource + arc.weight() + toTarget;
        }

        boolean precedes(Passed other) {
            return cost() < other.cost()
                    || cost() == other.cost() && arc.from() < other.arc.from();
        }
    }

    @AfterEach
    void clear() {
        TestDbms.clear();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.proxima.plugin.algorithm.paths.ShortestPathTest#seeds")
    void shouldFindTheRelationshipsOfItsDefinition(long seed) {
        Random random = new Random(seed);
        Weights weights = random.nextBoolean() ? Weights.POSITIVE : Weights.WITH_ZEROS;
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        for (int i = 0; i < CALLS; i++) {
            check(PathCall.next(random, graph, 4));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSITIVE", "WITH_ZEROS"})
    void shouldFindTheRelationshipsBetweenManyNodes(Weights weights) {
        Random random = new Random(weights.ordinal());
        RandomStore graph = RandomStore.create(random, 150, 600, weights);
        for (int i = 0; i < 6; i++) {
            check(PathCall.next(random, graph, 100));
        }
    }

    private static void check(PathCall call) {
        Map<Long, Double> from = call.part().costs(call.sources());
        Map<Long, Double> to = call.part().reversed().costs(call.targets());
        double least = call.targets().stream()
                .filter(from::containsKey)
                .mapToDouble(from::get)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        double bound = call.isBounded() ? call.bound() : least;
        Map<Long, Passed> passed = new HashMap<>();
        for (Arc arc : call.part().arcs()) {
            if (from.containsKey(arc.from()) && to.containsKey(arc.to())) {
                Passed way = new Passed(arc, from.get(arc.from()), to.get(arc.to()));
                if (way.cost() <= bound) {
                    passed.merge(arc.relationship(), way, (a, b) -> b.precedes(a) ? b : a);
                }
            }
        }
        List<List<Long>> walks = new ArrayList<>();
        // of walks over relationships that cost nothing there can be endlessly many
        boolean counted = call.part().arcs().stream().allMatch(arc -> arc.weight() > 0);
        if (counted) {
            call.sources().forEach(source -> addWalks(call, List.of(source), 0, least, to, walks));
        }
        List<Map<String, Object>> rows = run(ALL_COLUMNS, Map.of("c", call.configuration()));
        List<Map<String, Object>> expected = new ArrayList<>();
        passed.forEach((relationship, way) -> {
            List<Long> step = List.of(way.arc.from(), way.arc.to());
            long through = walks.stream().filter(walk -> hasStep(walk, step)).count();
            Map<String, Object> row = new HashMap<>();
            row.put("relationship", relationship);
            row.put("startNode", way.arc.from());
            row.put("endNode", way.arc.to());
            row.put("weight", way.arc.weight());
            row.put("fromSource", way.fromSource);
            row.put("toTarget", way.toTarget);
            if (counted) {
                row.put("pathCount", way.cost() == least ? (double) through : 0.0);
            } else {
                rows.forEach(found -> found.remove("pathCount"));
            }
            expected.add(row);
        });
        assertThat(rows).as("%s", call.configuration()).containsExactlyInAnyOrderElementsOf(expected);

        Map<String, Object> stats =
                run("CALL proxima.connectionSubgraph.stats('g', $c)", Map.of("c", call.configuration()))
                        .get(0);
        assertThat(stats)
                .as("%s", call.configuration())
                .containsEntry("relationshipCount", (long) passed.size())
                .containsEntry("leastCost", least <= bound && least < Double.POSITIVE_INFINITY ? least : null);
        Set<Long> nodes = new LinkedHashSet<>();
        passed.values().stream()
                .flatMap(way -> Stream.of(way.arc.from(), way.arc.to()))
                .forEach(nodes::add);
        from.forEach((node, cost) -> {
            if (to.containsKey(node) && cost + to.get(node) <= bound) {
                nodes.add(node);
            }
        });
        assertThat(stats).as("%s", call.configuration()).containsEntry("nodeCount", (long) nodes.size());
    }

    /** The walks of the least cost between the sources and the targets. */
    private static void addWalks(
            PathCall call,
            List<Long> walk,
            double cost,
            double least,
            Map<Long, Double> to,
            List<List<Long>> walks) {
        long last = walk.get(walk.size() - 1);
        if (cost == least && call.targets().contains(last)) {
            walks.add(walk);
        }
        Map<Long, Double> next = new HashMap<>();
        call.part().arcs().stream()
                .filter(arc -> arc.from() == last)
                .forEach(arc -> next.merge(arc.to(), arc.weight(), Math::min));
        next.forEach((node, weight) -> {
            if (to.containsKey(node) && cost + weight + to.get(node) == least) {
                addWalks(call, Stream.concat(walk.stream(), Stream.of(node)).toList(), cost + weight, least, to, walks);
            }
        });
    }

    private static boolean hasStep(List<Long> walk, List<Long> step) {
        for (int i = 1; i < walk.size(); i++) {
            if (walk.subList(i - 1, i + 1).equals(step)) {
                return true;
            }
        }
        return false;
    }

    /** The sum from the target back is a little greater here than that from the source on. */
    @Test
    void shouldNotLoseRelationshipsToRounding() {
        run("CREATE (:N {i: 0})-[:R {km: 0.3}]->(:N {i: 1})-[:R {km: 0.2}]->(:N {i: 2})-[:R {km: 0.1}]->(:N {i: 3})");
        run("CALL proxima.graph.project('g', 'N', 'R', {relationshipProperties: 'km'})");
        for (String bound : List.of("", ", maxCost: 0.6")) {
            assertThat(run("MATCH (a:N {i: 0}), (b:N {i: 3}) CALL proxima.connectionSubgraph.stream('g', {sourceNode:"
                            + " a, targetNode: b, relationshipWeightProperty: 'km'" + bound + "})"
                            + " YIELD weight, pathCount RETURN weight, pathCount ORDER BY weight"))
                    .as(bound)
                    .containsExactly(
                            Map.of("weight", 0.1, "pathCount", 1.0),
                            Map.of("weight", 0.2, "pathCount", 1.0),
                            Map.of("weight", 0.3, "pathCount", 1.0));
        }
    }

    @Test
    void shouldCountMorePathsThanItCouldList() {
        Map<String, Object> ends = ShortestPathTest.ladder(61);
        assertThat(run(STREAM + "pathCount", Map.of("c", ends)))
                .hasSize(4 * 61)
                .containsOnly(Map.of("pathCount", Math.pow(2, 60)));
        assertThat(run(STREAM + "pathCount", Map.of("c", ShortestPathTest.ladder(1100))))
                .hasSize(4 * 1100)
                .containsOnly(Map.of("pathCount", Double.POSITIVE_INFINITY));
    }
}
