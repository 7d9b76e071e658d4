// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.BuildMemory;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.csc.WeightedCsc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProjectionSizeTest {

    private static final TypeProjection NATURAL = new TypeProjection(ProjectionSpec.ALL, Orientation.NATURAL);
    private static final TypeProjection UNDIRECTED = new TypeProjection(ProjectionSpec.ALL, Orientation.UNDIRECTED);
    private static final Map<String, String> EVERY_NODE = Map.of("n", ProjectionSpec.ALL);
    private static final ProjectionSpec SHARING =
            new ProjectionSpec(EVERY_NODE, Map.of("a", NATURAL, "b", UNDIRECTED, "same as b", UNDIRECTED));

    @Test
    void shouldCountBySourceWhatIsDrawnAlikeOnce() {
        EdgeList edges = TestGraphs.rmat(10, 8, 7);

        ProjectionSize size = ProjectionSize.of(edges, SHARING);

        assertThat(size.nodeCount()).isEqualTo(1024);
        assertThat(size.relationshipCount()).isEqualTo(8192 + 2 * 16384);
        GraphPlan plan = size.plan(1);
        assertThat(plan.symmetric()).isFalse();
        assertThat(plan.leastEntries()).isEqualTo(16384);
        assertThat(plan.mostEntries()).isEqualTo(8192 + 16384);
        assertThat(plan.held().maxBytes()).isEqualTo(size.held().maxBytes() + Csc.bytes(1024, 8192 + 16384));
        assertThat(plan.peak().maxBytes()).isGreaterThan(plan.held().maxBytes());
        assertThat(size.held().maxBytes()).isEqualTo(16 * 1025 + 2 * 8 * 1025 + 4 * (8192 + 16384));
    }

    @Test
    void shouldCountByWhatIsGiven() {
        EdgeList empty = TestGraphs.empty();
        ProjectionSpec undirected = new ProjectionSpec(Map.of("Nope", "Nope"), Map.of("a", UNDIRECTED));

        ProjectionSize size = ProjectionSize.of(empty, undirected, 1000, 5000);

        assertThat(size.nodeCount()).isEqualTo(1000);
        assertThat(size.relationshipCount()).isEqualTo(10_000);
        assertThat(size.plan(1).symmetric()).isTrue();
        assertThatThrownBy(() -> ProjectionSize.of(empty, undirected, 1L << 31, 0))
                .isInstanceOf(ProjectionException.class)
                .hasMessageContaining("2147483648 nodes");
    }

    @Test
    void shouldCountANodeWithSeveralLabelsOnce() {
        PropertyGraph graph =
                new PropertyGraph().node(0, "A", "B").node(1, "A", "B").node(2, "B");
        Map<String, TypeProjection> type = Map.of("a", NATURAL);

        ProjectionSize both = ProjectionSize.of(graph, new ProjectionSpec(Map.of("a", "A", "b", "B"), type));
        ProjectionSize one = ProjectionSize.of(graph, new ProjectionSpec(Map.of("a", "A"), type));

        assertThat(both.nodeCount()).isEqualTo(3);
        assertThat(one.nodeCount()).isEqualTo(2);
        // the scan finds the nodes of each label
        assertThat(both.peak(1).minBytes()).isGreaterThanOrEqualTo(5 * Long.BYTES);
    }

    @Test
    void shouldPlanTheStepThatTakesMost() {
        TypeProjection weighted = new TypeProjection(
                "W", Orientation.NATURAL, Map.of("w", new PropertyProjection("w", 1, Aggregation.SUM)));
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        types.put("a", new TypeProjection("A", Orientation.NATURAL));
        types.put("w", weighted);
        types.put("b", new TypeProjection("B", Orientation.UNDIRECTED));
        ProjectionSize size = ProjectionSize.of(null, new ProjectionSpec(EVERY_NODE, types), 1_000, 300_000);

        BuildMemory a = CscBuilder.memory(1_000, Orientation.NATURAL, 2, 100_000, 0);
        BuildMemory w = CscBuilder.memory(1_000, Orientation.NATURAL, 2, 100_000, 1);
        BuildMemory b = CscBuilder.memory(1_000, Orientation.UNDIRECTED, 2, 100_000, 0);
        long heldA = Csc.bytes(1_000, 100_000);
        long heldW = 2 * heldA + WeightedCsc.weightBytes(100_000);
        long most = LongStream.of(
                        a.built().maxBytes() + w.added().maxBytes() + b.added().maxBytes(),
                        heldA + w.built().maxBytes() + b.added().maxBytes(),
                        heldA + heldW + b.built().maxBytes())
                .max()
                .getAsLong();
        assertThat(size.peak(2).maxBytes()).isEqualTo(IdMap.mostBytes(1_000) + most);
    }

    @Test
    void shouldTakeFewLinesForManyTypes() {
        Map<String, String> labels = new LinkedHashMap<>();
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            labels.put("L" + i, "L" + i);
            types.put("T" + i, new TypeProjection("T" + i, Orientation.NATURAL));
        }
        ProjectionSize size = ProjectionSize.of(null, new ProjectionSpec(labels, types), 1, 20_000);
        assertThat(size.peak(1).render().lines().count()).isLessThan(20);
        assertThat(size.plan(1).peak().render().lines().count()).isLessThan(40);
    }

    @Test
    void shouldRefuseMoreValuesThanBytesCanBeCounted() {
        Map<String, PropertyProjection> properties = new LinkedHashMap<>();
        for (int property = 0; property < 2_048; property++) {
            properties.put("p" + property, new PropertyProjection("p" + property, 1, Aggregation.SUM));
        }
        ProjectionSpec spec = new ProjectionSpec(
                EVERY_NODE, Map.of("a", new TypeProjection("A", Orientation.UNDIRECTED, properties)));
        assertThatThrownBy(() -> ProjectionSize.of(null, spec, 1, 1L << 48))
                .isInstanceOf(ProjectionException.class)
                .hasMessage("The relationships of the projection have 1152921504606846976 property values; at most"
                        + " 18014398509481984 are possible. Project fewer relationships or fewer properties.");
        assertThat(ProjectionSize.of(null, spec, 1, 1L << 42).peak(65_536).maxBytes())
                .isPositive();
    }
}
