// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.KAPPA;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_COLUMNS;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_POSITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What the kernels that make tiles and search over them promise, in plain Java: same arguments in the same order. */
final class FakeTilesKernels extends FakeArguments {

    private static final String BUILD = "tiles_build_";
    private static final String SEARCH = "msbfs_tiles_k128_grid";
    private static final String ADD = "msbfs_tiles_add_thread";

    private static final int TILE = TILE_POSITIONS;

    /** Batches of a group after which the time of a launch is over. */
    private static final int BATCHES_OF_A_GROUP = 2;

    private final DeviceDriver.Shape shape;

    private FakeTilesKernels(FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        super(device, arguments);
        this.shape = shape;
    }

    static boolean knows(String entry) {
        return entry.startsWith(BUILD) || entry.equals(SEARCH) || entry.equals(ADD);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeTilesKernels kernel = new FakeTilesKernels(device, shape, arguments);
        switch (entry) {
            case BUILD + "positions_thread" -> kernel.positions();
            case BUILD + "measure_warp" -> kernel.measure();
            case BUILD + "pointers_grid" -> kernel.pointers();
            case BUILD + "columns_thread" -> kernel.columns();
            case BUILD + "near_warp" -> kernel.near();
            case SEARCH -> kernel.search();
            case ADD -> kernel.add();
            default -> throw new DriverException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
        }
    }

    private void positions() {
        long slotAtAt = pointer("slotAt");
        long positionOfAt = pointer("positionOf");
        int n = int32("n");
        IntBuffer slotAt = ints(slotAtAt, n);
        IntBuffer positionOf = ints(positionOfAt, n);
        for (int position = 0; position < n; position++) {
            positionOf.put(slotAt.get(position), position);
        }
    }

    /** Near tiles with the positions that lead there. */
    private static Map<Integer, Integer> near(
            int tile, LongBuffer outPointers, IntBuffer out, IntBuffer slotAt, IntBuffer positionOf) {
        Map<Integer, Integer> near = new TreeMap<>();
        for (int position = tile * TILE; position < Math.min(slotAt.capacity(), (tile + 1) * TILE); position++) {
            int slot = slotAt.get(position);
            for (long e = outPointers.get(slot); e < outPointers.get(slot + 1); e++) {
                int other = positionOf.get(out.get((int) e)) / TILE;
                if (other != tile) {
                    near.merge(other, 1 << position % TILE, (a, b) -> a | b);
                }
            }
        }
        return near;
    }

    private void measure() {
        long inPointersAt = pointer("inPtrs");
        long outPointersAt = pointer("outPtrs");
        long outAt = pointer("outIdx");
        long slotAtAt = pointer("slotAt");
        long positionOfAt = pointer("positionOf");
        long columnCountsAt = pointer("columnCounts");
        long nearCountsAt = pointer("nearCounts");
        long control = pointer("control");
        int n = int32("n");
        int tiles = int32("tiles");
        zeroedControl(control);
        LongBuffer inPointers = longs(inPointersAt, n + 1L);
        LongBuffer outPointers = longs(outPointersAt, n + 1L);
        IntBuffer slotAt = ints(slotAtAt, n);
        IntBuffer columnCounts = ints(columnCountsAt, tiles);
        IntBuffer nearCounts = ints(nearCountsAt, tiles);
        for (int tile = 0; tile < tiles; tile++) {
            int columns = 0;
            for (int position = tile * TILE; position < Math.min(n, (tile + 1) * TILE); position++) {
                int slot = slotAt.get(position);
                columns = Math.max(columns, (int) (inPointers.get(slot + 1) - inPointers.get(slot)));
            }
            columnCounts.put(tile, Math.min(columns, TILE_COLUMNS));
            assertThat(nearCounts.get(tile)).isZero();
            IntBuffer out = ints(outAt, outPointers.get(n));
            nearCounts.put(
                    tile,
                    near(tile, outPointers, out, slotAt, ints(positionOfAt, n)).size());
        }
    }

    private void pointers() {
        long[] counts = {pointer("columnCounts"), pointer("nearCounts")};
        long[] pointers = {pointer("columnPtrs"), pointer("nearPtrs")};
        longs(pointer("blockSums"), shape.blocks());
        int tiles = int32("tiles");
        for (int i = 0; i < counts.length; i++) {
            IntBuffer each = ints(counts[i], tiles);
            LongBuffer sums = longs(pointers[i], tiles + 1L);
            long sum = 0;
            for (int tile = 0; tile < tiles; tile++) {
                sums.put(tile, sum);
                sum += each.get(tile);
            }
            sums.put(tiles, sum);
        }
    }

    private void columns() {
        long inPointersAt = pointer("inPtrs");
        long inAt = pointer("inIdx");
        long slotAtAt = pointer("slotAt");
        long positionOfAt = pointer("positionOf");
        long columnPointersAt = pointer("columnPtrs");
        long columnsAt = pointer("columns");
        int n = int32("n");
        int tiles = int32("tiles");
        LongBuffer inPointers = longs(inPointersAt, n + 1L);
        IntBuffer in = ints(inAt, inPointers.get(n));
        IntBuffer slotAt = ints(slotAtAt, n);
        IntBuffer positionOf = ints(positionOfAt, n);
        LongBuffer columnPointers = longs(columnPointersAt, tiles + 1L);
        IntBuffer columns = ints(columnsAt, columnPointers.get(tiles) * TILE);
        for (int position = 0; position < tiles * TILE; position++) {
            long entry = position < n ? inPointers.get(slotAt.get(position)) : 0;
            long last = position < n ? inPointers.get(slotAt.get(position) + 1) : 0;
            for (long c = columnPointers.get(position / TILE); c < columnPointers.get(position / TILE + 1); c++) {
                int neighbour = entry < last ? positionOf.get(in.get((int) entry)) : position;
                columns.put((int) c * TILE + position % TILE, neighbour);
                entry++;
            }
        }
    }

    private void near() {
        long outPointersAt = pointer("outPtrs");
        long outAt = pointer("outIdx");
        long slotAtAt = pointer("slotAt");
        long positionOfAt = pointer("positionOf");
        long nearPointersAt = pointer("nearPtrs");
        long nearAt = pointer("near");
        long control = pointer("control");
        int n = int32("n");
        int tiles = int32("tiles");
        zeroedControl(control);
        LongBuffer outPointers = longs(outPointersAt, n + 1L);
        LongBuffer nearPointers = longs(nearPointersAt, tiles + 1L);
        IntBuffer near = ints(nearAt, 2 * nearPointers.get(tiles));
        for (int tile = 0; tile < tiles; tile++) {
            int at = (int) nearPointers.get(tile);
            IntBuffer out = ints(outAt, outPointers.get(n));
            for (Map.Entry<Integer, Integer> one : near(
                            tile, outPointers, out, ints(slotAtAt, n), ints(positionOfAt, n))
                    .entrySet()) {
                near.put(2 * at, one.getKey());
                near.put(2 * at + 1, one.getValue());
                at++;
            }
            assertThat(at).isEqualTo((int) nearPointers.get(tile + 1));
        }
    }

    /** The tiles as a launch gets them. */
    private static final class Tiles {
        private LongBuffer columnPointers;
        private IntBuffer columns;
        private LongBuffer nearPointers;
        private IntBuffer near;
        private int[] slotAt;
        private int[] positionOf;

        /** The neighbours of a position are in its column and past it, and its tile is near those of its neighbours. */
        void check(long[] inPointers, int[] in) {
            for (int position = 0; position < slotAt.length; position++) {
                assertThat(positionOf[slotAt[position]]).isEqualTo(position);
                int slot = slotAt[position];
                int tile = position / TILE;
                int own = position;
                int first = (int) inPointers[slot];
                int last = (int) inPointers[slot + 1];
                int columnCount = (int) (columnPointers.get(tile + 1) - columnPointers.get(tile));
                assertThat(columnCount == TILE_COLUMNS || last - first <= columnCount)
                        .isTrue();
                int[] held = IntStream.range(0, columnCount)
                        .map(c -> columns.get((int) (columnPointers.get(own / TILE) + c) * TILE + own % TILE))
                        .toArray();
                int[] expected = new int[columnCount];
                Arrays.fill(expected, position);
                for (int e = first; e < Math.min(last, first + columnCount); e++) {
                    expected[e - first] = positionOf[in[e]];
                }
                assertThat(held).isEqualTo(expected);
                for (int e = first; e < last; e++) {
                    int from = positionOf[in[e]];
                    assertThat(from / TILE == tile || leads(from, tile))
                            .as("%d is near the tile of %d", from, position)
                            .isTrue();
                }
            }
        }

        private boolean leads(int position, int tile) {
            int from = (int) nearPointers.get(position / TILE);
            int to = (int) nearPointers.get(position / TILE + 1);
            return IntStream.range(from, to)
                    .anyMatch(i -> near.get(2 * i) == tile && (near.get(2 * i + 1) >> position % TILE & 1) != 0);
        }
    }

    private void search() {
        long columnPointersAt = pointer("columnPtrs");
        long columnsAt = pointer("columns");
        long nearPointersAt = pointer("nearPtrs");
        long nearAt = pointer("near");
        long inPointersAt = pointer("inPtrs");
        long inAt = pointer("inIdx");
        long slotAtAt = pointer("slotAt");
        long positionOfAt = pointer("positionOf");
        long far = pointer("far");
        long reach = pointer("reach");
        long levelCounts = pointer("levelCounts");
        long depths = pointer("depths");
        long pairs = pointer("pairs");
        long[] bits = {pointer("bitsA"), pointer("bitsB")};
        long marks = pointer("marks");
        long full = pointer("full");
        long[] queues = {pointer("queueA"), pointer("queueB")};
        long groupWords = pointer("groupWords");
        long barriers = pointer("barriers");
        long nextBatchAt = pointer("nextBatch");
        long control = pointer("control");
        long nanos = int64("nanos");
        int n = int32("n");
        int tileCount = int32("tiles");
        int groups = int32("groups");
        int lastBatch = int32("lastBatch");
        int levelCapacity = int32("levelCapacity");
        int firstLevel = int32("firstLevel");

        assertThat(shape.cooperative()).isTrue();
        assertThat(groups).isBetween(1, shape.blocks());
        assertThat(tileCount).isEqualTo((n + TILE - 1) / TILE);
        assertThat(nanos).isPositive();
        long all = (long) groups * tileCount;
        for (long array : bits) {
            assertThat(array % 16).isZero();
            requireZeros(array, all * TILE * 16);
        }
        requireZeros(marks, all * Integer.BYTES);
        requireZeros(full, all);
        requireZeros(barriers, (long) groups * Integer.BYTES);
        for (long queue : queues) {
            ints(queue, all);
        }
        ints(groupWords, groups * 8L);
        FakeManyKernels.Lists in = lists(inPointersAt, inAt, n);
        Tiles tiles = new Tiles();
        tiles.columnPointers = longs(columnPointersAt, tileCount + 1L);
        tiles.columns = ints(columnsAt, tiles.columnPointers.get(tileCount) * TILE);
        tiles.nearPointers = longs(nearPointersAt, tileCount + 1L);
        tiles.near = ints(nearAt, 2 * tiles.nearPointers.get(tileCount));
        tiles.slotAt = array(slotAtAt, n);
        tiles.positionOf = array(positionOfAt, n);
        tiles.check(in.pointers, in.indices);

        ByteBuffer farOfSlots = far == 0 ? null : ByteBuffer.allocate(n * Long.BYTES);
        ByteBuffer reachOfSlots = reach == 0 ? null : ByteBuffer.allocate(n * Long.BYTES);
        FakeManyKernels.Results results = new FakeManyKernels.Results(in.transposed(), n, n);
        results.takeSums(
                farOfSlots,
                reachOfSlots,
                levelCounts == 0 ? null : ints(levelCounts, (long) levelCapacity * n),
                levelCapacity,
                firstLevel,
                depths == 0 ? null : ints(depths, n),
                sums(pairs, n));
        IntBuffer nextBatch = ints(nextBatchAt, 1);
        int batch = nextBatch.get(0);
        int end = Math.min(lastBatch, batch + groups * BATCHES_OF_A_GROUP);
        assertThat(batch).isBetween(0, lastBatch - 1);
        for (int position = batch * KAPPA; position < Math.min(n, end * KAPPA); position++) {
            results.search(0, tiles.slotAt[position], -1);
        }
        byPosition(farOfSlots, far, tiles.slotAt);
        byPosition(reachOfSlots, reach, tiles.slotAt);
        // a group that finds the last batch taken has raised it all the same
        nextBatch.put(0, end == lastBatch ? end + groups : end);
        results.tell(zeroedControl(control));
    }

    private void byPosition(ByteBuffer ofSlots, long at, int[] slotAt) {
        if (at == 0) {
            return;
        }
        requireZeros(at, (long) slotAt.length * Long.BYTES);
        LongBuffer sums = longs(at, slotAt.length);
        for (int position = 0; position < slotAt.length; position++) {
            sums.put(position, ofSlots.getLong(slotAt[position] * Long.BYTES));
        }
    }

    private void add() {
        long slotAtAt = pointer("slotAt");
        long[] from = {pointer("far"), pointer("reach")};
        long[] to = {pointer("farOfSlots"), pointer("reachOfSlots")};
        int n = int32("n");
        int[] slotAt = array(slotAtAt, n);
        for (int i = 0; i < from.length; i++) {
            if (from[i] != 0) {
                LongBuffer sums = longs(from[i], n);
                LongBuffer ofSlots = longs(to[i], n);
                for (int position = 0; position < n; position++) {
                    ofSlots.put(slotAt[position], ofSlots.get(slotAt[position]) + sums.get(position));
                }
            }
        }
    }

    private void requireZeros(long address, long bytes) {
        ByteBuffer memory = device.memory(address, bytes);
        for (int i = 0; i < bytes; i++) {
            if (memory.get(i) != 0) {
                throw new AssertionError("byte " + i + " of " + bytes + " must be zero before a launch");
            }
        }
    }
}
