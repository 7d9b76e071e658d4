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
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import org.junit.jupiter.api.Test;

/** Searches over lists, top-down and bottom-up, keep the contract on a real device, under the checking wrapper. */
class CudaDirectionalTest extends CudaFamilyContract {

    CudaDirectionalTest() {
        super(VertexOrder.DEGREE, Kernel.of("directional"));
    }

    /** Levels that are pulled, lists that are left to the grid, and slots without entries between others. */
    @Test
    void shouldFindTheLevelsOfLargerGraphsInEveryOrder() {
        for (Orientation orientation : Orientation.values()) {
            Csc[] graphs = {
                TestGraphs.rmat(18, 16, 5).toCsc(orientation, 4, Stop.NEVER),
                TestGraphs.uniform(1 << 18, 1 << 21, 7, true).toCsc(orientation, 4, Stop.NEVER),
                TestGraphs.starOfStars(300, 3000).toCsc(orientation, 4, Stop.NEVER)
            };
            for (Csc csc : graphs) {
                for (VertexOrder order :
                        new VertexOrder[] {VertexOrder.NATURAL, VertexOrder.DEGREE, VertexOrder.HUBS}) {
                    checkLevels(csc, order);
                }
            }
        }
    }

    private void checkLevels(Csc csc, VertexOrder order) {
        RunControl control = RunControl.of(4).with(new RunOptions(order, Kernel.of("directional")));
        try (LoadedGraph loaded = backend().load(csc)) {
            for (int source : new int[] {0, 1, 4711, csc.vertexCount() - 1}) {
                assertThat(loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, new int[0], control)
                                .levels())
                        .as("order %s, source %d", order, source)
                        .isEqualTo(TextbookBfs.levels(csc, -1, source));
            }
        }
    }

    /** A path of so many vertices takes seconds, so a run that ends by itself before the stop is not what is seen. */
    @Test
    void shouldStopInsideAKernel() {
        Csc csc = TestGraphs.path(4_000_000).toCsc(Orientation.NATURAL, 4, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            loaded.prepare(RunControl.of(4));
            long begin = System.nanoTime();
            Stop stop = () -> System.nanoTime() - begin > 100_000_000;
            RunControl control = new RunControl(1, stop, Progress.NONE);
            assertThatThrownBy(() -> loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], control))
                    .isInstanceOf(StoppedException.class);
        }
    }
}
