// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.graphs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.zip.GZIPInputStream;

/**
 * A directed graph as the list of its edges, repeats and loops included. Nodes are numbered from 0.
 *
 * <p>Not thread-safe while edges are added.
 */
public final class EdgeList {

    private final int nodeCount;
    private int[] sources;
    private int[] targets;
    private int edgeCount;

    /**
     * An empty graph.
     *
     * @param nodeCount how many nodes it has
     */
    public EdgeList(int nodeCount) {
        this.nodeCount = nodeCount;
        this.sources = new int[16];
        this.targets = new int[16];
    }

    /**
     * Adds an edge.
     *
     * @param source where it starts, from 0 (inclusive) to the node count (exclusive)
     * @param target where it ends, in the same range
     * @return this graph
     */
    public EdgeList add(int source, int target) {
        if (source < 0 || source >= nodeCount || target < 0 || target >= nodeCount) {
            throw new IllegalArgumentException(
                    "No such node: source=" + source + ", target=" + target + ", nodeCount=" + nodeCount);
        }
        if (edgeCount == sources.length) {
            sources = Arrays.copyOf(sources, 2 * edgeCount);
            targets = Arrays.copyOf(targets, 2 * edgeCount);
        }
        sources[edgeCount] = source;
        targets[edgeCount++] = target;
        return this;
    }

    /** How many nodes there are. */
    public int nodeCount() {
        return nodeCount;
    }

    /** How many edges there are, repeats and loops included. */
    public int edgeCount() {
        return edgeCount;
    }

    /**
     * Where an edge starts.
     *
     * @param edge from 0 (inclusive) to {@link #edgeCount()} (exclusive)
     */
    public int source(int edge) {
        return sources[edge];
    }

    /**
     * Where an edge ends.
     *
     * @param edge from 0 (inclusive) to {@link #edgeCount()} (exclusive)
     */
    public int target(int edge) {
        return targets[edge];
    }

    /**
     * Reads a gzipped text of the class path with two node numbers a line, counted from 1; lines that begin with #
     * are comments, the first of which names the node count as in {@code # name: 4039 nodes, ...}.
     *
     * @param resource an absolute resource name
     */
    public static EdgeList read(String resource) {
        InputStream compressed = EdgeList.class.getResourceAsStream(resource);
        if (compressed == null) {
            throw new IllegalArgumentException("Not on the class path: " + resource);
        }
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(compressed), StandardCharsets.US_ASCII))) {
            String head = in.readLine();
            EdgeList edges = new EdgeList(Integer.parseInt(head.replaceFirst("^#.*: (\\d+) nodes.*$", "$1")));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.startsWith("#")) {
                    StringTokenizer pair = new StringTokenizer(line);
                    edges.add(Integer.parseInt(pair.nextToken()) - 1, Integer.parseInt(pair.nextToken()) - 1);
                }
            }
            return edges;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same graph without loops and with one edge only for each pair of nodes, whichever way it went. */
    public EdgeList withoutLoopsAndRepeats() {
        long[] pairs = new long[edgeCount];
        for (int edge = 0; edge < edgeCount; edge++) {
            long smaller = Math.min(sources[edge], targets[edge]);
            pairs[edge] = smaller << Integer.SIZE | Math.max(sources[edge], targets[edge]);
        }
        Arrays.sort(pairs);
        EdgeList simple = new EdgeList(nodeCount);
        for (int edge = 0; edge < edgeCount; edge++) {
            int source = (int) (pairs[edge] >>> Integer.SIZE);
            int target = (int) pairs[edge];
            if (source != target && (edge == 0 || pairs[edge] != pairs[edge - 1])) {
                simple.add(source, target);
            }
        }
        return simple;
    }

    /**
     * A path 0 - 1 - 2 - ... with an edge in both directions between neighbours.
     *
     * @param nodeCount how many nodes it has, at least 1
     */
    public static EdgeList path(int nodeCount) {
        EdgeList edges = new EdgeList(nodeCount);
        for (int node = 1; node < nodeCount; node++) {
            edges.add(node - 1, node).add(node, node - 1);
        }
        return edges;
    }

    /**
     * A square grid with one edge between neighbours.
     *
     * @param side how many nodes a row has, and how many rows there are
     */
    public static EdgeList grid(int side) {
        EdgeList edges = new EdgeList(side * side);
        for (int node = 0; node < side * side; node++) {
            if (node % side < side - 1) {
                edges.add(node, node + 1);
            }
            if (node < side * (side - 1)) {
                edges.add(node, node + side);
            }
        }
        return edges;
    }

    /**
     * An R-MAT graph (Chakrabarti, Zhan and Faloutsos, SDM 2004) with the Graph500 parameters a, b, c = .57, .19, .19
     * and node numbers shuffled. Repeats and loops are kept, as the generator makes them.
     *
     * @param scale the binary logarithm of the node count
     * @param edgesPerNode the edge count divided by the node count
     * @param seed equal seeds make equal graphs
     */
    public static EdgeList rmat(int scale, int edgesPerNode, long seed) {
        int nodeCount = 1 << scale;
        Random random = new Random(seed);
        int[] shuffled = new int[nodeCount];
        for (int node = 0; node < nodeCount; node++) {
            int other = random.nextInt(node + 1);
            shuffled[node] = shuffled[other];
            shuffled[other] = node;
        }
        EdgeList edges = new EdgeList(nodeCount);
        for (long edge = (long) nodeCount * edgesPerNode; edge > 0; edge--) {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                double quadrant = random.nextDouble();
                boolean lower = quadrant >= 0.76;
                boolean right = lower ? quadrant >= 0.95 : quadrant >= 0.57;
                source = source << 1 | (lower ? 1 : 0);
                target = target << 1 | (right ? 1 : 0);
            }
            edges.add(shuffled[source], shuffled[target]);
        }
        return edges;
    }
}
