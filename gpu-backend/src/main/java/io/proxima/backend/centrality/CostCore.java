// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The graph in which weighted betweenness searches, and what its vertices stand for. It is the graph itself, or the
 * core of an undirected graph whose hanging trees ({@link HangingTrees}) are removed and whose chains are contracted. A
 * chain is a path of vertices that have two neighbours each, the inner vertices, between two junctions. One edge whose
 * weight is the length of the chain takes its place, in either direction. An inner vertex keeps only the edges from
 * itself to both ends, because it is searched from.
 *
 * <p>Core id space: first the junctions, then the inner vertices, in the order of the chains. Chains are in the order
 * of their left ends. All sums of weights must be exact, because a chain is summed apart from the path that leads to
 * it.
 */
final class CostCore {

    private static final int UNNUMBERED = -1;

    private final WeightedCsc graph;
    private final int junctionCount;

    /** By vertex of the core: that of the graph; null if they are the same. */
    private final int[] vertices;

    // by vertex of the core: the number of targets and of sources that it stands for
    private final int[] targetCounts;
    private final int[] sourceCounts;

    private int chainCount;

    /** By component: the first junction. */
    private final int[] components;

    /** By junction: the first chain of which it is the left end. */
    private final int[] firstChain;

    // by chain
    private final int[] rightEnds;
    private final double[] lengths;
    private final int[] firstInner;

    // by inner vertex
    private final int[] leftEnds;
    private final double[] offsets;

    /** The targets of the inner vertices before. */
    private final int[] targetsBefore;

    /** The graph itself. Every vertex stands for itself. */
    CostCore(WeightedCsc graph) {
        this.graph = graph;
        junctionCount = graph.vertexCount();
        vertices = null;
        targetCounts = new int[junctionCount];
        sourceCounts = targetCounts;
        Arrays.fill(targetCounts, 1);
        components = null;
        firstChain = null;
        rightEnds = new int[0];
        lengths = new double[0];
        firstInner = rightEnds;
        leftEnds = rightEnds;
        offsets = lengths;
        targetsBefore = rightEnds;
    }

    /**
     * The core of an undirected graph.
     *
     * @param graph without parallel edges; its weights are positive, and their sums exact
     * @param sourcesOf {@code int[vertexCount]}: the number of sources in the tree of each vertex
     */
    CostCore(WeightedCsc graph, HangingTrees trees, SearchOrder order, int[] sourcesOf, int concurrency, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int size = order.slotCount();
        int[] ids = new int[graph.vertexCount()];
        Arrays.fill(ids, UNNUMBERED);
        components = new int[order.componentCount() + 1];
        junctionCount = numberJunctions(graph, trees, order, ids, components, paced);
        int innerCount = size - junctionCount;
        vertices = new int[size];
        targetCounts = new int[size];
        sourceCounts = new int[size];
        firstChain = new int[junctionCount + 1];
        rightEnds = new int[innerCount];
        lengths = new double[innerCount];
        firstInner = new int[innerCount + 1];
        leftEnds = new int[innerCount];
        offsets = new double[innerCount];
        targetsBefore = new int[innerCount + 1];
        Edges edges = new Edges(size, graph.entryCount());
        int inner = 0;
        for (int slot = 0; slot < size; slot++) {
            int junction = order.permutation().vertex(slot);
            int left = ids[junction];
            if (left == UNNUMBERED || left >= junctionCount) {
                continue;
            }
            vertices[left] = junction;
            firstChain[left] = chainCount;
            paced.worked(1L + graph.degree(junction));
            for (long entry = graph.columnStart(junction); entry < graph.columnEnd(junction); entry++) {
                int next = graph.rowIndices().get(entry);
                double length = graph.weight(entry);
                if (!trees.isKept(next)) {
                    continue;
                }
                if (ids[next] != UNNUMBERED) {
                    if (ids[next] < left) {
                        edges.add(left, ids[next], length);
                        edges.add(ids[next], left, length);
                    }
                    continue;
                }
                int first = inner;
                for (int before = junction; ids[next] == UNNUMBERED; ) {
                    int vertex = next;
                    ids[vertex] = junctionCount + inner;
                    vertices[ids[vertex]] = vertex;
                    leftEnds[inner] = left;
                    offsets[inner++] = length;
                    long onward = onward(graph, trees, vertex, before, paced);
                    next = graph.rowIndices().get(onward);
                    length += graph.weight(onward);
                    before = vertex;
                }
                endChain(first, inner, left, ids[next], length, edges);
            }
        }
        firstChain[junctionCount] = chainCount;
        for (int id = 0; id < size; id++) {
            targetCounts[id] = trees.weight(vertices[id]);
            sourceCounts[id] = sourcesOf[vertices[id]];
            if (id >= junctionCount) {
                targetsBefore[id - junctionCount + 1] = targetsBefore[id - junctionCount] + targetCounts[id];
            }
            paced.worked(1);
        }
        this.graph = edges.build(concurrency, stop);
    }

    private void endChain(int begin, int end, int left, int right, double length, Edges edges) {
        rightEnds[chainCount] = right;
        lengths[chainCount] = length;
        firstInner[++chainCount] = end;
        for (int inner = begin; inner < end; inner++) {
            edges.add(junctionCount + inner, left, offsets[inner]);
            edges.add(junctionCount + inner, right, length - offsets[inner]);
        }
        if (left != right) {
            edges.add(left, right, length);
            edges.add(right, left, length);
        }
    }

    /** Numbers the vertices of three or more neighbours, and one vertex of each cycle. */
    private static int numberJunctions(
            WeightedCsc graph, HangingTrees trees, SearchOrder order, int[] ids, int[] components, PacedStop paced) {
        int count = 0;
        for (int component = 0; component < order.componentCount(); component++) {
            int before = count;
            int begin = order.componentStart(component);
            for (int slot = begin; slot < order.componentStart(component + 1); slot++) {
                int vertex = order.permutation().vertex(slot);
                int degree = 0;
                paced.worked(1L + graph.degree(vertex));
                for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
                    degree += trees.isKept(graph.rowIndices().get(entry)) ? 1 : 0;
                }
                if (degree > 2) {
                    ids[vertex] = count++;
                }
            }
            if (count == before) {
                ids[order.permutation().vertex(begin)] = count++;
            }
            components[component + 1] = count;
        }
        return count;
    }

    /** The edge of an inner vertex that does not lead back. */
    private static long onward(WeightedCsc graph, HangingTrees trees, int vertex, int before, PacedStop paced) {
        paced.worked(graph.degree(vertex));
        long entry = graph.columnStart(vertex);
        while (!trees.isKept(graph.rowIndices().get(entry))
                || graph.rowIndices().get(entry) == before) {
            entry++;
        }
        return entry;
    }

    /** Edges in the making. */
    static final class Edges {
        private final CscBuilder builder;
        private final double[][] value = new double[1][1];

        Edges(int vertexCount, long expected) {
            builder = new CscBuilder(
                    vertexCount,
                    Orientation.NATURAL,
                    List.of(new CscBuilder.EdgeValue(Aggregation.NONE, 0)),
                    1,
                    expected,
                    IntPages.DEFAULT_PAGE_SHIFT);
        }

        void add(int from, int to, double weight) {
            value[0][0] = weight;
            builder.buffer(0).add(from, to, value, 0);
        }

        WeightedCsc build(int concurrency, Stop stop) {
            return builder.build(concurrency, stop, Progress.NONE).weights().get(0);
        }
    }

    /** Heap of a core, and of making it. */
    static MemoryTree memory(int vertexCount, long entryCount) {
        long edges = CscBuilder.memory(vertexCount, Orientation.NATURAL, 1, entryCount, 1)
                .built()
                .maxBytes();
        return MemoryTree.between("core", 0, edges + vertexCount * (9L * Integer.BYTES + 2 * Double.BYTES));
    }

    /** The graph to search in; core id space. An inner vertex has edges from itself only. */
    WeightedCsc graph() {
        return graph;
    }

    /** Whether several edges between two vertices are paths of their own. */
    boolean isContracted() {
        return vertices != null;
    }

    /** The vertex of the graph. */
    int vertex(int id) {
        return vertices == null ? id : vertices[id];
    }

    /** The number of vertices of the graph that a vertex stands for as a target. */
    int targetCount(int id) {
        return targetCounts[id];
    }

    /** The number of sources that a vertex stands for. */
    int sourceCount(int id) {
        return sourceCounts[id];
    }

    /** The vertices that stand for sources, ascending. */
    int[] sources() {
        return IntStream.range(0, sourceCounts.length)
                .filter(id -> sourceCounts[id] > 0)
                .toArray();
    }

    /** The component of a junction. */
    int component(int junction) {
        int found = Arrays.binarySearch(components, junction);
        return found < 0 ? -found - 2 : found;
    }

    /** The first junction of a component. Those of the next component follow. */
    int firstJunction(int component) {
        return components[component];
    }

    /** The first chain of which a junction, or one behind it, is the left end. */
    int firstChain(int junction) {
        return firstChain[junction];
    }

    int rightEnd(int chain) {
        return rightEnds[chain];
    }

    /** The cost from the left end of a chain to the right one. */
    double length(int chain) {
        return lengths[chain];
    }

    /** The first inner vertex of a chain, the one next to the left end; core id space. */
    int firstInner(int chain) {
        return junctionCount + firstInner[chain];
    }

    /** The junction from which an inner vertex is offset, or the junction itself. */
    int leftEnd(int id) {
        return id < junctionCount ? id : leftEnds[id - junctionCount];
    }

    /** The number of targets of the inner vertices {@code begin} to {@code end - 1}. */
    double targets(int begin, int end) {
        return targetsBefore[end - junctionCount] - targetsBefore[begin - junctionCount];
    }

    /** The cost from the left end of its chain to an inner vertex. */
    double offset(int inner) {
        return offsets[inner - junctionCount];
    }
}
