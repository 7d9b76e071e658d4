// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.graphs.EdgeList;
import io.proxima.it.reference.TextbookGraph;
import io.proxima.it.server.BoltLoader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.neo4j.driver.Driver;

/**
 * A graph that nobody changes, under the label Fixed and the type LINK, with every answer worked out by the textbook:
 * as a whole in each orientation, and without the nodes of odd number, which lack the label Even.
 */
final class FixedGraph {

    static final List<String> ORIENTATIONS = List.of("NATURAL", "REVERSE", "UNDIRECTED");

    /** So large that 'auto' takes a device for searches from many sources and closeness. */
    private static final int SCALE = 12;

    private static final int EDGES_PER_NODE = 8;

    private final long[] ids;
    private final Map<Long, Integer> nodeOf = new HashMap<>();
    private final Map<String, TextbookGraph> whole = new HashMap<>();
    private final Map<String, TextbookGraph> even = new HashMap<>();
    private final Map<String, TextbookGraph.Closeness[]> closeness = new HashMap<>();

    FixedGraph(Driver driver, long seed) {
        EdgeList edges = EdgeList.rmat(SCALE, EDGES_PER_NODE, seed);
        EdgeList ofEven = new EdgeList(edges.nodeCount());
        for (int edge = 0; edge < edges.edgeCount(); edge++) {
            if (edges.source(edge) % 2 == 0 && edges.target(edge) % 2 == 0) {
                ofEven.add(edges.source(edge), edges.target(edge));
            }
        }
        ids = BoltLoader.load(driver, "Fixed", "LINK", edges);
        for (int node = 0; node < ids.length; node++) {
            nodeOf.put(ids[node], node);
        }
        for (String orientation : ORIENTATIONS) {
            TextbookGraph graph = new TextbookGraph(edges, orientation);
            whole.put(orientation, graph);
            even.put(orientation, new TextbookGraph(ofEven, orientation));
            closeness.put(
                    orientation,
                    java.util.stream.IntStream.range(0, ids.length)
                            .mapToObj(graph::closeness)
                            .toArray(TextbookGraph.Closeness[]::new));
        }
        try (var session = driver.session()) {
            session.run("MATCH (n:Fixed) WHERE n.key % 2 = 0 SET n:Even").consume();
        }
    }

    int nodeCount() {
        return ids.length;
    }

    long arcCount(String orientation) {
        return whole.get(orientation).arcCount();
    }

    long id(int node) {
        return ids[node];
    }

    int node(Object id) {
        return nodeOf.get((Long) id);
    }

    /** Some nodes, perhaps one several times. */
    int[] nodes(Random random, int count) {
        return random.ints(count, 0, ids.length).toArray();
    }

    List<Long> ids(int[] nodes) {
        return Arrays.stream(nodes).mapToObj(node -> ids[node]).toList();
    }

    /** Levels up to {@code maxDepth} and -1 beyond; -1 for no limit. */
    int[] levels(String orientation, boolean evenOnly, int source, int maxDepth) {
        int[] levels = (evenOnly ? even : whole).get(orientation).levels(source);
        return maxDepth < 0
                ? levels
                : Arrays.stream(levels)
                        .map(level -> level <= maxDepth ? level : -1)
                        .toArray();
    }

    TextbookGraph graph(String orientation) {
        return whole.get(orientation);
    }

    /** The score of a node; {@code formula} is closeness, wassermanFaust or harmonic. */
    double score(String orientation, String formula, int node) {
        TextbookGraph.Closeness expected = closeness.get(orientation)[node];
        return switch (formula) {
            case "closeness" -> expected.plain();
            case "wassermanFaust" -> expected.wassermanFaust();
            default -> expected.harmonic();
        };
    }

    /** That rows of a node and its level are exactly what is expected. */
    void checkLevels(List<Map<String, Object>> rows, String value, int[] expected) {
        int[] actual = new int[ids.length];
        Arrays.fill(actual, -1);
        rows.forEach(row -> actual[node(row.get("nodeId"))] = Math.toIntExact((Long) row.get(value)));
        assertThat(actual).isEqualTo(expected);
    }

    /** That rows of a node and its score are exactly the scores of all nodes. */
    void checkScores(List<Map<String, Object>> rows, String orientation, String formula) {
        assertThat(rows).hasSize(ids.length);
        rows.forEach(row -> assertThat((Double) row.get("score"))
                .isCloseTo(score(orientation, formula, node(row.get("nodeId"))), within(1e-12)));
    }
}
