// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComponentsTest {

    /** Components {0, 3, 4}, {1}, {2, 6}, {5}. */
    private static int[] lowest() {
        return new int[] {0, 1, 2, 0, 0, 5, 2};
    }

    @Test
    void shouldCountComponentsAndTheirVertices() {
        assertThat(Components.count(lowest(), Stop.NEVER)).isEqualTo(4);
        assertThat(Components.sizes(lowest(), Stop.NEVER)).containsExactly(3, 1, 2, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, false, 0 1 2 0 0 5 2",
        "1, false, 0 1 2 0 0 5 2",
        "2, false, 0 -1 2 0 0 -1 2",
        "3, false, 0 -1 -1 0 0 -1 -1",
        "4, false, -1 -1 -1 -1 -1 -1 -1",
        "0, true, 0 1 2 0 0 3 2",
        "2, true, 0 -1 1 0 0 -1 1",
        "3, true, 0 -1 -1 0 0 -1 -1"
    })
    void shouldGiveIdsToLargeComponents(int minSize, boolean consecutive, String expected) {
        int[] ids = Components.toIds(lowest(), minSize, consecutive, Stop.NEVER);
        assertThat(ids)
                .containsExactly(Arrays.stream(expected.split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray());
    }

    @Test
    void shouldEndWhenStopped() {
        int[] isolated = IntStream.range(0, 1 << 20).toArray();
        requireStop(stop -> Components.count(isolated, stop));
        requireStop(stop -> Components.sizes(isolated, stop).length);
        requireStop(stop -> Components.toIds(isolated, 0, true, stop).length);
    }

    private static void requireStop(ToIntFunction<Stop> work) {
        assertThatThrownBy(() -> work.applyAsInt(() -> true)).isInstanceOf(StoppedException.class);
    }
}
