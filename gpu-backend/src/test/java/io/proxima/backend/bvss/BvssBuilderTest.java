// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendTask;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.IntPages;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Slice sets are built as the format page of the manual specifies them, array by array. */
class BvssBuilderTest {

    @Provide
    Arbitrary<SmallGraph> smallGraphs() {
        return SmallGraph.arbitrary(300, 600);
    }

    @Property(tries = 500)
    void shouldBuildWhatTheFormatSays(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 9) int pageShift) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving("BvssBuilderTest.shouldBuildWhatTheFormatSays", edges, () -> {
            Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
            check(BvssBuilder.build(csc, concurrency, Stop.NEVER, Progress.NONE, pageShift), csc);
        });
    }

    static Stream<Map.Entry<String, EdgeList>> graphs() {
        return Stream.concat(
                TraversalBackendContract.graphs(),
                Stream.of(
                        // several ranges of slice sets, which threads share
                        Map.entry("larger R-MAT", TestGraphs.rmat(12, 16, 4)),
                        Map.entry("cycle of 2049", TestGraphs.cycle(2049))));
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldBuildWhatTheFormatSaysOfEveryShape(Map.Entry<String, EdgeList> graph) {
        for (Orientation orientation : Orientation.values()) {
            Csc csc = graph.getValue().toCsc(orientation, 1, Stop.NEVER);
            check(build(csc, 4), csc);
        }
    }

    /** Compares the arrays with slices that are collected one edge after the other. */
    private static void check(Bvss bvss, Csc graph) {
        int n = graph.vertexCount();
        int[] realPtrs = new int[(n + 7) / 8 + 1];
        List<Integer> virtualToReal = new ArrayList<>();
        List<Integer> rows = new ArrayList<>();
        List<Integer> masks = new ArrayList<>();
        int sliceCount = 0;
        for (int set = 0; set < realPtrs.length - 1; set++) {
            TreeMap<Integer, Integer> slices = new TreeMap<>();
            for (int column = 8 * set; column < Math.min(n, 8 * set + 8); column++) {
                int bit = 1 << column % 8;
                for (long i = graph.columnStart(column); i < graph.columnEnd(column); i++) {
                    slices.merge(graph.rowIndices().get(i), bit, (one, other) -> one | other);
                }
            }
            sliceCount += slices.size();
            rows.addAll(slices.keySet());
            masks.addAll(slices.values());
            while (rows.size() % 128 != 0) {
                rows.add(0);
                masks.add(0);
            }
            realPtrs[set + 1] = rows.size() / 128;
            while (virtualToReal.size() < realPtrs[set + 1]) {
                virtualToReal.add(set);
            }
        }
        int[] words = new int[masks.size() / 4];
        for (int slice = 0; slice < masks.size(); slice++) {
            words[slice / 4] |= masks.get(slice) << 8 * (slice % 4);
        }
        assertThat(bvss.vertexCount()).isEqualTo(n);
        assertThat(bvss.realPtrs()).isEqualTo(realPtrs);
        assertThat(bvss.virtualToReal()).isEqualTo(array(virtualToReal));
        assertThat(array(bvss.rowIds())).isEqualTo(array(rows));
        assertThat(array(bvss.masks())).isEqualTo(words);
        assertThat(bvss.sliceCount()).isEqualTo(sliceCount);
        assertThat(bvss.entryCount()).isEqualTo(graph.entryCount());
        assertThat(bvss.bytes()).isEqualTo(4L * (realPtrs.length + virtualToReal.size() + rows.size() + words.length));
    }

    /**
     * The worked example of the format page: 20 vertices, so 3 slice sets, of which the middle one has no slices and the
     * last covers 4 columns only.
     */
    @Test
    void shouldLayOutTheWorkedExample() {
        Csc graph = new EdgeList(20)
                .add(0, 3)
                .add(1, 3)
                .add(6, 3)
                .add(2, 9)
                .add(0, 17)
                .add(7, 17)
                .add(4, 18)
                .add(5, 19)
                .add(16, 0)
                .add(19, 0)
                .add(17, 18)
                .add(19, 18)
                .toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Bvss bvss = build(graph, 1);
        int[] rowIds = new int[256];
        System.arraycopy(new int[] {3, 9, 17, 18, 19}, 0, rowIds, 0, 5);
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
        assertThat(bvss.bytes()).isEqualTo(1304);
        check(bvss, graph);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "127, 1", "128, 1", "129, 2", "255, 2", "256, 2", "257, 3"})
    void shouldCutASliceSetIntoVirtualOnes(int slices, int virtualSliceSets) {
        EdgeList edges = new EdgeList(Math.max(32, 16 + slices)).add(3, 5);
        for (int slice = 0; slice < slices; slice++) {
            for (int bit = 0; bit <= slice % 3; bit++) {
                edges.add(8 + (slice + 3 * bit) % 8, 16 + slice);
            }
        }
        Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Bvss bvss = build(graph, 1);
        assertThat(bvss.realPtrs()).startsWith(0, 1, 1 + virtualSliceSets, 1 + virtualSliceSets);
        check(bvss, graph);
    }

    @Test
    void shouldBuildOnceForAllThatHoldTheBvss() {
        Csc graph = TestGraphs.cycle(40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        SharedBvss one = SharedBvss.of(graph);
        SharedBvss other = SharedBvss.of(graph);
        assertThatThrownBy(() -> one.bvss(1, () -> true, Progress.NONE)).isInstanceOf(StoppedException.class);
        Bvss built = other.bvss(1, Stop.NEVER, Progress.NONE);
        assertThat(one.bvss(2, Stop.NEVER, Progress.NONE)).isSameAs(built);
        check(built, graph);

        Csc equal = TestGraphs.cycle(40).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(SharedBvss.of(equal).bvss(1, Stop.NEVER, Progress.NONE))
                .as("of this graph, not of another")
                .isNotSameAs(built);
    }

    @Test
    void shouldReportAsMuchProgressAsItAnnounced() {
        Csc graph = TestGraphs.rmat(12, 4, 5).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
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

    /** Within one slice set, and among many: both graphs need 99,999 slices. */
    @Test
    void shouldStopWhereverItIsAsked() {
        for (EdgeList edges : List.of(TestGraphs.star(100_000), TestGraphs.path(100_000))) {
            Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
            AtomicInteger looks = new AtomicInteger();
            BvssBuilder.build(graph, 1, () -> looks.incrementAndGet() < 0, Progress.NONE);
            int rangesOfSets = (100_000 / 8 + 127) / 128;
            int everySoManySlices = 99_999 / (1 << 14);
            assertThat(looks.get()).isGreaterThan(2 * (rangesOfSets + everySoManySlices));
            for (int last = 0; last < looks.get(); last++) {
                AtomicInteger left = new AtomicInteger(last);
                assertThatThrownBy(() -> BvssBuilder.build(graph, 1, () -> left.getAndDecrement() <= 0, Progress.NONE))
                        .isInstanceOf(StoppedException.class);
            }
        }
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

    private static Bvss build(Csc graph, int concurrency) {
        return BvssBuilder.build(graph, concurrency, Stop.NEVER, Progress.NONE);
    }

    private static int[] array(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] array(IntPages pages) {
        return IntStream.range(0, Math.toIntExact(pages.length())).map(pages::get).toArray();
    }
}
