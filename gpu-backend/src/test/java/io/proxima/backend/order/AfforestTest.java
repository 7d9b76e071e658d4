// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import org.junit.jupiter.api.RepeatedTest;

class AfforestTest {

    /** Path halving, with which workers write each other's vertices, left a wrong root in every fourth run. */
    @RepeatedTest(40)
    void shouldCompressAChainToItsRootWithSeveralWorkers() {
        int[] parents = new int[1 << 17];
        Arrays.setAll(parents, vertex -> Math.max(0, vertex - 1));

        Afforest.compress(parents, 4, Stop.NEVER);

        assertThat(parents).containsOnly(0);
    }
}
