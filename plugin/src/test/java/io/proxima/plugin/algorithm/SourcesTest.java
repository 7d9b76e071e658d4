// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SourcesTest {

    @Test
    void shouldFindDuplicatesAndKeepTheOrder() {
        Sources sources = Sources.of("sourceNodes", new long[] {7, 0, Long.MAX_VALUE, 7, 7, 3, 0}, Stop.NEVER);
        assertThat(sources.distinct()).containsExactly(7, 0, Long.MAX_VALUE, 3);
        assertThat(sources.positions()).containsExactly(0, 1, 2, 0, 0, 3, 1);
        assertThat(sources.times()).containsExactly(3, 2, 1, 1);
    }

    @Test
    void shouldFindTheDuplicatesOfManyNodes() {
        long[] ids = new Random(1).longs(100_000, 0, 50_000).map(id -> id << 20).toArray();
        Sources sources = Sources.of("sourceNodes", ids, Stop.NEVER);
        assertThat(sources.distinct()).isEqualTo(Arrays.stream(ids).distinct().toArray());
        long[] again = Arrays.stream(sources.positions())
                .mapToLong(position -> sources.distinct()[position])
                .toArray();
        assertThat(again).isEqualTo(ids);
        assertThat(Arrays.stream(sources.times()).sum()).isEqualTo(ids.length);
    }

    @Test
    void shouldEndWhenStopped() {
        long[] ids = LongStream.range(0, 100_000).toArray();
        assertThatThrownBy(() -> Sources.of("sourceNodes", ids, () -> true)).isInstanceOf(StoppedException.class);
    }
}
