// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.memory.MemoryTree;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.BuildMemory;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.CscOperations;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.csc.VertexBits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The size of a projection, computed from counts before it is built. The counts assume that there are no duplicates,
 * and that a relationship has both ends among the nodes unless the counts of the source show that some do not.
 * Otherwise the projection is smaller.
 */
public final class ProjectionSize {

    /** Instead of a count: use the count of the source. */
    public static final long BY_SOURCE = -1;

    /** The maximum number of property values; the bytes of several copies of each fit into a long. */
    private static final long MAX_VALUES = 1L << 54;

    private final ProjectionSpec spec;
    private final int nodeCount;

    /** The number of nodes found in the scan of each label; a node with several of the labels counts several times. */
    private final long foundCount;

    /** The maximum number of stored relationships that each distinct relationship projection has. */
    private final Map<TypeProjection, Long> relationshipCounts;

    /** The number of stored relationships of the type of each of these. */
    private final Map<TypeProjection, Long> typeCounts;

    private ProjectionSize(
            ProjectionSpec spec,
            long nodeCount,
            long foundCount,
            Map<TypeProjection, Long> relationshipCounts,
            Map<TypeProjection, Long> typeCounts) {
        this.spec = spec;
        this.nodeCount = IdMap.checkedSize(nodeCount);
        this.foundCount = foundCount;
        this.relationshipCounts = relationshipCounts;
        this.typeCounts = typeCounts;
        requireFewValues();
    }

    private void requireFewValues() {
        double values = 0;
        for (TypeProjection projection : relationshipCounts.keySet()) {
            values += (double) entries(projection) * projection.properties().size();
        }
        if (values > MAX_VALUES) {
            throw new ProjectionException("The relationships of the projection have " + (long) values
                    + " property values; at most " + MAX_VALUES
                    + " are possible. Project fewer relationships or fewer properties.");
        }
    }

    /**
     * The size by the source's counts.
     *
     * @throws ProjectionException if the source has too many nodes
     */
    public static ProjectionSize of(GraphSource source, ProjectionSpec spec) {
        return of(source, spec, BY_SOURCE, BY_SOURCE);
    }

    /**
     * The size by given counts, or by the source's. If both counts are given, the source need not have the labels and
     * types.
     *
     * @param nodeCount number of nodes of all labels together, or {@link #BY_SOURCE}
     * @param relationshipCount number of relationships of all projections together, divided evenly among the distinct
     *     ones, or {@link #BY_SOURCE}
     * @throws ProjectionException if there are too many nodes
     */
    public static ProjectionSize of(GraphSource source, ProjectionSpec spec, long nodeCount, long relationshipCount) {
        List<TypeProjection> projections = Projector.distinctProjections(spec);
        List<String> labels = Projector.distinctLabels(spec);
        Map<TypeProjection, Long> counts = new LinkedHashMap<>();
        Map<TypeProjection, Long> ofTypes = new LinkedHashMap<>();
        long left = relationshipCount;
        for (int i = 0; i < projections.size(); i++) {
            TypeProjection projection = projections.get(i);
            List<String> type = List.of(projection.type());
            long share = left / (projections.size() - i);
            boolean bySource = relationshipCount == BY_SOURCE;
            counts.put(projection, bySource ? source.estimateRelationshipCount(labels, type) : share);
            ofTypes.put(projection, bySource ? source.estimateRelationshipCount(type) : share);
            left -= share;
        }
        if (nodeCount != BY_SOURCE) {
            return new ProjectionSize(spec, nodeCount, nodeCount, counts, ofTypes);
        }
        long found = source.estimateNodeCount(labels);
        // a node with several of the labels was counted several times
        long nodes =
                labels.size() == 1 ? found : Math.min(found, source.estimateNodeCount(List.of(ProjectionSpec.ALL)));
        return new ProjectionSize(spec, nodes, found, counts, ofTypes);
    }

    /** Number of nodes. */
    public int nodeCount() {
        return nodeCount;
    }

    /** Directed edges over all projected types: the maximum of {@link GraphProjection#relationshipCount()}. */
    public long relationshipCount() {
        return spec.types().values().stream().mapToLong(this::entries).sum();
    }

    /** Directed edges over all projected types that a graph leaves out: the ends of some are not among the nodes. */
    public long leftOut(GraphProjection graph) {
        long ofTypes = spec.types().values().stream()
                .mapToLong(projection -> entries(projection, typeCounts))
                .sum();
        return Math.max(0, ofTypes - graph.relationshipCount());
    }

    /**
     * The graph that a run on all its types will see.
     *
     * @param concurrency number of threads that read and build
     */
    public GraphPlan plan(int concurrency) {
        boolean symmetric = relationshipCounts.keySet().stream()
                .allMatch(projection -> projection.orientation() == Orientation.UNDIRECTED);
        List<Long> entries =
                relationshipCounts.keySet().stream().map(this::entries).toList();
        return GraphPlan.joining(nodeCount, relationshipCount(), entries, true, symmetric, peak(concurrency), held());
    }

    /** Heap of {@link GraphProjection#weighted} of the projection, at its peak. */
    public MemoryTree weightedMemory() {
        return relationshipCounts.size() < 2
                ? MemoryTree.NONE
                : CscOperations.weightedUnionMemory(
                        nodeCount,
                        relationshipCounts.keySet().stream()
                                .mapToLong(this::entries)
                                .sum());
    }

    /** Heap of the finished projection. */
    public MemoryTree held() {
        long least = 0;
        long most = 0;
        for (TypeProjection projection : relationshipCounts.keySet()) {
            MemoryTree held = CscBuilder.heldMemory(
                    nodeCount, entries(projection), projection.properties().size());
            least += held.minBytes();
            most += held.maxBytes();
        }
        return MemoryTree.together("graph", idMap(), labels(), MemoryTree.between("relationships", least, most));
    }

    /**
     * Heap of {@link Projector#project} at its peak, including the result.
     *
     * @param concurrency number of threads that read and build
     */
    public MemoryTree peak(int concurrency) {
        long found = foundCount * Long.BYTES;
        long lists = (long) Projector.distinctLabels(spec).size() * concurrency;
        List<BuildMemory> builds = new ArrayList<>();
        relationshipCounts.forEach((projection, relationships) -> builds.add(CscBuilder.memory(
                nodeCount,
                projection.orientation(),
                concurrency,
                relationships,
                projection.properties().size())));
        return MemoryTree.oneByOne(
                "projection",
                MemoryTree.together(
                        "scan nodes",
                        idMap(),
                        labels(),
                        MemoryTree.between("node ids found", found, found + lists * LongPages.PAGE_BYTES)),
                MemoryTree.together("build graph", idMap(), labels(), BuildMemory.peak(builds)));
    }

    private MemoryTree idMap() {
        return MemoryTree.between("id map", 0, IdMap.mostBytes(nodeCount));
    }

    private MemoryTree labels() {
        List<String> labels = Projector.distinctLabels(spec);
        long kept = labels.size() == 1
                ? 0
                : labels.stream()
                        .filter(label -> !label.equals(ProjectionSpec.ALL))
                        .count();
        return MemoryTree.exactly("labels", kept * VertexBits.bytes(nodeCount));
    }

    private long entries(TypeProjection projection) {
        return entries(projection, relationshipCounts);
    }

    private static long entries(TypeProjection projection, Map<TypeProjection, Long> counts) {
        long relationships = counts.get(projection);
        return projection.orientation() == Orientation.UNDIRECTED ? 2 * relationships : relationships;
    }
}
