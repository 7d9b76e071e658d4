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
package io.proxima.plugin.procedures;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.plugin.ProximaException;
import io.proxima.projection.Csc;
import org.junit.jupiter.api.Test;

class MemoryGuardTest {

    private static final GraphShape SHAPE = new GraphShape(10, 20, false);
    private static final long TIB = 1L << 40;

    @Test
    void shouldRefuseARunThatDoesNotFitTheHeapUnlessSudo() {
        TraversalBackend backend = needing(TIB, 0);
        assertThatThrownBy(() -> MemoryGuard.requireRun(backend, SHAPE, Run.BFS, 1, TIB / 2, false))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Procedure was blocked since minimum estimated memory (1.5 TiB) exceeds current"
                        + " free memory (")
                .hasMessageContaining("'sudo: true'");
        assertThatCode(() -> MemoryGuard.requireRun(backend, SHAPE, Run.BFS, 1, TIB, true))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseWhatGrowsOutOfTheHeapUnlessSudo() {
        assertThatThrownBy(() -> MemoryGuard.requireGrowth(TIB, false))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Procedure was blocked since minimum estimated memory (1.0 TiB) exceeds current"
                        + " free memory (");
        assertThatCode(() -> MemoryGuard.requireGrowth(TIB, true)).doesNotThrowAnyException();
        assertThatCode(() -> MemoryGuard.requireGrowth(1, false)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseARunThatDoesNotFitTheDevice() {
        assertThatThrownBy(() -> MemoryGuard.requireRun(needing(0, 2049), SHAPE, Run.BFS, 1, 0, false))
                .hasMessageStartingWith("Procedure was blocked since minimum estimated memory (2.0 KiB) exceeds current"
                        + " device memory of cuda:0 (2.0 KiB).");
        assertThatCode(() -> MemoryGuard.requireRun(needing(1000, 2048), SHAPE, Run.BFS, 1, 0, false))
                .doesNotThrowAnyException();
    }

    private static TraversalBackend needing(long heapBytes, long deviceBytes) {
        return new TraversalBackend() {
            @Override
            public BackendInfo info() {
                return new BackendInfo("cuda:0", true, "", "test", "", 4096, 2048, "");
            }

            @Override
            public MemoryEstimate estimate(GraphShape graph, Run run, int concurrency) {
                return new MemoryEstimate(heapBytes, deviceBytes);
            }

            @Override
            public LoadedGraph load(Csc graph) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }
}
