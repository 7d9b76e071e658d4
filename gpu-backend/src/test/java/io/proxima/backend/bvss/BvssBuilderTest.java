// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendTask;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.IntPages;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BvssBuilderTest {

    @Test
    void shouldBuildOnceForAllThatHoldTheBvss() {
        Csc graph = TestGraphs.cycle(40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        SharedBvss one = SharedBvss.of(graph);
        SharedBvss other = SharedBvss.of(graph);
        assertThatThrownBy(() -> one.bvss(1, () -> true, Progress.NONE)).isInstanceOf(StoppedException.class);
        Bvss built = other.bvss(1, Stop.NEVER, Progress.NONE);
        assertThat(one.bvss(2, Stop.NEVER, Progress.NONE)).isSameAs(built);
        assertThat(built.sliceCount())
                .isEqualTo(
                        BvssBuilder.build(graph, 1, Stop.NEVER, Progress.NONE).sliceCount());

        Csc equal = TestGraphs.cycle(40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(SharedBvss.of(equal).bvss(1, Stop.NEVER, Progress.NONE))
                .as("of this graph, not of another")
                .isNotSameAs(built);
    }

    @Test
    void shouldLayOutTheWorkedExample() {
        Bvss bvss = Graphs.bvss(Graphs.csc(Graphs.workedExample(), Orientation.NATURAL));

        int[] rowIds = new int[256];
        rowIds[0] = 3;
        rowIds[1] = 9;
        rowIds[2] = 17;
        rowIds[3] = 18;
        rowIds[4] = 19;
        rowIds[128] = 0;
        rowIds[129] = 18;
        int[] masks = new int[64];
        masks[0] = 0x10810443;
        masks[1] = 0x00000020;
        masks[32] = 0x00000a09;
        assertThat(bvss.realPtrs()).containsExactly(0, 1, 1, 2);
        assertThat(bvss.virtualToReal()).containsExactly(0, 2);
        assertThat(array(bvss.rowIds())).isEqualTo(rowIds);
        assertThat(array(bvss.masks())).isEqualTo(masks);
        assertThat(bvss.sliceCount()).isEqualTo(7);
        assertThat(bvss.entryCount()).isEqualTo(12);
        assertThat(bvss.bytes()).isEqualTo(1304);
        assertThat(bvss.compressionRatio()).isEqualTo(12.0 / 56);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "127, 1", "128, 1", "129, 2", "255, 2", "256, 2", "257, 3"})
    void shouldCutASliceSetIntoVirtualOnes(int slices, int virtualSliceSets) {
        Bvss bvss = Graphs.bvss(Graphs.csc(Graphs.withSlices(slices), Orientation.NATURAL));

        bvss.validate();
        assertThat(bvss.realPtrs()).startsWith(0, 1, 1 + virtualSliceSets, 1 + virtualSliceSets);
        assertThat(bvss.virtualSliceSetCount()).isEqualTo(1 + virtualSliceSets);
        assertThat(bvss.sliceCount()).isEqualTo(1 + slices);
        BvssReader reader = new BvssReader(bvss);
        int slice = 0;
        for (int vss = 1; vss <= virtualSliceSets; vss++) {
            reader.open(vss);
            while (reader.next()) {
                int mask = 0;
                for (int bit = 0; bit <= slice % 3; bit++) {
                    mask |= 1 << (slice + 3 * bit) % 8;
                }
                assertThat(reader.firstColumn()).isEqualTo(8);
                assertThat(reader.slice()).isEqualTo(slice % 128);
                assertThat(reader.row()).isEqualTo(16 + slice);
                assertThat(reader.mask()).isEqualTo(mask);
                slice++;
            }
        }
        assertThat(slice).isEqualTo(slices);
    }

    @Test
    void shouldHaveNothingForAGraphWithoutVertices() {
        Bvss bvss = Graphs.bvss(Graphs.csc(TestGraphs.empty(), Orientation.NATURAL));

        bvss.validate();
        assertThat(bvss.realPtrs()).containsExactly(0);
        assertThat(bvss.virtualSliceSetCount()).isZero();
        assertThat(bvss.bytes()).isEqualTo(4);
        assertThat(bvss.compressionRatio()).isNaN();
    }

    @Test
    void shouldKnowTheBytesBeforeBuilding() {
        Graphs.shapes().forEach((name, edges) -> {
            Csc graph = Graphs.csc(edges, Orientation.UNDIRECTED);
            assertThat(BvssBuilder.bytes(graph, 2, Stop.NEVER))
                    .as(name)
                    .isEqualTo(Graphs.bvss(graph).bytes());
        });
    }

    @Test
    void shouldAllocateWhatItReports() {
        Bvss bvss = Graphs.bvss(Graphs.csc(TestGraphs.rmat(9, 8, 3), Orientation.UNDIRECTED));

        long entries = bvss.realPtrs().length
                + bvss.virtualToReal().length
                + (long) array(bvss.rowIds()).length
                + array(bvss.masks()).length;
        assertThat(bvss.bytes()).isEqualTo(4 * entries);
    }

    @Test
    void shouldGiveTheSameWhateverTheConcurrencyAndPageSize() {
        Csc graph = Graphs.csc(TestGraphs.rmat(12, 16, 4), Orientation.UNDIRECTED);
        Bvss expected = BvssBuilder.build(graph, 1, Stop.NEVER, Progress.NONE);
        for (int concurrency = 2; concurrency <= 5; concurrency++) {
            Bvss bvss = BvssBuilder.build(graph, concurrency, Stop.NEVER, Progress.NONE, concurrency);

            assertThat(bvss.rowIds().pageShift()).isEqualTo(concurrency);
            assertThat(bvss.realPtrs()).isEqualTo(expected.realPtrs());
            assertThat(bvss.virtualToReal()).isEqualTo(expected.virtualToReal());
            assertThat(array(bvss.rowIds())).isEqualTo(array(expected.rowIds()));
            assertThat(array(bvss.masks())).isEqualTo(array(expected.masks()));
            assertThat(bvss.sliceCount()).isEqualTo(expected.sliceCount());
        }
    }

    @Test
    void shouldReportAsMuchProgressAsItAnnounced() {
        Csc graph = Graphs.csc(TestGraphs.rmat(12, 4, 5), Orientation.NATURAL);
        AtomicLong announced = new AtomicLong();
        AtomicLong done = new AtomicLong();

        BvssBuilder.build(graph, 2, Stop.NEVER, new Progress() {
            @Override
            public void beginTask(Task task, long volume) {
                assertThat(task).isEqualTo(BackendTask.BUILD_BVSS);
                announced.addAndGet(volume);
            }

            @Override
            public void advance(long volume) {
                done.addAndGet(volume);
            }
        });

        assertThat(announced).hasValue(2 * graph.entryCount());
        assertThat(done).hasValue(announced.get());
    }

    @Test
    void shouldStopWithinOneSliceSet() {
        stopsWhereverItIsAsked(TestGraphs.star(100_000));
    }

    @Test
    void shouldStopAmongManySliceSets() {
        stopsWhereverItIsAsked(TestGraphs.path(100_000));
    }

    /** Needs 99,999 slices. */
    private static void stopsWhereverItIsAsked(EdgeList edges) {
        Csc graph = Graphs.csc(edges, Orientation.NATURAL);
        AtomicInteger looks = new AtomicInteger();
        Stop counting = () -> {
            looks.incrementAndGet();
            return false;
        };
        BvssBuilder.build(graph, 1, counting, Progress.NONE);
        int rangesOfSets = (100_000 / 8 + 127) / 128;
        int everySoManySlices = 99_999 / (1 << 14);
        assertThat(looks.get()).isGreaterThan(2 * (rangesOfSets + everySoManySlices));
        for (int last = 0; last < looks.get(); last++) {
            AtomicInteger left = new AtomicInteger(last);
            assertThatThrownBy(() -> BvssBuilder.build(graph, 1, () -> left.getAndDecrement() <= 0, Progress.NONE))
                    .isInstanceOf(StoppedException.class);
        }
        assertThatThrownBy(() -> BvssBuilder.bytes(graph, 2, () -> true)).isInstanceOf(StoppedException.class);
    }

    @Test
    void shouldRefuseMoreVirtualSliceSetsThanItCanNumber() {
        // 128 slice sets whose 8 columns reach every one of 2^31 vertices
        int[] realPtrs = new int[129];
        Arrays.fill(realPtrs, 1, 129, 1 << 24);

        assertThatThrownBy(() -> BvssBuilder.sumUp(realPtrs, Stop.NEVER))
                .isInstanceOf(BvssLimitException.class)
                .hasMessageContaining("2147483648 virtual slice sets")
                .hasMessageContaining("limit=2147483639")
                .hasMessageContaining("'cpu'");
    }

    @Test
    void shouldSumUpToTheLimit() {
        int[] realPtrs = {0, BvssLayout.MAX_VIRTUAL_SLICE_SETS - 3, 0, 3};

        assertThat(BvssBuilder.sumUp(realPtrs, Stop.NEVER)).isEqualTo(BvssLayout.MAX_VIRTUAL_SLICE_SETS);
        assertThat(realPtrs).containsExactly(0, 2147483636, 2147483636, 2147483639);
    }

    private static int[] array(IntPages pages) {
        int[] array = new int[Math.toIntExact(pages.length())];
        for (int i = 0; i < array.length; i++) {
            array[i] = pages.get(i);
        }
        return array;
    }
}
