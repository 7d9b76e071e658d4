// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.plugin.algorithm.paths.RandomStore.Arc;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random sources and targets, and what else a call of either procedure from sources to targets is given.
 *
 * @param part what the call sees of the graph, with the weights that it counts
 * @param bound the greatest cost; infinite for none
 */
record PathCall(
        RandomStore part,
        boolean weighted,
        Set<Long> sources,
        Set<Long> targets,
        double bound,
        Map<String, Object> configuration) {

    boolean isBounded() {
        return bound < Double.POSITIVE_INFINITY;
    }

    static PathCall next(Random random, RandomStore graph, int mostNodes) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        RandomStore part = graph;
        if (random.nextInt(4) == 0) {
            configuration.put("nodeLabels", List.of("M"));
            part = part.ofLabelled();
        }
        if (random.nextInt(4) == 0 && !part.arcs().isEmpty()) {
            Arc any = part.arcs().get(random.nextInt(part.arcs().size()));
            configuration.put("relationshipTypes", List.of(any.projectedType()));
            part = part.ofType(any.projectedType());
        }
        boolean weighted = random.nextBoolean();
        if (weighted) {
            configuration.put("relationshipWeightProperty", "w");
        } else {
            part = part.withoutWeights();
        }
        Set<Long> sources = draw(random, part, "source", mostNodes, configuration);
        Set<Long> targets = draw(random, part, "target", mostNodes, configuration);
        double bound = Double.POSITIVE_INFINITY;
        if (random.nextInt(3) == 0) {
            if (weighted) {
                List<Double> costs = List.copyOf(part.costs(sources).values());
                // inclusive, so that the next lower one makes a difference
                double cost = costs.get(random.nextInt(costs.size()));
                bound = random.nextBoolean() ? cost : Math.max(0, Math.nextDown(cost));
                configuration.put("maxCost", bound);
            } else {
                bound = random.nextInt(4);
                configuration.put("maxDepth", (long) bound);
            }
        } else if (!weighted && random.nextBoolean()) {
            configuration.put("maxDepth", -1L);
        }
        return new PathCall(part, weighted, sources, targets, bound, configuration);
    }

    private static Set<Long> draw(
            Random random, RandomStore part, String end, int mostNodes, Map<String, Object> configuration) {
        List<Long> drawn = random.ints(1 + random.nextInt(mostNodes), 0, part.nodes().size())
                .mapToObj(part.nodes()::get)
                .toList();
        if (drawn.size() == 1 && random.nextBoolean()) {
            configuration.put(end + "Node", drawn.get(0));
        } else {
            configuration.put(end + "Nodes", drawn);
        }
        return new LinkedHashSet<>(drawn);
    }
}
