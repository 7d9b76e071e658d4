// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.TestDbms.run;

import io.proxima.plugin.TestDbms;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A random store and its projection {@code g}, as a textbook sees it: the arcs are read by Cypher, and the searches
 * look at all of them until nothing changes.
 *
 * @param nodes the ids of the projected nodes
 * @param labelled those of them with the projected label M
 * @param arcs the projected relationships, each in each direction
 */
record RandomStore(List<Long> nodes, List<Long> labelled, List<Arc> arcs) {

    private static final List<String> ORIENTATIONS = List.of("NATURAL", "REVERSE", "UNDIRECTED");

    /** Values of weights. */
    enum Weights {
        WITH_ZEROS,
        POSITIVE,
        NOT_EXACT,
        ABSORBED;

        double next(Random random) {
            return switch (this) {
                case WITH_ZEROS -> random.nextInt(4) / 2.0;
                case POSITIVE -> 0.5 + random.nextInt(3) / 2.0;
                case NOT_EXACT -> 0.1 + random.nextInt(3) / 10.0;
                case ABSORBED -> random.nextInt(4) == 0 ? 1e17 : random.nextInt(3);
            };
        }
    }

    /** A relationship in a direction in which it is projected. */
    record Arc(String projectedType, long from, long to, long relationship, double weight) {}

    /**
     * The shortest paths from one of several nodes.
     *
     * @param costs by reached node
     * @param before by reached node the nodes before it on the paths that count, in ascending order; none for the
     *     starts
     */
    record Search(Map<Long, Double> costs, Map<Long, TreeSet<Long>> before) {

        /** At most so many paths, in the order of the ids from the target back. */
        List<List<Long>> paths(long target, int limit) {
            List<List<Long>> paths = new ArrayList<>();
            addPaths(new ArrayDeque<>(List.of(target)), limit, paths);
            return paths;
        }

        private void addPaths(Deque<Long> end, int limit, List<List<Long>> paths) {
            TreeSet<Long> nodes = before.get(end.getFirst());
            if (nodes.isEmpty() && paths.size() < limit) {
                paths.add(List.copyOf(end));
            }
            for (Long node : paths.size() < limit ? nodes : Set.<Long>of()) {
                end.addFirst(node);
                addPaths(end, limit, paths);
                end.removeFirst();
            }
        }

        /** The number of paths to each reached node. */
        Map<Long, Double> counts() {
            Map<Long, Double> counts = new HashMap<>();
            costs.keySet().forEach(node -> count(node, counts));
            return counts;
        }

        private double count(long node, Map<Long, Double> known) {
            if (!known.containsKey(node)) {
                known.put(
                        node,
                        before.get(node).isEmpty()
                                ? 1
                                : before.get(node).stream()
                                        .mapToDouble(other -> count(other, known))
                                        .sum());
            }
            return known.get(node);
        }
    }

    /** Replaces the database by random nodes, of which ids between are free, and relationships, and projects a part. */
    static RandomStore create(Random random, int nodeCount, int relationshipCount, Weights weights) {
        TestDbms.clear();
        run("CREATE (a:N:M:X)-[:R {km: 1, toll: 1}]->(b), (a)-[:S]->(b), (a)-[:T]->(b) DETACH DELETE a, b");
        List<Long> ids = new ArrayList<>();
        for (Map<String, Object> row :
                run("UNWIND range(1, $count) AS i CREATE (n) RETURN id(n) AS id", Map.of("count", 3 * nodeCount))) {
            ids.add((Long) row.get("id"));
        }
        List<Long> gone = new ArrayList<>();
        while (ids.size() > nodeCount + 1) {
            gone.add(ids.remove(random.nextInt(ids.size())));
        }
        run("UNWIND $gone AS id MATCH (n) WHERE id(n) = id DELETE n", Map.of("gone", gone));
        run("UNWIND $ids AS id MATCH (n) WHERE id(n) = id SET n:N", Map.of("ids", ids));
        run(
                "UNWIND $ids AS id MATCH (n) WHERE id(n) = id SET n:M",
                Map.of("ids", ids.stream().filter(id -> random.nextInt(3) > 0).toList()));
        run("MATCH (n:N) WITH n ORDER BY id(n) DESC LIMIT 1 REMOVE n:N SET n:X:M REMOVE n:M");
        run("MATCH (n:N) WITH n ORDER BY id(n) LIMIT 1 SET n:M");
        List<Map<String, Object>> drawn = new ArrayList<>();
        for (int i = 0; i < relationshipCount; i++) {
            Map<String, Object> properties = new HashMap<>();
            Stream.of("km", "toll")
                    .filter(key -> random.nextInt(4) > 0)
                    .forEach(key -> properties.put(key, weights.next(random)));
            Map<String, Object> row = new HashMap<>(Map.of("R", List.of(), "S", List.of(), "T", List.of()));
            row.put(List.of("R", "R", "S", "S", "T").get(random.nextInt(5)), List.of(properties));
            // a few nodes have most relationships
            row.put("a", ids.get((int) (Math.pow(random.nextDouble(), 2) * ids.size())));
            row.put("b", ids.get(random.nextInt(ids.size())));
            drawn.add(row);
        }
        run(
                "UNWIND $drawn AS d MATCH (a) WHERE id(a) = d.a MATCH (b) WHERE id(b) = d.b"
                        + " FOREACH (p IN d.R | CREATE (a)-[r:R]->(b) SET r = p)"
                        + " FOREACH (p IN d.S | CREATE (a)-[r:S]->(b) SET r = p)"
                        + " FOREACH (p IN d.T | CREATE (a)-[r:T]->(b) SET r = p)",
                Map.of("drawn", drawn));
        return project(random, weights);
    }

    private static RandomStore project(Random random, Weights weights) {
        List<Map<String, Object>> stored = run("MATCH (a:N)-[r]->(b:N) WHERE a <> b"
                + " RETURN id(a) AS a, id(b) AS b, id(r) AS id, type(r) AS type, r.km AS km, r.toll AS toll");
        Map<String, Object> projection = new LinkedHashMap<>();
        List<Arc> arcs = new ArrayList<>();
        for (String name : List.of("FIRST", "SECOND", "THIRD").subList(0, 1 + random.nextInt(3))) {
            String type = List.of("R", "R", "S", "S", "*").get(random.nextInt(5));
            String orientation = ORIENTATIONS.get(random.nextInt(3));
            String key = random.nextBoolean() ? "km" : "toll";
            double absent = weights.next(random);
            Map<String, Object> weight = Map.of("w", Map.of("property", key, "defaultValue", absent));
            projection.put(name, Map.of("type", type, "orientation", orientation, "properties", weight));
            for (Map<String, Object> row : stored) {
                long a = (Long) row.get("a");
                long b = (Long) row.get("b");
                double value = row.get(key) == null ? absent : (Double) row.get(key);
                if ((type.equals("*") || type.equals(row.get("type"))) && !orientation.equals("REVERSE")) {
                    arcs.add(new Arc(name, a, b, (Long) row.get("id"), value));
                }
                if ((type.equals("*") || type.equals(row.get("type"))) && !orientation.equals("NATURAL")) {
                    arcs.add(new Arc(name, b, a, (Long) row.get("id"), value));
                }
            }
        }
        String all = random.nextInt(4) == 0 ? "all" : "g";
        run("CALL proxima.graph.project($all, ['N', 'M'], $types)", Map.of("all", all, "types", projection));
        if (all.equals("all")) {
            run("CALL proxima.graph.filter('g', 'all', '*', '*')");
        }
        return new RandomStore(idsOf("N"), idsOf("N:M"), arcs);
    }

    private static List<Long> idsOf(String labels) {
        return run("MATCH (n:" + labels + ") RETURN id(n) AS id").stream()
                .map(row -> (Long) row.get("id"))
                .toList();
    }

    /** The part with the nodes of the label M. */
    RandomStore ofLabelled() {
        return new RandomStore(labelled, labelled, arcs)
                .where(arc -> labelled.contains(arc.from) && labelled.contains(arc.to));
    }

    RandomStore where(Predicate<Arc> kept) {
        return new RandomStore(nodes, labelled, arcs.stream().filter(kept).toList());
    }

    RandomStore withoutWeights() {
        return changed(arc -> new Arc(arc.projectedType, arc.from, arc.to, arc.relationship, 1));
    }

    RandomStore reversed() {
        return changed(arc -> new Arc(arc.projectedType, arc.to, arc.from, arc.relationship, arc.weight));
    }

    private RandomStore changed(UnaryOperator<Arc> change) {
        return new RandomStore(nodes, labelled, arcs.stream().map(change).toList());
    }

    /** By reached node, the least sum of the weights from one of the sources on. */
    private Map<Long, Double> costs(Collection<Long> sources) {
        Map<Long, Double> costs = new HashMap<>();
        sources.forEach(source -> costs.put(source, 0.0));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Arc arc : arcs) {
                double cost = costs.getOrDefault(arc.from, Double.POSITIVE_INFINITY) + arc.weight;
                if (cost < costs.getOrDefault(arc.to, Double.POSITIVE_INFINITY)) {
                    costs.put(arc.to, cost);
                    changed = true;
                }
            }
        }
        return costs;
    }

    /** A node is entered from lower costs, and if there is none, over the fewest relationships that cost nothing. */
    Search search(Collection<Long> sources) {
        Map<Long, Double> costs = costs(sources);
        Map<Long, TreeSet<Long>> before = new HashMap<>();
        costs.keySet().forEach(node -> before.put(node, new TreeSet<>()));
        List<Arc> free = new ArrayList<>();
        for (Arc arc : arcs) {
            if (costs.containsKey(arc.from) && costs.get(arc.from) + arc.weight == costs.get(arc.to)) {
                if (costs.get(arc.from) < costs.get(arc.to)) {
                    before.get(arc.to).add(arc.from);
                } else {
                    free.add(arc);
                }
            }
        }
        List<Long> entered = before.keySet().stream()
                .filter(node -> sources.contains(node) || !before.get(node).isEmpty())
                .toList();
        while (!entered.isEmpty()) {
            List<Long> last = entered;
            List<Arc> next = free.stream()
                    .filter(arc -> last.contains(arc.from)
                            && !sources.contains(arc.to)
                            && before.get(arc.to).isEmpty())
                    .toList();
            next.forEach(arc -> before.get(arc.to).add(arc.from));
            entered = next.stream().map(Arc::to).distinct().toList();
        }
        return new Search(costs, before);
    }

    /** The ids of the relationships of a path: of parallel ones the cheapest, then the one with the smallest id. */
    List<Long> steps(List<Long> path) {
        List<Long> steps = new ArrayList<>();
        for (int i = 1; i < path.size(); i++) {
            long from = path.get(i - 1);
            long to = path.get(i);
            steps.add(arcs.stream()
                    .filter(arc -> arc.from == from && arc.to == to)
                    .min(Comparator.comparingDouble(Arc::weight).thenComparingLong(Arc::relationship))
                    .orElseThrow()
                    .relationship);
        }
        return steps;
    }
}
