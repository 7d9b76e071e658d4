// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.MOST_BALL;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_HEADER;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_UNIT;
import static io.proxima.backend.cuda.driver.KernelConstants.SORT_TILE;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_COLUMNS;
import static io.proxima.backend.cuda.driver.KernelConstants.TILE_POSITIONS;

import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.backend.papers.bvss.TextbookBvss;
import io.proxima.backend.papers.tilebfs.TileMatrix;
import io.proxima.projection.csc.Csc;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The lists and slice sets that fake searches read, and of all other structures of a graph no more than their sizes.
 */
final class FakeStructureKernels extends FakeArguments {

    private FakeStructureKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static void run(String entry, FakeDevice device, KernelArguments arguments) {
        FakeStructureKernels kernel = new FakeStructureKernels(device, arguments);
        switch (entry.replaceAll("_nt(32|64)", "")) {
            case "csc_relabel_pointers_grid" -> kernel.relabelPointers();
            case "csc_relabel_entries_warp" -> kernel.relabelEntries();
            case "csc_transpose_count_thread" -> kernel.countRows();
            case "csc_transpose_pointers_grid" -> kernel.sum("counts", kernel.int32("n"), "newPtrs");
            case "csc_transpose_entries_warp" -> kernel.transposeEntries();
            case "csc_sort_columns_block" -> kernel.sortColumns();
            case "bvss_build_firsts_warp" -> kernel.markFirsts();
            case "bvss_build_sums_grid" -> kernel.countSlices();
            case "bvss_build_sets_grid" -> kernel.countSets();
            case "bvss_build_slices_warp" -> kernel.writeSlices();
            case "compact_measure_thread" -> kernel.measureLists();
            case "compact_pointers_thread" -> kernel.narrowPointers();
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

    private void relabelPointers() {
        int n = int32("n");
        long[] pointers = longArray("ptrs", n + 1);
        int[] vertexOfSlot = array("vertexOfSlot", n);
        long[] relabelled = new long[n + 1];
        for (int slot = 0; slot < n; slot++) {
            int vertex = vertexOfSlot[slot];
            relabelled[slot + 1] = relabelled[slot] + pointers[vertex + 1] - pointers[vertex];
        }
        store("newPtrs", relabelled);
    }

    private void relabelEntries() {
        int n = int32("n");
        int[] slotOfVertex = array("slotOfVertex", n);
        long[] newPointers = longArray("newPtrs", n + 1);
        int[] indices = array("idx", (int) int64("lastEntry"));
        IntBuffer relabelled = ints(pointer("newIdx"), newPointers[n]);
        forEntries((column, entry, nth) ->
                relabelled.put((int) newPointers[slotOfVertex[column]] + nth, slotOfVertex[indices[entry]]));
    }

    private void countRows() {
        long counts = pointer("counts");
        for (int row : array("idx", (int) int64("entries"))) {
            IntBuffer count = ints(counts + (long) row * Integer.BYTES, 1);
            count.put(0, count.get(0) + 1);
        }
    }

    private void transposeEntries() {
        int n = int32("n");
        IntBuffer counts = ints(pointer("counts"), n);
        long[] newPointers = longArray("newPtrs", n + 1);
        int[] indices = array("idx", (int) int64("lastEntry"));
        IntBuffer transposed = ints(pointer("newIdx"), newPointers[n]);
        forEntries((column, entry, nth) -> {
            int row = indices[entry];
            counts.put(row, counts.get(row) - 1);
            transposed.put((int) newPointers[row] + counts.get(row), column);
        });
    }

    private interface EntryAction {
        void accept(int column, int entry, int nth);
    }

    /** For the entries from firstEntry to lastEntry, each the nth of its column. */
    private void forEntries(EntryAction action) {
        int n = int32("n");
        long[] pointers = longArray("ptrs", n + 1);
        for (int column = 0; column < n; column++) {
            int begin = (int) Math.max(pointers[column], int64("firstEntry"));
            int end = (int) Math.min(pointers[column + 1], int64("lastEntry"));
            for (int entry = begin; entry < end; entry++) {
                action.accept(column, entry, (int) (entry - pointers[column]));
            }
        }
    }

    /** All in one launch, so that no column is left to other kernels. */
    private void sortColumns() {
        int n = int32("n");
        long[] pointers = longArray("ptrs", n + 1);
        int[] indices = array("idx", (int) pointers[n]);
        for (int column = 0; column < n; column++) {
            Arrays.sort(indices, (int) pointers[column], (int) pointers[column + 1]);
        }
        store("idx", indices);
        store("nextTile", (n - 1) / SORT_TILE + 1);
    }

    /** Builds the slice sets, which the kernels of the next steps count. */
    private void markFirsts() {
        Csc lists = lists("ptrs", "idx", int32("n"));
        if (int64("lastEntry") == lists.entryCount()) {
            device.sliceSets.put(pointer("marks"), TextbookBvss.of(lists));
        }
    }

    private void countSlices() {
        TextbookBvss bvss = device.sliceSets.get(pointer("marks"));
        store("total", bvss == null ? 0L : bvss.slices());
    }

    private void countSets() {
        TextbookBvss bvss = device.sliceSets.get(pointer("marks"));
        // a graph without entries has no marks
        int[] realPtrs = bvss == null ? new int[BvssStructure.sliceSetCount(int32("n")) + 1] : bvss.realPtrs();
        if (pointer("realPtrs") != 0) {
            store("realPtrs", realPtrs);
        }
        store("total", (long) realPtrs[realPtrs.length - 1]);
    }

    private void writeSlices() {
        Csc lists = lists("ptrs", "idx", int32("n"));
        if (int64("lastEntry") == lists.entryCount()) {
            TextbookBvss bvss = TextbookBvss.of(lists);
            store("virtualToReal", bvss.virtualToReal());
            store("rowIds", bvss.rowIds());
            store("masks", bvss.masks());
        }
    }

    private void measureLists() {
        int n = int32("n");
        long[] out = longArray("outPtrs", n + 1);
        double squares = 0;
        for (int slot = 0; slot < n; slot++) {
            squares += Math.pow((double) (out[slot + 1] - out[slot]), 2);
        }
        store("totals", Double.doubleToLongBits(squares), live());
    }

    /** Behind the last slot with edges. */
    private int live() {
        int n = int32("n");
        long[] out = longArray("outPtrs", n + 1);
        long[] in = longArray("inPtrs", n + 1);
        return IntStream.range(0, n)
                .filter(slot -> out[slot + 1] > out[slot] || in[slot + 1] > in[slot])
                .map(slot -> slot + 1)
                .max()
                .orElse(0);
    }

    private void narrowPointers() {
        store(
                "narrow",
                LongStream.of(longArray("ptrs", int32("n") + 1))
                        .mapToInt(pointer -> (int) pointer)
                        .toArray());
    }

    /** Each hop finds as many vertices as the vertex has neighbours. */
    private void measureBalls() {
        int radius = int32("radius");
        int last = int32("last");
        long[] pointers = longArray("ptrs", last + 1);
        LongBuffer totals = pointer("totals") == 0 ? null : longs(pointer("totals"), radius);
        IntBuffer unitsOf = pointer("units") == 0 ? null : ints(pointer("units"), last);
        for (int v = int32("first"); v < last; v++) {
            int degree = (int) (pointers[v + 1] - pointers[v]);
            for (int hops = 1; hops <= radius; hops++) {
                int members = degree >= MOST_BALL ? degree : Math.min(hops * degree, MOST_BALL - 1);
                int units = (RECORD_HEADER + members + RECORD_UNIT - 1) / RECORD_UNIT;
                if (totals != null) {
                    totals.put(hops - 1, totals.get(hops - 1) + units);
                }
                if (unitsOf != null) {
                    unitsOf.put(v, units);
                }
            }
        }
    }

    /** In place. */
    private void sumPlaces() {
        int[] places = array("recordAt", int32("n") + 1);
        int sum = 0;
        for (int v = 0; v < places.length; v++) {
            int units = v < places.length - 1 ? places[v] : 0;
            places[v] = sum;
            sum += units;
        }
        store("recordAt", places);
    }

    /** No list is long enough to be shared. */
    private void countItems() {
        store("facts", 0, 0, int32("n"), 0, live());
    }

    private void invertPositions() {
        int n = int32("n");
        int[] slotAt = array("slotAt", n);
        IntBuffer positionOf = ints(pointer("positionOf"), n);
        IntStream.range(0, n).forEach(position -> positionOf.put(slotAt[position], position));
    }

    /** A column each, and no tile near another. */
    private void measureTiles() {
        int n = int32("n");
        int[] slotAt = array("slotAt", n);
        long[] pointers = longArray("inPtrs", n + 1);
        int[] columns = new int[int32("tiles")];
        for (int at = 0; at < n; at++) {
            int tile = at / TILE_POSITIONS;
            long length = pointers[slotAt[at] + 1] - pointers[slotAt[at]];
            columns[tile] = (int) Math.max(columns[tile], Math.min(TILE_COLUMNS, length));
        }
        store("columnCounts", columns);
    }

    private void sumTiles() {
        sum("columnCounts", int32("tiles"), "columnPtrs");
        sum("nearCounts", int32("tiles"), "nearPtrs");
    }

    /** No tiles: all entries are in the rest. */
    private void countRest() {
        int n = int32("n");
        int[] counts =
                IntStream.range(0, n).map(lists("ptrs", "idx", n)::degree).toArray();
        store("restCounts", counts);
        store(
                "columnsWithEntries",
                IntStream.of(counts).filter(count -> count > 0).count());
        zeroedControl(pointer("control"));
    }

    private void sumRest() {
        sum("restCounts", int32("n"), "restPtrs");
        store("tilePtrs", new long[TileMatrix.columns(int32("n")) + 1]);
    }

    private void writeRest() {
        store("restRows", array(lists("ptrs", "idx", int32("n")).rowIndices()));
        zeroedControl(pointer("control"));
    }

    private void sum(String from, int count, String to) {
        int[] counts = array(from, count);
        long[] sums = new long[count + 1];
        for (int i = 0; i < count; i++) {
            sums[i + 1] = sums[i] + counts[i];
        }
        store(to, sums);
    }
}
