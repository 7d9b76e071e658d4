// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.csc.LongPages;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IdMapTest {

    /** Spans of the ids against their number: consecutive, bitmap, directory, and ids near the largest long. */
    enum Spread {
        CONSECUTIVE,
        DENSE,
        SPARSE,
        HUGE,
        CLUSTERED
    }

    @Property
    void shouldFindEveryNodeAndNoOther(
            @ForAll Spread spread,
            @ForAll @IntRange(max = 20_000) int count,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        Random random = new Random(seed);
        SortedSet<Long> ids = new TreeSet<>();
        LongPages[] lists = {new LongPages(), new LongPages()};
        long base = random.nextInt(1_000_000);
        for (int i = 0; i < count; i++) {
            long id = id(spread, base, i, count, random);
            ids.add(id);
            lists[random.nextInt(2)].add(new long[] {id}, 1);
        }

        IdMap map = IdMap.of(List.of(lists), concurrency, Stop.NEVER);

        validate(map);
        assertThat(map.size()).isEqualTo(ids.size());
        int vertex = 0;
        for (long id : ids) {
            assertThat(map.toNeo4jId(vertex++)).isEqualTo(id);
            assertThat(map.toVertex(id + 1) == IdMap.ABSENT).isEqualTo(!ids.contains(id + 1));
        }
        long[] ascending = ids.stream().mapToLong(Long::longValue).toArray();
        IdMap direct = IdMap.of(ascending);
        validate(direct);
        for (int i = 0; i < 100; i++) {
            long any = random.nextLong();
            assertThat(map.toVertex(any) == IdMap.ABSENT).isEqualTo(!ids.contains(any));
            assertThat(direct.toVertex(any)).isEqualTo(map.toVertex(any));
        }
    }

    private static long id(Spread spread, long base, int i, int count, Random random) {
        return switch (spread) {
            case CONSECUTIVE -> base + i;
            case DENSE -> base + random.nextInt(count * 5);
            case SPARSE -> base + random.nextInt(count * 1000);
            case HUGE -> random.nextLong() & Long.MAX_VALUE;
            case CLUSTERED -> i % 100 == 0 ? random.nextLong() & Long.MAX_VALUE : base + i;
        };
    }

    @Test
    void shouldTakeAtMostTwiceTheIdsWhenDenseAndAQuarterMoreWhenSparse() {
        long[] dense = new long[1000];
        long[] sparse = new long[1000];
        for (int i = 0; i < 1000; i++) {
            dense[i] = 2L * i;
            sparse[i] = 1000L * i;
        }

        // 8 bytes an id, and for each of the 32 words of the bitmap 16 bytes
        assertThat(IdMap.of(dense).bytes()).isEqualTo(8 * 1000 + 16 * 32);
        assertThat(IdMap.of(sparse).bytes()).isBetween(8L * 1000, 8L * 1000 + 4 * 252);
    }

    @Test
    void shouldRefuseIdsThatDoNotAscendOrAreNegative() {
        assertThatThrownBy(() -> IdMap.of(new long[] {3, 3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("vertex=1, neo4jId=3");
        assertThatThrownBy(() -> IdMap.of(new long[] {-1})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldStopBetweenChunks() {
        LongPages ids = new LongPages();
        for (long id = 0; id < 100_000; id++) {
            ids.add(new long[] {id * 1000}, 1);
        }
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(() -> IdMap.of(List.of(ids), 2, () -> asked.incrementAndGet() > 20))
                .isInstanceOf(StoppedException.class);
    }

    private static void validate(IdMap map) {
        for (int vertex = 0; vertex < map.size(); vertex++) {
            assertThat(map.toVertex(map.toNeo4jId(vertex))).isEqualTo(vertex);
            assertThat(vertex == 0 || map.toNeo4jId(vertex - 1) < map.toNeo4jId(vertex))
                    .isTrue();
        }
    }
}
