// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.tilebfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.cuda.OnGpu;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bitmask tiles on a real device, under the checking wrapper. */
@OnGpu
class CudaTileMatrixTest {

    static Stream<Csc> graphs() {
        return Stream.of(
                TestGraphs.rmat(10, 40, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                TestGraphs.rmat(14, 30, 6).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                TestGraphs.rmat(14, 8, 6).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.clique(130).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.grid(70, 150).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.star(10_001).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                TestGraphs.singleVertex().toCsc(Orientation.NATURAL, 2, Stop.NEVER));
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void shouldMakeTheTilesOfTheSpecification(Csc csc) {
        RunContext control = RunContext.of(2).with(new RunOptions(VertexOrder.NATURAL, Kernel.of("tile-bfs")));
        FakeDevices.with(Gpu.backend(), csc, control, 1, view -> {
            view.require(Set.of(TileMatrix.OUT, TileMatrix.IN));
            check(view, TileMatrix.OUT, csc);
            check(view, TileMatrix.IN, csc.transposed(1, Stop.NEVER));
        });
    }

    private void check(HeldGraph view, TileMatrix direction, Csc lists) {
        TileMatrix.Tiles tiles = view.structure(direction);
        assertThat(download(tiles, view.vertexCount()))
                .usingRecursiveComparison()
                .isEqualTo(TextbookTiles.of(lists));
        assertThat(tiles.columnsWithEntries()).isEqualTo((int) IntStream.range(0, view.vertexCount())
                .filter(slot -> lists.degree(slot) > 0)
                .count());
        assertThat(tiles.bytes()).isEqualTo(direction.bytes(view));
    }

    private TextbookTiles download(TileMatrix.Tiles tiles, int n) {
        int side = TileMatrix.side(n);
        try (DeviceLease lease = Gpu.backend().device().lease(Stop.NEVER)) {
            long[] words = new long[(int) tiles.tileCount() * side];
            if (side == Long.SIZE) {
                words = longs(lease, tiles.at("words"), words.length);
            } else {
                int[] narrow = ints(lease, tiles.at("words"), words.length);
                Arrays.setAll(words, i -> Integer.toUnsignedLong(narrow[i]));
            }
            return new TextbookTiles(
                    longs(lease, tiles.at("tilePtrs"), TileMatrix.columns(n) + 1),
                    ints(lease, tiles.at("tileRows"), (int) tiles.tileCount()),
                    words,
                    longs(lease, tiles.at("restPtrs"), n + 1),
                    ints(lease, tiles.at("restRows"), (int) tiles.restCount()));
        }
    }

    private static long[] longs(DeviceLease lease, long at, int length) {
        long[] values = new long[length];
        lease.download(new VertexOrderedArray(at, Long.BYTES, length, 0), values, 1);
        return values;
    }

    private static int[] ints(DeviceLease lease, long at, int length) {
        int[] values = new int[length];
        lease.download(at, values, 1);
        return values;
    }
}
