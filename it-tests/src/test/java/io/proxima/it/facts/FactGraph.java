// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.facts;

import io.proxima.it.Cypher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A small graph in the server, whose nodes are known by name; each node has the label Node, each relationship LINK. */
final class FactGraph {

    private final Cypher cypher;
    private final Map<String, Long> idOf = new LinkedHashMap<>();
    private final Map<Long, String> nameOf = new LinkedHashMap<>();

    /**
     * Creates the graph in the emptied database.
     *
     * @param nodes names, separated by blanks
     * @param relationships pairs like {@code a>b}, separated by blanks
     */
    FactGraph(Cypher cypher, String nodes, String relationships) {
        this.cypher = cypher;
        cypher.clear();
        for (Map<String, Object> row : cypher.rows(
                "UNWIND $names AS name CREATE (n:Node {name: name}) RETURN name, id(n) AS id", "names", words(nodes))) {
            idOf.put((String) row.get("name"), (Long) row.get("id"));
            nameOf.put((Long) row.get("id"), (String) row.get("name"));
        }
        List<List<Long>> pairs = new ArrayList<>();
        for (String pair : words(relationships)) {
            String[] ends = pair.split(">", -1);
            pairs.add(List.of(id(ends[0]), id(ends[1])));
        }
        cypher.rows(
                "UNWIND $pairs AS pair MATCH (a), (b) WHERE id(a) = pair[0] AND id(b) = pair[1]"
                        + " CREATE (a)-[:LINK]->(b)",
                "pairs",
                pairs);
    }

    /** Projects the whole graph as {@code g}, instead of an earlier one of that name. */
    FactGraph project(String orientation) {
        cypher.rows("CALL proxima.graph.drop('g', false)");
        cypher.row(
                "CALL proxima.graph.project('g', 'Node', {LINK: {orientation: $orientation}})",
                "orientation",
                orientation);
        return this;
    }

    long id(String name) {
        return idOf.get(name);
    }

    List<Long> ids(String names) {
        return words(names).stream().map(this::id).toList();
    }

    String name(Object id) {
        return nameOf.get((Long) id);
    }

    /** Rows of a node and a value, as a map by name. */
    <T> Map<String, T> byName(List<Map<String, Object>> rows, String node, String value, Class<T> type) {
        return rows.stream()
                .collect(Collectors.toMap(
                        row -> name(row.get(node)), row -> type.cast(row.get(value)), (a, b) -> a, TreeMap::new));
    }

    /** What the property of each node is; nodes without it are left out. */
    Map<String, Object> property(String property) {
        Map<String, Object> values = new TreeMap<>();
        cypher.rows("MATCH (n:Node) WHERE n[$p] IS NOT NULL RETURN n.name AS name, n[$p] AS value", "p", property)
                .forEach(row -> values.put((String) row.get("name"), row.get("value")));
        return values;
    }

    /**
     * Reads {@code "a,e 2/5; b 1/4+2/3*1/2"}: names and the number that they share, a sum of products of fractions. It
     * is computed in doubles, from left to right.
     */
    static Map<String, Double> values(String text) {
        Map<String, Double> values = new TreeMap<>();
        for (String part : text.split(";", -1)) {
            List<String> words = words(part);
            double value = 0;
            for (String term : words.get(1).split("\\+", -1)) {
                double product = 1;
                for (String factor : term.split("\\*", -1)) {
                    String[] fraction = factor.split("/", -1);
                    product *= Double.parseDouble(fraction[0])
                            / (fraction.length == 1 ? 1 : Double.parseDouble(fraction[1]));
                }
                value += product;
            }
            for (String name : words.get(0).split(",", -1)) {
                values.put(name, value);
            }
        }
        return values;
    }

    /** Reads {@code "a0 b1 c1"}: names of one letter, each with its level. */
    static Map<String, Long> levels(String text) {
        Map<String, Long> levels = new TreeMap<>();
        for (String word : words(text)) {
            levels.put(word.substring(0, 1), Long.parseLong(word.substring(1)));
        }
        return levels;
    }

    private static List<String> words(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() ? List.of() : List.of(stripped.split("\\s+", -1));
    }
}
