// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import org.junit.jupiter.api.Test;

class DegreesTest {

    /** Out-degree and in-degree of a vertex can add up to almost 2^32. */
    @Test
    void shouldSortDegreesBeyondThoseOfAnInt() {
        long[] degrees = {5_000, (1L << 32) - 20, 3, 1L << 31, (1L << 31) - 1, 1L << 31};

        Degrees counted = Degrees.count(vertex -> degrees[vertex], degrees.length, 1, Stop.NEVER);

        assertThat(counted.descending(1, Stop.NEVER)).containsExactly(1, 3, 5, 4, 0, 2);
    }
}
