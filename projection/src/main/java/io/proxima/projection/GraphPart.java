// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Columns;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscOperations;
import io.proxima.projection.csc.CscOperations.EntryFilter;
import io.proxima.projection.csc.VertexBits;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A part of a projected graph that has not been built yet: some of its vertices, and the edges of some types between
 * them. Immutable.
 */
public final class GraphPart {

    private final GraphProjection whole;
    /** The vertices as {@code long[ceil(vertexCount / 64)]}, see {@link VertexBits}; null for all. */
    private final long[] bits;

    private final int vertexCount;
    private final Set<String> labels;
    private final Set<String> types;
    private final Map<String, EntryFilter> filters;
    /** The graphs of the types, each once. */
    private final Set<Csc> graphs = new LinkedHashSet<>();

    /**
     * Describes a part.
     *
     * @param bits the vertices, not copied; null for all
     * @param labels the labels that it has, all known to the whole graph
     * @param types its types
     * @param filters by type the filter of its relationships; none for all of them
     * @throws IllegalArgumentException if a type is not known
     */
    GraphPart(
            GraphProjection whole,
            long[] bits,
            Collection<String> labels,
            Collection<String> types,
            Map<String, EntryFilter> filters) {
        this.whole = whole;
        this.vertexCount = bits == null ? whole.vertexCount() : VertexBits.count(bits);
        this.bits = vertexCount == whole.vertexCount() ? null : bits;
        this.labels = new LinkedHashSet<>(labels);
        this.types = new LinkedHashSet<>(types);
        this.filters = Map.copyOf(filters);
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
        return bits == null && filters.isEmpty() ? MemoryTree.NONE : memory(leaving(stop), stop).peak;
    }

    /**
     * Builds the part, with its own id map. Returns the whole graph if nothing is left out. Unchanged arrays are
     * shared, not copied.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphProjection make(int concurrency, Stop stop) {
        if (bits == null && filters.isEmpty() && types.equals(whole.types()) && labels.equals(whole.labels())) {
            return whole;
        }
        int[] kept = bits == null ? null : VertexBits.toArray(bits, stop);
        int[] renumbered = bits == null ? null : renumbered(kept, stop);
        PacedStop paced = new PacedStop(stop);
        Map<String, long[]> newLabels = new LinkedHashMap<>();
        for (String label : labels) {
            newLabels.put(label, bits == null ? whole.labelBits(label) : select(whole.labelBits(label), kept, paced));
        }
        Map<Csc, Csc> parts = new HashMap<>();
        Map<WeightedCsc, WeightedCsc> weightedParts = new HashMap<>();
        Map<String, Csc> newGraphs = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> newWeights = new LinkedHashMap<>();
        for (String type : types) {
            Map<String, WeightedCsc> ofType = weights(type);
            newWeights.put(type, ofType);
            EntryFilter filter = filters.get(type);
            if (filter != null) {
                Columns entries = CscOperations.induced(
                        CscOperations.joined(ofType.values()), kept, renumbered, filter, concurrency, stop);
                Csc passing = new Csc(
                        whole.isParallel(type) ? CscOperations.distinct(entries, concurrency, stop) : entries, false);
                // an edge and its reverse may have different values
                Csc part = whole.csc(type).isSymmetric() ? passing.markedIfSymmetric(concurrency, stop) : passing;
                newGraphs.put(type, part);
                int[] kind = new int[1];
                ofType.replaceAll((property, weighted) -> weighted(entries, kind[0]++, part));
                continue;
            }
            Csc part = parts.computeIfAbsent(
                    whole.csc(type),
                    graph -> bits == null
                            ? graph
                            : new Csc(
                                    CscOperations.induced(graph, kept, renumbered, null, concurrency, stop),
                                    graph.isSymmetric()));
            newGraphs.put(type, part);
            ofType.replaceAll((property, weighted) -> weightedParts.computeIfAbsent(
                    weighted,
                    graph -> bits == null
                            ? graph
                            : weighted(
                                    CscOperations.induced(graph, kept, renumbered, null, concurrency, stop), 0, part)));
        }
        IdMap ids = bits == null ? whole.idMap() : whole.idMap().select(kept, stop);
        return new GraphProjection(ids, newLabels, newGraphs, newWeights);
    }

    /** For each vertex of the whole graph its new number, or {@link IdMap#ABSENT}. */
    private int[] renumbered(int[] kept, Stop stop) {
        int[] renumbered = new int[whole.vertexCount()];
        Arrays.fill(renumbered, IdMap.ABSENT);
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < kept.length; vertex++) {
            renumbered[kept[vertex]] = vertex;
            paced.worked(1);
        }
        return renumbered;
    }

    private Map<String, WeightedCsc> weights(String type) {
        Map<String, WeightedCsc> weights = new LinkedHashMap<>();
        whole.properties(type).forEach(property -> weights.put(property, whole.weighted(type, property)));
        return weights;
    }

    /**
     * A graph of entries with one kind of their values; it shares the other arrays of {@code graph}, which has the same
     * entries if as many.
     */
    private static WeightedCsc weighted(Columns entries, int kind, Csc graph) {
        return new WeightedCsc(
                entries.entryCount() == graph.entryCount() ? graph : entries,
                entries.values().get(kind));
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
    public GraphPlan plan(Stop stop) {
        boolean symmetric = graphs.stream().allMatch(Csc::isSymmetric);
        Map<Csc, Long> leaving = leaving(stop);
        long relationships = relationshipCount(leaving);
        if (bits == null) {
            Csc known = graphs.size() == 1
                    ? graphs.iterator().next()
                    : types.equals(whole.types()) ? whole.unionIfBuilt() : null;
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
        Memory memory = memory(leaving, stop);
        return GraphPlan.joining(
                vertexCount, relationships, List.copyOf(leaving.values()), false, symmetric, memory.peak, memory.held);
    }

    /** For each graph the number of its edges that start at the vertices. */
    private Map<Csc, Long> leaving(Stop stop) {
        Map<Csc, Long> leaving = new LinkedHashMap<>();
        PacedStop paced = new PacedStop(stop);
        for (Csc graph : graphs) {
            stop.check();
            leaving.put(graph, leaving(graph, paced));
        }
        return leaving;
    }

    private long leaving(Columns graph, PacedStop paced) {
        return bits == null ? graph.entryCount() : CscOperations.leaving(graph.columnPointers(), bits, paced);
    }

    /**
     * Memory of a part that lacks vertices or relationships.
     *
     * @param peak peak heap of making it, including the result
     * @param held heap of the result
     */
    private record Memory(MemoryTree peak, MemoryTree held) {}

    /**
     * Computes the memory.
     *
     * @param leaving for each graph the maximum number of kept edges
     */
    private Memory memory(Map<Csc, Long> leaving, Stop stop) {
        long labelled = bits == null
                ? 0
                : labels.stream()
                        .filter(label -> whole.labelBits(label) != null)
                        .count();
        PacedStop paced = new PacedStop(stop);
        Set<Columns> shared = new HashSet<>();
        long made = 0;
        long relationships = 0;
        long weights = 0;
        long filled = 0;
        for (String type : types) {
            boolean filtered = filters.containsKey(type);
            Predicate<Columns> isMade = graph -> filtered || (bits != null && shared.add(graph));
            Csc graph = whole.csc(type);
            if (isMade.test(graph)) {
                made++;
                relationships += Csc.bytes(vertexCount, leaving.get(graph));
                filled = Math.max(filled, leaving.get(graph) * Integer.BYTES);
            }
            for (WeightedCsc weighted : weights(type).values()) {
                if (isMade.test(weighted)) {
                    long entries = leaving(weighted, paced);
                    // lists of its own, if relationships are parallel
                    weights += WeightedCsc.weightBytes(entries) + Csc.bytes(vertexCount, entries);
                    filled = Math.max(filled, WeightedCsc.weightBytes(entries));
                }
            }
        }
        MemoryTree held = MemoryTree.together(
                "filtered graph",
                MemoryTree.between("id map", 0, bits == null ? 0 : IdMap.mostBytes(vertexCount)),
                MemoryTree.exactly("labels", labelled * VertexBits.bytes(vertexCount)),
                MemoryTree.between("relationships", made * Csc.bytes(vertexCount, 0), relationships),
                MemoryTree.between("weights", 0, weights));
        return new Memory(
                MemoryTree.together(
                        "filter graph",
                        held,
                        MemoryTree.exactly("lists being filled", filled),
                        MemoryTree.exactly(
                                "numbers of nodes",
                                bits == null
                                        ? 0
                                        : ((long) whole.vertexCount() + vertexCount) * Integer.BYTES
                                                + VertexBits.bytes(whole.vertexCount()))),
                held);
    }
}
