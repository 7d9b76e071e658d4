// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.PropertyGraph.Relationship;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Updated graphs against projections of the changed source. */
class GraphUpdateTest {

    private static final List<String> LABELS = List.of("A", "B", "C");
    private static final List<String> TYPES = List.of("R", "S", "T");
    private static final int CHANGES = 4;

    @Property(tries = 400)
    void shouldEqualAProjectionOfTheChangedSource(
            @ForAll @IntRange(min = 1, max = 40) int nodes,
            @ForAll @IntRange(max = 200) int relationships,
            @ForAll @IntRange(max = 30) int changes,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        Store store = new Store(random);
        for (int i = 0; i < nodes; i++) {
            store.createNode();
        }
        for (int i = 0; i < relationships; i++) {
            store.createRelationship();
        }
        ProjectionSpec spec = spec(random);
        GraphProjection graph = store.graph.project(spec, concurrency);
        for (int update = 0; update < 3; update++) {
            store.touchedNodes.clear();
            store.touchedPairs.clear();
            for (int i = 0; i < changes; i++) {
                store.change();
            }
            graph = GraphUpdate.of(graph, store.touches(), store.graph, spec, Long.MAX_VALUE, concurrency, Stop.NEVER);
            GraphEntries.assertEqual(graph, store.graph.project(spec, 1));
        }
    }

    @Example
    void shouldReadNoMoreThanTheMost() {
        PropertyGraph source = new PropertyGraph().node(0).node(1).node(2);
        ProjectionSpec spec = new ProjectionSpec(
                Map.of("n", ProjectionSpec.ALL), Map.of("R", new TypeProjection("R", Orientation.NATURAL)));
        GraphProjection graph = source.project(spec, 1);
        source.node(3).relationship("R", 3, 0).relationship("R", 1, 2);
        Touches touches = new Touches(new long[] {3}, new long[] {3}, new long[] {3, 0, 2, 1});
        assertThat(GraphUpdate.of(graph, touches, source, spec, 1, 1, Stop.NEVER))
                .isNull();
        GraphEntries.assertEqual(
                GraphUpdate.of(graph, touches, source, spec, 2, 1, Stop.NEVER), source.project(spec, 1));
    }

    private static ProjectionSpec spec(Random random) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("a", "A");
        if (random.nextBoolean()) {
            labels.put("b", "B");
        }
        if (random.nextInt(4) == 0) {
            labels.put("all", ProjectionSpec.ALL);
        }
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            String type = random.nextInt(5) == 0 ? ProjectionSpec.ALL : TYPES.get(random.nextInt(2));
            Orientation orientation = any(random, List.of(Orientation.values()));
            Map<String, PropertyProjection> properties = new LinkedHashMap<>();
            Aggregation aggregation = any(random, List.of(Aggregation.values()));
            for (String key : List.of("w", "v")) {
                if (random.nextInt(3) > 0) {
                    double absent = random.nextBoolean() ? 1 : Double.NaN;
                    properties.put(key, new PropertyProjection(key, absent, aggregation));
                }
            }
            types.put("type " + i, new TypeProjection(type, orientation, properties));
        }
        return new ProjectionSpec(labels, types);
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A source that changes and records what it touches; ids of deleted nodes are used again. */
    private static final class Store {
        private final PropertyGraph graph = new PropertyGraph();
        private final Random random;
        private final Set<Long> touchedNodes = new TreeSet<>();
        private final List<Relationship> touchedPairs = new ArrayList<>();

        Store(Random random) {
            this.random = random;
        }

        Touches touches() {
            long[] nodes = touchedNodes.stream().mapToLong(Long::longValue).toArray();
            long[] pairs = touchedPairs.stream()
                    .map(one -> new TreeSet<>(List.of(one.source(), one.target())))
                    .distinct()
                    .flatMap(pair -> List.of(pair.first(), pair.last()).stream())
                    .mapToLong(Long::longValue)
                    .toArray();
            return new Touches(nodes, nodes, pairs);
        }

        void change() {
            switch (random.nextInt(8)) {
                case 0 -> createNode();
                case 1 -> deleteNode();
                case 2 -> relabel();
                case 3, 4 -> deleteRelationship();
                default -> createRelationship();
            }
        }

        private String[] labels() {
            return LABELS.stream().filter(label -> random.nextBoolean()).toArray(String[]::new);
        }

        void createNode() {
            long id = random.nextInt(100);
            if (!graph.nodes().containsKey(id)) {
                graph.node(id, labels());
                touchedNodes.add(id);
            }
        }

        private Long anyNode() {
            List<Long> nodes = List.copyOf(graph.nodes().keySet());
            return nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
        }

        private void relabel() {
            Long node = anyNode();
            if (node != null) {
                graph.node(node, labels());
                touchedNodes.add(node);
            }
        }

        private void deleteNode() {
            Long node = anyNode();
            if (node != null) {
                graph.nodes().remove(node);
                touchedNodes.add(node);
                List<Relationship> gone = graph.relationships().stream()
                        .filter(one -> one.source() == node || one.target() == node)
                        .toList();
                graph.relationships().removeAll(gone);
                touchedPairs.addAll(gone);
            }
        }

        private void deleteRelationship() {
            if (!graph.relationships().isEmpty()) {
                touchedPairs.add(graph.relationships()
                        .remove(random.nextInt(graph.relationships().size())));
            }
        }

        void createRelationship() {
            Long source = anyNode();
            Long target = anyNode();
            if (source != null) {
                Map<String, Double> properties = new LinkedHashMap<>();
                for (String key : List.of("w", "v")) {
                    if (random.nextInt(CHANGES) > 0) {
                        properties.put(key, (double) random.nextInt(CHANGES));
                    }
                }
                graph.relationship(TYPES.get(random.nextInt(TYPES.size())), source, target, properties);
                touchedPairs.add(graph.relationships().get(graph.relationships().size() - 1));
            }
        }
    }
}
