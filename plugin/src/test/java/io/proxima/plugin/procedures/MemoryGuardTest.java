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

import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import org.junit.jupiter.api.Test;

class MemoryGuardTest {

    private static final long TIB = 1L << 40;
    private static final String DEVICE = "cuda:0";

    @Test
    void shouldRefuseARunThatMayNotFitTheHeapUnlessSudo() {
        MemoryEstimate estimate = MemoryEstimate.onHeap(MemoryTree.between("run", 1, TIB + TIB / 2));
        assertThatThrownBy(() -> MemoryGuard.requireRun(estimate, DEVICE, false, false))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Procedure was blocked since maximum estimated memory (1.5 TiB) exceeds current"
                        + " free memory (")
                .hasMessageContaining("'sudo: true'");
        assertThatCode(() -> MemoryGuard.requireRun(estimate, DEVICE, false, true))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> MemoryGuard.requireHeap(estimate.heap(), false))
                .hasMessageContaining("(1.5 TiB)");
    }

    @Test
    void shouldRefuseWhatGrowsOutOfTheHeapUnlessSudo() {
        assertThatThrownBy(() -> MemoryGuard.requireGrowth(TIB, false))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Procedure was blocked since maximum estimated memory (1.0 TiB) exceeds current"
                        + " free memory (");
        assertThatCode(() -> MemoryGuard.requireGrowth(TIB, true)).doesNotThrowAnyException();
        assertThatCode(() -> MemoryGuard.requireGrowth(1, false)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseARunThatCannotFitTheDeviceWhereItMustRunThere() {
        MemoryEstimate tooMuch = new MemoryEstimate(MemoryTree.NONE, MemoryTree.exactly("run", 2049), 2048);
        assertThatThrownBy(() -> MemoryGuard.requireRun(tooMuch, DEVICE, true, false))
                .hasMessageStartingWith("Procedure was blocked since minimum estimated memory (2.0 KiB) exceeds current"
                        + " device memory of cuda:0 (2.0 KiB).");
        assertThatCode(() -> MemoryGuard.requireRun(tooMuch, DEVICE, false, false))
                .doesNotThrowAnyException();
        MemoryEstimate maybe = new MemoryEstimate(MemoryTree.NONE, MemoryTree.between("run", 2048, 4096), 2048);
        assertThatCode(() -> MemoryGuard.requireRun(maybe, DEVICE, true, false)).doesNotThrowAnyException();
    }
}
