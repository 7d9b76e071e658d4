// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a projected graph that has not been built yet: some of its vertices, and the edges of some types between them.
 * Immutable.
 */
public final class GraphPart {

    private final GraphProjection whole;
    /** The vertices as {@code long[ceil(vertexCount / 64)]}, see {@link VertexBits}; null for all. */
    private final long[] bits;

    private final int vertexCount;
    private final Set<String> labels;
    private final Set<String> types;
    /** The graphs of the types, each once. */
    private final Set<Csc> graphs = new LinkedHashSet<>();

    /**
     * Describes a part.
     *
     * @param bits the vertices, not copied; null for all
     * @param labels the labels that it has, all known to the whole graph
     * @param types its types
     * @throws IllegalArgumentException if a type is not known
     */
    GraphPart(GraphProjection whole, long[] bits, Collection<String> labels, Collection<String> types) {
        this.whole = whole;
        this.vertexCount = bits == null ? whole.vertexCount() : VertexBits.count(bits);
        this.bits = vertexCount == whole.vertexCount() ? null : bits;
        this.labels = new LinkedHashSet<>(labels);
        this.types = new LinkedHashSet<>(types);
        this.types.forEach(type -> graphs.add(whole.csc(type)));
    }

    /** The number of vertices. */
    public int vertexCount() {
        return vertexCount;
    }

    /**
     * The maximum number of directed edges over all types: those that leave the vertices.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public long relationshipCount(Stop stop) {
        return relationshipCount(leaving(stop));
    }

    private long relationshipCount(Map<Csc, Long> leaving) {
        return types.stream().mapToLong(type -> leaving.get(whole.csc(type))).sum();
    }

    /**
     * Peak heap of {@link #make}, including the result, without the arrays that are shared with the whole graph.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public MemoryTree memory(Stop stop) {
        return bits == null ? MemoryTree.NONE : new Memory(leaving(stop), stop).peak();
    }

    /**
     * Builds the part, with its own id map. Returns the whole graph if nothing is left out. Unchanged arrays are shared,
     * not copied.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphProjection make(int concurrency, Stop stop) {
        if (bits != null) {
            return induced(concurrency, stop);
        }
        if (types.equals(whole.types()) && labels.equals(whole.labels())) {
            return whole;
        }
        Map<String, long[]> sameLabels = new LinkedHashMap<>();
        labels.forEach(label -> sameLabels.put(label, whole.labelBits(label)));
        Map<String, Csc> sameGraphs = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> sameWeights = new LinkedHashMap<>();
        types.forEach(type -> {
            sameGraphs.put(type, whole.csc(type));
            sameWeights.put(type, weights(type));
        });
        return new GraphProjection(whole.idMap(), sameLabels, sameGraphs, sameWeights);
    }

    private Map<String, WeightedCsc> weights(String type) {
        Map<String, WeightedCsc> weights = new LinkedHashMap<>();
        whole.properties(type).forEach(property -> weights.put(property, whole.weighted(type, property)));
        return weights;
    }

    private GraphProjection induced(int concurrency, Stop stop) {
        int[] kept = VertexBits.toArray(bits);
        int[] renumbered = new int[whole.vertexCount()];
        Arrays.fill(renumbered, IdMap.ABSENT);
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < kept.length; vertex++) {
            renumbered[kept[vertex]] = vertex;
            paced.worked(1);
        }
        stop.check();
        Map<String, long[]> newLabels = new LinkedHashMap<>();
        for (String label : labels) {
            newLabels.put(label, select(whole.labelBits(label), kept, paced));
        }
        Map<Csc, Csc> induced = new HashMap<>();
        Map<WeightedCsc, WeightedCsc> inducedWeights = new HashMap<>();
        Map<String, Csc> newGraphs = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> newWeights = new LinkedHashMap<>();
        for (String type : types) {
            Csc part = induced.computeIfAbsent(
                    whole.csc(type),
                    graph -> Csc.of(
                            CscOperations.induced(graph.entries(), kept, renumbered, concurrency, stop),
                            graph.isSymmetric()));
            newGraphs.put(type, part);
            Map<String, WeightedCsc> ofType = weights(type);
            ofType.replaceAll((property, weighted) -> inducedWeights.computeIfAbsent(
                    weighted,
                    graph -> WeightedCsc.of(
                            CscOperations.induced(graph.entries(), kept, renumbered, concurrency, stop), part)));
            newWeights.put(type, ofType);
        }
        return new GraphProjection(whole.idMap().select(kept, stop), newLabels, newGraphs, newWeights);
    }

    private static long[] select(long[] bits, int[] kept, PacedStop paced) {
        if (bits == null) {
            return null;
        }
        long[] selected = VertexBits.allocate(kept.length);
        for (int vertex = 0; vertex < kept.length; vertex++) {
            if (VertexBits.get(bits, kept[vertex])) {
                VertexBits.set(selected, vertex);
            }
            paced.worked(1);
        }
        return selected;
    }

    /**
     * Plans {@link #make} and {@link GraphProjection#csc} of its result.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    GraphPlan plan(Stop stop) {
        boolean symmetric = graphs.stream().allMatch(Csc::isSymmetric);
        Map<Csc, Long> leaving = leaving(stop);
        long relationships = relationshipCount(leaving);
        if (bits == null) {
            Csc known = graphs.size() == 1
                    ? graphs.iterator().next()
                    : types.equals(whole.types()) ? whole.cscIfBuilt() : null;
            return known != null
                    ? GraphPlan.ready(known, relationships)
                    : GraphPlan.joining(
                            vertexCount,
                            relationships,
                            graphs.stream().map(Csc::entryCount).toList(),
                            true,
                            symmetric,
                            MemoryTree.NONE,
                            MemoryTree.NONE);
        }
        Memory memory = new Memory(leaving, stop);
        return GraphPlan.joining(
                vertexCount,
                relationships,
                List.copyOf(leaving.values()),
                false,
                symmetric,
                memory.peak(),
                memory.held());
    }

    /** For each graph the number of its edges that start at the vertices. */
    private Map<Csc, Long> leaving(Stop stop) {
        Map<Csc, Long> leaving = new LinkedHashMap<>();
        PacedStop paced = new PacedStop(stop);
        for (Csc graph : graphs) {
            stop.check();
            leaving.put(
                    graph,
                    bits == null ? graph.entryCount() : CscOperations.leaving(graph.columnPointers(), bits, paced));
        }
        return leaving;
    }

    /** Memory of a part that lacks vertices. */
    private final class Memory {
        private final List<MemoryTree> held;
        private final List<MemoryTree> steps;

        /**
         * Computes the memory.
         *
         * @param leaving for each graph the maximum number of kept edges
         */
        Memory(Map<Csc, Long> leaving, Stop stop) {
            long labelled = labels.stream()
                    .filter(label -> whole.labelBits(label) != null)
                    .count();
            MemoryTree idMap = MemoryTree.between("id map", 0, IdMap.mostBytes(vertexCount));
            MemoryTree labelBits = MemoryTree.exactly("labels", labelled * VertexBits.bytes(vertexCount));
            MemoryTree numbers = MemoryTree.exactly(
                    "numbers of nodes",
                    ((long) whole.vertexCount() + vertexCount) * Integer.BYTES + VertexBits.bytes(whole.vertexCount()));
            Map<Csc, Set<WeightedCsc>> weightsOf = new HashMap<>();
            types.forEach(type -> weightsOf
                    .computeIfAbsent(whole.csc(type), graph -> new LinkedHashSet<>())
                    .addAll(weights(type).values()));
            PacedStop paced = new PacedStop(stop);
            MemoryTree relationships = MemoryTree.exactly("relationships", 0);
            MemoryTree weights = MemoryTree.exactly("weights", 0);
            MemoryTree.Largest largest = new MemoryTree.Largest();
            for (Csc graph : graphs) {
                long most = leaving.get(graph);
                largest.add(MemoryTree.together(
                        "keep relationships",
                        idMap,
                        labelBits,
                        relationships,
                        weights,
                        numbers,
                        CscOperations.inducedMemory(vertexCount, most, 0)));
                relationships = relationships.plus(
                        MemoryTree.between("one type", Csc.bytes(vertexCount, 0), Csc.bytes(vertexCount, most)));
                for (WeightedCsc weighted : weightsOf.get(graph)) {
                    long leavingWith = CscOperations.leaving(weighted.columnPointers(), bits, paced);
                    largest.add(MemoryTree.together(
                            "keep weights",
                            idMap,
                            labelBits,
                            relationships,
                            weights,
                            numbers,
                            CscOperations.inducedMemory(vertexCount, leavingWith, 1)));
                    // lists of its own, if relationships are parallel
                    weights = weights.plus(MemoryTree.between(
                            "weights", 0, WeightedCsc.weightBytes(leavingWith) + Csc.bytes(vertexCount, leavingWith)));
                }
            }
            held = List.of(idMap, labelBits, relationships, weights);
            List<MemoryTree> atLast = new ArrayList<>(held);
            atLast.add(numbers);
            steps = new ArrayList<>(largest.steps());
            steps.add(together("keep nodes", atLast));
        }

        /** Peak heap, including the result. */
        MemoryTree peak() {
            return MemoryTree.oneByOne("filter graph", steps.toArray(new MemoryTree[0]));
        }

        /** Heap of the result. */
        MemoryTree held() {
            return together("filtered graph", held);
        }

        private static MemoryTree together(String name, List<MemoryTree> parts) {
            return MemoryTree.together(name, parts.toArray(new MemoryTree[0]));
        }
    }
}
