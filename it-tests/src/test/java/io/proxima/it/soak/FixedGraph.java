// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.proxima.it.Cypher;
import io.proxima.it.data.TextbookGraph;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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

    FixedGraph(Cypher cypher, long seed) {
        EdgeList edges = TestGraphs.rmat(SCALE, EDGES_PER_NODE, seed);
        EdgeList ofEven = new EdgeList(edges.vertexCount());
        cypher.rows("UNWIND range(0, $nodes - 1) AS key CREATE (:Fixed {key: key})", "nodes", edges.vertexCount());
        ids = cypher.ids("Fixed");
        List<List<Long>> pairs = new ArrayList<>();
        for (long edge = 0; edge < edges.edgeCount(); edge++) {
            int source = edges.source(edge);
            int target = edges.target(edge);
            pairs.add(List.of(ids[source], ids[target]));
            if (source % 2 == 0 && target % 2 == 0) {
                ofEven.add(source, target);
            }
        }
        cypher.rows(
                "UNWIND $pairs AS pair MATCH (a), (b) WHERE id(a) = pair[0] AND id(b) = pair[1]"
                        + " CREATE (a)-[:LINK]->(b)",
                "pairs",
                pairs);
        cypher.rows("MATCH (n:Fixed) WHERE n.key % 2 = 0 SET n:Even");
        for (int node = 0; node < ids.length; node++) {
            nodeOf.put(ids[node], node);
        }
        for (String orientation : ORIENTATIONS) {
            TextbookGraph graph = new TextbookGraph(edges, orientation);
            whole.put(orientation, graph);
            even.put(orientation, new TextbookGraph(ofEven, orientation));
            closeness.put(
                    orientation,
                    IntStream.range(0, ids.length).mapToObj(graph::closeness).toArray(TextbookGraph.Closeness[]::new));
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

    /** The score of a node; {@code formula} is the key of the configuration. */
    double score(String orientation, String formula, int node) {
        TextbookGraph.Closeness expected = closeness.get(orientation)[node];
        if (formula.startsWith("harmonic")) {
            return expected.harmonic();
        }
        return formula.isEmpty() ? expected.plain() : expected.wassermanFaust();
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
