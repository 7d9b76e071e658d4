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
package io.proxima.backend.components;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import org.junit.jupiter.api.RepeatedTest;

class AfforestTest {

    /** Path halving, with which workers write each other's vertices, left a wrong root in every fourth run. */
    @RepeatedTest(40)
    void shouldNameTheRootOfAChainWithSeveralWorkers() {
        int[] parents = new int[1 << 17];
        Arrays.setAll(parents, vertex -> Math.max(0, vertex - 1));

        Afforest.compress(parents, 4, Stop.NEVER);

        assertThat(parents).containsOnly(0);
    }
}
