// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.HeapShortageException;
import io.proxima.projection.CypherGraphCollector.Kind;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CypherGraphCollectorTest {

    private static final List<String> LABELS = List.of("A", "B", "C");
    private static final List<String> TYPES = List.of("R", "S");

    /** Rows of a random graph, some of them in the chunks after the first, against the projection of that graph. */
    @Property(tries = 200)
    void shouldProjectWhatTheStoreWouldGive(
            @ForAll @IntRange(min = 1, max = 60) int nodeCount,
            @ForAll @IntRange(max = 20_000) int rowCount,
            @ForAll boolean sparse,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll long seed) {
        Random random = new Random(seed);
        long stride = sparse ? 1_000_003 : 1;
        PropertyGraph graph = new PropertyGraph();
        List<List<String>> labels = new ArrayList<>();
        for (int node = 0; node < nodeCount; node++) {
            List<String> borne = List.of(LABELS.get(random.nextInt(3)), LABELS.get(random.nextInt(3)));
            labels.add(borne);
            graph.node(node * stride, borne.toArray(new String[0]));
        }
        CypherGraphCollector rows = new CypherGraphCollector();
        for (int node = 0; node < nodeCount; node++) {
            rows.add(node * stride, node * stride, rows.number(new Kind(labels.get(node), labels.get(node), null)));
        }
        for (int row = 0; row < rowCount; row++) {
            int source = random.nextInt(nodeCount);
            int target = random.nextInt(nodeCount);
            // the type of neighbouring rows is now the same, now another
            String type = TYPES.get(row % 9000 < 8000 ? 0 : random.nextInt(2));
            boolean inStore = random.nextInt(10) == 0;
            rows.add(
                    source * stride,
                    target * stride,
                    rows.number(new Kind(inStore ? null : labels.get(source), labels.get(target), type)));
            graph.relationship(type, source * stride, target * stride);
        }
        assertThat(rows.rowCount()).isEqualTo(nodeCount + rowCount);

        GraphProjection projection = rows.project(
                type -> type.equals("R") ? Orientation.UNDIRECTED : Orientation.NATURAL,
                id -> labels.get((int) (id / stride)),
                concurrency,
                Stop.NEVER,
                Progress.NONE,
                HeapBudget.Reservation.UNLIMITED);

        if (rowCount == 0) {
            assertThat(projection.types()).containsExactly(CypherGraphCollector.UNNAMED);
            return;
        }
        Map<String, String> names = new LinkedHashMap<>();
        projection.labels().forEach(label -> names.put(label, label));
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        projection
                .types()
                .forEach(type -> types.put(
                        type,
                        new TypeProjection(type, type.equals("R") ? Orientation.UNDIRECTED : Orientation.NATURAL)));
        assertThat(projection.labels())
                .isEqualTo(labels.stream().flatMap(List::stream).collect(Collectors.toSet()));
        GraphEntries.assertEqual(projection, graph.project(new ProjectionSpec(names, types), 1));
    }

    @Test
    void shouldEstimateCountedRowsLikeKeptOnes() {
        CypherGraphCollector kept = new CypherGraphCollector();
        CypherGraphCollector counted = CypherGraphCollector.counting();
        for (CypherGraphCollector rows : List.of(kept, counted)) {
            for (int row = 0; row < 10_000; row++) {
                rows.add(row, row + 7L, rows.number(new Kind(List.of("L" + row % 3), List.of(), "T" + row % 5)));
            }
        }
        assertThat(counted.rowCount()).isEqualTo(10_000);
        assertThat(counted.mostNodes()).isEqualTo(10_007);
        assertThat(counted.types()).isEqualTo(kept.types());
        for (long rows : new long[] {10_000, 12_500, 100_000}) {
            assertThat(counted.peak(rows, true, 4)).isEqualTo(kept.peak(rows, true, 4));
        }
    }

    @Test
    void shouldNotOverflowAtTheLargestIds() {
        for (CypherGraphCollector rows : List.of(new CypherGraphCollector(), CypherGraphCollector.counting())) {
            int kind = rows.number(new Kind(List.of(), List.of(), "R"));
            rows.add(0, Long.MAX_VALUE, kind);
            assertThat(rows.mostNodes()).isEqualTo(2);
            long two = rows.peak(1, false, 1).maxBytes();
            assertThat(rows.peak(10_000, false, 1).maxBytes()).isGreaterThan(two + 10_000 * (16 + IdMap.mostBytes(1)));
            rows.add(0, Long.MAX_VALUE - 1, kind);
            rows.add(1, 2, kind);
            assertThat(rows.mostNodes()).as("two for each row").isEqualTo(6);
        }
        CypherGraphCollector rows = new CypherGraphCollector();
        rows.add(0, Long.MAX_VALUE, rows.number(new Kind(List.of(), List.of(), "R")));
        assertThat(project(rows).idMap().toVertex(Long.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void shouldCountTheHeapOfNewNames() {
        CypherGraphCollector rows = new CypherGraphCollector();
        long before = rows.bytesOfKinds();
        int kind = rows.number(new Kind(List.of("L".repeat(1_000)), List.of(), "R", List.of("p", "q", "r", "s", "t")));
        long named = rows.bytesOfKinds();
        assertThat(named).isGreaterThan(before + 1_000 + 5 * LongPages.PAGE_BYTES);
        rows.add(1, 2, kind, new double[] {1, 2, 3, 4, 5});
        assertThat(rows.peak(1, false, 1).maxBytes()).isGreaterThan(named);
    }

    /** In time that is linear in the number of types, and with an estimate that does not list each of them. */
    @Test
    void shouldProjectManyTypes() {
        CypherGraphCollector estimated = CypherGraphCollector.counting();
        for (int row = 0; row < 200_000; row++) {
            Kind kind = new Kind(List.of(), List.of(), "T" + row, List.of("p" + row));
            estimated.add(row % 100, (row + 1) % 100, estimated.number(kind));
        }
        assertThat(estimated.types()).hasSize(200_000);
        assertThat(estimated.peak(200_000, true, 16).maxBytes()).isPositive();
        CypherGraphCollector rows = new CypherGraphCollector();
        for (int row = 0; row < 20_000; row++) {
            List<String> label = List.of(row % 2 == 0 ? "Even" : "Odd");
            rows.add(row % 100, (row + 1) % 100, rows.number(new Kind(label, List.of(), "T" + row)));
        }
        GraphProjection graph = project(rows);
        assertThat(graph.types()).hasSize(20_000);
        assertThat(graph.csc("T19999").entryCount()).isOne();
        GraphPlan part = graph.part(List.of("Even"), graph.types(), Stop.NEVER).plan(Stop.NEVER);
        assertThat(part.relationshipCount()).isEqualTo(10_000);
        assertThat(part.peak().render().lines().count()).isLessThan(40);
    }

    @Test
    void shouldGiveALabelToNodesWithoutLabels() {
        CypherGraphCollector rows = new CypherGraphCollector();
        rows.add(5, 6, rows.number(new Kind(List.of(), List.of("A"), "R")));
        rows.add(6, 7, rows.number(new Kind(List.of(), List.of(), "R")));
        GraphProjection projection = project(rows);
        assertThat(projection.labels()).containsExactlyInAnyOrder("A", CypherGraphCollector.UNNAMED);
        assertThat(projection.hasLabel(0, CypherGraphCollector.UNNAMED)).isTrue();
        // a label that any row gives counts
        assertThat(projection.hasLabel(1, CypherGraphCollector.UNNAMED)).isFalse();
        assertThat(projection.hasLabel(1, "A")).isTrue();
        assertThat(projection.hasLabel(2, CypherGraphCollector.UNNAMED)).isTrue();
    }

    @Test
    void shouldCountTheRowsOfEachType() {
        CypherGraphCollector rows = new CypherGraphCollector();
        int relationship = rows.number(new Kind(List.of(), List.of(), "R"));
        rows.number(new Kind(List.of(), List.of(), "S"));
        assertThat(rows.number(new Kind(List.of(), List.of(), "R"))).isEqualTo(relationship);
        rows.add(1, 2, relationship);
        rows.add(1, 1, rows.number(new Kind(List.of(), List.of(), null)));
        rows.add(2, 1, relationship);
        assertThat(rows.types()).isEqualTo(Map.of("R", 2L));
        assertThat(project(rows).vertexCount()).isEqualTo(2);
    }

    @Test
    void shouldEstimateNoLessThanItKeepsInTheEnd() {
        CypherGraphCollector rows = new CypherGraphCollector();
        Random random = new Random(7);
        int kind = rows.number(new Kind(List.of(), List.of(), "R"));
        for (int row = 0; row < 200_000; row++) {
            rows.add(random.nextInt(1 << 20) * 64L, random.nextInt(1 << 20) * 64L, kind);
        }
        long estimated = rows.peak(rows.rowCount(), false, 2).maxBytes();
        assertThat(project(rows).bytes() + 200_000 * 20L).isLessThanOrEqualTo(estimated);
    }

    @Test
    void shouldEstimateLabelsAndTypes() {
        int names = 1_000;
        CypherGraphCollector labelled = new CypherGraphCollector();
        CypherGraphCollector typed = new CypherGraphCollector();
        for (int row = 0; row < names; row++) {
            labelled.add(row, (row + 1) % names, labelled.number(new Kind(List.of("L" + row), List.of(), "R")));
            typed.add(row, (row + 1) % names, typed.number(new Kind(List.of(), List.of(), "T" + row)));
        }
        for (CypherGraphCollector rows : List.of(labelled, typed)) {
            long estimated = rows.peak(rows.rowCount(), false, 1).maxBytes();
            long kept = project(rows).bytes();
            assertThat(kept).isGreaterThan(names * (names / 8L)).isLessThan(estimated);
        }
    }

    @Test
    void shouldReserveTheHeapOfLabelsThatOnlyTheStoreKnows() {
        CypherGraphCollector rows = new CypherGraphCollector();
        for (int row = 0; row < 1_000; row++) {
            rows.add(row, row + 1, rows.number(new Kind(null, List.of("Known"), "R")));
        }
        AtomicLong grown = new AtomicLong();
        HeapBudget.Reservation heap = new HeapBudget.Reservation() {
            @Override
            public void grow(long bytes) {
                if (grown.addAndGet(bytes) > 300) {
                    throw new HeapShortageException("no more");
                }
            }

            @Override
            public void close() {
                // stays open
            }
        };
        rows.project(
                type -> Orientation.NATURAL,
                id -> List.of("Known", id < 500 ? "A" : "B"),
                1,
                Stop.NEVER,
                Progress.NONE,
                heap);
        // a bit for each of 1,001 nodes, in words of 8 bytes, for each of A and B
        assertThat(grown).hasValue(2 * 128);
        CypherGraphCollector more = new CypherGraphCollector();
        more.add(0, 1_000, more.number(new Kind(null, null, "R")));
        assertThatThrownBy(() -> more.project(
                        type -> Orientation.NATURAL,
                        id -> List.of("A", "B", "C", "D", "E", "F", "G"),
                        1,
                        Stop.NEVER,
                        Progress.NONE,
                        heap))
                .isInstanceOf(HeapShortageException.class);
    }

    @Test
    void shouldStop() {
        CypherGraphCollector rows = new CypherGraphCollector();
        rows.add(1, 2, rows.number(new Kind(List.of("A"), List.of("B"), "R")));
        assertThatThrownBy(() -> rows.project(
                        type -> Orientation.NATURAL,
                        id -> List.of(),
                        1,
                        () -> true,
                        Progress.NONE,
                        HeapBudget.Reservation.UNLIMITED))
                .isInstanceOf(StoppedException.class);
    }

    private static GraphProjection project(CypherGraphCollector rows) {
        return rows.project(
                type -> Orientation.NATURAL,
                id -> List.of(),
                2,
                Stop.NEVER,
                Progress.NONE,
                HeapBudget.Reservation.UNLIMITED);
    }
}
