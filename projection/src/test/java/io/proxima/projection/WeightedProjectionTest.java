// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.GraphEntries.Entry;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Weights of random graphs against lists of each pair's values. */
class WeightedProjectionTest {

    private static final Map<String, String> EVERY_NODE = Map.of("n", ProjectionSpec.ALL);

    @Property(tries = 300)
    void shouldKeepOrAggregateTheValuesOfEachPair(
            @ForAll @IntRange(min = 1, max = 40) int nodes,
            @ForAll @IntRange(max = 300) int relationships,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll Aggregation aggregation,
            @ForAll boolean withDefault,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        PropertyGraph source = random(nodes, relationships, seed);
        PropertyProjection weight = new PropertyProjection("w", withDefault ? 2.5 : Double.NaN, aggregation);
        PropertyProjection other = new PropertyProjection("v", 1, aggregation);
        TypeProjection type = new TypeProjection("R", orientation, Map.of("weight", weight, "other", other));

        GraphProjection graph = project(source, Map.of("R", type), concurrency);

        graph.validate(1, Stop.NEVER);
        assertThat(graph.properties("R")).containsExactlyInAnyOrder("weight", "other");
        WeightedCsc weighted = graph.weighted("weight", concurrency, Stop.NEVER);
        assertThat(GraphEntries.of(weighted)).isEqualTo(model(source, "w", weight, orientation));
        assertThat(GraphEntries.of(graph.weighted("other", 1, Stop.NEVER)))
                .isEqualTo(model(source, "v", other, orientation));
        Csc plain = project(source, Map.of("R", new TypeProjection("R", orientation)), 1)
                .csc(1, Stop.NEVER);
        assertThat(GraphEntries.of(graph.csc(1, Stop.NEVER))).isEqualTo(GraphEntries.of(plain));
        assertThat(graph.csc(1, Stop.NEVER).isSymmetric()).isEqualTo(plain.isSymmetric());
        boolean parallel = weighted.entryCount() > plain.entryCount();
        assertThat(weighted.rowIndices() != graph.csc(1, Stop.NEVER).rowIndices())
                .isEqualTo(parallel);
    }

    @Property(tries = 100)
    void shouldJoinTypesAndKeepWeightsInParts(
            @ForAll @IntRange(min = 1, max = 40) int nodes,
            @ForAll @IntRange(max = 300) int relationships,
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0, max = 1) double kept) {
        PropertyGraph source = random(nodes, relationships, seed);
        PropertyProjection none = new PropertyProjection("w", 1, Aggregation.NONE);
        TypeProjection natural = new TypeProjection("R", Orientation.NATURAL, Map.of("w", none));
        TypeProjection reverse = new TypeProjection("R", Orientation.REVERSE, Map.of("w", none));
        TypeProjection both = new TypeProjection("R", Orientation.UNDIRECTED, Map.of("w", none));
        GraphProjection graph = project(source, Map.of("N", natural, "R", reverse, "same as R", reverse), 2);
        GraphProjection undirected = project(source, Map.of("U", both), 2);
        Random random = new Random(seed);
        Set<Integer> chosen = new HashSet<>();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            if (random.nextDouble() < kept) {
                chosen.add(vertex);
            }
        }

        assertThat(GraphEntries.of(graph.weighted("w", 2, Stop.NEVER)))
                .isEqualTo(GraphEntries.of(undirected.weighted("w", 2, Stop.NEVER)));
        assertThat(graph.weightedEntryCount("w", graph.types()))
                .isGreaterThanOrEqualTo(graph.weighted("w", 1, Stop.NEVER).entryCount());
        GraphProjection part = graph.part(chosen::contains, graph.types(), Map.of(), Stop.NEVER)
                .make(2, Stop.NEVER);
        part.validate(1, Stop.NEVER);
        List<Integer> old = chosen.stream().sorted().toList();
        List<List<Entry>> expected = new ArrayList<>();
        for (int vertex : old) {
            expected.add(GraphEntries.of(graph.weighted("w", 1, Stop.NEVER)).get(vertex).stream()
                    .filter(entry -> chosen.contains(entry.row()))
                    .map(entry -> new Entry(old.indexOf(entry.row()), entry.weight()))
                    .toList());
        }
        assertThat(GraphEntries.of(part.weighted("w", 2, Stop.NEVER))).isEqualTo(expected);
        assertThat(part.part(part.labels(), List.of("N"), Stop.NEVER)
                        .make(1, Stop.NEVER)
                        .properties())
                .containsExactly("w");
    }

    /** Every relationship has its reverse, of another weight: without some of them, the graph is not symmetric. */
    @Example
    void shouldNotTakePartsForSymmetricWhoseRelationshipsPassInOneDirection() {
        PropertyGraph source = new PropertyGraph().node(0, "N").node(1, "N").node(2, "N");
        source.relationship("R", 0, 1, Map.of("w", 3.0)).relationship("R", 1, 0, Map.of("w", 1.0));
        source.relationship("R", 1, 2, Map.of("w", 2.0)).relationship("R", 2, 1, Map.of("w", 2.0));
        PropertyProjection none = new PropertyProjection("w", 1, Aggregation.NONE);
        for (Orientation orientation : List.of(Orientation.NATURAL, Orientation.UNDIRECTED)) {
            GraphProjection graph =
                    project(source, Map.of("R", new TypeProjection("R", orientation, Map.of("w", none))), 1);
            // finds that the graph is symmetric
            graph.csc("R").transposed(1, Stop.NEVER);
            for (double most : new double[] {1, 2}) {
                GraphProjection part = graph.part(
                                vertex -> true,
                                graph.types(),
                                Map.of("R", (values, entry) -> values[0][entry] <= most),
                                Stop.NEVER)
                        .make(1, Stop.NEVER);
                part.validate(1, Stop.NEVER);
                assertThat(part.csc("R").isSymmetric()).isEqualTo(orientation == Orientation.UNDIRECTED);
            }
        }
    }

    /** The names differ from each other only in the order of their properties. */
    @Example
    void shouldKeepPropertiesApartThatAreNamedInAnotherOrder() {
        PropertyGraph source = new PropertyGraph().node(0, "N").node(1, "N");
        source.relationship("R", 0, 1, Map.of("w", 3.0, "v", 8.0));
        PropertyProjection w = new PropertyProjection("w", 1, Aggregation.NONE);
        PropertyProjection v = new PropertyProjection("v", 1, Aggregation.NONE);
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (List<String> order : List.of(List.of("w", "v"), List.of("v", "w"))) {
            Map<String, PropertyProjection> properties = new LinkedHashMap<>();
            order.forEach(name -> properties.put(name, name.equals("w") ? w : v));
            types.put(order.get(0) + " first", new TypeProjection("R", Orientation.NATURAL, properties));
        }

        GraphProjection graph = project(source, types, 1);

        for (String type : types.keySet()) {
            assertThat(GraphEntries.of(graph.weighted(type, "w")).get(0)).containsExactly(new Entry(1, 3));
            assertThat(GraphEntries.of(graph.weighted(type, "v")).get(0)).containsExactly(new Entry(1, 8));
            assertThat(graph.properties(type))
                    .containsExactlyElementsOf(types.get(type).properties().keySet());
        }
    }

    @Example
    void shouldSortALongListOfParallelRelationships() {
        PropertyGraph source = new PropertyGraph().node(0, "N").node(1, "N").node(2, "N");
        Random random = new Random(5);
        for (int i = 0; i < 40_000; i++) {
            source.relationship("R", 0, 1 + i % 2, Map.of("w", random.nextGaussian() * Math.pow(10, i % 20 - 10)));
        }
        PropertyProjection none = new PropertyProjection("w", 1, Aggregation.NONE);

        GraphProjection graph =
                project(source, Map.of("R", new TypeProjection("R", Orientation.NATURAL, Map.of("w", none))), 2);

        graph.validate(1, Stop.NEVER);
        assertThat(graph.weighted("w", 1, Stop.NEVER).entryCount()).isEqualTo(40_000);
        assertThat(graph.weightedEntryCount("w", graph.types())).isEqualTo(40_000);
        assertThat(graph.relationshipCount()).isEqualTo(2);
    }

    @Example
    void shouldCountTheBytesOfWeightsOnce() {
        PropertyGraph source = random(30, 200, 3);
        PropertyProjection sum = new PropertyProjection("w", 0, Aggregation.SUM);
        TypeProjection plain = new TypeProjection("R", Orientation.NATURAL);
        TypeProjection weighted = new TypeProjection("R", Orientation.NATURAL, Map.of("w", sum));

        GraphProjection without = project(source, Map.of("R", plain), 1);
        GraphProjection with = project(source, Map.of("R", weighted, "S", weighted), 1);

        long entries = with.csc("R").entryCount();
        assertThat(with.bytes()).isEqualTo(without.bytes() + 8 * entries);
        with.weighted("w", 1, Stop.NEVER);
        assertThat(with.bytes()).isEqualTo(without.bytes() + 8 * entries);
    }

    @Example
    void shouldHaveNoRelationshipsWithoutTypes() {
        PropertyProjection sum = new PropertyProjection("w", 1, Aggregation.SUM);
        GraphProjection whole = project(
                random(10, 30, 2), Map.of("R", new TypeProjection("R", Orientation.NATURAL, Map.of("w", sum))), 1);

        GraphProjection none = whole.part(whole.labels(), List.of(), Stop.NEVER).make(1, Stop.NEVER);

        assertThat(none.weightedMemory("w", none.types())).isEqualTo(MemoryTree.NONE);
        WeightedCsc weighted = none.weighted("w", 1, Stop.NEVER);
        weighted.validate(1, Stop.NEVER);
        assertThat(weighted.vertexCount()).isEqualTo(whole.vertexCount());
        assertThat(weighted.entryCount()).isZero();
    }

    private static GraphProjection project(PropertyGraph source, Map<String, TypeProjection> types, int concurrency) {
        return source.project(new ProjectionSpec(EVERY_NODE, types), concurrency);
    }

    /** Few distinct values, some of them missing, and at least one relationship that has both properties. */
    private static PropertyGraph random(int nodes, int relationships, long seed) {
        Random random = new Random(seed);
        PropertyGraph graph = new PropertyGraph();
        for (int node = 0; node < nodes; node++) {
            graph.node(node, "N");
        }
        graph.relationship("R", 0, nodes - 1, Map.of("w", 1.0, "v", 7.0));
        for (int i = 0; i < relationships; i++) {
            int source = random.nextInt(nodes);
            int target = random.nextInt(nodes);
            graph.relationship(
                    "R", source, target, random.nextInt(3) == 0 ? Map.of() : Map.of("w", random.nextInt(9) - 4.0));
        }
        return graph;
    }

    private static List<List<Entry>> model(
            PropertyGraph source, String key, PropertyProjection projection, Orientation orientation) {
        List<TreeMap<Integer, List<Double>>> values = new ArrayList<>();
        source.nodes().forEach((node, labels) -> values.add(new TreeMap<>()));
        for (PropertyGraph.Relationship relationship : source.relationships()) {
            int from = (int) relationship.source();
            int to = (int) relationship.target();
            Double given = relationship.properties().get(key);
            double value = projection.aggregation() == Aggregation.COUNT
                    ? given == null ? 0 : 1
                    : given == null ? projection.defaultValue() : given;
            if (from != to && orientation != Orientation.REVERSE) {
                values.get(from).computeIfAbsent(to, row -> new ArrayList<>()).add(value);
            }
            if (from != to && orientation != Orientation.NATURAL) {
                values.get(to).computeIfAbsent(from, row -> new ArrayList<>()).add(value);
            }
        }
        return values.stream()
                .map(column -> column.entrySet().stream()
                        .flatMap(pair -> aggregated(pair.getValue(), projection.aggregation()).stream()
                                .map(value -> new Entry(pair.getKey(), value)))
                        .toList())
                .toList();
    }

    private static List<Double> aggregated(List<Double> values, Aggregation aggregation) {
        List<Double> sorted = values.stream().sorted().toList();
        List<Double> present =
                sorted.stream().filter(value -> !Double.isNaN(value)).toList();
        return switch (aggregation) {
            case NONE -> sorted;
            case COUNT, SUM -> List.of(present.stream().reduce(Double::sum).orElse(Double.NaN));
            case MIN, SINGLE -> List.of(present.stream().findFirst().orElse(Double.NaN));
            case MAX -> List.of(present.stream().max(Comparator.naturalOrder()).orElse(Double.NaN));
        };
    }
}
