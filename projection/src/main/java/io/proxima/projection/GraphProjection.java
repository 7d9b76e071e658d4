// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscOperations;
import io.proxima.projection.csc.CscOperations.EntryFilter;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.OnDemand;
import io.proxima.projection.csc.VertexBits;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * A projected graph: id map, labels and one CSC for each projected type. Immutable to its users and thread-safe.
 */
public final class GraphProjection {

    private final IdMap idMap;

    /**
     * For each projected label {@code long[ceil(vertexCount / 64)]}, see {@link VertexBits}; null if every vertex has
     * it.
     */
    private final Map<String, long[]> labelBits;

    /** The edges of each projected type; types with the same stored type and orientation share one CSC. */
    private final Map<String, Csc> graphs;

    /** The weights of each projected type, by property. */
    private final Map<String, Map<String, WeightedCsc>> weights;

    private final OnDemand<Csc> union = new OnDemand<>();

    /** By property the relationships of all types, if they are several. */
    private final Map<String, OnDemand<WeightedCsc>> weightedUnions = new HashMap<>();

    /**
     * A graph of the given parts, which are not copied and must not be changed afterwards. {@link #validate} checks
     * them.
     *
     * @param labelBits for each projected label {@code long[ceil(vertexCount / 64)]}: vertex v is bit v % 64 of word
     *     v / 64; null if every vertex has it
     * @param graphs the edges of each projected type; types with equal edges should share one CSC
     * @param weights the weights of each projected type, by property
     */
    public GraphProjection(
            IdMap idMap,
            Map<String, long[]> labelBits,
            Map<String, Csc> graphs,
            Map<String, Map<String, WeightedCsc>> weights) {
        this.idMap = idMap;
        this.labelBits = labelBits;
        this.graphs = graphs;
        this.weights = weights;
        properties().forEach(property -> weightedUnions.put(property, new OnDemand<>()));
    }

    /** The vertices and their neo4jIds. */
    public IdMap idMap() {
        return idMap;
    }

    /** Number of vertices. */
    public int vertexCount() {
        return idMap.size();
    }

    /** Projected labels, in the order of the spec. */
    public Set<String> labels() {
        return Collections.unmodifiableSet(labelBits.keySet());
    }

    /** Projected types, in the order of the spec. */
    public Set<String> types() {
        return Collections.unmodifiableSet(graphs.keySet());
    }

    /** Directed edges over all projected types: the sum of their entries. */
    public long relationshipCount() {
        return graphs.values().stream().mapToLong(Csc::entryCount).sum();
    }

    /**
     * Whether {@code vertex} has the projected label.
     *
     * @throws IllegalArgumentException if the label is not among {@link #labels()}
     */
    public boolean hasLabel(int vertex, String label) {
        Objects.checkIndex(vertex, vertexCount());
        long[] bits = labelBits(label);
        return bits == null || VertexBits.get(bits, vertex);
    }

    /**
     * The edges of all projected types as one graph; for a single type its own CSC. Built at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Csc csc(int concurrency, Stop stop) {
        List<Csc> distinct = distinctGraphs();
        if (distinct.size() == 1) {
            return distinct.get(0);
        }
        return union.get(stop, () -> distinct.isEmpty() ? edgeless() : union(distinct, concurrency, stop));
    }

    private static Csc union(List<Csc> graphs, int concurrency, Stop stop) {
        return new Csc(
                CscOperations.union(graphs, concurrency, stop), graphs.stream().allMatch(Csc::isSymmetric));
    }

    /**
     * The edges of one projected type; types with the same stored type and orientation share one CSC.
     *
     * @throws IllegalArgumentException if the type is not among {@link #types()}
     */
    public Csc csc(String type) {
        Csc graph = graphs.get(type);
        if (graph == null) {
            throw new IllegalArgumentException("no such projected type: type=" + type + ", types=" + graphs.keySet());
        }
        return graph;
    }

    /**
     * The vertices with a projected label, {@code long[ceil(vertexCount / 64)]}: vertex v is bit v % 64 of word v / 64.
     * The array itself: read only. Null if every vertex has the label.
     *
     * @throws IllegalArgumentException if the label is not among {@link #labels()}
     */
    public long[] labelBits(String label) {
        if (!labelBits.containsKey(label)) {
            throw new IllegalArgumentException(
                    "no such projected label: label=" + label + ", labels=" + labelBits.keySet());
        }
        return labelBits.get(label);
    }

    /**
     * The weights of one projected type.
     *
     * @param property one of {@link #properties(String)}
     * @throws IllegalArgumentException if the type or the property is not known
     */
    public WeightedCsc weighted(String type, String property) {
        if (!properties(type).contains(property)) {
            throw new IllegalArgumentException("no such property of the type: type=" + type + ", property=" + property
                    + ", properties=" + properties(type));
        }
        return weights.get(type).get(property);
    }

    /** The properties of the relationships that every projected type has, in the order of the first type. */
    public Set<String> properties() {
        Set<String> common = new LinkedHashSet<>();
        weights.values().stream().findFirst().ifPresent(first -> common.addAll(first.keySet()));
        weights.values().forEach(ofType -> common.retainAll(ofType.keySet()));
        return common;
    }

    /**
     * The projected properties of the relationships of a type, in the order of the spec.
     *
     * @throws IllegalArgumentException if the type is not among {@link #types()}
     */
    public Set<String> properties(String type) {
        csc(type);
        return Collections.unmodifiableSet(weights.get(type).keySet());
    }

    /**
     * The relationships of all projected types with the values of a property as weights; those of a single type as they
     * are. Built at the first call and kept.
     *
     * @param property one of {@link #properties()}; any if there are no types
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public WeightedCsc weighted(String property, int concurrency, Stop stop) {
        if (graphs.isEmpty()) {
            return WeightedCsc.ofOnes(csc(concurrency, stop));
        }
        if (!weightedUnions.containsKey(property)) {
            throw new IllegalArgumentException(
                    "no such property of all types: property=" + property + ", properties=" + properties());
        }
        List<WeightedCsc> distinct = distinctWeights(property, types());
        return distinct.size() == 1
                ? distinct.get(0)
                : weightedUnions.get(property).get(stop, () -> WeightedCsc.union(distinct, concurrency, stop));
    }

    /**
     * The number of relationships of {@link #weighted} for a part of the types, at most; parallel ones are counted
     * each.
     *
     * @param types projected types that have the property
     */
    public long weightedEntryCount(String property, Collection<String> types) {
        return distinctWeights(property, types).stream()
                .mapToLong(WeightedCsc::entryCount)
                .sum();
    }

    /**
     * Heap of {@link #weighted} at its peak for a part of the types, without what exists.
     *
     * @param types projected types that have the property
     */
    public MemoryTree weightedMemory(String property, Collection<String> types) {
        return distinctWeights(property, types).size() < 2
                        || (Set.copyOf(types).equals(types())
                                && weightedUnions.get(property).peek() != null)
                ? MemoryTree.NONE
                : CscOperations.weightedUnionMemory(vertexCount(), weightedEntryCount(property, types));
    }

    private List<WeightedCsc> distinctWeights(String property, Collection<String> ofTypes) {
        return ofTypes.stream()
                .map(type -> weights.get(type).get(property))
                .distinct()
                .toList();
    }

    /** Receives degrees from several workers at once. */
    @FunctionalInterface
    public interface DegreeSink {
        /**
         * Receives the degree of one vertex.
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param degree number of distinct targets of the edges of the vertex
         */
        void accept(int worker, int degree);
    }

    /**
     * Counts the out-degrees of all vertices in the union of all types, without building it.
     *
     * @param concurrency number of counting threads, at least 1
     * @param sink receives the degree of each vertex, in any order
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void degrees(int concurrency, Stop stop, DegreeSink sink) {
        List<Csc> distinct = distinctGraphs();
        UnionDegrees.count(distinct.isEmpty() ? List.of(edgeless()) : distinct, concurrency, stop, sink);
    }

    /**
     * The part of this graph that consists of the vertices with at least one of the labels, and of the edges of the
     * types between them. Takes one bit for each vertex.
     *
     * @param labels projected labels, all known to {@link #labels()}
     * @param types projected types, all known to {@link #types()}; empty means no edges
     * @throws IllegalArgumentException if a label or type is not known
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphPart part(Collection<String> labels, Collection<String> types, Stop stop) {
        return new GraphPart(this, anyOf(labels, stop), labels, types, Map.of());
    }

    /**
     * The part of this graph that consists of the vertices that pass a filter, and of the edges of the types between
     * them that pass that of their type. It has every label of this graph.
     *
     * @param vertices the vertices to keep
     * @param types projected types, all known to {@link #types()}; empty means no edges
     * @param filters by type which relationships to keep, by their values of {@link #properties(String)}, in order;
     *     those of other types are all kept. A type with a filter has properties, but only one if it
     *     {@link #isParallel}
     * @throws IllegalArgumentException if a type is not known
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphPart part(
            IntPredicate vertices, Collection<String> types, Map<String, EntryFilter> filters, Stop stop) {
        long[] bits = VertexBits.allocate(vertexCount());
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < vertexCount(); vertex++) {
            paced.worked(1);
            if (vertices.test(vertex)) {
                VertexBits.set(bits, vertex);
            }
        }
        return new GraphPart(this, bits, labels(), types, filters);
    }

    /** The vertices with at least one of the labels; null if every vertex has one of them. */
    private long[] anyOf(Collection<String> labels, Stop stop) {
        long[] any = VertexBits.allocate(vertexCount());
        boolean all = false;
        for (String label : labels) {
            stop.check();
            long[] bits = labelBits(label);
            if (bits == null) {
                all = true;
            } else {
                VertexBits.or(any, bits);
            }
        }
        return all ? null : any;
    }

    /**
     * Whether parallel relationships of a type are kept, each with its values. The values of several properties are in
     * no common order then.
     *
     * @throws IllegalArgumentException if the type is not known
     */
    public boolean isParallel(String type) {
        return properties(type).stream()
                .anyMatch(property ->
                        weighted(type, property).entryCount() > csc(type).entryCount());
    }

    /** The edges of several types as one graph if it exists already; otherwise null. */
    Csc unionIfBuilt() {
        return union.peek();
    }

    private Csc edgeless() {
        return new Csc(new long[vertexCount() + 1], IntPages.allocate(0, IntPages.DEFAULT_PAGE_SHIFT), true);
    }

    List<Csc> distinctGraphs() {
        return List.copyOf(new LinkedHashSet<>(graphs.values()));
    }

    /** Bytes of all arrays, including those built on demand. */
    public long bytes() {
        return heapParts().stream().mapToLong(HeapPart::bytes).sum();
    }

    /** The parts on the heap, each once; graphs that were filtered from each other may share parts. */
    public List<HeapPart> heapParts() {
        IdentityHashMap<Object, HeapPart> parts = new IdentityHashMap<>();
        parts.put(idMap, idMap.heapPart());
        for (long[] bits : labelBits.values()) {
            if (bits != null) {
                parts.put(bits, HeapPart.of(bits));
            }
        }
        Stream.concat(distinctGraphs().stream(), Stream.ofNullable(union.peek()))
                .flatMap(graph -> graph.heapParts().stream())
                .forEach(part -> parts.put(part.object(), part));
        weights.forEach((type, ofType) -> ofType.values().forEach(weighted -> weighted.heapParts(graphs.get(type))
                .forEach(part -> parts.put(part.object(), part))));
        weightedUnions.values().stream()
                .flatMap(joined -> Stream.ofNullable(joined.peek()))
                .flatMap(joined -> joined.heapParts(null).stream())
                .forEach(part -> parts.put(part.object(), part));
        return List.copyOf(parts.values());
    }

    /**
     * Checks every invariant of this graph and its parts but those of the id map, which its constructor ensures.
     *
     * @param concurrency number of threads, at least 1
     * @throws IllegalStateException for a violated invariant
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void validate(int concurrency, Stop stop) {
        labelBits.forEach(this::validateBits);
        for (Csc graph : distinctGraphs()) {
            requireVertices(graph.vertexCount());
            graph.validate(concurrency, stop);
        }
        Set<WeightedCsc> checked = new HashSet<>();
        weights.values().forEach(ofType -> checked.addAll(ofType.values()));
        for (WeightedCsc graph : checked) {
            requireVertices(graph.vertexCount());
            graph.validate(concurrency, stop);
        }
        weights.forEach((type, ofType) ->
                ofType.values().forEach(weighted -> weighted.validateEdges(graphs.get(type), concurrency, stop)));
    }

    private void requireVertices(int ofGraph) {
        if (ofGraph != vertexCount()) {
            throw new IllegalStateException("every type's graph must have the id map's vertices: vertexCount=" + ofGraph
                    + ", idMap=" + vertexCount());
        }
    }

    private void validateBits(String label, long[] bits) {
        if (bits == null) {
            return;
        }
        long words = (vertexCount() + 63L) >>> 6;
        boolean clearTail = vertexCount() % 64 == 0 || bits[bits.length - 1] >>> vertexCount() == 0;
        if (bits.length != words || !clearTail) {
            throw new IllegalStateException("label bits must be as many as vertices, with a clear tail: label=" + label
                    + ", words=" + bits.length + ", vertexCount=" + vertexCount());
        }
    }
}
