// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import io.proxima.it.graphs.EdgeList;
import io.proxima.it.server.BulkImport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Calls of every procedure that can last, in every mode, and graphs on which some loop of theirs does: deep, bushy, skew,
 * wide, and in many pieces.
 */
public final class KilledCalls {

    private static final int EDGES_PER_NODE = 16;
    private static final String LABEL = "LABEL";
    private static final Set<String> WITHOUT_KERNELS = Set.of("betweenness", "allShortestPaths.delta");

    private KilledCalls() {}

    /**
     * A call to be killed.
     *
     * @param name the procedure and what is special about the call
     * @param template the query, with the parameters of {@link #parameters} and a place for the graph
     */
    public record Call(String name, String template) {
        /** The query for a graph. */
        public String on(String label) {
            return template.replace(LABEL, label);
        }
    }

    /** Graphs of about so many nodes each; none shares nodes with another. */
    public static List<BulkImport.Graph> graphs(int nodes, long seed) {
        int side = (int) Math.sqrt(nodes);
        int scale = 31 - Integer.numberOfLeadingZeros(nodes) - 1;
        return List.of(
                graph("Chain", EdgeList.path(nodes)),
                graph("Caterpillar", caterpillar(nodes / 2)),
                graph("StarOfStars", starOfStars(side)),
                graph("Rmat", EdgeList.rmat(scale, EDGES_PER_NODE, seed)),
                graph("Mesh", EdgeList.grid(side)),
                graph("TenThousandComponents", components(10_000, Math.max(2, nodes / 10_000), seed)));
    }

    private static BulkImport.Graph graph(String label, EdgeList edges) {
        return new BulkImport.Graph(label, type(label), edges);
    }

    private static String type(String label) {
        return label + "_LINK";
    }

    /** Projects a graph under the name of its label, undirected. */
    public static String projection(String label) {
        return "CALL proxima.graph.project('" + label + "', '" + label + "', {L: {type: '" + type(label)
                + "', orientation: 'UNDIRECTED'}})";
    }

    /** Names and values in turn of the parameters of {@link #all}. */
    public static Object[] parameters(String label, long firstNode, String job) {
        return new Object[] {"graph", label, "first", firstNode, "second", firstNode + 1, "job", job};
    }

    /** The calls on a backend. What they write and keep has names that {@link #cleared} removes. */
    public static List<Call> all(String backend) {
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
        calls.add(new Call(
                "graph.list", "CALL proxima.graph.list() YIELD degreeDistribution RETURN count(degreeDistribution)"));
        for (String algorithm : List.of(
                "bfs {sourceNode: $first}",
                "distances {sourceNodes: [$first, $second]}",
                "distances.nearest {sourceNodes: [$first, $second]}",
                "closeness {}",
                "closeness {harmonic: true}",
                "closeness {targetNodes: [$first, $second]}",
                "closeness.sampled {samplingSize: 200}",
                "eccentricity {}",
                "betweenness {samplingSize: 200}",
                "allShortestPaths.delta {sourceNode: $first}",
                "wcc {consecutiveIds: true}")) {
            String name = algorithm.substring(0, algorithm.indexOf(' '));
            if (WITHOUT_KERNELS.contains(name) && backend.startsWith("cuda")) {
                continue;
            }
            String keys = algorithm.substring(name.length() + 2, algorithm.length() - 1);
            String variant =
                    name.equals("closeness") && !keys.isEmpty() ? " " + keys.substring(0, keys.indexOf(':')) : "";
            for (String mode : modes(name)) {
                String property =
                        switch (mode) {
                            case "write" -> ", writeProperty: 'killed'";
                            case "mutate" -> ", mutateProperty: 'killed' + $job";
                            default -> "";
                        };
                calls.add(new Call(
                        name + "." + mode + variant,
                        "CALL proxima." + name + "." + mode + "($graph, {jobId: $job, backend: '" + backend + "'"
                                + property + (keys.isEmpty() ? "" : ", " + keys) + "}) " + rows(name, mode)));
            }
        }
        return calls;
    }

    private static List<String> modes(String name) {
        return switch (name) {
            case "distances" -> List.of("stream", "stats", "write");
            default -> List.of("stream", "stats", "write", "mutate");
        };
    }

    /** All columns but the long ones, which the server would print into the answer; of streams a sum over all rows. */
    private static String rows(String name, String mode) {
        if (mode.equals("stream")) {
            String column =
                    switch (name) {
                        case "betweenness", "closeness", "closeness.sampled" -> "score";
                        case "eccentricity" -> "eccentricity";
                        case "wcc" -> "componentId";
                        case "bfs" -> "parent";
                        case "allShortestPaths.delta" -> "totalCost";
                        default -> "distance";
                    };
            return "YIELD " + column + " RETURN sum(" + column + ")";
        }
        if (!mode.equals("stats") || name.equals("allShortestPaths.delta")) {
            return "YIELD computeMillis RETURN computeMillis";
        }
        if (name.equals("betweenness") || name.equals("closeness.sampled") || name.equals("wcc")) {
            String column = name.equals("wcc") ? "componentDistribution" : "centralityDistribution";
            return "YIELD " + column + " RETURN " + column + ".max";
        }
        String figure =
                switch (name) {
                    case "bfs" -> "nodesReached";
                    case "distances" -> "meanDistance";
                    case "distances.nearest" -> "nodesTied";
                    default -> "diameter, meanDistance";
                };
        return "YIELD " + figure + ", hopDistribution RETURN " + figure + ", size(hopDistribution)";
    }

    /** Removes what a call that came to its end has kept. */
    public static String cleared() {
        return "CALL proxima.graph.drop('other', false) YIELD graphName RETURN graphName";
    }

    private static EdgeList caterpillar(int length) {
        EdgeList edges = new EdgeList(2 * length);
        for (int node = 0; node < length; node++) {
            if (node > 0) {
                edges.add(node - 1, node);
            }
            edges.add(node, length + node);
        }
        return edges;
    }

    private static EdgeList starOfStars(int side) {
        EdgeList edges = new EdgeList(1 + side * side);
        for (int star = 0; star < side; star++) {
            int hub = 1 + star * side;
            edges.add(0, hub);
            for (int leaf = 1; leaf < side; leaf++) {
                edges.add(hub, hub + leaf);
            }
        }
        return edges;
    }

    /** Random trees, every other one with one edge more. */
    private static EdgeList components(int count, int size, long seed) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(count * size);
        for (int component = 0; component < count; component++) {
            int first = component * size;
            for (int i = 1; i < size; i++) {
                edges.add(first + random.nextInt(i), first + i);
            }
            if (component % 2 == 0) {
                edges.add(first, first + size - 1);
            }
        }
        return edges;
    }
}
