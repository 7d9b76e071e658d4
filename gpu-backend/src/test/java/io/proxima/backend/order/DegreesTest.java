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
import org.junit.jupiter.api.Test;

class DegreesTest {

    /** Out-degree and in-degree of a vertex can add up to almost 2^32. */
    @Test
    void shouldSortDegreesBeyondThoseOfAnInt() {
        long[] degrees = {5_000, (1L << 32) - 20, 3, 1L << 31, (1L << 31) - 1, 1L << 31};

        Degrees counted = Degrees.count(vertex -> degrees[vertex], degrees.length, 1, Stop.NEVER);

        assertThat(counted.descending(0, 1, Stop.NEVER)).containsExactly(1, 3, 5, 4, 0, 2);
    }
}
