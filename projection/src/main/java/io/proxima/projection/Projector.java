// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.csc.VertexBits;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Builds projections from sources. {@link CypherGraphCollector} builds them from rows. */
public final class Projector {

    /** Scanning the nodes; volume in nodes. */
    public static final Task SCAN_NODES = Task.of("Scan nodes");

    /** Scanning the relationships; volume in relationships. */
    public static final Task SCAN_RELATIONSHIPS = Task.of("Scan relationships");

    /** Building the CSC of each type; volume in vertices times types. */
    public static final Task BUILD = Task.of("Build CSC");

    /** The tasks that a projection reports, in order. */
    public static final List<Task> TASKS = List.of(SCAN_NODES, SCAN_RELATIONSHIPS, BUILD);

    private Projector() {}

    /**
     * Projects a graph.
     *
     * @param source the source to scan
     * @param spec the nodes and relationships to project; the source has the labels, types and properties
     * @param options concurrency and validation
     * @param stop requests the work to end early; all memory is released then
     * @param progress receives the {@link #TASKS}
     * @return the projection
     * @throws ProjectionException if a property of a projected relationship is not a number, or if an end of a
     *     relationship is not projected and the options require validation
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphProjection project(
            GraphSource source, ProjectionSpec spec, Options options, Stop stop, Progress progress) {
        List<String> labels = distinctLabels(spec);
        LongPages[][] found = scanNodes(source, labels, options, stop, progress);
        IdMap idMap = IdMap.of(Stream.of(found).flatMap(Stream::of).toList(), options.concurrency, stop);
        Map<String, long[]> bitsOfLabel = new HashMap<>();
        for (int label = 0; label < found.length; label++) {
            boolean borneByAll = labels.size() == 1 || labels.get(label).equals(ProjectionSpec.ALL);
            bitsOfLabel.put(labels.get(label), borneByAll ? null : labelBits(found[label], idMap, stop));
            found[label] = null;
        }
        Map<String, long[]> labelBits = new LinkedHashMap<>();
        spec.labels().forEach((name, label) -> labelBits.put(name, bitsOfLabel.get(label)));
        return project(
                idMap,
                labelBits,
                source,
                types -> source.estimateRelationshipCount(labels, types),
                spec.types(),
                options,
                stop,
                progress);
    }

    /**
     * Projects a graph whose nodes are known. Reports the tasks after the scan of the nodes.
     *
     * @param labelBits for each projected label the vertices that have it, see {@link VertexBits}; null if all have it
     * @param spec the projected types
     */
    static GraphProjection project(
            IdMap idMap,
            Map<String, long[]> labelBits,
            RelationshipSource source,
            Map<String, TypeProjection> spec,
            Options options,
            Stop stop,
            Progress progress) {
        return project(idMap, labelBits, source, source::estimateRelationshipCount, spec, options, stop, progress);
    }

    private static GraphProjection project(
            IdMap idMap,
            Map<String, long[]> labelBits,
            RelationshipSource source,
            ToLongFunction<List<String>> expected,
            Map<String, TypeProjection> spec,
            Options options,
            Stop stop,
            Progress progress) {
        List<TypeProjection> projections = spec.values().stream().distinct().toList();
        List<String> types =
                projections.stream().map(TypeProjection::type).distinct().toList();
        List<CscBuilder> builders =
                scanRelationships(source, expected, types, projections, idMap, options, stop, progress);
        progress.beginTask(BUILD, (long) idMap.size() * builders.size());
        Map<TypeProjection, CscBuilder.Built> built = new LinkedHashMap<>();
        for (int i = 0; i < builders.size(); i++) {
            // what a builder still holds is freed before the next one
            CscBuilder builder = builders.set(i, null);
            built.put(projections.get(i), builder.build(options.concurrency, stop, progress));
        }
        return named(idMap, labelBits, spec, built);
    }

    /**
     * A graph of types by their names.
     *
     * @param built for each distinct projection its graph, with the weights in the order of its properties
     */
    static GraphProjection named(
            IdMap idMap,
            Map<String, long[]> labelBits,
            Map<String, TypeProjection> spec,
            Map<TypeProjection, CscBuilder.Built> built) {
        Map<TypeProjection, Map<String, WeightedCsc>> weights = new HashMap<>();
        built.forEach((projection, graph) -> {
            Map<String, WeightedCsc> byProperty = new LinkedHashMap<>();
            for (String property : projection.properties().keySet()) {
                byProperty.put(property, graph.weights().get(byProperty.size()));
            }
            weights.put(projection, byProperty);
        });
        Map<String, Csc> graphsByType = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> weightsByType = new LinkedHashMap<>();
        spec.forEach((name, projection) -> {
            graphsByType.put(name, built.get(projection).graph());
            // an equal projection may name the properties in another order
            Map<String, WeightedCsc> ofType = weights.get(projection);
            Map<String, WeightedCsc> ordered = new LinkedHashMap<>();
            projection.properties().keySet().forEach(property -> ordered.put(property, ofType.get(property)));
            weightsByType.put(name, ordered);
        });
        return new GraphProjection(idMap, labelBits, graphsByType, weightsByType);
    }

    static List<String> distinctLabels(ProjectionSpec spec) {
        return spec.labels().values().stream().distinct().toList();
    }

    static List<TypeProjection> distinctProjections(ProjectionSpec spec) {
        return spec.types().values().stream().distinct().toList();
    }

    /** For each label and worker the neo4jIds of the nodes that were found. */
    private static LongPages[][] scanNodes(
            GraphSource source, List<String> labels, Options options, Stop stop, Progress progress) {
        progress.beginTask(SCAN_NODES, source.estimateNodeCount(labels));
        LongPages[][] found = new LongPages[labels.size()][options.concurrency];
        for (LongPages[] ofLabel : found) {
            Arrays.setAll(ofLabel, worker -> new LongPages());
        }
        source.scanNodes(labels, options.concurrency, stop, (worker, label, neo4jIds, count) -> {
            found[label][worker].add(neo4jIds, count);
            progress.advance(count);
        });
        return found;
    }

    private static long[] labelBits(LongPages[] found, IdMap idMap, Stop stop) {
        long[] bits = VertexBits.allocate(idMap.size());
        LongPages.forPages(List.of(found), stop, (ids, count) -> {
            for (int i = 0; i < count; i++) {
                VertexBits.set(bits, idMap.toVertex(ids[i]));
            }
        });
        return bits;
    }

    private static List<CscBuilder> scanRelationships(
            RelationshipSource source,
            ToLongFunction<List<String>> expected,
            List<String> types,
            List<TypeProjection> projections,
            IdMap idMap,
            Options options,
            Stop stop,
            Progress progress) {
        progress.beginTask(SCAN_RELATIONSHIPS, expected.applyAsLong(types));
        Map<RelationshipSource.Property, Integer> places = new LinkedHashMap<>();
        Map<String, List<CscBuilder>> ofType = new HashMap<>();
        List<CscBuilder> builders = new ArrayList<>();
        for (TypeProjection projection : projections) {
            stop.check();
            List<CscBuilder.EdgeValue> values = new ArrayList<>();
            for (PropertyProjection property : projection.properties().values()) {
                places.putIfAbsent(property.read(), places.size());
                values.add(new CscBuilder.EdgeValue(property.aggregation(), places.get(property.read())));
            }
            CscBuilder builder = new CscBuilder(
                    idMap.size(),
                    projection.orientation(),
                    values,
                    options.concurrency,
                    expected.applyAsLong(List.of(projection.type())),
                    IntPages.DEFAULT_PAGE_SHIFT);
            builders.add(builder);
            ofType.computeIfAbsent(projection.type(), type -> new ArrayList<>()).add(builder);
        }
        List<CscBuilder> ofAll = ofType.getOrDefault(ProjectionSpec.ALL, List.of());
        ofType.forEach((type, own) -> {
            if (!type.equals(ProjectionSpec.ALL)) {
                own.addAll(ofAll);
            }
        });
        CscBuilder.EdgeBuffer[][][] takers = IntStream.range(0, options.concurrency)
                .mapToObj(worker -> types.stream()
                        .map(type -> ofType.get(type).stream()
                                .map(builder -> builder.buffer(worker))
                                .toArray(CscBuilder.EdgeBuffer[]::new))
                        .toArray(CscBuilder.EdgeBuffer[][]::new))
                .toArray(CscBuilder.EdgeBuffer[][][]::new);
        Edges edges = new Edges(idMap, takers, options.validateRelationships, progress);
        List<RelationshipSource.Property> properties = List.copyOf(places.keySet());
        if (options.validateRelationships) {
            source.scanRelationships(types, properties, options.concurrency, stop, edges);
        } else {
            source.scanRelationshipsAmong(idMap, types, properties, options.concurrency, stop, edges);
        }
        return builders;
    }

    /**
     * Turns relationships into edges.
     *
     * @param takers for each worker and type the buffers of the builders that take relationships of the type
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Edges(
            IdMap idMap, CscBuilder.EdgeBuffer[][][] takers, boolean validateRelationships, Progress progress)
            implements RelationshipSource.RelationshipSink {
        @Override
        public void accept(int worker, long[] sources, long[] targets, int[] typeOf, double[][] values, int count) {
            // fields would be loaded again for each relationship
            IdMap ids = idMap;
            CscBuilder.EdgeBuffer[][] takersOfType = takers[worker];
            for (int i = 0; i < count; i++) {
                int from = ids.toVertex(sources[i]);
                int to = ids.toVertex(targets[i]);
                if (from != IdMap.ABSENT && to != IdMap.ABSENT) {
                    for (CscBuilder.EdgeBuffer edges : takersOfType[typeOf[i]]) {
                        edges.add(from, to, values, i);
                    }
                } else if (validateRelationships) {
                    throw outside(from == IdMap.ABSENT, from == IdMap.ABSENT ? sources[i] : targets[i]);
                }
            }
            progress.advance(count);
        }

        @Override
        public boolean uses(long source, long target, int type, int property) {
            return source != target
                    && idMap.toVertex(source) != IdMap.ABSENT
                    && idMap.toVertex(target) != IdMap.ABSENT
                    && Stream.of(takers[0][type]).anyMatch(edges -> edges.takes(property));
        }

        private static ProjectionException outside(boolean isSource, long neo4jId) {
            return new ProjectionException("Failed to load a relationship because its "
                    + (isSource ? "source" : "target") + "-node with id " + neo4jId
                    + " is not part of the node query or projection. To ignore the relationship,"
                    + " set the configuration parameter `validateRelationships` to false.");
        }
    }

    /**
     * How to project.
     *
     * @param concurrency number of threads that read and build, at least 1
     * @param validateRelationships whether an end outside the projected nodes is an error instead of being left out
     */
    public record Options(int concurrency, boolean validateRelationships) {
        /** Checks the concurrency. */
        public Options {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency must be at least 1: concurrency=" + concurrency);
            }
        }
    }
}
