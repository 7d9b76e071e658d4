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
package io.proxima.backend.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostMemoryTest {

    private static final String MEMINFO =
            "MemTotal:        1000 kB\nMemFree:          100 kB\nMemAvailable:     600 kB\n";

    @Test
    void shouldCountThePageCacheAsFreeOnAHost() {
        assertThat(HostMemory.freeBytes(MEMINFO, 1000L << 10, 100L << 10)).isEqualTo(600L << 10);
    }

    @Test
    void shouldKeepToTheContainer() {
        assertThat(HostMemory.freeBytes(MEMINFO, 500L << 10, 50L << 10)).isEqualTo(50L << 10);
    }

    @Test
    void shouldDoWithoutTheFile() {
        assertThat(HostMemory.freeBytes("", 1000, 100)).isEqualTo(100);
    }

    @Test
    void shouldReadThisHost() {
        assertThat(HostMemory.freeBytes()).isNotNegative();
    }
}
