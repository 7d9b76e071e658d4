// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

    /** Number of names in a message. */
    private static final int SHOWN = 20;

    private Projector() {}

    /**
     * Projects a graph.
     *
     * @param source the source to scan
     * @param spec the nodes and relationships to project
     * @param options concurrency and validation
     * @param stop requests the work to end early; all memory is released then
     * @param progress receives the {@link #TASKS}
     * @return the projection
     * @throws ProjectionException if the source lacks a label, type or property, if a property is not a number, or if an
     *     end of a relationship is not projected and the options require validation
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphProjection project(
            GraphSource source, ProjectionSpec spec, Options options, Stop stop, Progress progress) {
        List<String> labels = distinctLabels(spec);
        checkKnown(source, spec);

        Nodes nodes = scanNodes(source, labels, options, stop, progress);
        Map<String, long[]> labelBits = new LinkedHashMap<>();
        spec.labels().forEach((name, label) -> labelBits.put(name, nodes.labelBits.get(label)));
        return project(nodes.idMap, labelBits, source, spec.types(), options, stop, progress);
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
        List<TypeProjection> projections = spec.values().stream().distinct().toList();
        List<String> types =
                projections.stream().map(TypeProjection::type).distinct().toList();
        CscBuilder[] builders = scanRelationships(source, types, projections, idMap, options, stop, progress);
        progress.beginTask(BUILD, (long) idMap.size() * builders.length);
        Map<TypeProjection, CscBuilder.Built> graphs = new LinkedHashMap<>();
        for (int i = 0; i < builders.length; i++) {
            graphs.put(projections.get(i), builders[i].build(options.concurrency, stop, progress));
            builders[i] = null;
        }
        Map<String, Csc> graphsByType = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> weightsByType = new LinkedHashMap<>();
        spec.forEach((name, projection) -> {
            graphsByType.put(name, graphs.get(projection).graph());
            Map<String, WeightedCsc> weights = new LinkedHashMap<>();
            for (String property : projection.properties().keySet()) {
                weights.put(property, graphs.get(projection).weights().get(weights.size()));
            }
            weightsByType.put(name, weights);
        });
        return new GraphProjection(idMap, labelBits, graphsByType, weightsByType);
    }

    static List<String> distinctLabels(ProjectionSpec spec) {
        return spec.labels().values().stream().distinct().toList();
    }

    static List<TypeProjection> distinctProjections(ProjectionSpec spec) {
        return spec.types().values().stream().distinct().toList();
    }

    static void checkKnown(GraphSource source, ProjectionSpec spec) {
        List<String> faults = new ArrayList<>();
        List<String> labels = unknown(distinctLabels(spec), source::hasLabel);
        if (!labels.isEmpty()) {
            faults.add("Invalid node projection, one or more labels not found: '" + joined(labels, ", ") + "'");
        }
        List<String> typesWanted = distinctProjections(spec).stream()
                .map(TypeProjection::type)
                .distinct()
                .toList();
        List<String> types = unknown(typesWanted, source::hasType);
        if (!types.isEmpty()) {
            faults.add("Invalid relationship projection, one or more relationship types not found: '"
                    + joined(types, ", ") + "'");
        }
        Set<Map<String, PropertyProjection>> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        spec.types().values().forEach(projection -> shared.add(projection.properties()));
        for (Map<String, PropertyProjection> properties : shared) {
            if (!TypeProjection.isSound(properties)) {
                throw new IllegalArgumentException(
                        "all properties keep parallel relationships or none does: properties=" + properties);
            }
        }
        List<String> propertiesWanted = shared.stream()
                .flatMap(properties -> properties.values().stream())
                .map(PropertyProjection::property)
                .distinct()
                .toList();
        List<String> properties = unknown(propertiesWanted, source::hasProperty);
        if (!properties.isEmpty()) {
            faults.add("Relationship properties not found: '" + joined(properties, "', '")
                    + "'. To count parallel relationships, use the property '*' with the aggregation 'COUNT'.");
        }
        if (!faults.isEmpty()) {
            throw new ProjectionException(String.join("\n", faults));
        }
    }

    private static String joined(List<String> names, String separator) {
        return names.stream().limit(SHOWN).collect(Collectors.joining(separator))
                + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
    }

    private static List<String> unknown(Collection<String> names, Predicate<String> known) {
        return names.stream()
                .filter(name -> !name.equals(ProjectionSpec.ALL) && !known.test(name))
                .toList();
    }

    /**
     * The nodes of a projection.
     *
     * @param idMap the id map of all nodes
     * @param labelBits for each label {@code long[ceil(size / 64)]}, bit v set iff vertex v has it; null if all have it
     */
    private record Nodes(IdMap idMap, Map<String, long[]> labelBits) {}

    private static Nodes scanNodes(
            GraphSource source, List<String> labels, Options options, Stop stop, Progress progress) {
        progress.beginTask(SCAN_NODES, source.estimateNodeCount(labels));
        LongPages[][] found = new LongPages[labels.size()][options.concurrency];
        List<LongPages> all = new ArrayList<>();
        for (LongPages[] ofLabel : found) {
            for (int worker = 0; worker < options.concurrency; worker++) {
                ofLabel[worker] = new LongPages();
                all.add(ofLabel[worker]);
            }
        }
        source.scanNodes(labels, options.concurrency, stop, (worker, label, neo4jIds, count) -> {
            found[label][worker].add(neo4jIds, count);
            progress.advance(count);
        });
        IdMap idMap = IdMap.of(all, options.concurrency, stop);

        Map<String, long[]> labelBits = new HashMap<>();
        for (int label = 0; label < labels.size(); label++) {
            boolean borneByAll = labels.size() == 1 || labels.get(label).equals(ProjectionSpec.ALL);
            labelBits.put(labels.get(label), borneByAll ? null : labelBits(found[label], idMap, stop));
        }
        return new Nodes(idMap, labelBits);
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

    private static CscBuilder[] scanRelationships(
            RelationshipSource source,
            List<String> types,
            List<TypeProjection> projections,
            IdMap idMap,
            Options options,
            Stop stop,
            Progress progress) {
        long expected = source.estimateRelationshipCount(types);
        progress.beginTask(SCAN_RELATIONSHIPS, expected);
        Map<RelationshipSource.Property, Integer> places = new LinkedHashMap<>();
        for (TypeProjection projection : projections) {
            stop.check();
            projection.properties().values().forEach(property -> places.putIfAbsent(property.read(), places.size()));
        }
        CscBuilder[] builders = new CscBuilder[projections.size()];
        int[][] placesOfBuilder = new int[builders.length][];
        for (int i = 0; i < builders.length; i++) {
            stop.check();
            TypeProjection projection = projections.get(i);
            Collection<PropertyProjection> values = projection.properties().values();
            placesOfBuilder[i] = values.stream()
                    .mapToInt(property -> places.get(property.read()))
                    .toArray();
            builders[i] = new CscBuilder(
                    idMap.size(),
                    projection.orientation(),
                    values.stream().map(PropertyProjection::aggregation).toList(),
                    options.concurrency,
                    source.estimateRelationshipCount(List.of(projection.type())),
                    IntPages.DEFAULT_PAGE_SHIFT);
        }
        Takers[] takers = new Takers[options.concurrency];
        for (int worker = 0; worker < options.concurrency; worker++) {
            stop.check();
            takers[worker] = Takers.of(types, projections, builders, placesOfBuilder, worker);
        }
        List<RelationshipSource.Property> properties = List.copyOf(places.keySet());
        source.scanRelationships(
                types, properties, options.concurrency, stop, (worker, sources, targets, typeOf, values, count) -> {
                    addEdges(
                            idMap,
                            takers[worker],
                            sources,
                            targets,
                            typeOf,
                            values,
                            count,
                            options.validateRelationships);
                    progress.advance(count);
                });
        return builders;
    }

    /**
     * Takes relationships into the buffer of one worker.
     *
     * @param places for each value of the buffer its place in the values that are received
     */
    @SuppressWarnings("ArrayRecordComponent") // a view of arrays that others own, never compared
    private record Taker(CscBuilder.EdgeBuffer edges, int[] places) {}

    /** The takers of one worker: for each type those of its own, and those that take relationships of all types. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Takers(Taker[][] ofType, Taker[] ofAll) {

        static Takers of(
                List<String> types,
                List<TypeProjection> projections,
                CscBuilder[] builders,
                int[][] places,
                int worker) {
            Map<String, List<Taker>> byType = new HashMap<>();
            for (int i = 0; i < builders.length; i++) {
                byType.computeIfAbsent(projections.get(i).type(), type -> new ArrayList<>())
                        .add(new Taker(builders[i].buffer(worker), places[i]));
            }
            List<Taker> ofAll = byType.remove(ProjectionSpec.ALL);
            return new Takers(
                    types.stream().map(type -> array(byType.get(type))).toArray(Taker[][]::new), array(ofAll));
        }

        private static Taker[] array(List<Taker> takers) {
            return takers == null ? new Taker[0] : takers.toArray(Taker[]::new);
        }

        void add(int type, int source, int target, double[][] values, int i) {
            for (Taker taker : ofType[type]) {
                taker.edges.add(source, target, values, taker.places, i);
            }
            for (Taker taker : ofAll) {
                taker.edges.add(source, target, values, taker.places, i);
            }
        }
    }

    private static void addEdges(
            IdMap idMap,
            Takers takers,
            long[] sources,
            long[] targets,
            int[] types,
            double[][] values,
            int count,
            boolean validate) {
        for (int i = 0; i < count; i++) {
            int source = idMap.toVertex(sources[i]);
            int target = idMap.toVertex(targets[i]);
            if (source == IdMap.ABSENT || target == IdMap.ABSENT) {
                if (validate) {
                    throw outside(source == IdMap.ABSENT, source == IdMap.ABSENT ? sources[i] : targets[i]);
                }
                continue;
            }
            takers.add(types[i], source, target, values, i);
        }
    }

    private static ProjectionException outside(boolean isSource, long neo4jId) {
        return new ProjectionException("Failed to load a relationship because its " + (isSource ? "source" : "target")
                + "-node with id " + neo4jId
                + " is not part of the node query or projection. To ignore the relationship,"
                + " set the configuration parameter `validateRelationships` to false.");
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
