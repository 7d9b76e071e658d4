// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.LONG_REST;
import static io.proxima.backend.cuda.driver.KernelConstants.LONG_TILES;
import static io.proxima.backend.cuda.driver.KernelConstants.OPERATOR_GRID_LIST;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.tilebfs.TextbookTiles;
import io.proxima.backend.cuda.family.tilebfs.TileMatrix;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** What bfs_two_layer.cu, tile_matrix_build.cu and bfs_tile.cu promise, in plain Java: same arguments in the same order. */
final class FakeFrontierKernels extends FakeArguments {

    private static final String TWO_LAYER = "bfs_two_layer_grid";
    private static final String BUILD = "tile_matrix_";
    private static final String TILE = "bfs_tile_nt";

    private final DeviceDriver.Shape shape;

    private FakeFrontierKernels(FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        super(device, arguments);
        this.shape = shape;
    }

    static boolean knows(String entry) {
        return entry.equals(TWO_LAYER) || entry.startsWith(BUILD) || entry.startsWith(TILE);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeFrontierKernels kernel = new FakeFrontierKernels(device, shape, arguments);
        if (!entry.equals(TWO_LAYER)) {
            assertThat(entry).contains("_nt" + TileMatrix.Layout.side(kernel.int32("n")) + "_");
        }
        switch (entry.replaceAll("_nt(32|64)", "")) {
            case TWO_LAYER -> kernel.searchByLists();
            case BUILD + "count_warp" -> kernel.count();
            case BUILD + "pointers_grid" -> kernel.pointers();
            case BUILD + "write_warp" -> kernel.write();
            case "bfs_tile_grid" -> kernel.searchByTiles();
            default -> throw new DriverException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
        }
    }

    private void searchByLists() {
        int n = int32("n");
        FakeManyKernels.Lists out = lists(pointer("outPtrs"), pointer("outIdx"), n);
        long words = (n + 127L) / 128 * 4;
        long layer = (n + 1023L) / 1024;
        for (String vector : new String[] {"visited", "wordsA", "wordsB", "offsets"}) {
            assertThat(pointer(vector) % 16).isZero();
            ints(pointer(vector), words);
        }
        ints(pointer("nonzeroA"), layer);
        ints(pointer("nonzeroB"), layer);
        checkLongLists(out.indices.length / OPERATOR_GRID_LIST);
        search(out, n);
    }

    private void searchByTiles() {
        int n = int32("n");
        TextbookTiles out = tiles("out", n);
        TextbookTiles in = tiles("in", n);
        out.validate();
        in.validate();
        FakeManyKernels.Lists lists = out.lists();
        FakeManyKernels.Lists turned = in.lists();
        FakeManyKernels.Lists expected = lists.transposed();
        assertThat(turned.pointers).isEqualTo(expected.pointers);
        assertThat(turned.indices).isEqualTo(expected.indices);
        long reachable = Arrays.stream(lists.indices).distinct().count();
        assertThat(int32("reachable")).isEqualTo((int) reachable);
        int words = TileMatrix.Layout.columns(n);
        for (String vector : new String[] {"mask", "frontierA", "frontierB"}) {
            device.memory(pointer(vector), (long) words * out.side / Byte.SIZE);
        }
        ints(pointer("listA"), words);
        ints(pointer("listB"), words);
        ints(pointer("longParts"), out.tileRows.length / LONG_TILES);
        checkLongLists(out.restRows.length / LONG_REST);
        search(lists, n);
    }

    private void checkLongLists(long most) {
        ints(pointer("longLists"), most);
        longs(pointer("longEdges"), most);
    }

    private TextbookTiles tiles(String direction, int n) {
        long[] tilePtrs = columnPointers(pointer(direction + "TilePtrs"), TileMatrix.Layout.columns(n));
        long[] restPtrs = columnPointers(pointer(direction + "RestPtrs"), n);
        int tiles = (int) tilePtrs[tilePtrs.length - 1];
        int side = TileMatrix.Layout.side(n);
        long[] words = new long[tiles * side];
        ByteBuffer from = device.memory(pointer(direction + "Words"), (long) words.length * side / Byte.SIZE);
        for (int i = 0; i < words.length; i++) {
            words[i] = side == Integer.SIZE
                    ? Integer.toUnsignedLong(from.getInt(i * Integer.BYTES))
                    : from.getLong(i * Long.BYTES);
        }
        return new TextbookTiles(
                n,
                tilePtrs,
                array(pointer(direction + "TileRows"), tiles),
                words,
                restPtrs,
                array(pointer(direction + "RestRows"), (int) restPtrs[n]));
    }

    /** Pointers to so many columns, and the end of the last one. */
    private long[] columnPointers(long address, int length) {
        long[] values = new long[length + 1];
        longs(address, length + 1L).get(values);
        return values;
    }

    private void count() {
        int n = int32("n");
        zeroedControl(pointer("control"));
        FakeManyKernels.Lists lists = lists(pointer("ptrs"), pointer("idx"), n);
        TextbookTiles tiles = TextbookTiles.of(lists);
        IntBuffer tileCounts = ints(pointer("tileCounts"), TileMatrix.Layout.columns(n));
        IntBuffer restCounts = ints(pointer("restCounts"), n);
        for (int i = 0; i < tileCounts.capacity(); i++) {
            tileCounts.put(i, (int) (tiles.tilePtrs[i + 1] - tiles.tilePtrs[i]));
        }
        LongBuffer total = longs(pointer("columnsWithEntries"), 1L);
        for (int slot = 0; slot < n; slot++) {
            restCounts.put(slot, (int) (tiles.restPtrs[slot + 1] - tiles.restPtrs[slot]));
            total.put(0, total.get(0) + (lists.length(slot) > 0 ? 1 : 0));
        }
    }

    private void pointers() {
        int n = int32("n");
        longs(pointer("blockSums"), (long) shape.blocks());
        sumUp(ints(pointer("tileCounts"), TileMatrix.Layout.columns(n)), pointer("tilePtrs"));
        sumUp(ints(pointer("restCounts"), n), pointer("restPtrs"));
    }

    private void sumUp(IntBuffer counts, long to) {
        LongBuffer sums = longs(to, counts.capacity() + 1L);
        sums.put(0, 0);
        for (int i = 0; i < counts.capacity(); i++) {
            sums.put(i + 1, sums.get(i) + counts.get(i));
        }
    }

    private void write() {
        int n = int32("n");
        zeroedControl(pointer("control"));
        TextbookTiles tiles = TextbookTiles.of(lists(pointer("ptrs"), pointer("idx"), n));
        assertThat(columnPointers(pointer("tilePtrs"), TileMatrix.Layout.columns(n)))
                .isEqualTo(tiles.tilePtrs);
        assertThat(columnPointers(pointer("restPtrs"), n)).isEqualTo(tiles.restPtrs);
        ints(pointer("tileRows"), tiles.tileRows.length).put(tiles.tileRows);
        ints(pointer("restRows"), tiles.restRows.length).put(tiles.restRows);
        ByteBuffer words = device.memory(pointer("words"), (long) tiles.words.length * tiles.side / Byte.SIZE);
        for (int i = 0; i < tiles.words.length; i++) {
            if (tiles.side == Integer.SIZE) {
                words.putInt(i * Integer.BYTES, (int) tiles.words[i]);
            } else {
                words.putLong(i * Long.BYTES, tiles.words[i]);
            }
        }
    }

    private void search(FakeManyKernels.Lists out, int n) {
        assertThat(shape.cooperative()).isTrue();
        ints(pointer("stopFlag"), 1);
        int[] sources = array(pointer("sources"), int32("sourceCount"));
        int[] targets = array(pointer("stopTargets"), int32("stopTargetCount"));
        int maxDepth = int32("maxDepth");
        IntBuffer levels = ints(pointer("levels"), n);
        ByteBuffer block = zeroedControl(pointer("control"));
        for (int slot = 0; slot < n; slot++) {
            levels.put(slot, -1);
        }
        Arrays.stream(sources).forEach(source -> levels.put(source, 0));
        int[] frontier = sources;
        int level = 0;
        while (level != maxDepth && Arrays.stream(targets).noneMatch(target -> levels.get(target) >= 0)) {
            int below = level + 1;
            frontier = Arrays.stream(frontier)
                    .flatMap(slot -> Arrays.stream(out.indices, (int) out.pointers[slot], (int) out.pointers[slot + 1]))
                    .filter(slot -> levels.get(slot) < 0)
                    .distinct()
                    .toArray();
            Arrays.stream(frontier).forEach(slot -> levels.put(slot, below));
            if (frontier.length == 0) {
                break;
            }
            level++;
        }
        block.putInt(CONTROL_LEVEL_OFFSET, level);
    }
}
