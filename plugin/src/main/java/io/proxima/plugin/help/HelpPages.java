// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import io.proxima.plugin.config.ConfigReader.KeyRead;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The manual page and the example of each procedure and function, for {@code proxima.help}. */
final class HelpPages {

    /** The folder of the manual in the repository. */
    private static final String MANUAL = "docs/modules/ROOT/pages/";

    /** The pages of procedures, by the start of their names, that do not have the name of their page. */
    private static final Map<String, String> PAGES = Map.ofEntries(
            Map.entry("proxima.allShortestPaths", "all-shortest-paths"),
            Map.entry("proxima.closeness.harmonic", "closeness"),
            Map.entry("proxima.debug", "troubleshooting"),
            Map.entry("proxima.file", "graph-export-import"),
            Map.entry("proxima.graph.describe", "graph-list"),
            Map.entry("proxima.graph.drop", "graph-list"),
            Map.entry("proxima.graph.exists", "graph-list"),
            Map.entry("proxima.graph.export", "graph-export-import"),
            Map.entry("proxima.graph.import", "graph-export-import"),
            Map.entry("proxima.graph.refresh", "graph-project"),
            Map.entry("proxima.graph.nodeProperties", "node-properties"),
            Map.entry("proxima.graph.nodeProperties.load", "graph-export-import"),
            Map.entry("proxima.graph.nodeProperty", "node-properties"),
            Map.entry("proxima.listProgress", "progress"),
            Map.entry("proxima.memory", "memory"),
            Map.entry("proxima.util", "help"),
            Map.entry("proxima.version", "help"));

    /** The arguments in the example of a procedure, and for a function the query around it. */
    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            Map.entry("proxima.graph.project", "('friends', 'Person', {KNOWS: {orientation: 'UNDIRECTED'}})"),
            Map.entry("proxima.graph.project.estimate", "('Person', 'KNOWS')"),
            Map.entry("proxima.graph.refresh", "('people')"),
            Map.entry("proxima.graph.filter", "('teachers', 'people', 'n:Teacher', '*')"),
            Map.entry("proxima.graph.filter.estimate", "('people', 'n:Teacher', '*')"),
            Map.entry("proxima.graph.export", "('people', 'people.proxima', {overwrite: true})"),
            Map.entry("proxima.graph.import", "('people.proxima', 'imported', {replace: true})"),
            Map.entry("proxima.graph.exists", "('people')"),
            Map.entry("proxima.graph.drop", "('old', false)"),
            Map.entry("proxima.graph.describe", "('people')"),
            Map.entry("proxima.graph.nodeProperty.stream", "('people', 'score')"),
            Map.entry("proxima.graph.nodeProperties.stream", "('people', 'score')"),
            Map.entry("proxima.graph.nodeProperties.write", "('people', {score: 'closeness'})"),
            Map.entry("proxima.graph.nodeProperties.load", "('people', 'people.csv', {nodeProperties: ['rank']})"),
            Map.entry("proxima.graph.nodeProperties.drop", "('people', 'old', {failIfMissing: false})"),
            Map.entry("proxima.file.drop", "('people.proxima', false)"),
            Map.entry("proxima.help", "('closeness')"),
            Map.entry("proxima.util.asNodes", "([0, 1])"));

    private static final Map<String, String> VALUES = Map.of("sourceNode", "person", "sourceNodes", "person");

    /** The property in the example of an algorithm, unless it is named like its page. */
    private static final Map<String, String> PROPERTIES = Map.of(
            "all-shortest-paths", "cost",
            "bfs", "hops",
            "closeness-sampled", "closeness",
            "distances-nearest", "hops",
            "wcc", "component");

    private HelpPages() {}

    /** The page of the manual, in the repository. */
    static String page(String name, boolean isFunction) {
        return MANUAL + pageName(name, isFunction) + ".adoc";
    }

    private static String pageName(String name, boolean isFunction) {
        boolean projection = name.startsWith("proxima.graph.project");
        if (name.endsWith(KeyReaders.ESTIMATE) && (isFunction || !projection)) {
            return "memory";
        }
        if (projection) {
            return isFunction ? "graph-project-cypher" : "graph-project";
        }
        for (String start = name; start.contains("."); start = start.substring(0, start.lastIndexOf('.'))) {
            if (PAGES.containsKey(start)) {
                return PAGES.get(start);
            }
        }
        return name.replaceFirst("proxima\\.", "")
                .replaceFirst("\\.(stream|stats|mutate|write)$", "")
                .replace('.', '-');
    }

    /** A query that runs on the graph 'people' of the manual of help. */
    static String example(String name, boolean isFunction, Collection<List<KeyRead>> keys, List<String> columns) {
        if (isFunction) {
            return ofFunction(name);
        }
        if (!KeyReaders.isAlgorithm(name)) {
            return "CALL " + name + EXAMPLES.getOrDefault(name, "()");
        }
        String mandatory = keys.stream()
                .flatMap(List::stream)
                .filter(key -> key.defaultValue().equals(KeyRead.MANDATORY))
                .map(key ->
                        key.key().name() + ": " + VALUES.getOrDefault(key.key().name(), property(name)))
                .collect(Collectors.joining(", "));
        String match = mandatory.contains("person") ? "MATCH (person:Person {name: 'Ann'}) " : "";
        String shown = name.endsWith(KeyReaders.ESTIMATE)
                ? "requiredMemory"
                : switch (name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
                    case "stream" -> String.join(", ", columns);
                    case "stats" -> "computeMillis";
                    default -> "nodePropertiesWritten";
                };
        return match + "CALL " + name + "('people'" + (mandatory.isEmpty() ? "" : ", {" + mandatory + "}") + ") YIELD "
                + shown + " RETURN " + shown;
    }

    /** The text of a property's name. */
    private static String property(String procedure) {
        String page = pageName(procedure.replace(KeyReaders.ESTIMATE, ""), false);
        return "'" + PROPERTIES.getOrDefault(page, page) + "'";
    }

    private static String ofFunction(String name) {
        if (name.startsWith("proxima.graph.project")) {
            return "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN " + name + "('acquaintances', a, b)";
        }
        if (name.equals("proxima.util.asNode")) {
            return "CALL proxima.closeness.stream('people') YIELD nodeId, score RETURN " + name
                    + "(nodeId).name AS name, score";
        }
        return "RETURN " + name + EXAMPLES.getOrDefault(name, "()");
    }
}
