// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphEntries;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;

/**
 * Breadth-first search as in a textbook (a queue, one source), and what follows from it. Slow and plain, made for being
 * right: everything else is compared with it.
 */
public final class TextbookGraph {

    private final int[][] successors;
    private final int[][] predecessors;

    /**
     * A graph as one orientation of a projection sees it, without loops and repeats.
     *
     * @param orientation NATURAL, REVERSE or UNDIRECTED
     */
    public TextbookGraph(EdgeList edges, String orientation) {
        Orientation drawn = Orientation.valueOf(orientation);
        successors = GraphEntries.rows(edges, drawn);
        predecessors = switch (drawn) {
            case NATURAL -> GraphEntries.rows(edges, Orientation.REVERSE);
            case REVERSE -> GraphEntries.rows(edges, Orientation.NATURAL);
            case UNDIRECTED -> successors;
        };
    }

    public int nodeCount() {
        return successors.length;
    }

    /** How many pairs (source, target) there are. */
    public long arcCount() {
        return Arrays.stream(successors).mapToLong(list -> list.length).sum();
    }

    /** Hops from the source to each node, -1 where there is no way. */
    public int[] levels(int source) {
        return levels(successors, source);
    }

    /** For each node its nearest source, the earliest in the list of equally near ones; -1 if there is none. */
    public int[] nearest(int... sources) {
        int[] distance = nearestDistances(sources);
        int[] nearest = new int[distance.length];
        Arrays.fill(nearest, -1);
        for (int i = sources.length - 1; i >= 0; i--) {
            int[] levels = levels(sources[i]);
            for (int node = 0; node < nearest.length; node++) {
                if (levels[node] >= 0 && levels[node] == distance[node]) {
                    nearest[node] = sources[i];
                }
            }
        }
        return nearest;
    }

    /** For each node the hops from the nearest source, -1 where there is none. */
    public int[] nearestDistances(int... sources) {
        int[] distance = levels(sources[0]);
        for (int source : sources) {
            int[] levels = levels(source);
            for (int node = 0; node < distance.length; node++) {
                if (levels[node] >= 0 && (distance[node] < 0 || levels[node] < distance[node])) {
                    distance[node] = levels[node];
                }
            }
        }
        return distance;
    }

    /** How many others reach the node, the sum of their distances to it, and the scores made of them. */
    public Closeness closeness(int node) {
        long farness = 0;
        long component = 0;
        double reciprocals = 0;
        for (int level : levels(predecessors, node)) {
            if (level > 0) {
                farness += level;
                component++;
                reciprocals += 1.0 / level;
            }
        }
        return new Closeness(farness, component, reciprocals, nodeCount());
    }

    private static int[] levels(int[][] neighbours, int source) {
        int[] level = new int[neighbours.length];
        Arrays.fill(level, -1);
        int[] queue = new int[neighbours.length];
        int end = 0;
        level[source] = 0;
        queue[end++] = source;
        for (int begin = 0; begin < end; begin++) {
            int node = queue[begin];
            for (int neighbour : neighbours[node]) {
                if (level[neighbour] < 0) {
                    level[neighbour] = level[node] + 1;
                    queue[end++] = neighbour;
                }
            }
        }
        return level;
    }

    /**
     * What closeness is made of.
     *
     * @param farness the sum of the distances
     * @param component how many other nodes reach this one
     * @param reciprocals the sum of 1 / distance
     * @param nodeCount of the graph
     */
    public record Closeness(long farness, long component, double reciprocals, int nodeCount) {

        public double plain() {
            return farness == 0 ? 0 : (double) component / farness;
        }

        public double wassermanFaust() {
            return nodeCount < 2 ? 0 : plain() * component / (nodeCount - 1);
        }

        public double harmonic() {
            return nodeCount < 2 ? 0 : reciprocals / (nodeCount - 1);
        }
    }
}
