// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.projection.GraphEntries;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.TokenWrite;
import org.neo4j.internal.kernel.api.Write;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.values.storable.CoordinateReferenceSystem;
import org.neo4j.values.storable.DateValue;
import org.neo4j.values.storable.DurationValue;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/**
 * A small graph that is changed at random, in a store and here alike, and what its projections must be. Relationships
 * have values of all types, many are parallel, and some are loops.
 */
public final class ValuedGraph {

    private static final List<String> LABELS = List.of("A", "B");
    private static final List<String> TYPES = List.of("R", "S");
    private static final List<String> KEYS = List.of("w", "v");
    private static final int MOST_NODES = 14;

    /** Without 0.0, to which Neo4j would not change -0.0. */
    private static final List<Value> NUMBERS = List.of(
            Values.byteValue((byte) -3),
            Values.shortValue((short) 300),
            Values.intValue(-70_000),
            Values.longValue(5),
            Values.longValue(Long.MAX_VALUE),
            Values.longValue(-(1L << 53) - 1),
            Values.floatValue(0.1f),
            Values.doubleValue(0.1),
            Values.doubleValue(-0.0),
            Values.doubleValue(Double.MIN_VALUE),
            Values.doubleValue(1e300),
            Values.doubleValue(Double.NaN),
            Values.doubleValue(Double.longBitsToDouble(-1)),
            Values.doubleValue(Double.POSITIVE_INFINITY),
            Values.doubleValue(Double.NEGATIVE_INFINITY));

    private static final List<Value> OTHERS = List.of(
            Values.booleanValue(true),
            Values.charValue('c'),
            Values.of("closed"),
            Values.of("7"),
            Values.of("\u4e2d".repeat(300)),
            Values.longArray(new long[] {1}),
            Values.doubleArray(new double[100]),
            Values.stringArray("a", "b".repeat(200)),
            Values.pointValue(CoordinateReferenceSystem.WGS_84, 1, 2),
            DateValue.date(2026, 1, 2),
            DurationValue.duration(1, 2, 3, 4));

    private final SplittableRandom random;
    private final Map<Long, Set<String>> nodes = new TreeMap<>();
    private final Map<Long, Relationship> relationships = new TreeMap<>();

    private record Relationship(String type, long source, long target, Map<String, Value> values) {}

    /** Two nodes, by their neo4jIds. */
    public record Pair(long source, long target) {}

    /**
     * What a projection must be.
     *
     * @param refused whether the projection must be refused, because a projected value is not a number
     * @param nodes neo4jIds of the nodes
     * @param pairs for each projected type its distinct relationships
     * @param values for each projected type and property the values of each relationship, in ascending order
     * @param directed number of directed relationships in the store of all projected types
     */
    public record Expected(
            boolean refused,
            Set<Long> nodes,
            Map<String, Set<Pair>> pairs,
            Map<String, Map<String, Map<Pair, List<Double>>>> values,
            long directed) {
        /** The number of distinct directed relationships. */
        public long relationshipCount() {
            return pairs.values().stream().mapToLong(Set::size).sum();
        }
    }

    /** A graph without nodes. */
    public ValuedGraph(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Changes the graph in the store and here. */
    public void change(KernelTransaction transaction, int changes) throws KernelException {
        Write write = transaction.dataWrite();
        TokenWrite tokens = transaction.tokenWrite();
        // otherwise nearly every projection would be refused
        double others = List.of(0.0, 0.02, 0.3).get(random.nextInt(3));
        if (random.nextBoolean()) {
            deleteRelationshipsWithOthers(write);
        }
        for (int i = 0; i < changes; i++) {
            int dice = random.nextInt(100);
            if (nodes.size() < 2 || (dice < 5 && nodes.size() < MOST_NODES)) {
                Set<String> labels = new HashSet<>();
                LABELS.stream().filter(label -> random.nextBoolean()).forEach(labels::add);
                nodes.put(write.nodeCreateWithLabels(tokens(labels, tokens)), labels);
            } else if (dice < 8) {
                deleteNode(write);
            } else if (dice < 15) {
                changeLabel(write, tokens);
            } else if (dice < 25 && !relationships.isEmpty()) {
                long relationship = any(relationships.keySet());
                write.relationshipDelete(relationship);
                relationships.remove(relationship);
            } else if (dice < 60 || relationships.isEmpty()) {
                createRelationship(write, tokens);
            } else {
                setProperty(write, tokens, others);
            }
        }
    }

    private static int[] tokens(Set<String> labels, TokenWrite tokens) throws KernelException {
        int[] found = new int[labels.size()];
        int count = 0;
        for (String label : labels) {
            found[count++] = tokens.labelGetOrCreateForName(label);
        }
        return found;
    }

    private void deleteRelationshipsWithOthers(Write write) throws KernelException {
        for (long id : List.copyOf(relationships.keySet())) {
            if (relationships.get(id).values.values().stream().anyMatch(OTHERS::contains)) {
                write.relationshipDelete(id);
                relationships.remove(id);
            }
        }
    }

    private void deleteNode(Write write) throws KernelException {
        long node = any(nodes.keySet());
        for (long id : List.copyOf(relationships.keySet())) {
            if (relationships.get(id).source == node || relationships.get(id).target == node) {
                write.relationshipDelete(id);
                relationships.remove(id);
            }
        }
        write.nodeDelete(node);
        nodes.remove(node);
    }

    private void changeLabel(Write write, TokenWrite tokens) throws KernelException {
        long node = any(nodes.keySet());
        String label = any(LABELS);
        int token = tokens.labelGetOrCreateForName(label);
        if (nodes.get(node).remove(label)) {
            write.nodeRemoveLabel(node, token);
        } else {
            write.nodeAddLabel(node, token);
            nodes.get(node).add(label);
        }
    }

    private void createRelationship(Write write, TokenWrite tokens) throws KernelException {
        long source = any(nodes.keySet());
        long target = random.nextInt(6) == 0 ? source : any(nodes.keySet());
        String type = any(TYPES);
        long id = write.relationshipCreate(source, tokens.relationshipTypeGetOrCreateForName(type), target);
        relationships.put(id, new Relationship(type, source, target, new TreeMap<>()));
    }

    private void setProperty(Write write, TokenWrite tokens, double others) throws KernelException {
        long id = any(relationships.keySet());
        String key = any(KEYS);
        int token = tokens.propertyKeyGetOrCreateForName(key);
        if (random.nextInt(5) == 0) {
            write.relationshipRemoveProperty(id, token);
            relationships.get(id).values.remove(key);
        } else {
            Value value = any(random.nextDouble() < others ? OTHERS : NUMBERS);
            write.relationshipSetProperty(id, token, value);
            relationships.get(id).values.put(key, value);
        }
    }

    private <T> T any(Iterable<T> elements) {
        List<T> list = new ArrayList<>();
        elements.forEach(list::add);
        return list.get(random.nextInt(list.size()));
    }

    /** A random projection. */
    public ProjectionSpec spec() {
        Map<String, String> labels = new LinkedHashMap<>();
        any(List.of(List.of("A"), List.of("A", "B"), List.of(ProjectionSpec.ALL)))
                .forEach(label -> labels.put("of " + label, label));
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String type = any(List.of("R", "S", ProjectionSpec.ALL));
            boolean keepsParallel = random.nextInt(4) == 0;
            Map<String, PropertyProjection> properties = new LinkedHashMap<>();
            for (int property = 0; property < random.nextInt(4); property++) {
                Aggregation aggregation = keepsParallel
                        ? Aggregation.NONE
                        : any(Stream.of(Aggregation.values())
                                .filter(any -> any != Aggregation.NONE)
                                .toList());
                boolean all = aggregation == Aggregation.COUNT && random.nextBoolean();
                properties.put(
                        "p" + random.nextInt(9),
                        new PropertyProjection(
                                all ? ProjectionSpec.ALL : any(KEYS),
                                any(List.of(Double.NaN, 2.5, -1.0)),
                                aggregation));
            }
            types.put("T" + i, new TypeProjection(type, any(List.of(Orientation.values())), properties));
        }
        return new ProjectionSpec(labels, types);
    }

    /** Projections of properties of the graph whose values stay as they are. */
    public static Map<String, PropertyProjection> unchanged(List<String> keys) {
        Map<String, PropertyProjection> properties = new LinkedHashMap<>();
        keys.forEach(key -> properties.put(key, new PropertyProjection(key, Double.NaN, Aggregation.NONE)));
        return properties;
    }

    /** The graph without the nodes of a label, the relationships of a type, and a property. */
    ValuedGraph without(String label, String type, String key) {
        ValuedGraph rest = new ValuedGraph(0);
        nodes.forEach((node, labels) -> {
            if (!labels.contains(label)) {
                rest.nodes.put(node, labels);
            }
        });
        relationships.forEach((id, given) -> {
            if (!given.type.equals(type)
                    && rest.nodes.containsKey(given.source)
                    && rest.nodes.containsKey(given.target)) {
                Map<String, Value> values = new TreeMap<>(given.values);
                values.remove(key);
                rest.relationships.put(id, new Relationship(given.type, given.source, given.target, values));
            }
        });
        return rest;
    }

    /** The number of nodes with a label. */
    public long count(String label) {
        return nodes.values().stream()
                .filter(labels -> label.equals(ProjectionSpec.ALL) || labels.contains(label))
                .count();
    }

    /** What a projection must be. */
    public Expected expected(ProjectionSpec spec) {
        Set<Long> inside = new HashSet<>();
        nodes.forEach((node, labels) -> {
            if (spec.labels().containsValue(ProjectionSpec.ALL)
                    || spec.labels().values().stream().anyMatch(labels::contains)) {
                inside.add(node);
            }
        });
        boolean refused = false;
        long directed = 0;
        Map<String, Set<Pair>> pairs = new TreeMap<>();
        Map<String, Map<String, Map<Pair, List<Double>>>> values = new TreeMap<>();
        for (Map.Entry<String, TypeProjection> projection : spec.types().entrySet()) {
            TypeProjection type = projection.getValue();
            List<Relationship> ofType = relationships.values().stream()
                    .filter(any -> type.type().equals(ProjectionSpec.ALL) || any.type.equals(type.type()))
                    .toList();
            directed += ofType.size() * (type.orientation() == Orientation.UNDIRECTED ? 2L : 1L);
            Set<Pair> distinct = new HashSet<>();
            Map<String, Map<Pair, List<Double>>> ofProperties = new TreeMap<>();
            type.properties().keySet().forEach(name -> ofProperties.put(name, new LinkedHashMap<>()));
            for (Relationship relationship : ofType) {
                if (relationship.source == relationship.target
                        || !inside.contains(relationship.source)
                        || !inside.contains(relationship.target)) {
                    continue;
                }
                distinct.addAll(pairs(relationship, type.orientation()));
                for (Map.Entry<String, PropertyProjection> property :
                        type.properties().entrySet()) {
                    Double value = value(relationship, property.getValue());
                    refused |= value == null;
                    for (Pair pair : pairs(relationship, type.orientation())) {
                        ofProperties
                                .get(property.getKey())
                                .computeIfAbsent(pair, unused -> new ArrayList<>())
                                .add(value);
                    }
                }
            }
            pairs.put(projection.getKey(), distinct);
            values.put(projection.getKey(), ofProperties);
            if (!refused) {
                type.properties().forEach((name, property) -> ofProperties
                        .get(name)
                        .replaceAll((pair, all) -> aggregated(all, property.aggregation())));
            }
        }
        return new Expected(refused, inside, pairs, values, directed);
    }

    private static List<Pair> pairs(Relationship relationship, Orientation orientation) {
        Pair forward = new Pair(relationship.source, relationship.target);
        Pair backward = new Pair(relationship.target, relationship.source);
        return switch (orientation) {
            case NATURAL -> List.of(forward);
            case REVERSE -> List.of(backward);
            case UNDIRECTED -> List.of(forward, backward);
        };
    }

    /** The value of a relationship; null if it is not a number. */
    private static Double value(Relationship relationship, PropertyProjection property) {
        Value given = relationship.values.get(property.property());
        if (property.aggregation() == Aggregation.COUNT) {
            return given != null || property.property().equals(ProjectionSpec.ALL) ? 1.0 : 0.0;
        }
        return given == null
                ? Double.valueOf(property.defaultValue())
                : given instanceof NumberValue number ? Double.valueOf(number.doubleValue()) : null;
    }

    private static List<Double> aggregated(List<Double> values, Aggregation aggregation) {
        List<Double> present =
                values.stream().filter(value -> !Double.isNaN(value)).sorted().toList();
        if (aggregation == Aggregation.NONE) {
            return values.stream().sorted().toList();
        }
        if (present.isEmpty()) {
            return List.of(Double.NaN);
        }
        return switch (aggregation) {
            case MAX -> List.of(present.get(present.size() - 1));
            case COUNT, SUM -> List.of(present.stream().reduce(0.0, Double::sum));
            default -> List.of(present.get(0));
        };
    }

    /** A projection of the graph as it is expected; the number of relationships in the store is not known of it. */
    public static Expected of(GraphProjection graph) {
        Set<Long> inside = new HashSet<>();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            inside.add(graph.idMap().toNeo4jId(vertex));
        }
        Map<String, Set<Pair>> pairs = new TreeMap<>();
        Map<String, Map<String, Map<Pair, List<Double>>>> values = new TreeMap<>();
        for (String type : graph.types()) {
            pairs.put(type, byPair(graph, GraphEntries.of(graph.csc(type))).keySet());
            Map<String, Map<Pair, List<Double>>> ofProperties = new TreeMap<>();
            for (String property : graph.properties(type)) {
                ofProperties.put(property, byPair(graph, GraphEntries.of(graph.weighted(type, property))));
            }
            values.put(type, ofProperties);
        }
        return new Expected(false, inside, pairs, values, 0);
    }

    private static Map<Pair, List<Double>> byPair(GraphProjection graph, List<List<GraphEntries.Entry>> columns) {
        Map<Pair, List<Double>> pairs = new LinkedHashMap<>();
        for (int column = 0; column < columns.size(); column++) {
            for (GraphEntries.Entry entry : columns.get(column)) {
                Pair pair =
                        new Pair(graph.idMap().toNeo4jId(column), graph.idMap().toNeo4jId(entry.row()));
                pairs.computeIfAbsent(pair, unused -> new ArrayList<>()).add(entry.weight());
            }
        }
        return pairs;
    }
}
