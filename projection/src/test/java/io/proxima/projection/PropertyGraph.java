// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * A source of named nodes and relationships for tests of the projection; batches are tiny and spread over the workers.
 */
public final class PropertyGraph implements GraphSource, PartialSource {

    private static final int BATCH = 3;

    private final Map<Long, Set<String>> nodes = new LinkedHashMap<>();
    private final List<Relationship> relationships = new ArrayList<>();

    /** A relationship between two neo4jIds. */
    public record Relationship(String type, long source, long target, Map<String, Double> properties) {}

    /** Adds a node. */
    public PropertyGraph node(long neo4jId, String... labels) {
        nodes.put(neo4jId, new LinkedHashSet<>(List.of(labels)));
        return this;
    }

    /** Adds a relationship. */
    public PropertyGraph relationship(String type, long source, long target) {
        return relationship(type, source, target, Map.of());
    }

    /** Adds a relationship with properties. */
    public PropertyGraph relationship(String type, long source, long target, Map<String, Double> properties) {
        relationships.add(new Relationship(type, source, target, properties));
        return this;
    }

    /** Projects this graph; relationships to the outside are left out. */
    public GraphProjection project(ProjectionSpec spec, int concurrency) {
        return Projector.project(this, spec, new Projector.Options(concurrency, false), Stop.NEVER, Progress.NONE);
    }

    /** The nodes with their labels. */
    public Map<Long, Set<String>> nodes() {
        return nodes;
    }

    /** The relationships. */
    public List<Relationship> relationships() {
        return relationships;
    }

    @Override
    public long estimateNodeCount(List<String> labels) {
        return labels.stream()
                .mapToLong(label -> nodes.values().stream()
                        .filter(borne -> label.equals(ProjectionSpec.ALL) || borne.contains(label))
                        .count())
                .sum();
    }

    @Override
    public long estimateRelationshipCount(List<String> types) {
        return relationships.size();
    }

    @Override
    public void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink) {
        for (int i = 0; i < labels.size(); i++) {
            int label = i;
            List<Long> found = nodes.entrySet().stream()
                    .filter(node -> labels.get(label).equals(ProjectionSpec.ALL)
                            || node.getValue().contains(labels.get(label)))
                    .map(Map.Entry::getKey)
                    .toList();
            Workers.forRanges(concurrency, found.size(), BATCH, stop, (worker, from, to) -> {
                long[] batch = found.subList((int) from, (int) to).stream()
                        .mapToLong(Long::longValue)
                        .toArray();
                sink.accept(worker, label, batch, batch.length);
            });
        }
    }

    @Override
    public void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
        int all = types.indexOf(ProjectionSpec.ALL);
        List<Relationship> found = relationships.stream()
                .filter(relationship -> all >= 0 || types.contains(relationship.type))
                .toList();
        Workers.forRanges(concurrency, found.size(), BATCH, stop, (worker, from, to) -> {
            List<Relationship> batch = found.subList((int) from, (int) to);
            sink.accept(
                    worker,
                    batch.stream().mapToLong(Relationship::source).toArray(),
                    batch.stream().mapToLong(Relationship::target).toArray(),
                    batch.stream()
                            .mapToInt(relationship ->
                                    types.contains(relationship.type) ? types.indexOf(relationship.type) : all)
                            .toArray(),
                    properties.stream()
                            .map(property -> batch.stream()
                                    .mapToDouble(relationship -> value(relationship, property))
                                    .toArray())
                            .toArray(double[][]::new),
                    batch.size());
        });
    }

    @Override
    public void readNodes(List<String> labels, long[] neo4jIds, Stop stop, NodeSink sink) {
        Set<Long> wanted = new HashSet<>();
        LongStream.of(neo4jIds).forEach(wanted::add);
        PropertyGraph some = new PropertyGraph();
        nodes.forEach((node, borne) -> {
            if (wanted.contains(node)) {
                some.nodes.put(node, borne);
            }
        });
        some.scanNodes(labels, 1, stop, sink);
    }

    @Override
    public Part part(long[] pairs, long[] ofNodes, long most) {
        Set<Set<Long>> between = new HashSet<>();
        for (int i = 0; i < pairs.length; i += 2) {
            between.add(Set.of(pairs[i], pairs[i + 1]));
        }
        PropertyGraph some = new PropertyGraph();
        relationships.stream()
                .filter(one -> Arrays.binarySearch(ofNodes, one.source) >= 0
                        || Arrays.binarySearch(ofNodes, one.target) >= 0
                        || (one.source != one.target && between.contains(Set.of(one.source, one.target))))
                .forEach(some.relationships::add);
        return new Some(some, some.relationships.size() <= most);
    }

    private record Some(PropertyGraph graph, boolean isComplete) implements Part {
        @Override
        public long estimateRelationshipCount(List<String> types) {
            return graph.estimateRelationshipCount(types);
        }

        @Override
        public void scanRelationships(
                List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
            graph.scanRelationships(types, properties, 1, stop, sink);
        }
    }

    private static double value(Relationship relationship, Property property) {
        Double value = relationship.properties.get(property.key());
        return value == null ? property.absent() : property.counts() ? 1 : value;
    }
}
