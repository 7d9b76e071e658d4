// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.RecordingProgress.Begun;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector.Options;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.ProjectionException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProjectorTest {

    private static final ProjectionSpec EVERYTHING = new ProjectionSpec(
            Map.of(ProjectionSpec.ALL_NAME, ProjectionSpec.ALL),
            Map.of(ProjectionSpec.ALL_NAME, new TypeProjection(ProjectionSpec.ALL, Orientation.NATURAL)));

    /** A directed edge between neo4jIds. */
    private record Edge(long source, long target) {}

    @Property(tries = 300)
    void shouldEqualTheModelForRandomSpecsAndFilters(
            @ForAll @IntRange(min = 1, max = 200) int nodeCount,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 4) int concurrency) {
        Random random = new Random(seed);
        PropertyGraph graph = randomGraph(nodeCount, random);
        ProjectionSpec spec = randomSpec(random);

        GraphProjection projection = graph.project(spec, concurrency);

        projection.validate(1, Stop.NEVER);
        assertEqualsModel(
                projection, graph, spec.labels().keySet(), spec.types().keySet(), spec, concurrency);

        Set<String> labels = randomSubset(spec.labels().keySet(), random);
        Set<String> types = randomSubset(spec.types().keySet(), random);
        GraphProjection filtered = projection.part(labels, types, Stop.NEVER).make(concurrency, Stop.NEVER);

        filtered.validate(1, Stop.NEVER);
        assertEqualsModel(filtered, graph, labels, types, spec, concurrency);
        boolean all = labels.equals(spec.labels().keySet())
                && types.equals(spec.types().keySet());
        assertThat(filtered == projection).isEqualTo(all);
    }

    private static PropertyGraph randomGraph(int nodeCount, Random random) {
        PropertyGraph graph = new PropertyGraph();
        graph.node(0, "A").node(1, "B").node(2, "C");
        List<Long> ids = new ArrayList<>(List.of(0L, 1L, 2L));
        for (int i = 0; i < nodeCount; i++) {
            long id = 3L + random.nextInt(nodeCount * 3);
            String[] labels = {"A", "B", "C"};
            graph.node(id, randomSubset(Set.of(labels), random).toArray(new String[0]));
            ids.add(id);
        }
        for (String type : List.of("R", "S", "T")) {
            graph.relationship(type, 0, 1);
            for (int i = 0; i < nodeCount * 2; i++) {
                graph.relationship(type, ids.get(random.nextInt(ids.size())), ids.get(random.nextInt(ids.size())));
            }
        }
        return graph;
    }

    private static ProjectionSpec randomSpec(Random random) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : List.of("A", "B", "C", ProjectionSpec.ALL)) {
            if (random.nextInt(3) == 0 || (label.equals("C") && labels.isEmpty())) {
                labels.put("label" + label, label);
            }
        }
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (String type : List.of("R", "S", "T", ProjectionSpec.ALL)) {
            for (Orientation orientation : Orientation.values()) {
                if (random.nextInt(5) == 0 || (type.equals("S") && types.isEmpty())) {
                    types.put(type + orientation, new TypeProjection(type, orientation));
                }
            }
        }
        return new ProjectionSpec(labels, types);
    }

    private static Set<String> randomSubset(Set<String> names, Random random) {
        Set<String> subset = new TreeSet<>(names);
        subset.removeIf(name -> random.nextBoolean());
        return subset;
    }

    private static void assertEqualsModel(
            GraphProjection projection,
            PropertyGraph graph,
            Set<String> labels,
            Set<String> types,
            ProjectionSpec spec,
            int concurrency) {
        Set<Long> ids = new TreeSet<>();
        graph.nodes().forEach((id, borne) -> {
            if (labels.stream().anyMatch(label -> bears(borne, spec.labels().get(label)))) {
                ids.add(id);
            }
        });
        assertThat(projection.labels()).isEqualTo(labels);
        assertThat(projection.types()).isEqualTo(types);
        assertThat(projection.vertexCount()).isEqualTo(ids.size());
        int vertex = 0;
        for (long id : ids) {
            assertThat(projection.idMap().toNeo4jId(vertex)).isEqualTo(id);
            for (String label : labels) {
                assertThat(projection.hasLabel(vertex, label))
                        .isEqualTo(bears(graph.nodes().get(id), spec.labels().get(label)));
            }
            vertex++;
        }
        Set<Edge> union = new HashSet<>();
        long count = 0;
        for (String type : types) {
            Set<Edge> edges = new HashSet<>();
            TypeProjection drawn = spec.types().get(type);
            for (PropertyGraph.Relationship relationship : graph.relationships()) {
                long source = relationship.source();
                long target = relationship.target();
                if (!(drawn.type().equals(ProjectionSpec.ALL) || drawn.type().equals(relationship.type()))
                        || source == target
                        || !ids.contains(source)
                        || !ids.contains(target)) {
                    continue;
                }
                if (drawn.orientation() != Orientation.REVERSE) {
                    edges.add(new Edge(source, target));
                }
                if (drawn.orientation() != Orientation.NATURAL) {
                    edges.add(new Edge(target, source));
                }
            }
            assertThat(projection.csc(type).entryCount()).as(type).isEqualTo(edges.size());
            union.addAll(edges);
            count += edges.size();
        }
        assertThat(projection.relationshipCount()).isEqualTo(count);
        Csc csc = projection.csc(concurrency, Stop.NEVER);
        csc.validate(1, Stop.NEVER);
        assertThat(edges(projection, csc)).isEqualTo(union);
        assertThat(projection.csc(1, Stop.NEVER)).isSameAs(csc);
    }

    private static boolean bears(Set<String> borne, String label) {
        return label.equals(ProjectionSpec.ALL) || borne.contains(label);
    }

    private static Set<Edge> edges(GraphProjection projection, Csc csc) {
        Set<Edge> edges = new HashSet<>();
        for (int column = 0; column < csc.vertexCount(); column++) {
            for (long index = csc.columnStart(column); index < csc.columnEnd(column); index++) {
                edges.add(new Edge(
                        projection.idMap().toNeo4jId(column),
                        projection.idMap().toNeo4jId(csc.rowIndices().get(index))));
            }
        }
        return edges;
    }

    @Test
    void shouldProjectAnEdgeListAsItsCsc() {
        EdgeList edges = TestGraphs.rmat(14, 8, 7);

        GraphProjection projection =
                Projector.project(edges, EVERYTHING, new Options(2, true), Stop.NEVER, Progress.NONE);

        Csc csc = projection.csc(2, Stop.NEVER);
        Csc expected = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThat(csc.columnPointers()).isEqualTo(expected.columnPointers());
        assertThat(csc.rowIndices().page(0)).isEqualTo(expected.rowIndices().page(0));
        // consecutive ids and one label: nothing but the CSC is held
        assertThat(projection.bytes()).isEqualTo(Csc.bytes(1 << 14, expected.entryCount()));
    }

    @Test
    void shouldNameTheEndThatLiesOutsideWhenValidating() {
        TypeProjection natural = new TypeProjection("T", Orientation.NATURAL);
        ProjectionSpec spec = new ProjectionSpec(Map.of("A", "A"), Map.of("T", natural));
        PropertyGraph targetOutside =
                new PropertyGraph().node(0, "A").node(4, "B").relationship("T", 0, 4);
        PropertyGraph sourceOutside =
                new PropertyGraph().node(0, "A").node(4, "B").relationship("T", 4, 0);

        assertThatThrownBy(() -> project(targetOutside, spec, true))
                .isInstanceOf(ProjectionException.class)
                .hasMessage(
                        "Failed to load a relationship because its target-node with id 4 is not part of the node query or"
                                + " projection. To ignore the relationship, set the configuration parameter"
                                + " `validateRelationships` to false.");
        assertThatThrownBy(() -> project(sourceOutside, spec, true))
                .isInstanceOf(ProjectionException.class)
                .hasMessageStartingWith("Failed to load a relationship because its source-node with id 4 ");
        assertThat(project(targetOutside, spec, false).relationshipCount()).isZero();
    }

    @Test
    void shouldReportEachTaskAndItsVolume() {
        EdgeList edges = TestGraphs.grid(40, 40);
        RecordingProgress progress = new RecordingProgress();

        Projector.project(edges, EVERYTHING, new Options(2, false), Stop.NEVER, progress);

        assertThat(progress.tasks())
                .extracting(begun -> begun.task().name())
                .containsExactly("Scan nodes", "Scan relationships", "Build CSC");
        assertThat(progress.tasks()).extracting(Begun::volume).containsExactly(1600L, edges.edgeCount(), 1600L);
        assertThat(progress.tasks())
                .allSatisfy(begun -> assertThat(begun.done()).hasValue(begun.volume()));
    }

    @Test
    void shouldStopWheneverItIsAsked() {
        PropertyGraph graph = randomGraph(20, new Random(1)).relationship("R", 0, 1, Map.of("w", 1.0));
        Map<String, TypeProjection> types =
                new LinkedHashMap<>(randomSpec(new Random(5)).types());
        PropertyProjection weight = new PropertyProjection("w", 1, Aggregation.NONE);
        types.put("weighted", new TypeProjection("R", Orientation.UNDIRECTED, Map.of("w", weight)));
        ProjectionSpec spec = new ProjectionSpec(EVERYTHING.labels(), types);
        AtomicInteger asked = new AtomicInteger();
        Stop counting = () -> asked.incrementAndGet() < 0;
        Projector.project(graph, spec, new Options(1, false), counting, Progress.NONE);

        for (int times = 0; times < asked.get(); times++) {
            AtomicInteger left = new AtomicInteger(times);
            assertThatThrownBy(() -> Projector.project(
                            graph, spec, new Options(1, false), () -> left.decrementAndGet() < 0, Progress.NONE))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldHearTheStopWhileAPartIsPlanned() {
        int vertices = 200_000;
        PropertyGraph graph = new PropertyGraph().relationship("R", 0, 1, Map.of("w", 1.0));
        for (int node = 0; node < vertices; node++) {
            graph.node(node, "A", node % 2 == 0 ? "Even" : "Odd");
        }
        PropertyProjection weight = new PropertyProjection("w", 1, Aggregation.NONE);
        GraphProjection whole = project(
                graph,
                new ProjectionSpec(
                        Map.of("A", "A", "Even", "Even"),
                        Map.of("R", new TypeProjection("R", Orientation.NATURAL, Map.of("w", weight)))),
                false);
        AtomicInteger asked = new AtomicInteger();
        Stop counting = () -> asked.incrementAndGet() < 0;
        GraphPlan plan = whole.part(List.of("Even"), List.of("R"), counting).plan(counting);
        assertThat(plan.vertexCount()).isEqualTo(vertices / 2);
        assertThat(plan.relationshipCount()).isOne();
        // the relationships and their weights are counted
        assertThat(asked.get()).isGreaterThan(vertices >> 16);
        assertThatThrownBy(() -> whole.part(List.of("Even"), List.of("R"), () -> true))
                .isInstanceOf(StoppedException.class);
        GraphPart part = whole.part(vertex -> vertex % 2 == 0, List.of("R"), Map.of(), Stop.NEVER);
        assertThat(part.relationshipCount(Stop.NEVER)).isOne();
        assertThatThrownBy(() -> part.relationshipCount(() -> true)).isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> part.memory(() -> true)).isInstanceOf(StoppedException.class);
    }

    private static GraphProjection project(GraphSource source, ProjectionSpec spec, boolean validate) {
        return Projector.project(source, spec, new Options(1, validate), Stop.NEVER, Progress.NONE);
    }
}
