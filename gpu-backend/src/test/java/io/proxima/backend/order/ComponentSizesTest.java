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

class ComponentSizesTest {

    @Test
    void shouldCountComponents() {
        assertThat(of(TestGraphs.empty(), Orientation.NATURAL)).isEqualTo(new ComponentSizes(0, 0));
        assertThat(of(TestGraphs.singleVertex(), Orientation.NATURAL)).isEqualTo(new ComponentSizes(1, 1));
        assertThat(of(TestGraphs.grid(7, 9), Orientation.UNDIRECTED)).isEqualTo(new ComponentSizes(1, 63));
        assertThat(of(TestGraphs.path(1000), Orientation.NATURAL).count()).isEqualTo(1);
    }

    /** The searches of the orders find the components in another way. */
    @Test
    void shouldFindTheComponentsThatSearchesFind() {
        for (EdgeList edges : new EdgeList[] {
            TestGraphs.disconnected(17), TestGraphs.rmat(11, 1, 5), TestGraphs.uniform(2000, 1200, 6, true)
        }) {
            SearchGraph neighbours =
                    SearchGraph.of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER), false, 1, Stop.NEVER);
            Components found = Components.of(neighbours, 1, Stop.NEVER);
            int largest = 0;
            for (int component = 0; component < found.count(); component++) {
                largest = Math.max(largest, found.size(component));
            }
            int alone = neighbours.nodeCount() - found.start(found.count());
            int vertices = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER).vertexCount();
            assertThat(of(edges, Orientation.NATURAL))
                    .isEqualTo(new ComponentSizes(found.count() + vertices - neighbours.nodeCount() + alone, largest));
        }
    }

    private static ComponentSizes of(EdgeList edges, Orientation orientation) {
        return ComponentSizes.of(edges.toCsc(orientation, 1, Stop.NEVER), Stop.NEVER);
    }
}
