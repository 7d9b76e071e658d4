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
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import org.junit.jupiter.api.Test;

class ExpansionTest {

    @Test
    void shouldFindMeshesDeep() {
        assertThat(isDeep(TestGraphs.grid(100, 100), Orientation.UNDIRECTED)).isTrue();
        assertThat(isDeep(TestGraphs.grid(10, 1000), Orientation.UNDIRECTED)).isTrue();
        assertThat(isDeep(TestGraphs.grid(100, 100), Orientation.NATURAL)).isTrue();
        assertThat(isDeep(TestGraphs.cycle(1000), Orientation.NATURAL)).isTrue();
    }

    @Test
    void shouldFindGraphsOfSmallDiameterShallow() {
        assertThat(isDeep(TestGraphs.rmat(12, 8, 1), Orientation.UNDIRECTED)).isFalse();
        assertThat(isDeep(TestGraphs.rmat(12, 8, 1), Orientation.NATURAL)).isFalse();
        assertThat(isDeep(TestGraphs.uniform(10_000, 40_000, 1, false), Orientation.UNDIRECTED))
                .isFalse();
        assertThat(isDeep(TestGraphs.star(1000), Orientation.UNDIRECTED)).isFalse();
    }

    @Test
    void shouldNotFindDeepWhatReachesLittle() {
        assertThat(isDeep(TestGraphs.empty(), Orientation.UNDIRECTED)).isFalse();
        assertThat(isDeep(TestGraphs.singleVertex(), Orientation.NATURAL)).isFalse();
        assertThat(isDeep(TestGraphs.disconnected(50), Orientation.UNDIRECTED)).isFalse();
    }

    private static boolean isDeep(EdgeList edges, Orientation orientation) {
        return Expansion.isDeep(edges.toCsc(orientation, 1, Stop.NEVER), Stop.NEVER);
    }
}
