// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.stream.IntStream;

/** Graphs for tests, the same for the same arguments on every machine. Each edge is listed once, in one direction. */
public final class TestGraphs {

    private static final double RMAT_A = 0.57;
    private static final double RMAT_B = 0.19;
    private static final double RMAT_C = 0.19;

    private TestGraphs() {}

    /** The edges of a text like {@code 0>1 2>1}. */
    public static EdgeList of(int vertexCount, String text) {
        EdgeList edges = new EdgeList(vertexCount);
        for (String edge : text.split(" ", -1)) {
            String[] ends = edge.split(">", -1);
            edges.add(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
        }
        return edges;
    }

    /** No vertices. */
    public static EdgeList empty() {
        return new EdgeList(0);
    }

    /** One vertex, no edges. */
    public static EdgeList singleVertex() {
        return new EdgeList(1);
    }

    /** 0 to 1, 1 to 2, and so on to length - 1. */
    public static EdgeList path(int length) {
        EdgeList edges = new EdgeList(length);
        for (int vertex = 1; vertex < length; vertex++) {
            edges.add(vertex - 1, vertex);
        }
        return edges;
    }

    /** A path each of whose vertices has a leaf. */
    public static EdgeList caterpillar(int length) {
        EdgeList edges = new EdgeList(2 * length);
        for (int vertex = 0; vertex < length; vertex++) {
            if (vertex > 0) {
                edges.add(vertex - 1, vertex);
            }
            edges.add(vertex, length + vertex);
        }
        return edges;
    }

    /** A path whose last vertex has an edge to the first. */
    public static EdgeList cycle(int length) {
        EdgeList edges = path(length);
        if (length > 1) {
            edges.add(length - 1, 0);
        }
        return edges;
    }

    /** Vertex 0 to each of the others. */
    public static EdgeList star(int vertexCount) {
        EdgeList edges = new EdgeList(vertexCount);
        for (int vertex = 1; vertex < vertexCount; vertex++) {
            edges.add(0, vertex);
        }
        return edges;
    }

    /** Every vertex to every later one. */
    public static EdgeList clique(int vertexCount) {
        return lollipop(vertexCount, 0);
    }

    /** Vertex y * width + x to its right and its lower neighbour. */
    public static EdgeList grid(int width, int height) {
        EdgeList edges = new EdgeList(Math.multiplyExact(width, height));
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int vertex = y * width + x;
                if (x + 1 < width) {
                    edges.add(vertex, vertex + 1);
                }
                if (y + 1 < height) {
                    edges.add(vertex, vertex + width);
                }
            }
        }
        return edges;
    }

    /** Vertex v to 2 v + 1 and 2 v + 2, as far as these exist. */
    public static EdgeList binaryTree(int vertexCount) {
        EdgeList edges = new EdgeList(vertexCount);
        for (int vertex = 1; vertex < vertexCount; vertex++) {
            edges.add((vertex - 1) / 2, vertex);
        }
        return edges;
    }

    /** A star whose ends are the hubs of stars, with an edge from each hub outwards; vertex 0 is in the middle. */
    public static EdgeList starOfStars(int stars, int leaves) {
        EdgeList edges = new EdgeList(1 + stars * (1 + leaves));
        for (int star = 0; star < stars; star++) {
            int hub = 1 + star * (1 + leaves);
            edges.add(0, hub);
            for (int leaf = 1; leaf <= leaves; leaf++) {
                edges.add(hub, hub + leaf);
            }
        }
        return edges;
    }

    /** A cycle of the first vertices with as many chords, trees that hang from it, and as large a tree apart. */
    public static EdgeList hangingTrees(int core, int hanging, long seed) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(core + 2 * hanging);
        for (int vertex = 0; vertex < core; vertex++) {
            edges.add(vertex, (vertex + 1) % core);
            edges.add(vertex, random.nextInt(core));
        }
        for (int vertex = core; vertex < core + hanging; vertex++) {
            edges.add(vertex, random.nextInt(vertex));
        }
        for (int vertex = core + hanging + 1; vertex < core + 2 * hanging; vertex++) {
            edges.add(vertex, core + hanging + random.nextInt(vertex - core - hanging));
        }
        return edges;
    }

    /** A clique of the first cliqueSize vertices with a path of tailLength more hanging on its last one. */
    public static EdgeList lollipop(int cliqueSize, int tailLength) {
        EdgeList edges = new EdgeList(Math.addExact(cliqueSize, tailLength));
        for (int source = 0; source < cliqueSize; source++) {
            for (int target = source + 1; target < cliqueSize; target++) {
                edges.add(source, target);
            }
        }
        for (int vertex = Math.max(1, cliqueSize); vertex < cliqueSize + tailLength; vertex++) {
            edges.add(vertex - 1, vertex);
        }
        return edges;
    }

    /** Components of 1, 2, 3, 1, 2, 3, ... vertices, each a cycle; the vertices of a component lie apart. */
    public static EdgeList disconnected(int components) {
        return disconnected(components, 3, 1);
    }

    /**
     * Components of 1, 2, ..., most, 1, 2, ... vertices, which lie apart. Each vertex has edges to the next ones of its
     * component: to as many as {@code reach}, or to all.
     */
    public static EdgeList disconnected(int components, int most, int reach) {
        int vertexCount = IntStream.range(0, components)
                .map(component -> component % most + 1)
                .sum();
        EdgeList edges = new EdgeList(vertexCount);
        int[] ids = shuffledIds(vertexCount, new Random(components));
        int first = 0;
        for (int component = 0; component < components; component++) {
            int size = component % most + 1;
            for (int i = 0; i < size; i++) {
                for (int next = 1; next < size && next <= reach; next++) {
                    edges.add(ids[first + i], ids[first + (i + next) % size]);
                }
            }
            first += size;
        }
        return edges;
    }

    /**
     * Edges between ends drawn evenly; repeats and loops may occur.
     *
     * @param directed whether only the drawn direction is listed; otherwise the reverse of each edge is listed too
     */
    public static EdgeList uniform(int vertexCount, long edgeCount, long seed, boolean directed) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(vertexCount);
        for (long edge = 0; edge < edgeCount; edge++) {
            int source = random.nextInt(vertexCount);
            int target = random.nextInt(vertexCount);
            edges.add(source, target);
            if (!directed) {
                edges.add(target, source);
            }
        }
        return edges;
    }

    /**
     * A recursive matrix graph (Chakrabarti, Zhan, Faloutsos, SDM 2004) with the parameters of Graph500: a = .57, b = c
     * = .19. Vertex ids are shuffled. Repeats and loops occur.
     *
     * @param scale the graph has 2^scale vertices, 0 to 30
     * @param edgeFactor edges a vertex
     */
    public static EdgeList rmat(int scale, int edgeFactor, long seed) {
        Random random = new Random(seed);
        int vertexCount = 1 << scale;
        int[] ids = shuffledIds(vertexCount, random);
        EdgeList edges = new EdgeList(vertexCount);
        for (long edge = 0; edge < (long) vertexCount * edgeFactor; edge++) {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                double quarter = random.nextDouble();
                boolean lower = quarter >= RMAT_A + RMAT_B;
                boolean right = lower ? quarter >= RMAT_A + RMAT_B + RMAT_C : quarter >= RMAT_A;
                source = source << 1 | (lower ? 1 : 0);
                target = target << 1 | (right ? 1 : 0);
            }
            edges.add(ids[source], ids[target]);
        }
        return edges;
    }

    /** A graph in pages of 2^pageShift entries, so that columns straddle pages as those of huge graphs do. */
    public static Csc paged(EdgeList edges, Orientation orientation, int pageShift) {
        return edges.toCsc(orientation, 1, pageShift, Stop.NEVER);
    }

    private static int[] shuffledIds(int count, Random random) {
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            ids[i] = ids[other];
            ids[other] = i;
        }
        return ids;
    }
}
