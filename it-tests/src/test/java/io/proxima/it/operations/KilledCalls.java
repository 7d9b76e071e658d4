// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import io.proxima.it.Cypher;
import io.proxima.it.server.BulkImport;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Calls of every procedure that can last, in every mode, and graphs on which some loop of theirs does: deep, bushy,
 * skew, wide, and in many pieces.
 */
final class KilledCalls {

    private static final int EDGES_PER_NODE = 16;
    private static final String LABEL = "LABEL";

    /** Algorithms that a GPU has no kernels for. */
    private static final Set<String> WITHOUT_KERNELS = Set.of("betweenness", "allShortestPaths.delta");

    /** The mandatory keys that a procedure may have. */
    private static final Map<String, String> MANDATORY = Map.of(
            "sourceNode", "$first",
            "sourceNodes", "[$first, $second]",
            "targetNode", "$second",
            "writeProperty", "'killed'",
            "mutateProperty", "'killed' + $job");

    /** On the CPU only. */
    private static final String BY_WEIGHT = "relationshipWeightProperty: 'weight', ";

    /** Other keys of calls of an algorithm; none where it is left out. */
    private static final Map<String, List<String>> VARIANTS = Map.of(
            "closeness", List.of("", "harmonic: true, ", "targetNodes: [$first, $second], ", BY_WEIGHT),
            "closeness.sampled", List.of("samplingSize: 200, ", "samplingSize: 200, " + BY_WEIGHT),
            "betweenness", List.of("samplingSize: 200, ", "samplingSize: 200, " + BY_WEIGHT),
            "eccentricity", List.of("", BY_WEIGHT),
            "distances", List.of("", BY_WEIGHT),
            "distances.nearest", List.of("", BY_WEIGHT),
            "shortestPath", List.of("", BY_WEIGHT),
            "wcc", List.of("consecutiveIds: true, "));

    private KilledCalls() {}

    /**
     * A call to be killed.
     *
     * @param name the procedure and what is special about the call
     * @param template the query, with the parameters of {@link #parameters} and a place for the graph
     */
    record Call(String name, String template) {

        /** The query for a graph. */
        String on(String label) {
            return template.replace(LABEL, label);
        }
    }

    /** Graphs of about so many nodes each; none shares nodes with another. */
    static List<BulkImport.Graph> graphs(int nodes, long seed) {
        int side = (int) Math.sqrt(nodes);
        int scale = 31 - Integer.numberOfLeadingZeros(nodes) - 1;
        return List.of(
                graph("Chain", TestGraphs.path(nodes)),
                graph("Caterpillar", TestGraphs.caterpillar(nodes / 2)),
                graph("StarOfStars", TestGraphs.starOfStars(side, side)),
                graph("Rmat", TestGraphs.rmat(scale, EDGES_PER_NODE, seed)),
                graph("Mesh", TestGraphs.grid(side, side)),
                graph("ManyComponents", TestGraphs.disconnected(nodes / 2)));
    }

    private static BulkImport.Graph graph(String label, EdgeList edges) {
        return new BulkImport.Graph(label, label + "_LINK", edges, true);
    }

    /** Projects a graph under the name of its label, undirected. */
    static String projection(String label) {
        return "CALL proxima.graph.project('" + label + "', '" + label + "', {L: {type: '" + label
                + "_LINK', orientation: 'UNDIRECTED'}}, {relationshipProperties: 'weight'})";
    }

    /** Names and values in turn of the parameters of {@link #all}. */
    static Object[] parameters(String label, long firstNode, String job) {
        return new Object[] {"graph", label, "first", firstNode, "second", firstNode + 1, "job", job};
    }

    /** The calls on a backend. What they write and keep has names that {@link #cleared} removes. */
    static List<Call> all(Cypher cypher, String backend) {
        List<Call> calls = new ArrayList<>();
        for (String orientation : List.of("NATURAL", "UNDIRECTED")) {
            calls.add(new Call(
                    "graph.project " + orientation,
                    "CALL proxima.graph.project('other', 'LABEL', {L: {type: 'LABEL_LINK', orientation: '" + orientation
                            + "'}}, {jobId: $job})"));
        }
        calls.add(new Call(
                "graph.project of rows",
                "MATCH (a:LABEL)-[:LABEL_LINK]->(b) RETURN proxima.graph.project('other', a, b, {}, {jobId: $job})"));
        calls.add(new Call(
                "graph.filter",
                "CALL proxima.graph.filter('other', $graph, 'NOT n:LABEL OR n:LABEL', '*', {jobId: $job})"));
        calls.add(
                new Call(
                        "graph.filter by value",
                        "CALL proxima.graph.filter('other', $graph, '*', 'r.weight > 100 OR r.weight IS NULL', {jobId: $job})"));
        calls.add(new Call(
                "graph.list", "CALL proxima.graph.list() YIELD degreeDistribution RETURN count(degreeDistribution)"));
        // all columns are computed, but those that would be too long on a chain
        for (Map<String, Object> row : cypher.rows("SHOW PROCEDURES YIELD name, returnDescription"
                + " WHERE name =~ 'proxima[.].*[.](stream|stats|write|mutate)' AND NOT name CONTAINS '.graph.'"
                + " RETURN name, [c IN returnDescription WHERE NOT c.name IN ['path', 'nodeIds', 'costs'] | c.name]"
                + " AS columns ORDER BY name")) {
            String name = (String) row.get("name");
            String algorithm = name.substring("proxima.".length(), name.lastIndexOf('.'));
            if (backend.equals("cpu") || !WITHOUT_KERNELS.contains(algorithm)) {
                String columns = ((List<?>) row.get("columns"))
                        .stream().map(String::valueOf).collect(Collectors.joining(", "));
                String mandatory = mandatory(cypher, name);
                for (String variant : VARIANTS.getOrDefault(algorithm, List.of(""))) {
                    if (variant.endsWith(BY_WEIGHT) && !backend.equals("cpu")) {
                        continue;
                    }
                    calls.add(new Call(
                            name + " " + variant,
                            "CALL " + name + "($graph, {" + variant + mandatory + "jobId: $job, backend: '" + backend
                                    + "'}) YIELD " + columns + " RETURN count(*)"));
                }
            }
        }
        return calls;
    }

    private static String mandatory(Cypher cypher, String procedure) {
        return cypher
                .rows(
                        "CALL proxima.help($name) YIELD name, keys WHERE name = $name UNWIND keys AS key"
                                + " WITH key WHERE key.default = 'mandatory' RETURN key.key AS key",
                        "name",
                        procedure)
                .stream()
                .map(row -> row.get("key") + ": " + MANDATORY.get((String) row.get("key")) + ", ")
                .collect(Collectors.joining());
    }

    /** Removes what a call that came to its end has kept. */
    static String cleared() {
        return "CALL proxima.graph.drop('other', false) YIELD graphName RETURN graphName";
    }
}
