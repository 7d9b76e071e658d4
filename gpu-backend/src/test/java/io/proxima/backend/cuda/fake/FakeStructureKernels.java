// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.MORE_NEIGHBOURS;
import static io.proxima.backend.cuda.driver.KernelConstants.NO_NEIGHBOUR;
import static io.proxima.backend.cuda.driver.KernelConstants.PART_ENTRIES;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_COLUMNS;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_POSITIONS;

import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.balls.BallRecords;
import io.proxima.backend.cuda.family.balls.HostBalls;
import io.proxima.backend.cuda.family.tilebfs.TileMatrix;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.stream.IntStream;

/** Structures that families search beside lists: their sizes; fake searches read lists only. */
final class FakeStructureKernels extends FakeArguments {

    private FakeStructureKernels(FakeDevice device, Fields fields) {
        super(device, fields);
    }

    static void run(String entry, FakeDevice device, Fields fields) {
        FakeStructureKernels kernel = new FakeStructureKernels(device, fields);
        switch (entry.replaceAll("_nt(32|64)", "")) {
            case "balls_rows_thread" -> kernel.writeRows();
            case "balls_write_warp" -> kernel.writeRecords();
            case "balls_measure_warp" -> kernel.measureBalls();
            case "balls_places_grid" -> kernel.sumPlaces();
            case "msbfs_parts_items_grid" -> kernel.countItems();
            case "tiles_build_positions_thread" -> kernel.invertPositions();
            case "tiles_build_measure_warp" -> kernel.measureTiles();
            case "tiles_build_pointers_grid" -> kernel.sumTiles();
            case "tile_matrix_count_warp" -> kernel.countRest();
            case "tile_matrix_pointers_grid" -> kernel.sumRest();
            case "tile_matrix_write_warp" -> kernel.writeRest();
            default -> {
                // fake searches do not read what it writes
            }
        }
    }

    private void writeRows() {
        int n = int32("n");
        int width = 1 << int32("rowBits");
        IntBuffer rows = ints(pointer("rows"), (long) n * width);
        for (int v = 0; v < n; v++) {
            int[] neighbours = neighbours(v);
            for (int i = 0; i < width; i++) {
                boolean more = i == width - 1 && neighbours.length > width;
                int beyond = more ? MORE_NEIGHBOURS : NO_NEIGHBOUR;
                rows.put(v * width + i, i < neighbours.length && !more ? neighbours[i] : beyond);
            }
        }
    }

    private void writeRecords() {
        IntBuffer places = ints(pointer("recordAt"), int32("last") + 1L);
        for (int v = int32("first"); v < int32("last"); v++) {
            int[] record = HostBalls.of(this::neighbours, v, int32("radius")).record();
            ints(pointer("records") + Integer.toUnsignedLong(places.get(v)) * BallRecords.UNIT_BYTES, record.length)
                    .put(0, record);
        }
    }

    private void measureBalls() {
        int radius = int32("radius");
        for (int v = int32("first"); v < int32("last"); v++) {
            HostBalls ball = HostBalls.of(this::neighbours, v, radius);
            if (pointer("units") != 0) {
                ints(pointer("units"), v + 1L).put(v, ball.units(radius));
            }
            for (int hops = 1; pointer("totals") != 0 && hops <= radius; hops++) {
                LongBuffer totals = longs(pointer("totals"), radius);
                totals.put(hops - 1, totals.get(hops - 1) + ball.units(hops));
            }
        }
    }

    private int[] neighbours(int vertex) {
        LongBuffer ends = longs(pointer("ptrs") + (long) vertex * Long.BYTES, 2);
        return array(pointer("idx") + ends.get(0) * Integer.BYTES, (int) (ends.get(1) - ends.get(0)));
    }

    private void sumPlaces() {
        int n = int32("n");
        IntBuffer places = ints(pointer("recordAt"), n + 1L);
        int sum = 0;
        for (int v = 0; v <= n; v++) {
            int units = v < n ? places.get(v) : 0;
            places.put(v, sum);
            sum += units;
        }
    }

    private void countItems() {
        int n = int32("n");
        long[] in = longArray(pointer("inPtrs"), n + 1);
        long[] out = longArray(pointer("outPtrs"), n + 1);
        int hubItems = 0;
        int items = 0;
        int behindWide = 0;
        int longLists = 0;
        int live = 0;
        for (int slot = 0; slot < n; slot++) {
            long entries = in[slot + 1] - in[slot];
            if (entries > int32("longEntries")) {
                int parts = (int) ((entries + PART_ENTRIES - 1) / PART_ENTRIES);
                longLists++;
                items += parts;
                hubItems += parts > 1 ? parts : 0;
            } else {
                behindWide = Math.max(behindWide, n - slot);
            }
            live = entries > 0 || out[slot + 1] > out[slot] ? slot + 1 : live;
        }
        ints(pointer("facts"), 5).put(0, new int[] {hubItems, items, behindWide, longLists, live});
    }

    private void invertPositions() {
        int n = int32("n");
        int[] slotAt = array(pointer("slotAt"), n);
        IntBuffer positionOf = ints(pointer("positionOf"), n);
        IntStream.range(0, n).forEach(position -> positionOf.put(slotAt[position], position));
    }

    /** Columns as long as the longest list of a tile, and no tile near another. */
    private void measureTiles() {
        int n = int32("n");
        long[] in = longArray(pointer("inPtrs"), n + 1);
        int[] slotAt = array(pointer("slotAt"), n);
        IntBuffer columns = ints(pointer("columnCounts"), int32("tiles"));
        for (int tile = 0; tile < columns.capacity(); tile++) {
            columns.put(
                    tile,
                    IntStream.range(tile * TILE_POSITIONS, Math.min(n, (tile + 1) * TILE_POSITIONS))
                            .map(position -> (int) (in[slotAt[position] + 1] - in[slotAt[position]]))
                            .map(entries -> Math.min(entries, TILE_COLUMNS))
                            .max()
                            .orElse(0));
        }
    }

    private void sumTiles() {
        int tiles = int32("tiles");
        sum(pointer("columnCounts"), tiles, pointer("columnPtrs"));
        sum(pointer("nearCounts"), tiles, pointer("nearPtrs"));
    }

    /** No tiles: all entries are in the rest. */
    private void countRest() {
        int n = int32("n");
        Lists lists = lists(pointer("ptrs"), pointer("idx"), n);
        ints(pointer("restCounts"), n)
                .put(0, IntStream.range(0, n).map(lists::length).toArray());
        longs(pointer("columnsWithEntries"), 1)
                .put(
                        0,
                        IntStream.range(0, n)
                                .filter(slot -> lists.length(slot) > 0)
                                .count());
        zeroedControl(pointer("control"));
    }

    private void sumRest() {
        int n = int32("n");
        sum(pointer("restCounts"), n, pointer("restPtrs"));
        int columns = TileMatrix.columns(n);
        longs(pointer("tilePtrs"), columns + 1L).put(0, new long[columns + 1]);
    }

    private void writeRest() {
        int[] indices = lists(pointer("ptrs"), pointer("idx"), int32("n")).indices;
        ints(pointer("restRows"), indices.length).put(0, indices);
        zeroedControl(pointer("control"));
    }

    private void sum(long from, int count, long to) {
        int[] counts = array(from, count);
        LongBuffer sums = longs(to, count + 1L);
        sums.put(0, 0);
        for (int i = 0; i < count; i++) {
            sums.put(i + 1, sums.get(i) + counts[i]);
        }
    }
}
