/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.projection.ProjectionSpec.TypeProjection;
import java.util.Map;
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
        assertThat(plan.made().maxBytes()).isEqualTo(size.held().maxBytes() + Csc.bytes(1024, 8192 + 16384));
        assertThat(plan.making().maxBytes()).isGreaterThan(plan.made().maxBytes());
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
        assertThatThrownBy(() -> ProjectionSize.of(empty, undirected, 1000, ProjectionSize.BY_SOURCE))
                .isInstanceOf(ProjectionException.class)
                .hasMessageContaining("'Nope'");
        assertThatThrownBy(() -> ProjectionSize.of(empty, undirected, 1L << 31, 0))
                .isInstanceOf(ProjectionException.class)
                .hasMessageContaining("2147483648 nodes");
    }
}
