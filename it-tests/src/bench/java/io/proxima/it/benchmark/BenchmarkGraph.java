// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.concurrent.Stop;
import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.data.DataGraph;
import io.proxima.it.server.BulkImport;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerBuilder;
import io.proxima.it.server.ServerProcess;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A graph of the option {@code --graphs}, a list of {@code rmat-SCALE} (16 edges a node, seeded), {@code path-NODES},
 * {@code grid-SIDE} (SIDE times SIDE nodes), {@code roads-SIDE} (a grid without 40 % of its edges) and the names of
 * {@link DataGraph}, each with an orientation behind a colon, {@code UNDIRECTED} if absent. Each has a store and a
 * server of its own.
 *
 * @param name as in the option, without the orientation; also the label of its nodes
 * @param orientation with which it is projected
 */
@Prints
record BenchmarkGraph(String name, String orientation, EdgeList edges) {

    private static final String UNDIRECTED = "UNDIRECTED";
    private static final int WARM_UPS = 2_000;

    private static final int EDGES_PER_NODE = 16;
    private static final long SEED = 20261120;

    static List<BenchmarkGraph> of(Map<String, String> options) {
        return Arrays.stream(options.get("graphs").split(",", -1))
                .map(graph -> (graph + ":" + UNDIRECTED).split(":", -1))
                .map(words -> new BenchmarkGraph(words[0], words[1], edges(words[0], words[1])))
                .toList();
    }

    private static EdgeList edges(String name, String orientation) {
        String[] words = name.split("-", -1);
        return switch (words[0]) {
            case "rmat" ->
                simple(
                        TestGraphs.rmat(Integer.parseInt(words[1]), EDGES_PER_NODE, SEED),
                        orientation.equals(UNDIRECTED));
            case "path" -> TestGraphs.path(Integer.parseInt(words[1]));
            case "grid" -> TestGraphs.grid(Integer.parseInt(words[1]), Integer.parseInt(words[1]));
            case "roads" -> roads(Integer.parseInt(words[1]));
            default -> DataGraph.valueOf(name.toUpperCase(Locale.ROOT)).read();
        };
    }

    private static EdgeList roads(int side) {
        EdgeList grid = TestGraphs.grid(side, side);
        EdgeList roads = new EdgeList(grid.vertexCount());
        Random random = new Random(SEED);
        for (long edge = 0; edge < grid.edgeCount(); edge++) {
            if (random.nextInt(5) >= 2) {
                roads.add(grid.source(edge), grid.target(edge));
            }
        }
        return roads;
    }

    /** The same graph without loops and parallel edges; if it is undirected, with one edge for each pair of nodes. */
    private static EdgeList simple(EdgeList edges, boolean undirected) {
        Csc graph = edges.toCsc(undirected ? Orientation.UNDIRECTED : Orientation.NATURAL, 1, Stop.NEVER);
        EdgeList simple = new EdgeList(edges.vertexCount());
        for (int target = 0; target < edges.vertexCount(); target++) {
            for (long entry = graph.columnStart(target); entry < graph.columnEnd(target); entry++) {
                int source = graph.rowIndices().get(entry);
                if (!undirected || source < target) {
                    simple.add(source, target);
                }
            }
        }
        return simple;
    }

    /** The graph in results: its name, and the orientation of a directed one. */
    String title() {
        return orientation.equals(UNDIRECTED) ? name : name + " " + orientation;
    }

    /** The number of directed relationships of the projection, with parallel ones. */
    long entryCount() {
        return orientation.equals(UNDIRECTED) ? 2L * edges.edgeCount() : edges.edgeCount();
    }

    /** The type of its relationships. */
    String type() {
        return name + "-LINK";
    }

    /** Imports the graph into the store of a new server. */
    void importInto(Installation installation, Path home, boolean weighted) {
        System.out.println(name + ": " + edges.vertexCount() + " nodes, " + edges.edgeCount() + " relationships");
        BulkImport.run(installation, home, List.of(new BulkImport.Graph(name, type(), edges, weighted)));
    }

    /**
     * Plans a server on a store, with the heap and the settings of the options, and the library if the build laid it
     * out.
     */
    static ServerBuilder server(Installation installation, Path home, Map<String, String> options) {
        ServerBuilder server = ServerProcess.in(installation, home)
                .heap(options.get("heap"))
                .setting("server.memory.pagecache.size", "2g");
        if (!installation.peers().isEmpty()) {
            server.withPeers();
        }
        for (String line : options.get("settings").split(",", -1)) {
            if (!line.isEmpty()) {
                server.setting(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
        }
        return server;
    }

    /**
     * Projects the graph in its orientation.
     *
     * @param side {@code proxima} or {@code gds}
     * @param graphName the name of the projected graph
     * @param more further entries of the map of its type
     * @param configuration entries of the configuration
     */
    void project(Cypher cypher, String side, String graphName, String more, String configuration) {
        cypher.rows("CALL " + side + ".graph.project('" + graphName + "', '" + name + "', {E: {type: '" + type()
                + "', orientation: '" + orientation + "'" + more + "}}, {" + configuration + "})");
    }

    /** The Neo4j ids of nodes that have relationships. */
    List<Object> sources(Cypher cypher, int count) {
        String query = "MATCH (n:`" + name + "` {key: $key}) RETURN id(n)";
        return new Random(SEED)
                .ints(count, 0, Math.toIntExact(edges.edgeCount()))
                .mapToObj(edge -> cypher.value(query, "key", edges.source(edge)))
                .toList();
    }

    /**
     * Repeats a query that does nothing until the driver, Bolt and Cypher are compiled, of which every call takes a
     * part.
     */
    static void warmUp(Cypher cypher) {
        for (int query = 0; query < WARM_UPS; query++) {
            cypher.rows("RETURN 1");
        }
    }

    /** The versions of the server and of Proxima, and the backends. */
    static String versions(Cypher cypher) {
        return (String) cypher.value("CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel'"
                + " CALL proxima.backend.list() YIELD name AS backend, device, driverVersion, reason"
                + " WITH versions[0] AS neo4j, backend + ' (' + trim(device + ' ' + driverVersion + reason) + ') ' AS one"
                + " WITH neo4j, collect(one) AS backends"
                + " RETURN 'Neo4j ' + neo4j + ', Proxima ' + proxima.version() + ', backends '"
                + " + reduce(all = '', one IN backends | all + one)");
    }

    static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
