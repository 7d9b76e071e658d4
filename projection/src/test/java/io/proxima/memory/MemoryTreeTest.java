// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryTreeTest {

    private static final MemoryTree STATE = MemoryTree.exactly("state", 100);
    private static final MemoryTree QUEUE = MemoryTree.between("queue", 20, 60);

    @Test
    void shouldAddWhatIsHeldAtTheSameTime() {
        MemoryTree search = MemoryTree.together("search", STATE, QUEUE, MemoryTree.NONE);

        assertThat(search.minBytes()).isEqualTo(120);
        assertThat(search.maxBytes()).isEqualTo(160);
        assertThat(search.parts()).containsExactly(STATE, QUEUE);
        assertThat(search.times(3)).isEqualTo(MemoryTree.together("search", STATE.times(3), QUEUE.times(3)));
    }

    @Test
    void shouldCountTheLargestOfSteps() {
        MemoryTree run = MemoryTree.oneByOne("run", STATE, MemoryTree.between("sort", 20, 160));

        assertThat(run.minBytes()).isEqualTo(100);
        assertThat(run.maxBytes()).isEqualTo(160);
    }

    @Test
    void shouldRenderALineAPart() {
        MemoryTree tree = MemoryTree.together(
                "Memory Estimation", MemoryTree.together("search", STATE, QUEUE), MemoryTree.exactly("result", 2048));

        assertThat(tree.render()).isEqualTo("""
                Memory Estimation: [2.1 KiB ... 2.2 KiB]
                |-- search: [120 Bytes ... 160 Bytes]
                    |-- state: 100 Bytes
                    |-- queue: [20 Bytes ... 60 Bytes]
                |-- result: 2.0 KiB
                """);
    }

    @Test
    void shouldBecomeAMap() {
        assertThat(MemoryTree.together("search", STATE).toMap())
                .isEqualTo(Map.of(
                        "name",
                        "search",
                        "memoryUsage",
                        "100 Bytes",
                        "components",
                        List.of(Map.of("name", "state", "memoryUsage", "100 Bytes", "components", List.of()))));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 Bytes", "1023, 1023 Bytes", "1536, 1.5 KiB", "157286400, 150 MiB", "9223372036854775807, 8192 PiB"
    })
    void shouldWriteBytesForPeople(long bytes, String text) {
        assertThat(MemoryTree.humanReadable(bytes)).isEqualTo(text);
    }
}
