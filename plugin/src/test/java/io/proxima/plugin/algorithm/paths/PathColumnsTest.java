// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import io.proxima.plugin.algorithm.paths.RandomStore.Search;
import io.proxima.plugin.algorithm.paths.RandomStore.Weights;
import io.proxima.plugin.memory.HeapLedger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The columns {@code path} and {@code parent} of searches from sources to all nodes of random stores. */
class PathColumnsTest {

    private static final long UNREACHED = -1;

    @AfterEach
    void clear() {
        TestDbms.clear();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.proxima.plugin.algorithm.paths.ShortestPathTest#seeds")
    void shouldReturnThePathsOfATextbook(long seed) {
        Random random = new Random(seed);
        Weights weights = Weights.values()[random.nextInt(Weights.values().length)];
        RandomStore graph = RandomStore.create(random, 2 + random.nextInt(8), random.nextInt(25), weights);
        RandomStore hops = graph.withoutWeights();
        List<Long> sources = random.ints(3, 0, graph.nodes().size())
                .distinct()
                .mapToObj(graph.nodes()::get)
                .toList();
        long depth = random.nextInt(6) - 1L;
        boolean unreached = random.nextBoolean();
        Map<String, Object> keys = new HashMap<>(Map.of("maxDepth", depth, "includeUnreached", unreached));

        keys.put("sourceNode", sources.get(0));
        assertThat(rows("bfs", "nodeId, distance, parent", keys))
                .containsExactlyInAnyOrderElementsOf(toAll(hops, sources.subList(0, 1), depth, unreached));
        keys.put("sourceNodes", sources);
        keys.remove("sourceNode");
        List<Map<String, Object>> nearest = rows("distances.nearest", "nodeId, nearestSource, distance, parent", keys);
        nearest.forEach(row -> row.remove("nearestSource"));
        assertThat(nearest).containsExactlyInAnyOrderElementsOf(toAll(hops, sources, depth, unreached));

        List<Map<String, Object>> ofEach = new ArrayList<>();
        for (long source : sources) {
            for (Map<String, Object> row : toAll(hops, List.of(source), depth, unreached)) {
                row.put("sourceNode", source);
                ofEach.add(row);
            }
        }
        keys.put("targetNodeFilter", graph.nodes());
        assertThat(rows("distances", "sourceNode, targetNode AS nodeId, distance, parent", keys))
                .containsExactlyInAnyOrderElementsOf(ofEach);

        checkDelta(graph, sources.get(0));
    }

    private static List<Map<String, Object>> rows(String procedure, String columns, Map<String, Object> keys) {
        String yielded = columns.replace(" AS nodeId", "");
        return run(
                "CALL proxima." + procedure + ".stream('g', $c) YIELD " + yielded + ", path RETURN " + columns + ", "
                        + RandomStore.OF_PATH,
                Map.of("c", keys));
    }

    /** For each node the row of the first of the nearest sources. */
    private static List<Map<String, Object>> toAll(
            RandomStore hops, Collection<Long> sources, long depth, boolean includeUnreached) {
        List<Search> searches = sources.stream().map(hops::search).toList();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (long node : hops.nodes()) {
            Search nearest = null;
            for (Search search : searches) {
                double cost = search.costs().getOrDefault(node, Double.POSITIVE_INFINITY);
                if (cost <= (depth < 0 ? Double.MAX_VALUE : depth)
                        && (nearest == null || cost < nearest.costs().get(node))) {
                    nearest = search;
                }
            }
            Map<String, Object> row = new HashMap<>();
            row.put("nodeId", node);
            row.put("distance", nearest == null ? UNREACHED : nearest.costs().get(node).longValue());
            List<Long> path = nearest == null ? null : nearest.paths(node, 1).get(0);
            row.put("parent", path == null || path.size() == 1 ? null : path.get(path.size() - 2));
            row.put("nodesOfPath", path);
            row.put("steps", path == null ? null : hops.steps(path));
            if (nearest != null || includeUnreached) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static void checkDelta(RandomStore graph, long source) {
        Search search = graph.search(source);
        List<List<Object>> expected = new ArrayList<>();
        search.costs().forEach((node, cost) -> {
            List<Long> path = search.paths(node, 1).get(0);
            expected.add(List.of(node, cost, path, path, graph.steps(path)));
        });
        assertThat(run(
                        "CALL proxima.allShortestPaths.delta.stream('g', $c) YIELD targetNode, totalCost, nodeIds, path"
                                + " RETURN targetNode, totalCost, nodeIds, " + RandomStore.OF_PATH,
                        Map.of("c", Map.of("sourceNode", source, "relationshipWeightProperty", "w"))))
                .extracting(row -> (List<Object>) List.copyOf(row.values()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }
}
